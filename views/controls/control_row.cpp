#include "controls/control_row.h"

#include "base/format.h"
#include "base/icons.h"
#include "base/theme.h"
#include "controls/choice_row.h"
#include "controls/parameter_row.h"
#include "controls/switch_row.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

namespace decodescope::views {
namespace {

QString fromView(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QToolButton* smallButton(const QString& icon_name, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setIcon(icon(icon_name));
  button->setAutoRaise(true);
  button->setProperty("compact", true);
  return button;
}

}  // namespace

ControlRow::ControlRow(const ParameterDescriptor& descriptor, bool leading, QWidget* parent)
    : QWidget(parent), descriptor_(descriptor), leading_(leading) {
  setObjectName(path());
  grid_ = new QGridLayout(this);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(2);
  grid_->setVerticalSpacing(0);
  makeHead();
  caption_ = new QLabel(this);
  caption_->setProperty("role", QStringLiteral("secondary"));
  caption_->setWordWrap(true);
  caption_->hide();
  error_ = new QLabel(this);
  error_->setProperty("role", QStringLiteral("error"));
  error_->setWordWrap(true);
  error_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  error_->hide();
  grid_->addWidget(caption_, 4, 0, 1, 2);
  grid_->addWidget(error_, 5, 0, 1, 2);
  updateButtons();
  updateToolTip();
}

void ControlRow::makeHead() {
  auto* head = new QHBoxLayout;
  head->setSpacing(0);
  name_ = new QLabel(label(), this);
  name_->setWordWrap(true);
  if (leading_) name_->setProperty("role", QStringLiteral("lead"));
  name_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  name_->installEventFilter(this);
  reset_ = smallButton(QStringLiteral("dot"), this);
  reset_->setIcon(icon(QStringLiteral("dot"), IconTint::Accent));
  reset_->setAccessibleName(tr("Reset %1").arg(label()));
  connect(reset_, &QToolButton::clicked, this, &ControlRow::resetRequested);
  lock_ = smallButton(QStringLiteral("unlock"), this);
  lock_->setCheckable(true);
  lock_->setAccessibleName(tr("Lock %1").arg(label()));
  connect(lock_, &QToolButton::clicked, this, [this](bool checked) {
    lock_->setChecked(!checked);
    toggleLock();
  });
  head->addWidget(name_);
  head->addWidget(reset_);
  head->addStretch(1);
  head->addWidget(lock_);
  grid_->addLayout(head, 0, 0);
  grid_->setColumnStretch(0, 1);
}

QString ControlRow::path() const {
  return fromView(descriptor_.path);
}
QString ControlRow::label() const {
  return fromView(descriptor_.label);
}

bool ControlRow::matches(const QString& needle) const {
  const auto contains = [&needle](std::string_view text) {
    return fromView(text).contains(needle, Qt::CaseInsensitive);
  };
  return needle.isEmpty() || contains(descriptor_.label) || contains(descriptor_.path) ||
         contains(descriptor_.section) || contains(descriptor_.help);
}

void ControlRow::setHeadEditor(QWidget* widget, double share) {
  head_editor_ = widget;
  head_share_ = share;
  grid_->addWidget(widget, 0, 1, Qt::AlignRight | Qt::AlignTop);
}

void ControlRow::toggleLock() {
  setLocked(!locked_);
  Q_EMIT lockToggled(locked_);
}

void ControlRow::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu;
  QAction* reset = menu.addAction(icon(QStringLiteral("reset")), tr("Reset to %1").arg(original_), this,
                                  &ControlRow::resetRequested);
  reset->setVisible(modified_);
  menu.addAction(icon(locked_ ? QStringLiteral("unlock") : QStringLiteral("lock")),
                 locked_ ? tr("Unlock") : tr("Lock"), this, &ControlRow::toggleLock);
  menu.addAction(icon(QStringLiteral("copy")), tr("Copy parameter path"), this,
                 [this] { QGuiApplication::clipboard()->setText(path()); });
  menu.exec(event->globalPos());
}

void ControlRow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitName();
}

void ControlRow::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fitName();
}

void ControlRow::fitName() {
  if (name_ == nullptr || head_editor_ == nullptr) return;
  if (head_share_ > 0) head_editor_->setFixedWidth(qRound(width() * head_share_));
  const int editor = head_share_ > 0 ? head_editor_->width() : head_editor_->sizeHint().width();
  name_->ensurePolished();
  const int text = name_->fontMetrics().horizontalAdvance(name_->text()) + 2;
  const int button = lock_->sizeHint().width();
  const int room = width() - editor - 4;
  lock_fits_ = text + 2 * button < room;
  // One line where it fits; a word-wrapped label would otherwise break early.
  const int buttons = (modified_ ? button : 0) + (locked_ || lock_fits_ ? button : 0);
  name_->setMinimumWidth(std::max(0, std::min(text, room - buttons)));
}

