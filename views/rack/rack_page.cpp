#include "rack/rack_page.h"

#include "base/pick_selection.h"
#include "paint/picture_export.h"

#include <QAccessible>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QStyle>
#include <QToolTip>
#include <QVBoxLayout>
#include <cmath>

namespace decodescope::views {
namespace {

using scene::packPick;
using scene::PickId;
using scene::PickKind;

constexpr int kFrameMs = 33;        // at most 30 pictures a second
constexpr int kStillAfterMs = 600;  // without new snapshots the machine stands, and so do the dashes
constexpr int kAnnounceMs = 1000;

}  // namespace

RackPage::RackPage(QWidget* parent, RendererChoice renderer) : RackPage(currentTheme(), renderer, parent) {}

RackPage::RackPage(const Theme& theme, RendererChoice renderer, QWidget* parent)
    : QWidget(parent), theme_(theme), text_(std::make_unique<QtTextMeasure>(theme)) {
  setObjectName(QStringLiteral("rackPage"));
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Rack"));
  reduced_motion_ = style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0;
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  makeSurface(renderer);
  build_timer_.setSingleShot(true);
  build_timer_.setInterval(0);
  connect(&build_timer_, &QTimer::timeout, this, &RackPage::build);
  motion_timer_.setInterval(kFrameMs);
  connect(&motion_timer_, &QTimer::timeout, this, &RackPage::tick);
}

RackPage::~RackPage() = default;

void RackPage::makeSurface(RendererChoice renderer) {
  canvas_ = makeCanvas(renderer, theme_, this);
  canvas_->widget()->setFocusProxy(this);
  layout()->addWidget(canvas_->widget());
  wire();
}

void RackPage::wire() {
  connect(canvas_, &SceneCanvas::hovered, this, [this](PickId pick) {
    hovered_ = pick;
    canvas_->widget()->setCursor(pick != 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    scheduleBuild();
  });
  connect(canvas_, &SceneCanvas::clicked, this, [this](PickId pick, QPointF) {
    setFocus(Qt::MouseFocusReason);
    const scene::Pick what = scene::unpackPick(pick);
    if (what.kind == PickKind::Button) return press(static_cast<scene::SceneButton>(what.index));
    select(pick, true);
  });
  connect(canvas_, &SceneCanvas::doubleClicked, this, [this](PickId pick, QPointF) {
    if (pick == 0) return fit();
    if (scene::unpackPick(pick).kind == PickKind::Button) return;
    fitSelection();
    Q_EMIT inspectRequested(toSelection(pick));
  });
  connect(canvas_, &SceneCanvas::contextRequested, this, [this](PickId pick, QPoint global) {
    if (pick != 0 && scene::unpackPick(pick).kind != PickKind::Button) select(pick, true);
    Q_EMIT contextMenuRequested(toSelection(pick), global);
  });
  connect(canvas_, &SceneCanvas::toolTipRequested, this, [this](PickId pick, QPoint global) {
    const QString text =
        snapshot_ && pick != 0 ? QString::fromStdString(scene_.describe(*snapshot_, pick)) : QString();
    QToolTip::showText(global, text.isEmpty() ? text : QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped()),
                       canvas_->widget());
  });
  connect(canvas_, &SceneCanvas::zoomed, this, [this](QPointF at, double factor) {
    scene_.camera().zoomAt({float(at.x()), float(at.y())}, float(factor));
    scheduleBuild();
  });
  connect(canvas_, &SceneCanvas::dragged, this, [this](QPointF delta) {
    scene_.camera().panBy(float(delta.x()), float(delta.y()));
    scheduleBuild();
  });
  connect(canvas_, &SceneCanvas::resized, this, &RackPage::scheduleBuild);
  connect(canvas_, &SceneCanvas::failed, this, [this] {
    // Not from within the paint event that found out.
    QTimer::singleShot(0, this, [this] {
      delete canvas_->widget();
      canvas_->deleteLater();
      makeSurface(RendererChoice::Software);
      scheduleBuild();
    });
  });
}

void RackPage::showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
  const bool news = snapshot && (!snapshot_ || snapshot->time_ns != snapshot_->time_ns ||
                                 snapshot->iteration_progress != snapshot_->iteration_progress);
  if (news) fresh_clock_.start();
  snapshot_ = snapshot;
  scheduleBuild();
}

void RackPage::applyTheme(const Theme& theme) {
  theme_ = theme;
  text_ = std::make_unique<QtTextMeasure>(theme);
  canvas_->applyTheme(theme);
  updateGeometry();
  scheduleBuild();
}

void RackPage::scheduleBuild() {
  if (!build_timer_.isActive()) build_timer_.start();
}

void RackPage::rebuildNow() {
  build_timer_.stop();
  build();
}

void RackPage::build() {
  const QSize size = canvas_->widget()->size();
  scene::SceneStyle style;
  style.palette = theme_.palette;
  style.zoom = float(theme_.zoom);
  style.text = text_.get();
  style.reduced_motion = reduced_motion_;
  scene_.setViewport({0, 0, float(size.width()), float(size.height())}, style);
  scene::DrawList list;
  scene_.build({snapshot_.get(), selected_, hovered_, flow_s_}, list);
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
  updateTimer();
  announce();
}

// The timer runs only while dashes flow: something busy is on screen, and the machine is running.
void RackPage::updateTimer() {
  const bool moving = !reduced_motion_ && scene_.moves() && isVisible() && fresh_clock_.isValid() &&
                      fresh_clock_.elapsed() < kStillAfterMs;
  if (!moving) return motion_timer_.stop();
  // Slow drawing gets fewer pictures rather than a busy program.
  motion_timer_.setInterval(std::max(kFrameMs, int(3 * canvas_->lastPaintMs())));
  if (!motion_timer_.isActive()) motion_clock_.start(), motion_timer_.start();
}

