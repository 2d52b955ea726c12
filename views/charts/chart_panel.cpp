#include "charts/chart_panel.h"

#include "base/theme.h"
#include "charts/chart_canvas.h"
#include "charts/decimate.h"

#include <QResizeEvent>
#include <cmath>
#include <limits>

namespace decodescope::views {
namespace {

QList<QPointF> asList(std::span<const QPointF> points) {
  return {points.begin(), points.end()};
}

}  // namespace

ChartPanel::ChartPanel(QWidget* parent) : QWidget(parent), canvas_(new Canvas(this)) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}
ChartPanel::~ChartPanel() = default;

void ChartPanel::setTitle(const QString& title) {
  canvas_->title = title;
  canvas_->setAccessibleName(title);
  canvas_->layOut();
}

void ChartPanel::setXRange(double from, double to) {
  if (canvas_->x_axis->min() != from || canvas_->x_axis->max() != to) canvas_->x_axis->setRange(from, to);
}
void ChartPanel::setYRange(double from, double to) {
  if (canvas_->y_axis->min() != from || canvas_->y_axis->max() != to) canvas_->y_axis->setRange(from, to);
}
void ChartPanel::setXTicks(std::vector<ChartTick> ticks) {
  const bool relayout = ticks.empty() != canvas_->x_ticks.empty();
  canvas_->x_ticks = std::move(ticks);
  if (relayout) canvas_->layOut();
  canvas_->resetCachedContent();
}
void ChartPanel::setYTicks(std::vector<ChartTick> ticks) {
  canvas_->y_ticks = std::move(ticks);
}

void ChartPanel::setLines(const std::vector<ChartLine>& lines) {
  canvas_->line_specs = lines;
  while (canvas_->lines.size() < lines.size()) canvas_->lines.push_back(canvas_->addLineSeries());
  while (canvas_->lines.size() > lines.size()) {
    canvas_->chart()->removeSeries(canvas_->lines.back());
    delete canvas_->lines.back();
    canvas_->lines.pop_back();
  }
  canvas_->line_ends.assign(lines.size(), std::numeric_limits<double>::quiet_NaN());
  canvas_->restyle();
}

void ChartPanel::setLine(std::size_t line, std::span<const QPointF> points) {
  const int columns = std::max(1, static_cast<int>(canvas_->chart()->plotArea().width()));
  const std::vector<QPointF> few = decimated(points, canvas_->x_axis->min(), canvas_->x_axis->max(), columns);
  canvas_->lines[line]->replace(asList(few));
  canvas_->line_ends[line] = points.empty() ? std::numeric_limits<double>::quiet_NaN() : points.back().y();
}

void ChartPanel::setLayers(const std::vector<ChartLayer>& layers) {
  canvas_->layer_specs = layers;
  while (canvas_->layers.size() < layers.size()) canvas_->layers.push_back(canvas_->addAreaSeries());
  canvas_->layer_middles.clear();
  canvas_->layer_ends.clear();
  canvas_->restyle();
}

void ChartPanel::setStack(std::span<const double> xs, const std::vector<std::vector<double>>& layers) {
  std::vector<double> below(xs.size(), 0.0);
  canvas_->layer_middles.assign(layers.size(), 0.0);
  canvas_->layer_ends.assign(layers.size(), 0.0);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    QList<QPointF> lower, upper;
    lower.reserve(static_cast<qsizetype>(xs.size()));
    upper.reserve(static_cast<qsizetype>(xs.size()));
    for (std::size_t k = 0; k < xs.size(); ++k) {
      lower.append({xs[k], below[k]});
      if (k + 1 == xs.size()) {
        canvas_->layer_ends[i] = layers[i][k];
        canvas_->layer_middles[i] = below[k] + layers[i][k] / 2;
      }
      below[k] += layers[i][k];
      upper.append({xs[k], below[k]});
    }
    canvas_->layers[i]->lowerSeries()->replace(lower);
    canvas_->layers[i]->upperSeries()->replace(upper);
  }
}

void ChartPanel::setBand(std::span<const QPointF> low, std::span<const QPointF> high) {
  if (canvas_->band == nullptr) {
    canvas_->band = canvas_->addAreaSeries();
    canvas_->restyle();
  }
  canvas_->band->lowerSeries()->replace(asList(low));
  canvas_->band->upperSeries()->replace(asList(high));
}

void ChartPanel::setLimit(std::optional<double> value, const QString& label) {
  canvas_->limit = value;
  canvas_->limit_label = label;
}
void ChartPanel::setPinned(std::optional<double> value, const QString& label) {
  canvas_->pinned = value;
  canvas_->pinned_label = label;
}
void ChartPanel::setMarks(std::vector<double> xs) {
  canvas_->marks = std::move(xs);
}
void ChartPanel::setEndValues(const QStringList& values) {
  canvas_->end_values = values;
  canvas_->viewport()->update();
}

void ChartPanel::setMargins(double left_px, double right_px) {
  canvas_->left_px = left_px;
  canvas_->right_px = right_px;
  canvas_->layOut();
}

QRectF ChartPanel::plotRect() const {
  return canvas_->chart()->plotArea();
}

void ChartPanel::setCrosshair(std::optional<double> x, const QString& label) {
  if (canvas_->crosshair == x && canvas_->crosshair_label == label) return;
  canvas_->crosshair = x;
  canvas_->crosshair_label = label;
  canvas_->viewport()->update();
}

void ChartPanel::applyTheme(const Theme&) {
  canvas_->restyle();
  canvas_->viewport()->update();
}

void ChartPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  canvas_->resize(event->size());
  canvas_->layOut();
}

}  // namespace decodescope::views
