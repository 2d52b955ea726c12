#include "app/pages/pages.h"

#include <array>

namespace decodescope::app {
namespace {

template <class Controller>
std::unique_ptr<PageController> make(Workbench& bench) {
  return std::make_unique<Controller>(bench);
}

constexpr std::array<PageRow, 0> kPages{};

}  // namespace

std::span<const PageRow> pageRows() {
  return kPages;
}

QStringList pageIds() {
  QStringList ids{QStringLiteral("rack")};
  for (const PageRow& row : pageRows()) ids << QString::fromLatin1(row.id);
  return ids;
}

}  // namespace decodescope::app
