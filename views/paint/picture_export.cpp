#include "paint/picture_export.h"

#include "paint/draw_list_painter.h"

#include <QFileInfo>
#include <QImage>
#include <QObject>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace decodescope::views {
namespace {

constexpr double kPixelRatio = 2;

bool paintOn(QPaintDevice& device, const scene::DrawList& list, QSize size, const Theme& theme,
             double scale) {
  QPainter painter;
  if (!painter.begin(&device)) return false;
  painter.scale(scale, scale);
  painter.fillRect(QRect(QPoint(0, 0), size), toQColor(list.background));
  paintDrawList(painter, list, theme);
  return painter.end();
}

bool savePng(const scene::DrawList& list, QSize size, const Theme& theme, const QString& file) {
  QImage image(size * kPixelRatio, QImage::Format_RGB32);
  image.setDevicePixelRatio(kPixelRatio);
  return paintOn(image, list, size, theme, 1) && image.save(file, "PNG");
}

bool saveSvg(const scene::DrawList& list, QSize size, const Theme& theme, const QString& title,
             const QString& file) {
  QSvgGenerator svg;
  svg.setFileName(file);
  svg.setSize(size);
  svg.setViewBox(QRect(QPoint(0, 0), size));
  svg.setTitle(title);
  return paintOn(svg, list, size, theme, 1);
}

bool savePdf(const scene::DrawList& list, QSize size, const Theme& theme, const QString& title,
             const QString& file) {
  QPdfWriter pdf(file);
  pdf.setTitle(title);
  pdf.setResolution(300);
  // One logical pixel is 1/96 inch.
  pdf.setPageSize(QPageSize(QSizeF(size) * 72.0 / 96.0, QPageSize::Point));
  pdf.setPageMargins(QMarginsF());
  return paintOn(pdf, list, size, theme, 300.0 / 96.0);
}

}  // namespace

QString exportDrawList(const scene::DrawList& list, QSize size, const Theme& theme, const QString& title,
                       const QString& file) {
  const QString kind = QFileInfo(file).suffix().toLower();
  bool done = false;
  if (kind == QLatin1String("png"))
    done = savePng(list, size, theme, file);
  else if (kind == QLatin1String("svg"))
    done = saveSvg(list, size, theme, title, file);
  else if (kind == QLatin1String("pdf"))
    done = savePdf(list, size, theme, title, file);
  else
    return QObject::tr("%1: pictures are PNG, SVG or PDF; give the name one of these endings").arg(file);
  if (done && QFileInfo(file).size() > 0) return {};
  return QObject::tr("%1: cannot be written; choose a folder you may write to").arg(file);
}

}  // namespace decodescope::views
