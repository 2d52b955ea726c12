#include "app/pages/pages.h"

#include "app/pages/triangle_controller.h"

#include <QtGlobal>

#include <array>

namespace decodescope::app {
namespace {

template <class Controller>
std::unique_ptr<PageController> make(Workbench& bench) {
  return std::make_unique<Controller>(bench);
}

constexpr std::array kPages{
    PageRow{"triangle", QT_TRANSLATE_NOOP("pages", "Triangle"),
            QT_TRANSLATE_NOOP("pages", "Which corner binds, and what would 10 % more of each resource buy?"),
            make<TriangleController>},
};

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
