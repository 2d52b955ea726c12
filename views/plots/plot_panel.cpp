#include "plots/plot_panel.h"

#include "paint/picture_export.h"

#include <QFocusEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace decodescope::views {
namespace {

constexpr double kPadding_px = 10;
constexpr QSize kWantedSize(420, 260), kLeastSize(160, 90);

bool isPoint(const scene::PlotSeries& series, std::size_t i) {
  return i < std::min(series.xs.size(), series.ys.size()) && !std::isnan(series.xs[i]) &&
         !std::isnan(series.ys[i]);
}

}  // namespace

PlotPanel::PlotPanel(QWidget* parent)
    : QWidget(parent), theme_(currentTheme()), text_(std::make_unique<QtTextMeasure>(theme_)) {
  setFocusPolicy(Qt::StrongFocus);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  canvas_ = makeCanvas(RendererChoice::Software, theme_, this);
  canvas_->widget()->setFocusProxy(this);
  layout->addWidget(canvas_->widget());
  build_timer_.setSingleShot(true);
  build_timer_.setInterval(0);
  connect(&build_timer_, &QTimer::timeout, this, &PlotPanel::build);
  connect(canvas_, &SceneCanvas::resized, this, &PlotPanel::build);
  connect(canvas_, &SceneCanvas::hovered, this, [this](scene::PickId pick) {
    hovered_ = scene::hitOf(pick);
    canvas_->widget()->setCursor(hovered_ ? Qt::PointingHandCursor : Qt::ArrowCursor);
    build_timer_.start();
    Q_EMIT hovered(hovered_);
  });
  connect(canvas_, &SceneCanvas::clicked, this, [this](scene::PickId pick, QPointF) {
    setFocus(Qt::MouseFocusReason);
    select(scene::hitOf(pick));
  });
  connect(canvas_, &SceneCanvas::doubleClicked, this, [this](scene::PickId pick, QPointF) {
    if (const auto hit = scene::hitOf(pick)) Q_EMIT activated(*hit);
  });
  connect(canvas_, &SceneCanvas::contextRequested, this,
          [this](scene::PickId pick, QPoint global) { Q_EMIT contextRequested(scene::hitOf(pick), global); });
  connect(canvas_, &SceneCanvas::toolTipRequested, this, [this](scene::PickId pick, QPoint global) {
    const auto hit = scene::hitOf(pick);
    const QString text = hit && hit_text_ ? hit_text_(*hit) : QString();
    const QString html = text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"));
    QToolTip::showText(global, text.isEmpty() ? text : QStringLiteral("<p>%1</p>").arg(html),
                       canvas_->widget());
  });
}

void PlotPanel::setPlot(scene::Plot plot) {
  plot_ = std::move(plot);
  hovered_.reset();
  if (selected_ && !exists(*selected_)) select(std::nullopt);
  build_timer_.start();
}

void PlotPanel::applyTheme(const Theme& theme) {
  theme_ = theme;
  text_ = std::make_unique<QtTextMeasure>(theme);
  canvas_->applyTheme(theme);
  updateGeometry();
  build_timer_.start();
}

void PlotPanel::select(std::optional<scene::PlotHit> hit) {
  if (hit == selected_) return;
  selected_ = hit;
  if (hit && hit_text_) setAccessibleDescription(hit_text_(*hit));
  build_timer_.start();
  Q_EMIT selectionChanged(hit);
}

void PlotPanel::rebuildNow() {
  build_timer_.stop();
  build();
}

void PlotPanel::build() {
  const QSize size = canvas_->widget()->size();
  const auto pad = float(theme_.px(kPadding_px));
  scene::SceneStyle style;
  style.palette = theme_.palette;
  style.zoom = float(theme_.zoom);
  style.text = text_.get();
  scene::DrawList list;
  scene_.build(plot_, {pad, pad / 2, float(size.width()) - 2 * pad, float(size.height()) - pad}, style,
               hovered_, selected_, list);
  if (hasFocus() && focusPolicy() != Qt::NoFocus) {
    list.overlays.push_back({{0, 0, float(size.width()), float(size.height())},
                             {0, 0, 0, 0},
                             theme_.palette.accent,
                             float(theme_.px(1.5))});
  }
  canvas_->setDrawList(std::move(list));
  if (!selected_) setAccessibleDescription(QString::fromStdString(scene::describePlot(plot_)));
}

