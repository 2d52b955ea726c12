// The triangle page: what 10 % more of each resource buys at the document's operating point.
#pragma once

#include "app/pages/page_controller.h"

#include "analysis/sensitivity.h"

namespace decodescope::views {
class TrianglePage;
}

namespace decodescope::app {

class TriangleController : public PageController {
  Q_OBJECT

 public:
  explicit TriangleController(Workbench& bench);
  [[nodiscard]] QWidget* widget() const override;
  [[nodiscard]] views::SnapshotView* view() const override;
  [[nodiscard]] bool isBusy() const override { return isStale() || job_.isActive(); }

 protected:
  void refresh() override;

 private:
  [[nodiscard]] analysis::Objective objective() const;
  void show();
  void load(int row);

  views::TrianglePage* page_;  ///< the page host's
  LatestJob job_;
  Scenario asked_;
  std::optional<analysis::Sensitivity> found_;
};

}  // namespace decodescope::app
