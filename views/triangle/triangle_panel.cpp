#include "triangle/triangle_panel.h"

#include "base/view_switch.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace decodescope::views {
namespace {

constexpr std::size_t kMostTrail = 12;
constexpr float kTrailStep = 0.02f;  // a move worth a trace

bool moved(const std::array<float, 3>& a, const std::array<float, 3>& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (std::abs(a[i] - b[i]) > kTrailStep) return true;
  }
  return false;
}

}  // namespace

TrianglePanel::TrianglePanel(QWidget* parent) : TrianglePanel(currentTheme(), parent) {}

TrianglePanel::TrianglePanel(const Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), text_(std::make_unique<QtTextMeasure>(theme)) {
  setObjectName(QStringLiteral("trianglePanel"));
  setFocusPolicy(Qt::StrongFocus);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  bar_ = new ViewSwitch(2, this);
  switch_ = bar_->group();
  switch_->button(0)->setChecked(true);
  connect(switch_, &QButtonGroup::idClicked, this,
          [this](int id) { setReading(static_cast<scene::TriangleReading>(id)); });
  layout->addWidget(bar_);
  canvas_ = makeCanvas(RendererChoice::Software, theme_, this);
  canvas_->widget()->setFocusProxy(this);
  layout->addWidget(canvas_->widget(), 1);
  connect(canvas_, &SceneCanvas::resized, this, &TrianglePanel::build);
  retranslate();
}

void TrianglePanel::retranslate() {
  setAccessibleName(tr("Token-speed triangle"));
  switch_->button(0)->setText(tr("Pressure"));
  switch_->button(0)->setToolTip(tr("How close each corner is to its limit"));
  switch_->button(1)->setText(tr("Time"));
  bar_->setCaption(reading_ == scene::TriangleReading::Pressure ? tr("1 is the limit")
                                                                : tr("share of a step"));
  switch_->button(1)->setToolTip(tr("Where the time of a step goes"));
}

void TrianglePanel::showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
  const auto prediction = snapshot ? snapshot->prediction : nullptr;
  // Only a new operating point changes the picture.
  if (prediction == now_) return;
  if (now_ && prediction && now_->feasible) {
    for (const auto reading : {scene::TriangleReading::Pressure, scene::TriangleReading::Time}) {
      auto& trail = trails_[static_cast<std::size_t>(reading)];
      const auto before = scene::triangleValues(*now_, reading);
      const bool far = moved(before, scene::triangleValues(*prediction, reading)) &&
                       (trail.empty() || moved(before, trail.back()));
      if (far) trail.push_back(before);
      if (trail.size() > kMostTrail) trail.pop_front();
    }
  }
  now_ = prediction;
  build();
}

void TrianglePanel::applyTheme(const Theme& theme) {
  theme_ = theme;
  text_ = std::make_unique<QtTextMeasure>(theme);
  canvas_->applyTheme(theme);
  bar_->setBackground(toQColor(theme.palette.panel));
  updateGeometry();
  build();
}

void TrianglePanel::setPinned(std::shared_ptr<const Prediction> pinned) {
  pinned_ = std::move(pinned);
  build();
}

void TrianglePanel::setReading(scene::TriangleReading reading) {
  reading_ = reading;
  switch_->button(int(reading))->setChecked(true);
  retranslate();
  build();
}

void TrianglePanel::build() {
  const QSize size = canvas_->widget()->size();
  const auto pad = float(theme_.px(12));
  scene::SceneStyle style;
  style.palette = theme_.palette;
  style.zoom = float(theme_.zoom);
  style.text = text_.get();
  scene::DrawList list;
  scene::buildTriangle({now_.get(), pinned_.get(), &trails_[static_cast<std::size_t>(reading_)], reading_},
                       {pad, 0, float(size.width()) - 2 * pad, float(size.height()) - pad * 0.5f}, style,
                       list);
  canvas_->setDrawList(std::move(list));
  if (now_) setAccessibleDescription(QString::fromStdString(scene::describeTriangle(*now_, reading_)));
}

void TrianglePanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
    return setReading(event->key() == Qt::Key_Left ? scene::TriangleReading::Pressure
                                                   : scene::TriangleReading::Time);
  }
  QWidget::keyPressEvent(event);
}

void TrianglePanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::LanguageChange) retranslate();
}

QSize TrianglePanel::sizeHint() const {
  return {int(theme_.px(310)), int(theme_.px(260))};
}
QSize TrianglePanel::minimumSizeHint() const {
  return {180, 110};
}

}  // namespace decodescope::views
