#include "panels/mini_history.h"

#include "base/format.h"
#include "base/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace decodescope::views {
namespace {

constexpr double kHeightPx = 62, kLeftPx = 28;

}  // namespace

MiniHistory::MiniHistory(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize MiniHistory::sizeHint() const {
  return {qRound(currentTheme().px(160)), qRound(currentTheme().px(kHeightPx))};
}

void MiniHistory::setValues(std::vector<float> values, double level) {
  values_ = std::move(values);
  level_ = level;
  if (!values_.empty()) {
    const auto [low, high] = std::minmax_element(values_.begin(), values_.end());
    const double top = std::max<double>(*high, level > 0 ? level : 0);
    // Steps of ten keep the scale still while values wander.
    low_ = std::floor(static_cast<double>(*low) / 10) * 10;
    high_ = std::max(low_ + 10, std::ceil(top / 10) * 10);
  }
  update();
}

void MiniHistory::paintEvent(QPaintEvent*) {
  if (values_.size() < 2) return;
  const Theme& theme = currentTheme();
  const QFontMetricsF metrics(theme.secondary);
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(theme.secondary);
  const QRectF plot(theme.px(kLeftPx), metrics.height() / 2, width() - theme.px(kLeftPx) - 2,
                    height() - metrics.height());
  const auto y_of = [&](double value) {
    return plot.bottom() - plot.height() * (value - low_) / (high_ - low_);
  };
  for (const double tick : {low_, high_}) {
    painter.setPen(QPen(toQColor(theme.palette.grid), 1));
    painter.drawLine(QPointF(plot.left(), y_of(tick)), QPointF(plot.right(), y_of(tick)));
    painter.setPen(toQColor(theme.palette.secondary_text));
    painter.drawText(
        QRectF(0, y_of(tick) - metrics.height() / 2, plot.left() - theme.px(6), metrics.height()),
        Qt::AlignRight | Qt::AlignVCenter, exactText(tick));
  }
  QPainterPath path;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const double x =
        plot.left() + plot.width() * static_cast<double>(i) / static_cast<double>(values_.size() - 1);
    const QPointF point(x, y_of(static_cast<double>(values_[i])));
    i == 0 ? path.moveTo(point) : path.lineTo(point);
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(toQColor(theme.palette.live), theme.px(theme.palette.projector ? 2.5 : 1.5)));
  painter.drawPath(path);
  if (level_ <= 0) return;
  painter.setPen(QPen(toQColor(theme.palette.warning_text), theme.px(1.2), Qt::DashLine));
  painter.drawLine(QPointF(plot.left(), y_of(level_)), QPointF(plot.right(), y_of(level_)));
}

}  // namespace decodescope::views