void ControlRow::adoptEditor(QWidget* widget) {
  widget->setAccessibleName(label());
  widget->installEventFilter(this);
  if (editors_.empty()) name_->setBuddy(widget);
  editors_.push_back(widget);
  updateToolTip();
}

void ControlRow::setCaption(const QString& text) {
  caption_->setText(text);
  caption_->setVisible(!text.isEmpty());
}

void ControlRow::setModified(bool modified, const QString& original) {
  if (modified_ == modified && original_ == original) return;
  modified_ = modified;
  original_ = original;
  updateButtons();
  updateToolTip();
}

void ControlRow::setLocked(bool locked) {
  if (locked_ == locked) return;
  locked_ = locked;
  lock_->setChecked(locked);
  lock_->setIcon(icon(locked ? QStringLiteral("lock") : QStringLiteral("unlock")));
  QFont font = name_->font();
  font.setItalic(locked);
  name_->setFont(font);
  updateButtons();
  updateToolTip();
}

void ControlRow::setBlocked(const QString& why) {
  blocked_ = why;
  for (QWidget* editor : editors_) editor->setEnabled(why.isEmpty());
  updateToolTip();
}

void ControlRow::showError(const QString& text) {
  error_->setText(text);
  error_->setVisible(!text.isEmpty());
}

void ControlRow::updateButtons() {
  reset_->setVisible(modified_);
  lock_->setVisible(locked_ || (hovered_ && lock_fits_));
  fitName();
}

void ControlRow::updateToolTip() {
  QStringList lines{fromView(descriptor_.help)};
  if (descriptor_.scale != ParameterScale::Choice && descriptor_.scale != ParameterScale::Switch) {
    const ValueText high{exactText(descriptor_.hard_max), fromView(descriptor_.unit)};
    lines << tr("Range: %1 to %2").arg(exactText(descriptor_.hard_min), high.text());
  }
  if (modified_) lines << tr("As opened: %1. The dot resets it.").arg(original_);
  if (locked_) lines << tr("Locked: presets, sweeps, stories and suggested fixes leave it alone.");
  if (!blocked_.isEmpty()) lines << blocked_;
  lines << tr("Right-click to lock. On the command line: --set %1=…").arg(path());
  lines.removeAll(QString());
  const QString text = lines.join(QLatin1Char('\n'));
  name_->setToolTip(text);
  reset_->setToolTip(tr("Reset to %1").arg(original_));
  lock_->setToolTip(locked_ ? tr("Unlock") : tr("Lock"));
  for (QWidget* editor : editors_) {
    editor->setToolTip(text);
    editor->setWhatsThis(text);
    editor->setAccessibleDescription(text);
  }
}

void ControlRow::enterEvent(QEnterEvent* event) {
  hovered_ = true;
  updateButtons();
  QWidget::enterEvent(event);
}
void ControlRow::leaveEvent(QEvent* event) {
  QWidget* focus = QApplication::focusWidget();
  hovered_ = focus != nullptr && isAncestorOf(focus);
  updateButtons();
  QWidget::leaveEvent(event);
}

bool ControlRow::eventFilter(QObject* watched, QEvent* event) {
  if (watched == name_ && event->type() == QEvent::MouseButtonDblClick && modified_) Q_EMIT resetRequested();
  // With the focus come the buttons, so that the keyboard reaches them.
  if (watched != name_ && event->type() == QEvent::FocusIn) {
    hovered_ = true;
    updateButtons();
  } else if (watched != name_ && event->type() == QEvent::FocusOut && !underMouse() && !lock_->hasFocus()) {
    hovered_ = false;
    updateButtons();
  }
  return QWidget::eventFilter(watched, event);
}

QString parameterText(const ParameterDescriptor& descriptor, const ParameterValue& value,
                      const std::vector<CatalogItem>& choices) {
  if (const double* number = std::get_if<double>(&value)) {
    if (descriptor.scale == ParameterScale::Switch)
      return *number != 0 ? ControlRow::tr("on") : ControlRow::tr("off");
    return ValueText{exactText(*number), fromView(descriptor.unit)}.text();
  }
  const std::string& id = std::get<std::string>(value);
  for (const CatalogItem& item : choices)
    if (item.id == id) return QString::fromStdString(item.name);
  return QString::fromStdString(id);
}

ControlRow* makeControlRow(const ParameterDescriptor& descriptor, bool leading, QWidget* parent) {
  switch (descriptor.scale) {
    case ParameterScale::Choice:
      return new ChoiceRow(descriptor, parent);
    case ParameterScale::Switch:
      return new SwitchRow(descriptor, parent);
    default:
      return new ParameterRow(descriptor, leading, parent);
  }
}

}  // namespace decodescope::views
