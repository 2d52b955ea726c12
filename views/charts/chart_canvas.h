// Behind ChartPanel: the Qt Charts view, and what we draw around its series ourselves (grid, ticks, labels,
// crosshair).
#pragma once

#include "charts/chart_panel.h"

#include <QtCharts/QAreaSeries>
#include <QtCharts/QChart>
#include <QtCharts/QChartView>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

namespace decodescope::views {

class ChartPanel::Canvas : public QChartView {
 public:
  explicit Canvas(ChartPanel* panel);

  /// A series that the axes already know.
  QLineSeries* addLineSeries();
  QAreaSeries* addAreaSeries();
  void layOut();
  void restyle();
  [[nodiscard]] QPointF toView(QPointF value) const;

  ChartPanel* panel;
  QString title;
  std::vector<ChartTick> x_ticks, y_ticks;
  std::vector<ChartLine> line_specs;
  std::vector<ChartLayer> layer_specs;
  std::vector<QLineSeries*> lines;
  std::vector<QAreaSeries*> layers;
  std::vector<double> line_ends;      ///< y of the last point of each line
  std::vector<double> layer_ends;     ///< thickness of each layer at its right end
  std::vector<double> layer_middles;  ///< y of the middle of each layer at its right end
  QAreaSeries* band = nullptr;
  std::optional<double> limit, pinned;
  QString limit_label, pinned_label;
  std::vector<double> marks;
  QStringList end_values;
  std::optional<double> crosshair;
  QString crosshair_label;
  double left_px = 40, right_px = 110;
  QValueAxis *x_axis = nullptr, *y_axis = nullptr;

 protected:
  void drawBackground(QPainter* painter, const QRectF& rect) override;
  void drawForeground(QPainter* painter, const QRectF& rect) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override { event->ignore(); }

 private:
  struct EndLabel {
    double y = 0;
    QString name{}, value{};
    QColor color{};
    bool bold = false, swatch = false;
    double weight = 0;  ///< lighter ones give way when there is no room
  };
  [[nodiscard]] std::vector<EndLabel> endLabels() const;
  [[nodiscard]] static std::vector<EndLabel> fitting(std::vector<EndLabel> labels, std::size_t most);
  void drawLevels(QPainter* painter, const QRectF& plot) const;
  void drawEndLabels(QPainter* painter, const QRectF& plot) const;
  void drawMarks(QPainter* painter, const QRectF& plot) const;
  void drawCrosshair(QPainter* painter, const QRectF& plot) const;
};

}  // namespace decodescope::views
