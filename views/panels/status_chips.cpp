#include "panels/status_chips.h"

#include "base/format.h"
#include "base/icons.h"
#include "base/theme.h"
#include "controls/status_sentence.h"
#include "panels/headline.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <cmath>

namespace decodescope::views {
namespace {

/// "bound: math, 34 % of step", or the violation that makes it undeployable or infeasible.
QString bindingText(const Snapshot& s) {
  if (!s.prediction) return {};
  const Prediction& p = *s.prediction;
  if (!p.feasible)
    return StatusChips::tr("infeasible: %1")
        .arg(QString::fromStdString(p.violations.empty() ? "" : p.violations.front().rule));
  if (p.thermal.limited_by == ClockLimit::Thermal)
    return StatusChips::tr("bound: heat, clocks at %1").arg(ratioText(p.thermal.clock_ratio).text());
  if (p.thermal.limited_by == ClockLimit::Power)
    return StatusChips::tr("bound: power cap, clocks at %1").arg(ratioText(p.thermal.clock_ratio).text());
  const double share = p.step_time_s > 0 ? p.breakdown_s[p.bound] / p.step_time_s : 0;
  return StatusChips::tr("bound: %1, %2 of step").arg(boundText(p.bound), ratioText(share).text());
}

}  // namespace

StatusChips::StatusChips(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("statusChips"));
  auto* box = new QHBoxLayout(this);
  box->setContentsMargins(8, 0, 8, 0);
  box->setSpacing(4);
  state_ = new QLabel(this);
  state_->setProperty("role", QStringLiteral("secondary"));
  state_->setAccessibleName(tr("State"));
  box->addWidget(state_);
  per_user_ = addQuantity(QStringLiteral("output_tokens_per_s_per_user"), tr("Output speed per user"));
  per_chip_ = addQuantity(QStringLiteral("output_tokens_per_s_per_chip"), tr("Output per chip"));
  energy_ = addQuantity(QStringLiteral("joules_per_token"), tr("Energy per token"));
  cost_ = addQuantity(QStringLiteral("cost.usd_per_million_output_tokens"), tr("Cost of output tokens"));
  bound_ = addQuantity(QStringLiteral("step_time_s"), tr("Binding constraint"));
  quantities_ = {cost_, energy_, per_chip_, per_user_, bound_};
  box->addStretch(1);
  renderer_ = addChip(QStringLiteral("info"), tr("Renderer"));
  zoom_ = addChip(QStringLiteral("search"), tr("Zoom"));
  renderer_->hide();
  connect(renderer_, &QToolButton::clicked, this, &StatusChips::rendererClicked);
  connect(zoom_, &QToolButton::clicked, this, &StatusChips::zoomClicked);
  setZoom(1);
}

QToolButton* StatusChips::addQuantity(const QString& quantity, const QString& name) {
  auto* button = new QToolButton(this);
  button->setProperty("quantity", true);
  button->setAccessibleName(name);
  button->setToolTip(tr("%1. Click to see where it comes from").arg(name));
  button->setText(QStringLiteral("–"));
  layout()->addWidget(button);
  connect(button, &QToolButton::clicked, this, [this, quantity] { Q_EMIT explainRequested(quantity); });
  return button;
}

QToolButton* StatusChips::addChip(const QString& icon_name, const QString& name) {
  auto* button = new QToolButton(this);
  button->setProperty("chip", true);
  button->setIcon(icon(icon_name));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setAccessibleName(name);
  button->setToolTip(name);
  layout()->addWidget(button);
  return button;
}

void StatusChips::setState(const QString& text) {
  if (state_->text() == text) return;
  state_->setText(text);
  if (QAccessible::isActive()) {
    QAccessibleEvent event(state_, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
  }
  fit();
}

void StatusChips::setRenderer(const QString& text, const QString& details) {
  renderer_->setText(text);
  renderer_->setToolTip(details);
  renderer_->setVisible(!text.isEmpty());
  fit();
}

void StatusChips::setZoom(double zoom) {
  zoom_->setText(tr("%1 %").arg(std::lround(zoom * 100)));
  fit();
}

void StatusChips::showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
  if (!snapshot) return;
  const HeadlineValues v = headlineValues(*snapshot);
  per_user_->setText(tr("%1 tok/s/user").arg(numberText(v[2])));
  per_chip_->setText(tr("%1 tok/s/chip out").arg(numberText(v[3])));
  energy_->setText(tr("%1 J/token").arg(numberText(v[4])));
  cost_->setText(tr("$%1/Mtok").arg(numberText(v[5])));
  bound_->setText(bindingText(*snapshot));
  fit();
}

void StatusChips::applyTheme(const Theme& theme) {
  setCurrentTheme(theme);

  fit();
}

QSize StatusChips::minimumSizeHint() const {
  return {200, QWidget::minimumSizeHint().height()};
}

void StatusChips::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void StatusChips::fit() {
  int needed = 24;
  for (const QWidget* widget :
       {static_cast<QWidget*>(state_), static_cast<QWidget*>(renderer_), static_cast<QWidget*>(zoom_)})
    if (!widget->isHidden()) needed += widget->sizeHint().width() + 6;
  for (const QToolButton* button : quantities_) needed += button->sizeHint().width() + 6;
  for (QToolButton* button : quantities_) {
    const bool give_way = needed > width();
    button->setVisible(!give_way);
    if (give_way) needed -= button->sizeHint().width() + 6;
  }
}

}  // namespace decodescope::views
