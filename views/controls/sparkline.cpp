#include "controls/sparkline.h"

#include "base/format.h"
#include "base/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <limits>

namespace decodescope::views {
namespace {

constexpr double kHeightPx = 14, kDotPx = 2.5, kHatchStepPx = 6;

}  // namespace

Sparkline::Sparkline(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAttribute(Qt::WA_TransparentForMouseEvents);
}

QSize Sparkline::sizeHint() const {
  return {qRound(currentTheme().px(100)), qRound(currentTheme().px(kHeightPx))};
}

void Sparkline::setPoints(std::vector<SensitivityPoint> points) {
  points_ = std::move(points);
  std::stable_sort(points_.begin(), points_.end(),
                   [](const auto& a, const auto& b) { return a.value < b.value; });
  setAccessibleDescription(summary());
  update();
}
void Sparkline::setCurrent(double value) {
  current_ = value;
  update();
}
void Sparkline::setTravel(double left, double right) {
  left_ = left;
  right_ = right;
  update();
}

double Sparkline::xOf(double value) const {
  return left_ + (right_ - left_) * map_.fractionOf(value);
}

QString Sparkline::summary() const {
  if (points_.size() < 2) return {};
  const SensitivityPoint* best = nullptr;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const SensitivityPoint& p : points_) {
    if (!p.feasible) continue;
    if (p.result < least) best = &p;
    least = std::min(least, p.result);
    most = std::max(most, p.result);
  }
  if (best == nullptr) return tr("out of reach everywhere here");
  QStringList parts;
  const auto is_feasible = [](const SensitivityPoint& p) { return p.feasible; };
  const auto first = std::find_if(points_.begin(), points_.end(), is_feasible);
  const auto last = std::find_if(points_.rbegin(), points_.rend(), is_feasible);
  if (first != points_.begin()) parts << tr("out of reach below %1").arg(shortCountText(first->value));
  if (last != points_.rbegin()) parts << tr("out of reach above %1").arg(shortCountText(last->value));
  // "Least at" is worth saying only for a minimum inside, not for a curve that just falls or rises.
  if (parts.isEmpty() && best != &points_.front() && best != &points_.back() && most > least * 1.01)
    parts << tr("least at %1").arg(shortCountText(best->value));
  return parts.join(tr("; "));
}

void Sparkline::paintEvent(QPaintEvent*) {
  if (points_.size() < 2) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const SensitivityPoint& p : points_)
    if (p.feasible && p.result > 0) low = std::min(low, p.result), high = std::max(high, p.result);
  const double margin = currentTheme().px(kDotPx) + 1, span = std::max(1.0, height() - 2 * margin);
  // A flat answer is drawn flat at the bottom: the range is at least 10 % of the value.
  const double range = std::log(std::max(high / std::max(low, 1e-30), 1.1));
  const auto y_of = [&](double result) {
    return height() - margin - span * std::clamp(std::log(std::max(result, 1e-30) / low) / range, 0.0, 1.0);
  };
  QPainterPath path;
  bool pen_down = false;
  double current_y = -1;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const SensitivityPoint& p = points_[i];
    if (!p.feasible) {
      pen_down = false;
      const double from = i == 0 ? left_ : (xOf(points_[i - 1].value) + xOf(p.value)) / 2;
      const double to = i + 1 == points_.size() ? right_ : (xOf(points_[i + 1].value) + xOf(p.value)) / 2;
      paintHatch(&painter, from, to);
      const bool edge =
          (i > 0 && points_[i - 1].feasible) || (i + 1 < points_.size() && points_[i + 1].feasible);
      if (edge) {
        const double x = i > 0 && points_[i - 1].feasible ? from : to;
        painter.setPen(QPen(currentTheme().error_text, currentTheme().px(1.5)));
        painter.drawLine(QPointF(x, 0), QPointF(x, height()));
      }
      continue;
    }
    const QPointF at(xOf(p.value), y_of(p.result));
    pen_down ? path.lineTo(at) : path.moveTo(at);
    if (pen_down && points_[i - 1].value <= current_ && current_ <= p.value) {
      const double x0 = xOf(points_[i - 1].value),
                   share = at.x() > x0 ? (xOf(current_) - x0) / (at.x() - x0) : 0;
      current_y = y_of(points_[i - 1].result) * (1 - share) + at.y() * share;
    }
    pen_down = true;
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(toQColor(currentTheme().palette.control_border), currentTheme().px(1.2)));
  painter.drawPath(path);
  if (current_y < 0) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(toQColor(currentTheme().palette.live));
  painter.drawEllipse(QPointF(xOf(current_), current_y), currentTheme().px(kDotPx),
                      currentTheme().px(kDotPx));
}

void Sparkline::paintHatch(QPainter* painter, double left, double right) const {
  painter->save();
  painter->setClipRect(QRectF(left, 0, right - left, height()));
  painter->setPen(QPen(currentTheme().error_text, 1));
  const double step = currentTheme().px(kHatchStepPx);
  // Anchored at the left end of the travel, so that neighbouring stretches join.
  for (double x = left_ - height(); x < right; x += step)
    painter->drawLine(QPointF(x, height()), QPointF(x + height(), 0));
  painter->restore();
}

}  // namespace decodescope::views
