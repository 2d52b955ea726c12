// One parameter of the control panel, whatever its kind: name, reset, lock, help, refusal text. The kinds
// differ in what edits the value.
#pragma once

#include "controls/sparkline.h"

#include <decodescope/parameters.h>

#include <QString>
#include <QWidget>
#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;

namespace decodescope::views {

class ControlRow : public QWidget {
  Q_OBJECT

 public:
  /// `descriptor` must outlive the row (the table does). A leading row is bigger and has tick labels.
  ControlRow(const ParameterDescriptor& descriptor, bool leading, QWidget* parent);

  [[nodiscard]] const ParameterDescriptor& descriptor() const { return descriptor_; }
  [[nodiscard]] QString path() const;
  [[nodiscard]] QString label() const;
  [[nodiscard]] bool matches(const QString& needle) const;

  /// Shows a value; emits nothing.
  virtual void setValue(const ParameterValue& value) = 0;
  virtual void setChoices(const std::vector<CatalogItem>&) {}
  virtual void setSensitivity(std::vector<SensitivityPoint>) {}
  [[nodiscard]] virtual QWidget* editor() const = 0;

  /// The value differs from the scenario as opened; `original` says what it was.
  void setModified(bool modified, const QString& original = {});
  [[nodiscard]] bool isModified() const { return modified_; }
  void setLocked(bool locked);
  [[nodiscard]] bool isLocked() const { return locked_; }
  /// Not to be changed now, and why ("unlocks after the reveal"). Empty: free.
  void setBlocked(const QString& why);
  /// Text in red below the row; empty takes it away.
  void showError(const QString& text);

 Q_SIGNALS:
  void edited(const decodescope::ParameterValue& value, quint64 serial, bool finished);
  void resetRequested();
  void lockToggled(bool locked);

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

  [[nodiscard]] QGridLayout* grid() const { return grid_; }
  [[nodiscard]] bool isLeading() const { return leading_; }
  /// Puts the editor to the right of the name; called once by the kinds. `share` of the row's width, or 0 for
  /// its own.
  void setHeadEditor(QWidget* widget, double share);
  /// Names, describes and enables editors, for screen readers and locks.
  void adoptEditor(QWidget* widget);
  void setCaption(const QString& text);

 private:
  void updateButtons();
  void updateToolTip();
  void makeHead();
  void fitName();
  void toggleLock();

  const ParameterDescriptor& descriptor_;
  bool leading_, modified_ = false, locked_ = false, hovered_ = false, lock_fits_ = false;
  QString original_, blocked_;
  std::vector<QWidget*> editors_;
  QGridLayout* grid_ = nullptr;
  QWidget* head_editor_ = nullptr;
  double head_share_ = 0;
  QLabel* name_ = nullptr;
  QLabel* caption_ = nullptr;
  QLabel* error_ = nullptr;
  QToolButton* reset_ = nullptr;
  QToolButton* lock_ = nullptr;
};

/// The row that suits the descriptor's scale.
[[nodiscard]] ControlRow* makeControlRow(const ParameterDescriptor& descriptor, bool leading,
                                         QWidget* parent);
/// "8,192 tokens", or the name of a choice.
[[nodiscard]] QString parameterText(const ParameterDescriptor& descriptor, const ParameterValue& value,
                                    const std::vector<CatalogItem>& choices);

}  // namespace decodescope::views
