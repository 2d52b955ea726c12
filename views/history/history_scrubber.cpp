#include "history/history_scrubber.h"

#include <QFocusEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>

namespace decodescope::views {
namespace {

constexpr int kBuildMs = 80;

}  // namespace

HistoryScrubber::HistoryScrubber(QWidget* parent) : HistoryScrubber(currentTheme(), parent) {}

HistoryScrubber::HistoryScrubber(const Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), text_(std::make_unique<QtTextMeasure>(theme)) {
  setObjectName(QStringLiteral("historyScrubber"));
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("History"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  canvas_ = makeCanvas(RendererChoice::Software, theme_, this);
  canvas_->widget()->setFocusProxy(this);
  canvas_->widget()->installEventFilter(this);
  layout->addWidget(canvas_->widget());
  build_timer_.setSingleShot(true);
  build_timer_.setInterval(kBuildMs);
  connect(&build_timer_, &QTimer::timeout, this, &HistoryScrubber::build);
  connect(canvas_, &SceneCanvas::resized, this, &HistoryScrubber::rebuildNow);
  connect(canvas_, &SceneCanvas::hovered, this, [this](scene::PickId pick) {
    hovered_ = pick;
    rebuildNow();
  });
  connect(canvas_, &SceneCanvas::toolTipRequested, this, [this](scene::PickId pick, QPoint global) {
    QToolTip::showText(global, QString::fromStdString(scene_.describe(pick)), canvas_->widget());
  });
}

void HistoryScrubber::showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
  snapshot_ = snapshot;
  if (snapshot_) scene_.add(*snapshot_);
  if (!build_timer_.isActive()) build_timer_.start();
}

void HistoryScrubber::setLiveToken(qint64 live_token, bool past) {
  const bool changed = past != past_;
  past_ = past;
  // A restart: the newest token is older than what was seen.
  if (!past && live_token < scene_.strip().lastToken()) scene_.clear();
  scene_.setLive(live_token, past);
  if (changed) rebuildNow();
}

void HistoryScrubber::applyTheme(const Theme& theme) {
  theme_ = theme;
  text_ = std::make_unique<QtTextMeasure>(theme);
  canvas_->applyTheme(theme);
  updateGeometry();
  rebuildNow();
}

void HistoryScrubber::rebuildNow() {
  build_timer_.stop();
  build();
}

void HistoryScrubber::build() {
  if (!snapshot_) return;
  const QSize size = canvas_->widget()->size();
  const auto pad = float(theme_.px(12));
  scene::SceneStyle style;
  style.palette = theme_.palette;
  style.zoom = float(theme_.zoom);
  style.text = text_.get();
  scene::DrawList list;
  scene_.build(
      *snapshot_,
      {pad, float(theme_.px(4)), float(size.width()) - 2 * pad, float(size.height()) - float(theme_.px(8))},
      style, hovered_, list);
  if (ring_) {
    scene::DrawList ring;
    ring.overlays.push_back({{0, 0, float(size.width()), float(size.height())},
                             {0, 0, 0, 0},
                             theme_.palette.accent,
                             2,
                             0,
                             scene::Hatch::None,
                             0});
    list.layers.push_back(std::move(ring));
  }
  canvas_->setDrawList(std::move(list));
  setAccessibleDescription(tr("Token %1 of %2").arg(snapshot_->token).arg(scene_.liveToken()));
}

void HistoryScrubber::scrubTo(qint64 token) {
  const qint64 live = scene_.liveToken();
  if (token >= live) {
    if (past_) Q_EMIT backToLive();
    return;
  }
  Q_EMIT scrubbed(std::max<qint64>(token, scene_.firstToken()));
}

// Press and drag anywhere on the strip: the marker follows.
bool HistoryScrubber::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseMove) {
    auto* mouse = static_cast<QMouseEvent*>(event);
    if (mouse->buttons() & Qt::LeftButton) {
      if (event->type() == QEvent::MouseButtonPress) setFocus(Qt::MouseFocusReason);
      scrubTo(scene_.tokenAt(float(mouse->position().x())));
    }
  }
  return QWidget::eventFilter(watched, event);
}

void HistoryScrubber::keyPressEvent(QKeyEvent* event) {
  if (!snapshot_) return QWidget::keyPressEvent(event);
  const qint64 step = event->modifiers() & Qt::ControlModifier ? 10 : 1;
  switch (event->key()) {
    case Qt::Key_Left:
      return scrubTo(snapshot_->token - step);
    case Qt::Key_Right:
      return scrubTo(snapshot_->token + step);
    case Qt::Key_Home:
      return scrubTo(scene_.firstToken());
    case Qt::Key_End:
      Q_EMIT backToLive();
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void HistoryScrubber::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  ring_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
          event->reason() == Qt::ShortcutFocusReason;
  rebuildNow();
}

void HistoryScrubber::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  ring_ = false;
  rebuildNow();
}

void HistoryScrubber::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::LanguageChange) setAccessibleName(tr("History"));
}

QSize HistoryScrubber::sizeHint() const {
  return {int(theme_.px(900)), int(theme_.px(48))};
}
QSize HistoryScrubber::minimumSizeHint() const {
  return {300, int(theme_.px(44))};
}

}  // namespace decodescope::views
