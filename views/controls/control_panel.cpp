#include "controls/control_panel.h"

#include "base/theme.h"
#include "controls/collapsible_section.h"
#include "controls/control_row.h"
#include "controls/status_sentence.h"

#include <QApplication>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace decodescope::views {
namespace {

constexpr std::string_view kLeadingLabels[] = {"Context length", "Cluster size"};

QString fromView(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QToolButton* segment(const QString& text, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setCheckable(true);
  button->setProperty("segment", true);
  return button;
}

}  // namespace

bool isLeadingParameter(const ParameterDescriptor& descriptor) {
  return std::find(std::begin(kLeadingLabels), std::end(kLeadingLabels), descriptor.label) !=
         std::end(kLeadingLabels);
}

ControlPanel::ControlPanel(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("controlPanel"));
  layout_ = new QVBoxLayout(this);
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSpacing(0);
  makeHeader();
  sentence_ = new StatusSentence(this);
  auto* sentence_box = new QVBoxLayout;
  sentence_box->setContentsMargins(10, 8, 10, 6);
  sentence_box->addWidget(sentence_);
  layout_->addLayout(sentence_box);
  connect(sentence_, &StatusSentence::controlRequested, this, &ControlPanel::focusParameter);
  connect(sentence_, &StatusSentence::explainRequested, this, &ControlPanel::explainRequested);
  connect(sentence_, &StatusSentence::fixRequested, this, &ControlPanel::fixRequested);
  makeRows();
  makeFooter();
  filterRows();
}

ControlPanel::~ControlPanel() = default;

void ControlPanel::makeHeader() {
  header_ = new QWidget(this);
  auto* box = new QHBoxLayout(header_);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  basic_ = segment(tr("Basic"), header_);
  all_ = segment(tr("All"), header_);
  basic_->setAccessibleName(tr("Show basic parameters"));
  all_->setAccessibleName(tr("Show all parameters"));
  auto* group = new QButtonGroup(header_);
  group->addButton(basic_);
  group->addButton(all_);
  basic_->setChecked(true);
  box->addWidget(basic_);
  box->addWidget(all_);
  connect(all_, &QToolButton::toggled, this, &ControlPanel::setShowAll);
  header_line_ = new QHBoxLayout;
  header_line_->setContentsMargins(10, 8, 10, 0);
  header_line_->addWidget(header_);
  header_line_->addStretch(1);
  layout_->addLayout(header_line_);
  search_ = new QLineEdit(this);
  search_->setPlaceholderText(tr("Find a parameter"));
  search_->setAccessibleName(tr("Find a parameter"));
  search_->setClearButtonEnabled(true);
  search_->hide();
  auto* search_line = new QHBoxLayout;
  search_line->setContentsMargins(10, 0, 10, 0);
  search_line->addWidget(search_);
  layout_->addLayout(search_line);
  connect(search_, &QLineEdit::textChanged, this, &ControlPanel::filterRows);
}

QWidget* ControlPanel::headerExtras() {
  return header_;
}

void ControlPanel::makeRows() {
  scroll_ = new QScrollArea(this);
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->viewport()->setAutoFillBackground(false);
  auto* content = new QWidget(scroll_);
  content->setAutoFillBackground(false);
  rows_layout_ = new QVBoxLayout(content);
  rows_layout_->setContentsMargins(12, 4, 12, 8);
  rows_layout_->setSpacing(4);
  leading_box_ = new QWidget(content);
  auto* leading = new QVBoxLayout(leading_box_);
  leading->setContentsMargins(2, 0, 0, 4);
  leading->setSpacing(10);
  rows_layout_->addWidget(leading_box_);
  for (const std::string_view label : kLeadingLabels)
    for (const ParameterDescriptor& descriptor : parameterTable())
      if (descriptor.label == label) addRow(descriptor, true);
  for (const ParameterDescriptor& descriptor : parameterTable())
    if (!isLeadingParameter(descriptor)) addRow(descriptor, false);
  rows_layout_->addStretch(1);
  scroll_->setWidget(content);
  layout_->addWidget(scroll_, 1);
}

