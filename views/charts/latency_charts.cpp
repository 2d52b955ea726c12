#include "charts/latency_charts.h"

#include "base/theme.h"
#include "charts/chart_panel.h"

#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

namespace decodescope::views {
namespace {

constexpr double kLeftPx = 44, kLineRightPx = 66, kStackRightPx = 124, kTailRightPx = 84;
/// Below this width the names of the layers give way to their values alone.
constexpr double kNarrowPx = 300;

/// The tail axis: each nine takes the same room.
double tailPlace(double share) {
  return -std::log10(std::max(1 - share, 1e-6));
}

QPointF at(const LatencyColumn& c, double y) {
  return {static_cast<double>(c.last_token), y};
}

}  // namespace

QStringList stackGroupNames() {
  return {LatencyCharts::tr("Compute"),  LatencyCharts::tr("HBM"),          LatencyCharts::tr("Interconnect"),
          LatencyCharts::tr("Physical"), LatencyCharts::tr("Launch, host"), LatencyCharts::tr("Waiting")};
}

LatencyCharts::LatencyCharts(QWidget* parent) : QWidget(parent) {
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 2, 0, 2);
  box->setSpacing(2);
  lines_ = new ChartPanel(this);
  stack_ = new ChartPanel(this);
  tail_ = new ChartPanel(this);
  box->addWidget(lines_, 9);
  box->addWidget(stack_, 11);
  box->addWidget(tail_, 20);
  tail_->hide();
  lines_->setBand({}, {});
  connect(lines_, &ChartPanel::hovered, this, &LatencyCharts::hover);
  connect(stack_, &ChartPanel::hovered, this, &LatencyCharts::hover);
  connect(tail_, &ChartPanel::hovered, this, &LatencyCharts::hoverTail);
  defineSeries(currentTheme());
  placeMargins();
}

void LatencyCharts::defineSeries(const Theme& theme) {
  const scene::Palette& p = theme.palette;
  const QColor live = toQColor(p.live);
  lines_->setLines({{tr("p99"), live, 1.2, Qt::DashLine, false},
                    {tr("p95"), live, 1.2, Qt::DotLine, false},
                    {tr("p50"), live, 2.4, Qt::SolidLine, true}});
  const QStringList names = stackGroupNames();
  const std::array<scene::Color, kStackGroupCount> colors{p.compute,  p.hbm,  p.interconnect,
                                                          p.physical, p.host, p.waiting};
  std::vector<ChartLayer> layers;
  for (std::size_t i = 0; i < kStackGroupCount; ++i)
    layers.push_back({names.at(static_cast<qsizetype>(i)), toQColor(colors[i])});
  stack_->setLayers(layers);
  tail_->setLines({{QString(), live, 2.0, Qt::SolidLine, true}});
}

void LatencyCharts::applyTheme(const Theme& theme) {
  defineSeries(theme);
  for (ChartPanel* chart : {lines_, stack_, tail_}) chart->applyTheme(theme);
  placeMargins();
  showPicture(std::move(picture_));
}

void LatencyCharts::placeMargins() {
  const bool narrow = width() < currentTheme().px(kNarrowPx);
  // Both plots stand above each other: what the stack's labels need, the lines leave free too.
  const double right = narrow ? kLineRightPx : kStackRightPx;
  lines_->setMargins(kLeftPx, right);
  stack_->setMargins(kLeftPx, right);
  tail_->setMargins(kLeftPx, kTailRightPx);
}

void LatencyCharts::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  placeMargins();
}

std::size_t LatencyCharts::columnRoom() const {
  // Two pixels a column: as fine as the eye can follow.
  return static_cast<std::size_t>(std::clamp(lines_->plotRect().width() / 2, 32.0, 400.0));
}

void LatencyCharts::setTailShown(bool tail) {
  lines_->setVisible(!tail);
  stack_->setVisible(!tail);
  tail_->setVisible(tail);
}

