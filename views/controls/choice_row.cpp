#include "controls/choice_row.h"

#include "base/theme.h"
#include "controls/parameter_slider.h"

#include <QComboBox>
#include <QCompleter>
#include <QEvent>
#include <QLineEdit>
#include <QSignalBlocker>
#include <algorithm>

namespace decodescope::views {
namespace {

/// From so many entries on, typing to search is faster than looking.
constexpr int kSearchFrom = 8;

bool sameItems(const std::vector<CatalogItem>& a, const std::vector<CatalogItem>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const CatalogItem& x, const CatalogItem& y) {
    return x.id == y.id && x.name == y.name;
  });
}

}  // namespace

ChoiceRow::ChoiceRow(const ParameterDescriptor& descriptor, QWidget* parent)
    : ControlRow(descriptor, false, parent) {
  combo_ = new QComboBox(this);
  combo_->setFocusPolicy(Qt::StrongFocus);
  combo_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  combo_->setMinimumContentsLength(12);
  combo_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setHeadEditor(combo_, 0.66);
  adoptEditor(combo_);
  connect(combo_, &QComboBox::activated, this, &ChoiceRow::choose);
}

QWidget* ChoiceRow::editor() const {
  return combo_;
}

void ChoiceRow::setChoices(const std::vector<CatalogItem>& choices) {
  if (sameItems(choices, choices_)) return;
  choices_ = choices;
  const QSignalBlocker blocker(combo_);
  combo_->clear();
  for (const CatalogItem& item : choices_) {
    combo_->addItem(QString::fromStdString(item.name), QString::fromStdString(item.id));
    combo_->setItemData(combo_->count() - 1, QString::fromStdString(item.detail), Qt::ToolTipRole);
  }
  const bool search = combo_->count() >= kSearchFrom;
  if (combo_->isEditable() != search) {
    combo_->setEditable(search);
    if (search) {
      combo_->setInsertPolicy(QComboBox::NoInsert);
      combo_->completer()->setCompletionMode(QCompleter::PopupCompletion);
      combo_->completer()->setFilterMode(Qt::MatchContains);
      combo_->completer()->setCaseSensitivity(Qt::CaseInsensitive);
      combo_->lineEdit()->setAccessibleName(label());
      combo_->lineEdit()->installEventFilter(this);
      connect(combo_->lineEdit(), &QLineEdit::editingFinished, this, [this] {
        const int index = combo_->findText(combo_->lineEdit()->text(), Qt::MatchFixedString);
        index >= 0 ? choose(index) : select(current_id_);
      });
    }
  }
  select(current_id_);
}

void ChoiceRow::setValue(const ParameterValue& value) {
  if (const auto* id = std::get_if<std::string>(&value)) select(QString::fromStdString(*id));
}

void ChoiceRow::select(const QString& id) {
  current_id_ = id;
  const QSignalBlocker blocker(combo_);
  int index = combo_->findData(id);
  if (index < 0 && !id.isEmpty()) {  // a value of the file that the catalog does not list still shows
    combo_->addItem(id, id);
    index = combo_->count() - 1;
  }
  combo_->setCurrentIndex(index);
  if (combo_->isEditable()) {
    combo_->setEditText(combo_->itemText(index));
    combo_->lineEdit()->setCursorPosition(0);
  }
}

void ChoiceRow::choose(int index) {
  const QString id = combo_->itemData(index).toString();
  if (index < 0 || id == current_id_) return;
  select(id);
  showError({});
  Q_EMIT edited(id.toStdString(), nextEditSerial(), true);
}

bool ChoiceRow::eventFilter(QObject* watched, QEvent* event) {
  if (watched == combo_ && event->type() == QEvent::Wheel && !combo_->hasFocus()) {
    event->ignore();
    return true;
  }
  if (combo_ != nullptr && watched == combo_->lineEdit() && event->type() == QEvent::FocusIn)
    QMetaObject::invokeMethod(combo_->lineEdit(), &QLineEdit::selectAll, Qt::QueuedConnection);
  return ControlRow::eventFilter(watched, event);
}

}  // namespace decodescope::views