void ControlPanel::addRow(const ParameterDescriptor& descriptor, bool leading) {
  ControlRow* row = makeControlRow(descriptor, leading, leading_box_);
  const QString path = row->path();
  rows_.push_back(row);
  by_path_.insert(path, row);
  if (leading)
    leading_box_->layout()->addWidget(row);
  else
    sectionOf(fromView(descriptor.section))->addRow(row);
  connect(row, &ControlRow::edited, this,
          [this, path](const ParameterValue& value, quint64 serial, bool finished) {
            Q_EMIT edited(path, value, serial, finished);
          });
  connect(row, &ControlRow::resetRequested, this, [this, path] { Q_EMIT resetRequested(path); });
  connect(row, &ControlRow::lockToggled, this,
          [this, path](bool locked) { Q_EMIT lockChanged(path, locked); });
}

CollapsibleSection* ControlPanel::sectionOf(const QString& title) {
  for (const auto& [name, section] : sections_)
    if (name == title) return section;
  auto* section = new CollapsibleSection(title, rows_layout_->parentWidget());
  sections_.emplace_back(title, section);
  rows_layout_->addWidget(section);
  connect(section, &CollapsibleSection::resetRequested, this, [this, title] {
    QStringList changed;
    for (const ControlRow* row : rows_)
      if (fromView(row->descriptor().section) == title && row->isModified() && !row->isLocked() &&
          !isLeadingParameter(row->descriptor()))
        changed << row->path();
    if (!changed.isEmpty()) Q_EMIT resetSectionRequested(changed);
  });
  return section;
}

void ControlPanel::makeFooter() {
  auto* rule = new QFrame(this);
  rule->setProperty("rule", true);
  layout_->addWidget(rule);
  auto* line = new QHBoxLayout;
  line->setContentsMargins(10, 8, 12, 8);
  reset_all_ = new QPushButton(tr("Reset all"), this);
  reset_all_->setToolTip(tr("Back to the scenario as it was opened; views stay as they are"));
  reset_all_->setAccessibleName(tr("Reset all parameters"));
  shown_ = new QLabel(this);
  shown_->setProperty("role", QStringLiteral("secondary"));
  line->addWidget(reset_all_);
  line->addStretch(1);
  line->addWidget(shown_);
  layout_->addLayout(line);
  connect(reset_all_, &QPushButton::clicked, this, &ControlPanel::resetAllRequested);
}

void ControlPanel::setScenario(const Scenario& scenario, const CatalogListing& listing) {
  scenario_ = std::make_unique<Scenario>(scenario);
  listing_ = listing;
  if (!reference_) reference_ = std::make_unique<Scenario>(scenario);
  for (ControlRow* row : rows_) {
    const ParameterDescriptor& descriptor = row->descriptor();
    if (descriptor.scale == ParameterScale::Choice) row->setChoices(parameterChoices(descriptor, listing_));
    row->setValue(parameterValue(scenario, descriptor, listing_));
  }
  updateModified();
}

void ControlPanel::setReference(const Scenario& reference) {
  reference_ = std::make_unique<Scenario>(reference);
  if (scenario_) updateModified();
}

void ControlPanel::updateModified() {
  bool any = false;
  QHash<QString, bool> section_modified;
  for (ControlRow* row : rows_) {
    const ParameterDescriptor& descriptor = row->descriptor();
    const ParameterValue original = parameterValue(*reference_, descriptor, listing_);
    const bool modified = parameterValue(*scenario_, descriptor, listing_) != original ||
                          isParameterSet(*scenario_, descriptor) != isParameterSet(*reference_, descriptor);
    const std::vector<CatalogItem> choices = modified && descriptor.scale == ParameterScale::Choice
                                                 ? parameterChoices(descriptor, listing_)
                                                 : std::vector<CatalogItem>{};
    row->setModified(modified, modified ? parameterText(descriptor, original, choices) : QString());
    any = any || modified;
    if (modified && !isLeadingParameter(descriptor)) section_modified[fromView(descriptor.section)] = true;
  }
  for (const auto& [title, section] : sections_) section->setResetVisible(section_modified.value(title));
  reset_all_->setEnabled(any);
}