void LatencyCharts::showPicture(LatencyPicture picture) {
  picture_ = std::move(picture);
  if (picture_.columns.empty()) return;
  unit_ = timeUnitFor(picture_.columns.back().p50_s);
  const double from = static_cast<double>(picture_.columns.front().first_token);
  const double to = std::max(static_cast<double>(picture_.columns.back().last_token), from + 1);
  lines_->setXRange(from, to);
  stack_->setXRange(from, to);
  const int most = std::max(2, static_cast<int>(stack_->plotRect().width() / currentTheme().px(66)));
  stack_->setXTicks(countTicks(from, to, most, tr("token ")));
  showLines();
  showStack();
  showEnds();
}

void LatencyCharts::showLines() {
  const QString what = picture_.per_step ? tr("Time per step (several tokens), %1") : tr("TPOT, %1");
  const QString suffix = picture_.firm ? QString() : tr(", fewer than 100 tokens");
  const QString merged = picture_.column_tokens > 1
                             ? tr("; one point = max of %1 tokens").arg(picture_.column_tokens)
                             : QString();
  lines_->setTitle(what.arg(timeUnitName(unit_)) + suffix + merged);
  double low = picture_.columns.front().p50_s, high = 0;
  std::vector<QPointF> p50, p95, p99, band_low, band_high;
  std::vector<double> marks;
  for (const LatencyColumn& c : picture_.columns) {
    p50.push_back(at(c, c.p50_s));
    p95.push_back(at(c, c.p95_s));
    p99.push_back(at(c, c.p99_s));
    band_low.push_back(at(c, c.min_s));
    band_high.push_back(at(c, c.max_s));
    low = std::min(low, c.p50_s);
    high = std::max(high, c.p99_s);
    if (c.breaches > 0) marks.push_back(static_cast<double>(c.last_token));
  }
  // A target or a pinned value near the lines belongs in the picture; one far off would flatten them.
  const auto include = [&](double value) {
    if (value > low * 0.4 && value < high * 1.8) low = std::min(low, value), high = std::max(high, value);
  };
  if (picture_.target_s > 0) include(picture_.target_s);
  if (picture_.pinned_s) include(*picture_.pinned_s);
  line_range_.update(low, high);
  lines_->setYRange(line_range_.low(), line_range_.high());
  lines_->setYTicks(timeTicks(line_range_.low(), line_range_.high(), unit_,
                              static_cast<int>(lines_->plotRect().height() / currentTheme().px(22))));
  lines_->setBand(band_low, band_high);
  lines_->setLine(0, p99);
  lines_->setLine(1, p95);
  lines_->setLine(2, p50);
  const bool target_in_view =
      picture_.target_s >= line_range_.low() && picture_.target_s <= line_range_.high();
  const QString target = timeText(picture_.target_s, unit_).number;
  lines_->setLimit(
      picture_.target_s > 0 ? std::optional(std::min(picture_.target_s, line_range_.high())) : std::nullopt,
      target_in_view ? tr("SLO %1").arg(target) : tr("SLO %1 ↑").arg(target));
  if (picture_.pinned_s)
    lines_->setPinned(picture_.pinned_s, tr("A %1").arg(timeText(*picture_.pinned_s, unit_).number));
  else
    lines_->setPinned(std::nullopt, {});
  // With most of the window over the target, marks would be a solid row.
  if (marks.size() * 2 > picture_.columns.size()) marks.clear();
  lines_->setMarks(std::move(marks));
}

void LatencyCharts::showStack() {
  stack_->setTitle(tr("Breakdown of p50, %1").arg(timeUnitName(unit_)));
  std::vector<double> xs;
  std::vector<std::vector<double>> layers(kStackGroupCount);
  double high = 0;
  for (const LatencyColumn& c : picture_.columns) {
    xs.push_back(static_cast<double>(c.last_token));
    double sum = 0;
    for (std::size_t i = 0; i < kStackGroupCount; ++i) layers[i].push_back(c.stack_s[i]), sum += c.stack_s[i];
    high = std::max(high, sum);
  }
  stack_range_.update(0, high);
  stack_->setYRange(0, stack_range_.high());
  stack_->setYTicks(timeTicks(0, stack_range_.high(), unit_,
                              static_cast<int>(stack_->plotRect().height() / currentTheme().px(24))));
  stack_->setStack(xs, layers);
}

