// The three charts of the latency dock and what they say: percentiles, breakdown, tail.
#pragma once

#include "base/format.h"
#include "charts/axis_range.h"
#include "charts/latency_history.h"

#include <QWidget>
#include <optional>
#include <vector>

namespace decodescope::views {

class ChartPanel;
struct Theme;

struct LatencyPicture {
  std::vector<LatencyColumn> columns;
  double target_s = 0;
  std::optional<double> pinned_s;
  std::int64_t column_tokens = 1;
  bool firm = true;       ///< enough tokens for a p99
  bool per_step = false;  ///< steps make several tokens (speculation): steps are shown
};

class LatencyCharts : public QWidget {
  Q_OBJECT

 public:
  explicit LatencyCharts(QWidget* parent = nullptr);

  void setTailShown(bool tail);
  void showPicture(LatencyPicture picture);
  void showTail(std::vector<double> sorted_durations_s, double target_s);
  void applyTheme(const Theme& theme);
  void showToken(std::optional<qint64> token);
  /// Columns that the width has room for.
  [[nodiscard]] std::size_t columnRoom() const;
  [[nodiscard]] TimeUnit unit() const { return unit_; }

 Q_SIGNALS:
  void tokenHovered(qint64 token);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void defineSeries(const Theme& theme);
  void showLines();
  void showStack();
  void showEnds();
  void hover(std::optional<double> x);
  void hoverTail(std::optional<double> x);
  void placeMargins();
  [[nodiscard]] const LatencyColumn* columnAt(double token) const;

  ChartPanel *lines_ = nullptr, *stack_ = nullptr, *tail_ = nullptr;
  LatencyPicture picture_;
  std::vector<double> sorted_s_;
  StickyRange line_range_{false}, stack_range_{true}, tail_range_{false};
  TimeUnit unit_ = TimeUnit::Milliseconds;
  std::optional<double> pointed_token_;
};

/// Names of the groups, bottom to top.
[[nodiscard]] QStringList stackGroupNames();

}  // namespace decodescope::views
