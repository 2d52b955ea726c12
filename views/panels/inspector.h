// The right dock: what is selected, why a number is what it is, and what would help.
#pragma once

#include "base/snapshot_view.h"

#include <decodescope/derivation.h>

#include <QStringList>
#include <QWidget>
#include <deque>
#include <memory>
#include <variant>
#include <vector>

class QHBoxLayout;
class QLabel;
class QScrollArea;
class QSplitter;
class QToolButton;

namespace decodescope::views {

class ExplainView;
class FixList;
class IdentityCard;

class Inspector : public QWidget, public SnapshotView {
  Q_OBJECT

 public:
  explicit Inspector(QWidget* parent = nullptr);

  void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
  void applyTheme(const Theme& theme) override;
  void showSelection(const Selection& selection) override;
  /// The answer to explainRequested, or to a click elsewhere; comes again with new numbers while the machine
  /// runs.
  void setDerivation(std::shared_ptr<const Derivation> root);
  void showExplainFailure(const QString& message);
  /// The quantity explained now, empty if none: ask for it again when the scenario changes.
  [[nodiscard]] QString explainedQuantity() const { return quantity_; }
  [[nodiscard]] Selection selection() const { return selection_; }
  [[nodiscard]] ExplainView* explainView() const { return explain_; }

  /// Notes what is asked for and emits explainRequested; use it for every click on a number in the program.
  void explain(const QString& quantity);
  void goBack();
  void goForward();
  [[nodiscard]] bool canGoBack() const { return position_ > 0; }
  [[nodiscard]] bool canGoForward() const { return position_ + 1 < visited_.size(); }
  /// Back and forward, for the dock's title bar. They stand on top of the panel until this takes them from
  /// there.
  [[nodiscard]] QWidget* headerExtras();

 Q_SIGNALS:
  void explainRequested(const QString& quantity);
  void selectionRequested(const decodescope::views::Selection& selection);
  void applyFix(const QString& path, const QString& value);
  void goToControl(const QString& path);
  void sensitivityRequested(const QString& quantity);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// A place in the back and forward history.
  using Visit = std::variant<Selection, QString>;

  void makeHeader();
  void visit(const Visit& place);
  void reopen();
  void updateButtons();
  void recordTemperatures(const Snapshot& snapshot);
  void refresh();
  void share();

  QHBoxLayout* header_line_ = nullptr;
  QWidget* header_ = nullptr;
  QToolButton *back_ = nullptr, *forward_ = nullptr;
  QSplitter* splitter_ = nullptr;
  QScrollArea *scroll_ = nullptr, *fix_scroll_ = nullptr;
  QLabel* empty_ = nullptr;
  IdentityCard* card_ = nullptr;
  FixList* fixes_ = nullptr;
  ExplainView* explain_ = nullptr;

  std::shared_ptr<const Snapshot> snapshot_;
  Selection selection_;
  QString quantity_;
  std::vector<Visit> visited_;
  std::size_t position_ = 0;
  std::deque<std::vector<float>> temperatures_;  ///< of all chips, per snapshot, oldest first
  std::deque<qint64> tokens_;
  qint64 shown_ms_ = 0;
  bool share_pending_ = false;
  bool user_sized_ = false;  ///< the splitter stands where the user put it
};

}  // namespace decodescope::views