void LatencyCharts::showEnds() {
  if (picture_.columns.empty()) return;
  const LatencyColumn* column = pointed_token_ ? columnAt(*pointed_token_) : nullptr;
  const LatencyColumn& shown = column != nullptr ? *column : picture_.columns.back();
  const auto text = [this](double seconds) { return timeText(seconds, unit_).number; };
  lines_->setEndValues({text(shown.p99_s), text(shown.p95_s), text(shown.p50_s)});
  QStringList parts;
  for (const double part_s : shown.stack_s) parts << timeText(part_s, unit_, 2).number;
  stack_->setEndValues(parts);
  if (column == nullptr) {
    lines_->setCrosshair(std::nullopt);
    stack_->setCrosshair(std::nullopt);
    return;
  }
  const auto count = column->last_token - column->first_token + 1;
  const QString label = count == 1 ? tr("token %1: %2 %3")
                                         .arg(countText(static_cast<double>(column->last_token)),
                                              text(column->max_s), timeUnitName(unit_))
                                   : tr("token %1, max of %2: %3 %4")
                                         .arg(countText(static_cast<double>(column->last_token)))
                                         .arg(count)
                                         .arg(text(column->max_s), timeUnitName(unit_));
  lines_->setCrosshair(static_cast<double>(column->last_token), label);
  stack_->setCrosshair(static_cast<double>(column->last_token));
}

const LatencyColumn* LatencyCharts::columnAt(double token) const {
  for (const LatencyColumn& c : picture_.columns)
    if (token <= static_cast<double>(c.last_token)) return &c;
  return nullptr;
}

void LatencyCharts::hover(std::optional<double> x) {
  pointed_token_ = x;
  showEnds();
  const LatencyColumn* column = x ? columnAt(*x) : nullptr;
  Q_EMIT tokenHovered(column != nullptr ? column->last_token : -1);
}

void LatencyCharts::showToken(std::optional<qint64> token) {
  pointed_token_ = token ? std::optional(static_cast<double>(*token)) : std::nullopt;
  showEnds();
}

void LatencyCharts::showTail(std::vector<double> sorted_durations_s, double target_s) {
  sorted_s_ = std::move(sorted_durations_s);
  if (sorted_s_.empty()) return;
  unit_ = timeUnitFor(sorted_s_[sorted_s_.size() / 2]);
  tail_->setTitle(
      tr("Tail of %1 tokens, %2").arg(countText(static_cast<double>(sorted_s_.size())), timeUnitName(unit_)));
  const auto n = static_cast<double>(sorted_s_.size());
  std::vector<QPointF> points;
  for (std::size_t i = 0; i < sorted_s_.size(); ++i)
    points.emplace_back(sorted_s_[i], tailPlace((static_cast<double>(i) + 0.5) / n));
  tail_range_.update(sorted_s_.front(),
                     std::max(sorted_s_.back(), target_s < 2 * sorted_s_.back() ? target_s : 0));
  tail_->setXRange(tail_range_.low(), tail_range_.high());
  tail_->setXTicks(timeTicks(tail_range_.low(), tail_range_.high(), unit_, 6));
  tail_->setYRange(0, tailPlace(0.9995));
  tail_->setYTicks({{tailPlace(0), tr("0 %")},
                    {tailPlace(0.5), tr("p50")},
                    {tailPlace(0.9), tr("p90")},
                    {tailPlace(0.99), tr("p99")},
                    {tailPlace(0.999), tr("p99.9")}});
  tail_->setLine(0, points);
  const bool over = target_s > 0 && target_s < sorted_s_.back();
  tail_->setMarks(over ? std::vector<double>{target_s} : std::vector<double>{});
}

void LatencyCharts::hoverTail(std::optional<double> x) {
  if (!x || sorted_s_.empty()) {
    tail_->setCrosshair(std::nullopt);
    return;
  }
  const auto below = std::upper_bound(sorted_s_.begin(), sorted_s_.end(), *x) - sorted_s_.begin();
  const double share = static_cast<double>(below) / static_cast<double>(sorted_s_.size());
  tail_->setCrosshair(*x, tr("%1: %2 of tokens").arg(timeText(*x, unit_).text(), ratioText(share, 4).text()));
}

}  // namespace decodescope::views
