// The pages beside the rack: one row each.
#pragma once

#include "app/pages/page_controller.h"

#include <QStringList>
#include <memory>
#include <span>

namespace decodescope::app {

struct PageRow {
  const char* id;        ///< of --page and --view
  const char* title;     ///< of the tab; translated in the context "pages"
  const char* question;  ///< that the page answers: tool tip of the tab
  std::unique_ptr<PageController> (*make)(Workbench&);
};
[[nodiscard]] std::span<const PageRow> pageRows();
/// "rack" and the ids of the rows.
[[nodiscard]] QStringList pageIds();

}  // namespace decodescope::app
