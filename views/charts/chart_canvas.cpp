#include "charts/chart_canvas.h"

#include "base/theme.h"
#include "scene/color_map.h"

#include <QGraphicsLayout>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace decodescope::views {
namespace {

/// Puts labels of `height` below each other, each as near to its own place as the others allow.
void spread(std::vector<double>& ys, double height, double top, double bottom) {
  for (std::size_t i = 1; i < ys.size(); ++i) ys[i] = std::max(ys[i], ys[i - 1] + height);
  double limit = bottom;
  for (std::size_t i = ys.size(); i-- > 0;) {
    ys[i] = std::min(ys[i], limit);
    limit = ys[i] - height;
  }
  double floor = top;
  for (double& y : ys) {
    y = std::max(y, floor);
    floor = y + height;
  }
}

}  // namespace

ChartPanel::Canvas::Canvas(ChartPanel* owner) : QChartView(owner), panel(owner) {
  auto* chart = new QChart;
  chart->setTheme(QChart::ChartThemeLight);  // once; a later call would wipe our pens
  chart->setAnimationOptions(QChart::NoAnimation);
  chart->legend()->hide();
  chart->setBackgroundVisible(false);
  chart->setPlotAreaBackgroundVisible(false);
  chart->setMargins(QMargins(0, 0, 0, 0));
  chart->layout()->setContentsMargins(0, 0, 0, 0);
  x_axis = new QValueAxis(chart);
  y_axis = new QValueAxis(chart);
  for (QValueAxis* axis : {x_axis, y_axis}) axis->setVisible(false);  // ticks and grid are ours
  chart->addAxis(x_axis, Qt::AlignBottom);
  chart->addAxis(y_axis, Qt::AlignLeft);
  setChart(chart);
  setFrameShape(QFrame::NoFrame);
  setRenderHint(QPainter::Antialiasing);
  setMouseTracking(true);
  setViewportUpdateMode(
      QGraphicsView::FullViewportUpdate);  // what we draw around the series changes with them
  setFocusPolicy(Qt::NoFocus);
  viewport()->setAutoFillBackground(false);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

QLineSeries* ChartPanel::Canvas::addLineSeries() {
  auto* series = new QLineSeries;
  chart()->addSeries(series);
  series->attachAxis(x_axis);
  series->attachAxis(y_axis);
  return series;
}

QAreaSeries* ChartPanel::Canvas::addAreaSeries() {
  auto* area = new QAreaSeries;
  // The area does not own its edges; they live as long as it.
  area->setUpperSeries(new QLineSeries(area));
  area->setLowerSeries(new QLineSeries(area));
  chart()->addSeries(area);
  area->attachAxis(x_axis);
  area->attachAxis(y_axis);
  return area;
}

void ChartPanel::Canvas::layOut() {
  const Theme& theme = currentTheme();
  const QFontMetricsF metrics(theme.secondary);
  const double top = title.isEmpty() ? metrics.height() * 0.6 : metrics.height() + theme.px(4);
  const double bottom = x_ticks.empty() ? theme.px(4) : metrics.height() + theme.px(4);
  const QRectF plot(theme.px(left_px), top, std::max(1.0, width() - theme.px(left_px + right_px)),
                    std::max(1.0, height() - top - bottom));
  chart()->setPlotArea(plot);
}

void ChartPanel::Canvas::restyle() {
  const Theme& theme = currentTheme();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    QPen pen(line_specs[i].color, theme.px(line_specs[i].width_px * (theme.palette.projector ? 1.6 : 1)),
             line_specs[i].pen);
    pen.setJoinStyle(Qt::RoundJoin);
    if (line_specs[i].pen == Qt::DotLine) pen.setDashPattern({1.0, 2.0});
    if (line_specs[i].pen == Qt::DashLine) pen.setDashPattern({4.0, 2.0});
    lines[i]->setPen(pen);
  }
  for (std::size_t i = 0; i < layers.size(); ++i) {
    layers[i]->setBrush(layer_specs[i].color);
    // A hairline of the background between layers tells them apart without colour.
    layers[i]->setPen(QPen(toQColor(theme.palette.panel), 1));
  }
  if (band != nullptr) {
    QColor fill = toQColor(theme.palette.live);
    fill.setAlphaF(0.10F);
    band->setBrush(fill);
    band->setPen(Qt::NoPen);
  }
  layOut();
}

QPointF ChartPanel::Canvas::toView(QPointF value) const {
  const QRectF plot = chart()->plotArea();
  const double x_span = std::max(1e-30, x_axis->max() - x_axis->min());
  const double y_span = std::max(1e-30, y_axis->max() - y_axis->min());
  return {plot.left() + plot.width() * (value.x() - x_axis->min()) / x_span,
          plot.bottom() - plot.height() * (value.y() - y_axis->min()) / y_span};
}

