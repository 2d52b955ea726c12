// A chart: lines, a stack, a limit, direct labels at the right end, a crosshair. The one place that knows Qt
// Charts, so that it can be swapped. Colours, fonts and sizes come from the theme, never from the library.
#pragma once

#include <QColor>
#include <QPointF>
#include <QString>
#include <QWidget>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace decodescope::views {

struct Theme;

struct ChartLine {
  QString name;  ///< label at the right end; empty: none
  QColor color;
  double width_px = 1.5;  ///< at 100 %
  Qt::PenStyle pen = Qt::SolidLine;
  bool bold = false;  ///< label
};
struct ChartLayer {
  QString name;
  QColor color;
};
struct ChartTick {
  double value = 0;
  QString text;
};

class ChartPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ChartPanel(QWidget* parent = nullptr);
  ~ChartPanel() override;

  /// Above the plot, left: what is shown and its unit, "TPOT, ms".
  void setTitle(const QString& title);
  void setXRange(double from, double to);
  void setYRange(double from, double to);
  void setXTicks(std::vector<ChartTick> ticks);
  void setYTicks(std::vector<ChartTick> ticks);

  /// Defines the lines; their points follow by setLine. Bottom-most first.
  void setLines(const std::vector<ChartLine>& lines);
  void setLine(std::size_t line, std::span<const QPointF> points);
  /// Defines the layers of a stack, lowest first; layers[i][k] is the thickness of layer i at xs[k].
  void setLayers(const std::vector<ChartLayer>& layers);
  void setStack(std::span<const double> xs, const std::vector<std::vector<double>>& layers);
  /// A faint area between two lines.
  void setBand(std::span<const QPointF> low, std::span<const QPointF> high);
  /// A level to stay under, dotted, labelled.
  void setLimit(std::optional<double> value, const QString& label);
  /// Another level, dashed grey: the pinned A.
  void setPinned(std::optional<double> value, const QString& label);
  /// Marks at the upper edge, at these x: what went over the limit.
  void setMarks(std::vector<double> xs);

  /// Values at the right end, by line or by layer, as text.
  void setEndValues(const QStringList& values);
  /// Pixels kept free for the labels at the right end and the ticks at the left, at 100 %.
  void setMargins(double left_px, double right_px);
  [[nodiscard]] QRectF plotRect() const;

  void setCrosshair(std::optional<double> x, const QString& label = {});
  void applyTheme(const Theme& theme);

 Q_SIGNALS:
  /// The mouse is over `x`; empty when it left.
  void hovered(std::optional<double> x);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  class Canvas;
  Canvas* canvas_ = nullptr;
};

}  // namespace decodescope::views