void RackPage::tick() {
  flow_s_ = std::fmod(flow_s_ + float(motion_clock_.restart()) / 1000.0f, 1000.0f);
  scheduleBuild();
}

void RackPage::select(PickId pick, bool tell) {
  if (pick == selected_) return;
  selected_ = pick;
  scheduleBuild();
  announced_.invalidate();
  if (tell) Q_EMIT selectionChanged(toSelection(pick));
}

void RackPage::showSelection(const Selection& selection) {
  // Groups and planes are selections of this page only; what it told the others comes back here.
  if (selection == toSelection(selected_)) return;
  select(pickOf(selection), false);
}

Selection RackPage::toSelection(PickId pick) const {
  const scene::Pick what = scene::unpackPick(pick);
  // A group that is a rack is one to everybody.
  if (what.kind == PickKind::Group && what.index < scene_.layout().groups.size() &&
      scene_.layout().groups[what.index].rack.isValid()) {
    return {Selection::Kind::Rack, scene_.layout().groups[what.index].rack.value};
  }
  return selectionOf(pick);
}

void RackPage::press(scene::SceneButton button) {
  switch (button) {
    case scene::SceneButton::ZoomIn:
      return zoomBy(1.4);
    case scene::SceneButton::ZoomOut:
      return zoomBy(1 / 1.4);
    case scene::SceneButton::Fit:
      return fit();
    case scene::SceneButton::Window:
      return setLinkWindow(scene_.linkWindow() == scene::LinkWindow::WholeStep
                               ? scene::LinkWindow::BusiestPhase
                               : scene::LinkWindow::WholeStep);
  }
}

void RackPage::setLinkWindow(scene::LinkWindow window) {
  scene_.setLinkWindow(window);
  scheduleBuild();
}

void RackPage::setReducedMotion(bool reduced) {
  reduced_motion_ = reduced;
  scheduleBuild();
}

void RackPage::fit() {
  scene_.camera().fit();
  scheduleBuild();
}

void RackPage::fitSelection() {
  if (const auto place = scene_.placeOf(selected_)) scene_.camera().fitTo(*place);
  scheduleBuild();
}

void RackPage::zoomBy(double factor) {
  const auto place = scene_.placeOf(selected_);
  const scene::Point anchor =
      place ? scene_.camera().toScreen(place->center()) : scene_.camera().viewport().center();
  scene_.camera().zoomAt(anchor, float(factor));
  scheduleBuild();
}

bool RackPage::handleStep(int key) {
  const auto step = key == Qt::Key_Left    ? scene::Step::Left
                    : key == Qt::Key_Right ? scene::Step::Right
                    : key == Qt::Key_Up    ? scene::Step::Up
                                           : scene::Step::Down;
  if (!snapshot_ || !snapshot_->topology || snapshot_->topology->chip_count == 0) return false;
  const scene::Pick from = scene::unpackPick(selected_);
  const ChipId next = from.kind == PickKind::Chip ? scene_.neighbour(ChipId{from.index}, step) : ChipId{0};
  select(packPick(PickKind::Chip, next.value), true);
  return true;
}

void RackPage::keyPressEvent(QKeyEvent* event) {
  const auto pan = [this](float dx, float dy) {
    const float step = float(theme_.px(60));
    scene_.camera().panBy(dx * step, dy * step);
    scheduleBuild();
  };
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return QWidget::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (!handleStep(event->key())) QWidget::keyPressEvent(event);
      return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoomBy(1.25);
    case Qt::Key_Minus:
      return zoomBy(1 / 1.25);
    case Qt::Key_F:
      return event->modifiers() & Qt::ShiftModifier ? fitSelection() : fit();
    case Qt::Key_W:
      return pan(0, 1);
    case Qt::Key_A:
      return pan(1, 0);
    case Qt::Key_S:
      return pan(0, -1);
    case Qt::Key_D:
      return pan(-1, 0);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (selected_ != 0) Q_EMIT inspectRequested(toSelection(selected_));
      return;
    case Qt::Key_Escape:
      if (selected_ != 0) return select(0, true);
      break;
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

void RackPage::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  ring_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
          event->reason() == Qt::ShortcutFocusReason;
  scheduleBuild();
}

void RackPage::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  ring_ = false;
  scheduleBuild();
}

void RackPage::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::LanguageChange) {
    setAccessibleName(tr("Rack"));
    scheduleBuild();
  }
}

// For screen readers: the selected thing, else the whole machine; at most once a second.
void RackPage::announce() {
  if (!snapshot_ || (announced_.isValid() && announced_.elapsed() < kAnnounceMs)) return;
  announced_.start();
  const std::string text =
      selected_ != 0 ? scene_.describe(*snapshot_, selected_) : scene_.describeAll(*snapshot_);
  setAccessibleDescription(QString::fromStdString(text));
}

QString RackPage::exportPicture(const QString& file) {
  const QSize size = canvas_->widget()->size();
  scene::DrawList list;
  scene_.build({snapshot_.get(), selected_, 0, 0}, list);
  const QString title =
      snapshot_ && snapshot_->topology ? QString::fromStdString(snapshot_->topology->name) : tr("Rack");
  return exportDrawList(list, size, theme_, title, file);
}

QSize RackPage::sizeHint() const {
  return {int(theme_.px(900)), int(theme_.px(540))};
}
QSize RackPage::minimumSizeHint() const {
  return {320, 200};
}

}  // namespace decodescope::views
