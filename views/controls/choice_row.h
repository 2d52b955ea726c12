// One of several: a combo box that can be searched by typing any part of a name.
#pragma once

#include "controls/control_row.h"

class QComboBox;

namespace decodescope::views {

class ChoiceRow : public ControlRow {
  Q_OBJECT

 public:
  ChoiceRow(const ParameterDescriptor& descriptor, QWidget* parent);

  void setValue(const ParameterValue& value) override;
  void setChoices(const std::vector<CatalogItem>& choices) override;
  [[nodiscard]] QWidget* editor() const override;
  [[nodiscard]] QComboBox* comboBox() const { return combo_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void choose(int index);
  void select(const QString& id);

  QComboBox* combo_ = nullptr;
  std::vector<CatalogItem> choices_;
  QString current_id_;
};

}  // namespace decodescope::views
