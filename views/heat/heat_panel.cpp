#include "heat/heat_panel.h"

#include "base/pick_selection.h"
#include "base/view_switch.h"
#include "scene/picking.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QKeyEvent>
#include <QToolTip>
#include <QVBoxLayout>

namespace decodescope::views {
namespace {

// The map is small and slow to change: ten pictures a second are plenty.
constexpr int kBuildMs = 100;

}  // namespace

HeatPanel::HeatPanel(QWidget* parent, RendererChoice renderer)
    : HeatPanel(currentTheme(), renderer, parent) {}

HeatPanel::HeatPanel(const Theme& theme, RendererChoice renderer, QWidget* parent)
    : QWidget(parent), theme_(theme), text_(std::make_unique<QtTextMeasure>(theme)) {
  setObjectName(QStringLiteral("heatPanel"));
  setFocusPolicy(Qt::StrongFocus);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  makeSwitch();
  makeSurface(renderer);
  retranslate();
  build_timer_.setSingleShot(true);
  build_timer_.setInterval(kBuildMs);
  connect(&build_timer_, &QTimer::timeout, this, &HeatPanel::build);
}

void HeatPanel::makeSwitch() {
  bar_ = new ViewSwitch(2, this);
  switch_ = bar_->group();
  switch_->button(1)->setChecked(true);
  connect(switch_, &QButtonGroup::idClicked, this, [this](int id) { setOverTime(id == 1); });
  layout()->addWidget(bar_);
}

void HeatPanel::makeSurface(RendererChoice renderer) {
  canvas_ = makeCanvas(renderer, theme_, this);
  canvas_->widget()->setFocusProxy(this);
  static_cast<QVBoxLayout*>(layout())->addWidget(canvas_->widget(), 1);
  connect(canvas_, &SceneCanvas::resized, this, [this] { rebuildNow(); });
  connect(canvas_, &SceneCanvas::clicked, this, [this](scene::PickId pick, QPointF) {
    setFocus(Qt::MouseFocusReason);
    const Selection selection = selectionOf(scene_.resolve(pick));
    if (selection.kind == Selection::Kind::None) return;
    showSelection(selection);
    Q_EMIT selectionChanged(selection);
  });
  connect(canvas_, &SceneCanvas::toolTipRequested, this, [this](scene::PickId pick, QPoint global) {
    QToolTip::showText(global,
                       snapshot_ ? QString::fromStdString(scene_.describe(*snapshot_, pick)) : QString(),
                       canvas_->widget());
  });
  connect(canvas_, &SceneCanvas::failed, this, [this] {
    QTimer::singleShot(0, this, [this] {
      delete canvas_->widget();
      canvas_->deleteLater();
      makeSurface(RendererChoice::Software);
      scheduleBuild();
    });
  });
}

void HeatPanel::retranslate() {
  setAccessibleName(tr("Heat map of chip temperatures"));
  switch_->button(0)->setText(tr("Now"));
  switch_->button(1)->setText(tr("Over time"));
  bar_->setCaption(over_time_ ? tr("hottest chip of each row, °C") : tr("every chip now, °C"));
}

void HeatPanel::showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
  snapshot_ = snapshot;
  if (snapshot_) scene_.add(*snapshot_);
  scheduleBuild();
}

void HeatPanel::showPast(const std::shared_ptr<const Snapshot>& snapshot) {
  snapshot_ = snapshot;
  scheduleBuild();
}

void HeatPanel::applyTheme(const Theme& theme) {
  theme_ = theme;
  text_ = std::make_unique<QtTextMeasure>(theme);
  canvas_->applyTheme(theme);
  bar_->setBackground(toQColor(theme.palette.panel));
  updateGeometry();
  rebuildNow();
}

void HeatPanel::showSelection(const Selection& selection) {
  selection_ = selection;
  rebuildNow();
}

void HeatPanel::setOverTime(bool over_time) {
  over_time_ = over_time;
  switch_->button(over_time ? 1 : 0)->setChecked(true);
  retranslate();
  rebuildNow();
}

void HeatPanel::scheduleBuild() {
  if (!build_timer_.isActive()) build_timer_.start();
}

void HeatPanel::rebuildNow() {
  build_timer_.stop();
  build();
}

void HeatPanel::build() {
  if (!snapshot_) return;
  const QSize size = canvas_->widget()->size();
  const auto pad = float(theme_.px(10));
  const scene::Rect box{pad, pad * 0.6f, float(size.width()) - 2 * pad, float(size.height()) - pad};
  scene::SceneStyle style;
  style.palette = theme_.palette;
  style.zoom = float(theme_.zoom);
  style.text = text_.get();
  scene::DrawList list;
  const scene::PickId selected = pickOf(selection_);
  over_time_ ? scene_.buildOverTime(*snapshot_, box, style, selected, list)
             : scene_.buildNow(*snapshot_, box, style, selected, list);
  canvas_->setDrawList(std::move(list));
}

void HeatPanel::moveSelection(int rows) {
  const auto& all = scene_.rows();
  if (all.empty()) return;
  int at = -1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (selection_.kind == Selection::Kind::Tray && all[i].tray.isValid() &&
        all[i].tray.value == selection_.index)
      at = int(i);
  }
  const auto next = static_cast<std::size_t>(std::clamp(at + rows, 0, int(all.size()) - 1));
  if (!all[next].tray.isValid()) return;
  const Selection selection{Selection::Kind::Tray, all[next].tray.value};
  showSelection(selection);
  Q_EMIT selectionChanged(selection);
}

void HeatPanel::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up:
      return moveSelection(-1);
    case Qt::Key_Down:
      return moveSelection(1);
    case Qt::Key_H:
      return setOverTime(!over_time_);
    default:
      QWidget::keyPressEvent(event);
  }
}

void HeatPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::LanguageChange) retranslate();
}

QSize HeatPanel::sizeHint() const {
  return {int(theme_.px(340)), int(theme_.px(260))};
}
QSize HeatPanel::minimumSizeHint() const {
  return {180, 110};
}

}  // namespace decodescope::views