void ChartPanel::Canvas::drawBackground(QPainter* painter, const QRectF&) {
  const Theme& theme = currentTheme();
  const QRectF plot = chart()->plotArea();
  const QFontMetricsF metrics(theme.secondary);
  painter->fillRect(QRectF(rect()), toQColor(theme.palette.panel));
  painter->setFont(theme.secondary);
  if (!title.isEmpty()) {
    painter->setPen(toQColor(theme.palette.secondary_text));
    painter->drawText(QPointF(theme.px(8), metrics.ascent()), title);
  }
  double lowest_free = 1e9;
  for (const ChartTick& tick : y_ticks) {
    const double y = toView({x_axis->min(), tick.value}).y();
    if (y < plot.top() - 1 || y > plot.bottom() + 1) continue;
    painter->setPen(QPen(toQColor(theme.palette.grid), 1));
    painter->drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    const double text_y = y - metrics.height() / 2;
    if (text_y + metrics.height() > lowest_free) continue;
    lowest_free = text_y;
    painter->setPen(toQColor(theme.palette.secondary_text));
    painter->drawText(QRectF(0, text_y, plot.left() - theme.px(6), metrics.height()),
                      Qt::AlignRight | Qt::AlignVCenter, tick.text);
  }
  double free_from = 0;
  for (const ChartTick& tick : x_ticks) {
    const double x = toView({tick.value, y_axis->min()}).x(), advance = metrics.horizontalAdvance(tick.text);
    if (x < plot.left() - 1 || x > plot.right() + 1) continue;
    const double left = std::clamp(x - advance / 2, 0.0, std::max(0.0, width() - advance));
    if (left < free_from) continue;
    free_from = left + advance + theme.px(8);
    painter->setPen(toQColor(theme.palette.secondary_text));
    painter->drawText(QPointF(left, plot.bottom() + theme.px(2) + metrics.ascent()), tick.text);
  }
}

void ChartPanel::Canvas::drawForeground(QPainter* painter, const QRectF&) {
  const QRectF plot = chart()->plotArea();
  painter->setRenderHint(QPainter::Antialiasing);
  drawLevels(painter, plot);
  drawMarks(painter, plot);
  drawCrosshair(painter, plot);
  drawEndLabels(painter, plot);
}

void ChartPanel::Canvas::drawLevels(QPainter* painter, const QRectF& plot) const {
  const Theme& theme = currentTheme();
  const auto level = [&](std::optional<double> value, const QColor& color, Qt::PenStyle style) {
    if (!value) return;
    const double y = toView({x_axis->min(), *value}).y();
    if (y < plot.top() || y > plot.bottom()) return;
    painter->setPen(QPen(color, theme.px(1.5), style));
    painter->drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
  };
  level(pinned, toQColor(theme.palette.pinned), Qt::DashLine);
  level(limit, theme.error_text, Qt::DotLine);
}

void ChartPanel::Canvas::drawMarks(QPainter* painter, const QRectF& plot) const {
  const Theme& theme = currentTheme();
  const double size = theme.px(4);
  painter->setPen(Qt::NoPen);
  painter->setBrush(theme.error_text);
  for (const double mark : marks) {
    const double x = toView({mark, y_axis->min()}).x();
    painter->drawPolygon(QPolygonF({QPointF(x - size, plot.top() - size),
                                    QPointF(x + size, plot.top() - size), QPointF(x, plot.top() + size)}));
  }
}

void ChartPanel::Canvas::drawCrosshair(QPainter* painter, const QRectF& plot) const {
  if (!crosshair) return;
  const Theme& theme = currentTheme();
  const double x = toView({*crosshair, y_axis->min()}).x();
  if (x < plot.left() - 1 || x > plot.right() + 1) return;
  painter->setPen(QPen(toQColor(theme.palette.accent), theme.px(1.5)));
  painter->drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
  if (crosshair_label.isEmpty()) return;
  const QFontMetricsF metrics(theme.secondary);
  const double advance = metrics.horizontalAdvance(crosshair_label) + theme.px(12);
  const QRectF box(std::clamp(x - advance / 2, 0.0, std::max(0.0, width() - advance)), 0, advance,
                   metrics.height() + 2);
  painter->setPen(QPen(toQColor(theme.palette.control_border), 1));
  painter->setBrush(toQColor(theme.palette.raised));
  painter->drawRoundedRect(box, theme.px(4), theme.px(4));
  painter->setFont(theme.secondary);
  painter->setPen(toQColor(theme.palette.text));
  painter->drawText(box, Qt::AlignCenter, crosshair_label);
}

