// "Explain this number": the tree, and below it the selected row's formula in symbols and with numbers.
#pragma once

#include <decodescope/derivation.h>

#include <QWidget>
#include <memory>

class QLabel;
class QToolButton;
class QTreeView;

namespace decodescope::views {

class ExplainModel;
struct Theme;

class ExplainView : public QWidget {
  Q_OBJECT

 public:
  explicit ExplainView(QWidget* parent = nullptr);

  /// Keeps what is unfolded and selected when the same quantity comes again with new numbers.
  void setDerivation(std::shared_ptr<const Derivation> root);
  /// A quantity that cannot be explained now, and why.
  void showFailure(const QString& message);
  [[nodiscard]] ExplainModel* model() const { return model_; }
  [[nodiscard]] QTreeView* tree() const { return tree_; }
  void applyTheme(const Theme& theme);

 Q_SIGNALS:
  /// The selected value is set by this control.
  void goToControl(const QString& path);
  /// How the quantity answers to each input.
  void sensitivityRequested(const QString& quantity);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void makeHeader();
  void fitColumns();
  void measureValues();
  void showCurrent();
  void copyAs(int format);

  double widest_value_ = 0;
  ExplainModel* model_ = nullptr;
  QTreeView* tree_ = nullptr;
  QLabel *title_ = nullptr, *formula_ = nullptr, *numbers_ = nullptr, *source_ = nullptr;
  QToolButton *copy_ = nullptr, *sensitivity_ = nullptr, *go_ = nullptr;
};

}  // namespace decodescope::views