void ControlPanel::setLocked(const QString& path, bool locked) {
  if (ControlRow* found = row(path)) found->setLocked(locked);
}
void ControlPanel::setBlocked(const QString& path, const QString& why) {
  if (ControlRow* found = row(path)) found->setBlocked(why);
}
void ControlPanel::showError(const QString& path, const QString& text) {
  if (ControlRow* found = row(path)) found->showError(text);
}
void ControlPanel::setSensitivity(const QString& path, std::vector<SensitivityPoint> points) {
  if (ControlRow* found = row(path)) found->setSensitivity(std::move(points));
}

ControlRow* ControlPanel::row(const QString& path) const {
  return by_path_.value(path, nullptr);
}

QStringList ControlPanel::paths() const {
  QStringList out;
  for (const ControlRow* row : rows_) out << row->path();
  return out;
}

QStringList ControlPanel::sensitivityPaths() const {
  QStringList out;
  for (const ControlRow* row : rows_) {
    const ParameterScale scale = row->descriptor().scale;
    if (scale != ParameterScale::Choice && scale != ParameterScale::Switch && isShown(*row))
      out << row->path();
  }
  return out;
}

void ControlPanel::setShowAll(bool all) {
  if (show_all_ == all) return;
  show_all_ = all;
  (all ? all_ : basic_)->setChecked(true);
  search_->setVisible(all);
  if (!all) search_->clear();
  filterRows();
}

bool ControlPanel::isShown(const ControlRow& row) const {
  const ParameterDescriptor& descriptor = row.descriptor();
  return (show_all_ || descriptor.basic || isLeadingParameter(descriptor)) && row.matches(search_->text());
}

void ControlPanel::filterRows() {
  int shown = 0;
  QHash<QString, int> in_section;
  for (ControlRow* row : rows_) {
    const bool visible = isShown(*row);
    row->setVisible(visible);
    shown += visible ? 1 : 0;
    if (visible && !isLeadingParameter(row->descriptor())) ++in_section[fromView(row->descriptor().section)];
  }
  for (const auto& [title, section] : sections_) section->setVisible(in_section.value(title) > 0);
  shown_->setText(tr("%1 of %2 shown").arg(shown).arg(rows_.size()));
}

void ControlPanel::focusParameter(const QString& path) {
  ControlRow* found = row(path);
  if (found == nullptr) return;
  if (!isShown(*found)) {
    search_->clear();
    if (!isShown(*found)) setShowAll(true);
  }
  for (const auto& [title, section] : sections_)
    if (title == fromView(found->descriptor().section)) section->setOpen(true);
  found->editor()->setFocus(Qt::OtherFocusReason);
  QTimer::singleShot(0, found, [this, found] { scroll_->ensureWidgetVisible(found); });
}

void ControlPanel::focusSearch() {
  setShowAll(true);
  search_->setFocus(Qt::ShortcutFocusReason);
  search_->selectAll();
}

void ControlPanel::showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
  sentence_->setSnapshot(snapshot, listing_);
}

void ControlPanel::applyTheme(const Theme& theme) {
  setCurrentTheme(theme);

  const int side = qRound(theme.px(12));
  rows_layout_->setContentsMargins(side, qRound(theme.px(4)), side, qRound(theme.px(8)));
  rows_layout_->setSpacing(qRound(theme.px(4)));
  for (ControlRow* row : rows_) row->updateGeometry();
  updateGeometry();
  update();
}

}  // namespace decodescope::views