std::vector<ChartPanel::Canvas::EndLabel> ChartPanel::Canvas::endLabels() const {
  const Theme& theme = currentTheme();
  std::vector<EndLabel> labels;
  const auto value_of = [this](std::size_t i) {
    return static_cast<qsizetype>(i) < end_values.size() ? end_values.at(static_cast<qsizetype>(i))
                                                         : QString();
  };
  const QColor text = toQColor(theme.palette.text), secondary = toQColor(theme.palette.secondary_text);
  const double heavy = y_axis->max() - y_axis->min();
  for (std::size_t i = 0; i < line_ends.size(); ++i)
    if (!line_specs[i].name.isEmpty() && std::isfinite(line_ends[i]))
      labels.push_back(
          {.y = toView({0, line_ends[i]}).y(),
           .name = line_specs[i].name,
           .value = value_of(i),
           .color = text,
           .bold = line_specs[i].bold,
           .weight = line_specs[i].bold ? 3 * heavy : heavy - static_cast<double>(i % 2) * heavy / 2});
  for (std::size_t i = 0; i < layer_middles.size(); ++i)
    labels.push_back({.y = toView({0, layer_middles[i]}).y(),
                      .name = layer_specs[i].name,
                      .value = value_of(i),
                      .color = layer_specs[i].color,
                      .swatch = true,
                      .weight = layer_ends[i]});
  if (limit)
    labels.push_back(
        {.y = toView({0, *limit}).y(), .name = limit_label, .color = theme.error_text, .weight = 2 * heavy});
  if (pinned)
    labels.push_back(
        {.y = toView({0, *pinned}).y(), .name = pinned_label, .color = secondary, .weight = 2 * heavy});
  return labels;
}

/// As many as there is room for: the bold one and the levels first, then by their weight; top to bottom.
std::vector<ChartPanel::Canvas::EndLabel> ChartPanel::Canvas::fitting(std::vector<EndLabel> labels,
                                                                      std::size_t most) {
  if (labels.size() > most) {
    std::stable_sort(labels.begin(), labels.end(),
                     [](const EndLabel& a, const EndLabel& b) { return a.weight > b.weight; });
    labels.resize(most);
  }
  std::stable_sort(labels.begin(), labels.end(),
                   [](const EndLabel& a, const EndLabel& b) { return a.y < b.y; });
  return labels;
}

void ChartPanel::Canvas::drawEndLabels(QPainter* painter, const QRectF& plot) const {
  const Theme& theme = currentTheme();
  const QFontMetricsF metrics(theme.secondary);
  const double height = metrics.height() - theme.px(1);
  const std::vector<EndLabel> labels =
      fitting(endLabels(), static_cast<std::size_t>(std::max(1.0, (plot.height() + height * 0.6) / height)));
  std::vector<double> ys;
  for (const EndLabel& label : labels) ys.push_back(label.y);
  spread(ys, height, plot.top() + height * 0.1, std::max(plot.bottom() - height * 0.3, plot.top() + height));
  const double left = plot.right() + theme.px(8);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const EndLabel& label = labels[i];
    QFont font = theme.secondary;
    font.setBold(label.bold);
    painter->setFont(font);
    double x = left;
    const double baseline = ys[i] + metrics.ascent() / 2 - theme.px(1);
    if (label.swatch) {
      painter->fillRect(QRectF(x, ys[i] - theme.px(4), theme.px(9), theme.px(9)), label.color);
      x += theme.px(14);
    }
    painter->setPen(label.swatch ? toQColor(theme.palette.text) : label.color);
    painter->drawText(QPointF(x, baseline), label.name);
    if (label.value.isEmpty()) continue;
    const QFontMetricsF own(font);
    const double value_x = label.swatch ? width() - theme.px(8) - own.horizontalAdvance(label.value)
                                        : x + own.horizontalAdvance(label.name) + theme.px(4);
    painter->drawText(QPointF(value_x, baseline), label.value);
  }
}

void ChartPanel::Canvas::mouseMoveEvent(QMouseEvent* event) {
  const QRectF plot = chart()->plotArea();
  const double share = (event->position().x() - plot.left()) / std::max(1.0, plot.width());
  if (share < 0 || share > 1)
    Q_EMIT panel->hovered(std::nullopt);
  else
    Q_EMIT panel->hovered(x_axis->min() + share * (x_axis->max() - x_axis->min()));
}

void ChartPanel::Canvas::leaveEvent(QEvent* event) {
  QChartView::leaveEvent(event);
  Q_EMIT panel->hovered(std::nullopt);
}

}  // namespace decodescope::views
