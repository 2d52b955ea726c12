// One page of the window beside the rack: joins its view, which computes nothing, with the jobs that fill it.
#pragma once

#include "app/workbench.h"

#include "base/snapshot_view.h"

#include <QTimer>
#include <QWidget>
#include <memory>

namespace decodescope::app {

class PageController : public QObject {
  Q_OBJECT

 public:
  explicit PageController(Workbench& bench);
  /// Owned by the page host.
  [[nodiscard]] virtual QWidget* widget() const = 0;
  /// The same, for themes and snapshots; called for hidden pages too, so keep it cheap.
  [[nodiscard]] virtual views::SnapshotView* view() const = 0;
  /// Whether a picture taken now would lack results.
  [[nodiscard]] virtual bool isBusy() const { return isStale(); }

  void setShown(bool shown);
  [[nodiscard]] bool isShown() const { return shown_; }

 protected:
  /// Computes what the page shows for the document's scenario. Called when the page is shown and its results
  /// are out of date, and a moment after a change of the scenario while it is shown. The catalog is there.
  virtual void refresh() = 0;
  [[nodiscard]] bool isStale() const { return stale_; }
  /// Asks for `refresh`, now or when the page is next shown.
  void invalidate();
  [[nodiscard]] Workbench& bench() const { return bench_; }

 private:
  void refreshIfShown();

  Workbench& bench_;
  QTimer delay_;
  bool shown_ = false, stale_ = true;
};

}  // namespace decodescope::app
