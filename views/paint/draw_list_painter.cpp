#include "paint/draw_list_painter.h"

#include "paint/text_measure.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QStaticText>
#include <QtMath>
#include <array>
#include <map>
#include <tuple>

namespace decodescope::views {
namespace {

using namespace scene;

constexpr float kHatchPitch_px = 9, kHatchWidth_px = 1.6f;

QRectF toRectF(const Rect& r) {
  return {r.x, r.y, r.width, r.height};
}
QPointF toPointF(Point p) {
  return {p.x, p.y};
}

void paintGrid(QPainter& painter, const CellGrid& grid) {
  if (grid.columns < 1 || grid.rows < 1 ||
      grid.cells.size() < std::size_t(grid.columns) * std::size_t(grid.rows))
    return;
  QImage image(grid.columns, grid.rows, QImage::Format_ARGB32);
  for (int row = 0; row < grid.rows; ++row) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
    for (int column = 0; column < grid.columns; ++column) {
      const Color c = grid.cells[std::size_t(row) * std::size_t(grid.columns) + std::size_t(column)];
      line[column] = qRgba(c.r, c.g, c.b, c.a);
    }
  }
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  painter.drawImage(toRectF(grid.rect), image);
}

// Lines rather than a brush, so that they stay vectors in SVG and PDF.
void paintHatch(QPainter& painter, const Quad& quad) {
  const QRectF r = toRectF(quad.rect);
  const bool dark_ink = qGray(quad.fill.r, quad.fill.g, quad.fill.b) > 110;
  painter.save();
  painter.setClipRect(r, Qt::IntersectClip);
  painter.setPen(QPen(dark_ink ? QColor(0, 0, 0, 190) : QColor(255, 255, 255, 190), kHatchWidth_px));
  // In canvas coordinates, as the shader does it: neighbouring tiles continue the pattern.
  const double first = std::ceil((r.left() + r.top()) / kHatchPitch_px) * kHatchPitch_px;
  for (double sum = first; sum < r.right() + r.bottom(); sum += kHatchPitch_px) {
    painter.drawLine(QPointF(sum - r.bottom(), r.bottom()), QPointF(sum - r.top(), r.top()));
  }
  if (quad.hatch == Hatch::Cross) {
    const double start = std::ceil((r.left() - r.bottom()) / kHatchPitch_px) * kHatchPitch_px;
    for (double difference = start; difference < r.right() - r.top(); difference += kHatchPitch_px) {
      painter.drawLine(QPointF(difference + r.top(), r.top()), QPointF(difference + r.bottom(), r.bottom()));
    }
  }
  painter.restore();
}

void paintQuad(QPainter& painter, const Quad& quad) {
  const QRectF r = toRectF(quad.rect);
  const bool bordered = quad.border.a > 0 && quad.border_width > 0;
  const double inset = bordered ? double(quad.border_width) / 2 : 0;
  const QRectF inner = r.adjusted(inset, inset, -inset, -inset);
  if (quad.radius <= 0 && !bordered) {
    if (quad.fill.a > 0) painter.fillRect(r, toQColor(quad.fill));
  } else {
    painter.setPen(Qt::NoPen);
    painter.setBrush(toQColor(quad.fill));
    if (quad.fill.a > 0)
      quad.radius > 0 ? painter.drawRoundedRect(r, double(quad.radius), double(quad.radius))
                      : painter.fillRect(r, toQColor(quad.fill));
  }
  if (quad.hatch != Hatch::None) paintHatch(painter, quad);
  if (!bordered) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(
      QPen(toQColor(quad.border), double(quad.border_width), Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
  const double radius = std::max(0.0, double(quad.radius) - inset);
  radius > 0 ? painter.drawRoundedRect(inner, radius, radius) : painter.drawRect(inner);
}

void paintPolygon(QPainter& painter, const Polygon& polygon) {
  QPolygonF points;
  for (const Point& p : polygon.points) points << toPointF(p);
  painter.setBrush(toQColor(polygon.fill));
  painter.setPen(polygon.border.a > 0 && polygon.border_width > 0
                     ? QPen(toQColor(polygon.border), double(polygon.border_width))
                     : QPen(Qt::NoPen));
  painter.drawPolygon(points);
}

QPainterPath pathOf(const Curve& curve) {
  QPainterPath path(toPointF(curve.from));
  path.cubicTo(toPointF(curve.control1), toPointF(curve.control2), toPointF(curve.to));
  return path;
}

// On and off, in multiples of the width; the shader has the same numbers.
QPen penOf(const Curve& curve) {
  QPen pen(toQColor(curve.color), double(curve.width), Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
  const double width = double(curve.width);
  const auto dash = [&](double on_px, double off_px) {
    pen.setDashPattern({on_px / width, off_px / width});
    pen.setDashOffset(double(curve.dash_phase) / width);
  };
  switch (curve.dash) {
    case Dash::Dotted:
      dash(1.5, 3);
      break;
    case Dash::Long:
      dash(11, 4);
      break;
    case Dash::Short:
      dash(5, 3);
      break;
    case Dash::Solid:
    case Dash::Double:
      break;
  }
  return pen;
}

// Two rails with cross-ties, standing still: the line is jammed.
void paintDouble(QPainter& painter, const Curve& curve) {
  const QPainterPath path = pathOf(curve);
  QPainterPathStroker stroker;
  const double rail = std::max(1.0, double(curve.width) / 3.6);
  stroker.setWidth(double(curve.width) - rail);
  stroker.setCapStyle(Qt::FlatCap);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(toQColor(curve.color), rail));
  painter.drawPath(stroker.createStroke(path));
  QPen ties(toQColor(curve.color), double(curve.width) * 1.25, Qt::SolidLine, Qt::FlatCap);
  ties.setDashPattern({rail / (double(curve.width) * 1.25), 9 / (double(curve.width) * 1.25)});
  painter.setPen(ties);
  painter.drawPath(path);
}

void paintCurve(QPainter& painter, const Curve& curve) {
  if (curve.dash == Dash::Double) return paintDouble(painter, curve);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(penOf(curve));
  const bool line = curve.control1.x == curve.from.x && curve.control1.y == curve.from.y &&
                    curve.control2.x == curve.to.x && curve.control2.y == curve.to.y;
  line ? painter.drawLine(toPointF(curve.from), toPointF(curve.to)) : painter.drawPath(pathOf(curve));
}

class LabelPainter {
 public:
  LabelPainter(QPainter& painter, const Theme& theme) : painter_(painter), theme_(theme) {}

  void paint(const Label& label) {
    const Face& face = faceOf(label);
    const QString text = QString::fromStdString(label.text);
    const double width =
        label.align == Align::Left && label.halo.a == 0 ? 0 : face.metrics.horizontalAdvance(text);
    const double shift = label.align == Align::Left ? 0 : label.align == Align::Center ? width / 2 : width;
    // The middle of digits and capitals sits on the anchor.
    const QPointF baseline(double(label.anchor.x) - shift,
                           double(label.anchor.y) + face.metrics.capHeight() / 2);
    if (label.halo.a > 0) {
      QPainterPath path;
      path.addText(baseline, face.font, text);
      painter_.strokePath(
          path, QPen(toQColor(label.halo), 4 * theme_.zoom, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    }
    painter_.setFont(face.font);
    painter_.setPen(toQColor(label.color));
    painter_.drawText(baseline, text);
  }

 private:
  struct Face {
    QFont font;
    QFontMetricsF metrics;
  };
  const Face& faceOf(const Label& label) {
    const auto key = std::tuple(int(label.font), label.bold, qRound(label.scale * 50));
    auto known = faces_.find(key);
    if (known == faces_.end()) {
      const QFont font = fontOf(theme_, label.font, label.bold, float(std::get<2>(key)) / 50);
      known = faces_.emplace(key, Face{font, QFontMetricsF(font)}).first;
    }
    return known->second;
  }

  QPainter& painter_;
  const Theme& theme_;
  std::map<std::tuple<int, bool, int>, Face> faces_;
};

void paintLayer(QPainter& painter, const DrawList& list, const Theme& theme, LabelPainter& labels) {
  painter.save();
  if (list.clip.width > 0) painter.setClipRect(toRectF(list.clip));
  for (const CellGrid& grid : list.grids) paintGrid(painter, grid);
  for (const Quad& quad : list.quads) paintQuad(painter, quad);
  for (const Polygon& polygon : list.polygons) paintPolygon(painter, polygon);
  for (const Curve& curve : list.curves) paintCurve(painter, curve);
  for (const Quad& quad : list.overlays) paintQuad(painter, quad);
  for (const Label& label : list.labels) labels.paint(label);
  painter.restore();
  for (const DrawList& layer : list.layers) paintLayer(painter, layer, theme, labels);
}

}  // namespace

void paintDrawList(QPainter& painter, const DrawList& list, const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setRenderHint(QPainter::TextAntialiasing);
  LabelPainter labels(painter, theme);
  paintLayer(painter, list, theme, labels);
}

}  // namespace decodescope::views