bool PlotPanel::exists(scene::PlotHit hit) const {
  if (hit.series == scene::PlotHit::kMap)
    return plot_.map && hit.point < quint32(plot_.map->columns) * quint32(plot_.map->rows);
  return hit.series < plot_.series.size() && plot_.series[hit.series].pickable &&
         isPoint(plot_.series[hit.series], hit.point);
}

/// The neighbour of the selection: along the series or the row, across to another series or row.
std::optional<scene::PlotHit> PlotPanel::stepped(int along, int across) const {
  if (plot_.map && plot_.map->columns > 0 && plot_.map->rows > 0) {
    if (!selected_ || selected_->series != scene::PlotHit::kMap)
      return scene::PlotHit{scene::PlotHit::kMap, 0};
    const int columns = plot_.map->columns, rows = plot_.map->rows;
    const int column = std::clamp(int(selected_->point) % columns + along, 0, columns - 1);
    const int row = std::clamp(int(selected_->point) / columns + across, 0, rows - 1);
    return scene::PlotHit{scene::PlotHit::kMap, quint32(row * columns + column)};
  }
  const auto first = [this](std::size_t series) -> std::optional<scene::PlotHit> {
    for (quint32 i = 0; i < plot_.series[series].xs.size(); ++i)
      if (const scene::PlotHit hit{quint32(series), i}; exists(hit)) return hit;
    return std::nullopt;
  };
  if (!selected_) {
    for (std::size_t series = plot_.series.size(); series-- > 0;)
      if (const auto hit = first(series)) return hit;
    return std::nullopt;
  }
  if (across != 0) {
    const double x = plot_.series[selected_->series].xs[selected_->point];
    for (int series = int(selected_->series) - across; series >= 0 && series < int(plot_.series.size());
         series -= across) {
      std::optional<scene::PlotHit> best;
      const scene::PlotSeries& candidate = plot_.series[std::size_t(series)];
      for (quint32 i = 0; i < candidate.xs.size(); ++i) {
        const scene::PlotHit hit{quint32(series), i};
        if (!exists(hit)) continue;
        if (!best || std::abs(candidate.xs[i] - x) < std::abs(candidate.xs[best->point] - x)) best = hit;
      }
      if (best) return best;
    }
    return selected_;
  }
  for (qint64 i = qint64(selected_->point) + along; i >= 0; i += along) {
    if (i >= qint64(plot_.series[selected_->series].xs.size())) break;
    if (const scene::PlotHit hit{selected_->series, quint32(i)}; exists(hit)) return hit;
  }
  return selected_;
}

void PlotPanel::keyPressEvent(QKeyEvent* event) {
  const int reach = event->modifiers().testFlag(Qt::ControlModifier) ? 10 : 1;
  const auto step = [this](int along, int across) {
    if (const auto hit = stepped(along, across)) select(hit);
  };
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
      for (int i = 0; i < reach; ++i) step(event->key() == Qt::Key_Left ? -1 : 1, 0);
      return;
    case Qt::Key_Up:
      return step(0, -1);
    case Qt::Key_Down:
      return step(0, 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (selected_) Q_EMIT activated(*selected_);
      return;
    case Qt::Key_Escape:
      if (!selected_) break;
      return select(std::nullopt);
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

void PlotPanel::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  build_timer_.start();
}

void PlotPanel::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  build_timer_.start();
}

QString PlotPanel::exportPicture(const QString& file, const QString& title) const {
  return exportDrawList(canvas_->drawList(), canvas_->widget()->size(), theme_, title, file);
}

QSize PlotPanel::sizeHint() const {
  return (QSizeF(kWantedSize) * theme_.zoom).toSize();
}
QSize PlotPanel::minimumSizeHint() const {
  return (QSizeF(kLeastSize) * theme_.zoom).toSize();
}

}  // namespace decodescope::views
