#include "panels/link_bars.h"

#include "base/format.h"
#include "base/theme.h"
#include "scene/link_style.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace decodescope::views {
namespace {

constexpr double kHeightPx = 84, kLeftPx = 28;
/// Bars reach a little over 100 %, where demand exceeds capacity.
constexpr double kTopRatio = 1.15;

}  // namespace

LinkBars::LinkBars(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setMouseTracking(true);
}

QSize LinkBars::sizeHint() const {
  return {qRound(currentTheme().px(160)), qRound(currentTheme().px(kHeightPx))};
}

void LinkBars::setLinks(std::vector<IdentityLink> links) {
  links_ = std::move(links);
  const auto busiest =
      std::max_element(links_.begin(), links_.end(),
                       [](const IdentityLink& a, const IdentityLink& b) { return a.ratio < b.ratio; });
  if (busiest != links_.end())
    setAccessibleDescription(tr("%1 links, busiest to %2: %3")
                                 .arg(links_.size())
                                 .arg(busiest->name, ratioText(busiest->ratio).text()));
  update();
}

QRectF LinkBars::plotRect() const {
  const QFontMetricsF metrics(currentTheme().secondary);
  return {currentTheme().px(kLeftPx), 2, width() - currentTheme().px(kLeftPx) - 2,
          height() - metrics.height() - 4};
}

void LinkBars::paintEvent(QPaintEvent*) {
  if (links_.empty()) return;
  const Theme& theme = currentTheme();
  const QFontMetricsF metrics(theme.secondary);
  QPainter painter(this);
  painter.setFont(theme.secondary);
  const QRectF plot = plotRect();
  const auto y_of = [&](double ratio) {
    return plot.bottom() - plot.height() * std::min(ratio, kTopRatio) / kTopRatio;
  };
  const scene::LinkThresholds thresholds;
  for (const double level : {thresholds.busy, thresholds.hot}) {
    painter.setPen(QPen(toQColor(theme.palette.control_border), 1, Qt::DotLine));
    painter.drawLine(QPointF(plot.left(), y_of(level)), QPointF(plot.right(), y_of(level)));
    painter.setPen(toQColor(theme.palette.secondary_text));
    painter.drawText(
        QRectF(0, y_of(level) - metrics.height() / 2, plot.left() - theme.px(6), metrics.height()),
        Qt::AlignRight | Qt::AlignVCenter, exactText(level * 100));
  }
  const double step = plot.width() / static_cast<double>(links_.size());
  const double bar_width = std::min(step * 0.75, theme.px(18));
  // Every one, second, fifth or tenth: what has room.
  std::size_t every = 1;
  for (const std::size_t candidate : {1, 2, 5, 10, 20, 50, 100, 1000}) {
    every = candidate;
    if (step * static_cast<double>(candidate) > metrics.horizontalAdvance(QStringLiteral("88")) + theme.px(6))
      break;
  }
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const double x = plot.left() + step * (static_cast<double>(i) + 0.5) - bar_width / 2,
                 top = y_of(links_[i].ratio);
    const scene::LinkState state = scene::linkState(links_[i].ratio);
    const QRectF bar(x, top, bar_width, plot.bottom() - top);
    painter.fillRect(bar, toQColor(theme.palette.link[static_cast<std::size_t>(state)]));
    // Cuts across the bar, closer for worse: the state without its colour.
    const double cut = state == scene::LinkState::Busy        ? 10
                       : state == scene::LinkState::Hot       ? 6
                       : state == scene::LinkState::Saturated ? 4
                                                              : 0;
    if (cut > 0)
      for (double y = plot.bottom() - theme.px(cut); y > top; y -= theme.px(cut))
        painter.fillRect(QRectF(x, y, bar_width, std::max(1.0, theme.px(1.5))),
                         toQColor(theme.palette.panel));
    const QString number = QString::number(i + 1);
    const double label = metrics.horizontalAdvance(number), left = x + bar_width / 2 - label / 2;
    if (i != 0 && (i + 1) % every != 0) continue;
    if (i == 0 && every > 2) continue;
    painter.setPen(toQColor(theme.palette.secondary_text));
    painter.drawText(QPointF(left, plot.bottom() + metrics.ascent() + 2), number);
  }
}

int LinkBars::barAt(double x) const {
  const QRectF plot = plotRect();
  if (links_.empty() || x < plot.left() || x > plot.right()) return -1;
  return std::min(static_cast<int>((x - plot.left()) / plot.width() * static_cast<double>(links_.size())),
                  static_cast<int>(links_.size()) - 1);
}

void LinkBars::mousePressEvent(QMouseEvent* event) {
  if (const int bar = barAt(event->position().x()); bar >= 0)
    Q_EMIT linkClicked(links_[static_cast<std::size_t>(bar)].link);
}

bool LinkBars::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  const int bar = barAt(help->pos().x());
  if (bar < 0) {
    QToolTip::hideText();
    return true;
  }
  const IdentityLink& link = links_[static_cast<std::size_t>(bar)];
  QToolTip::showText(help->globalPos(),
                     tr("%1. to %2: %3").arg(bar + 1).arg(link.name, ratioText(link.ratio).text()), this);
  return true;
}

}  // namespace decodescope::views
