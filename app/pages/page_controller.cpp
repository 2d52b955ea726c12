#include "app/pages/page_controller.h"

namespace decodescope::app {
namespace {
/// A slider that is still moving asks once.
constexpr int kRestMs = 80;
}  // namespace

PageController::PageController(Workbench& bench) : bench_(bench) {
  delay_.setSingleShot(true);
  delay_.setInterval(kRestMs);
  connect(&delay_, &QTimer::timeout, this, &PageController::refreshIfShown);
  connect(&bench, &Workbench::scenarioChanged, this, &PageController::invalidate);
}

void PageController::invalidate() {
  stale_ = true;
  if (shown_) delay_.start();
}

void PageController::setShown(bool shown) {
  shown_ = shown;
  refreshIfShown();
}

void PageController::refreshIfShown() {
  if (!shown_ || !stale_ || !bench_.isReady()) return;
  stale_ = false;
  refresh();
}

}  // namespace decodescope::app
