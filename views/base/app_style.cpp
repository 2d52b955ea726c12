#include "base/app_style.h"

#include "base/theme.h"
#include "scene/color_map.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOptionSlider>
#include <algorithm>

namespace decodescope::views {
namespace {

// At 100 %.
constexpr double kHandlePx = 14, kGroovePx = 4, kIconPx = 16;

int scaled(double at_100_percent) {
  return qRound(currentTheme().px(at_100_percent));
}

}  // namespace

AppStyle::AppStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

int AppStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                        QStyleHintReturn* result) const {
  switch (hint) {
    case SH_Slider_AbsoluteSetButtons:
      return Qt::LeftButton;
    case SH_Slider_PageSetButtons:
      return Qt::NoButton;
    case SH_ToolTip_WakeUpDelay:
      return 400;
    case SH_EtchDisabledText:
      return 0;
    default:
      return QProxyStyle::styleHint(hint, option, widget, result);
  }
}

int AppStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_ListViewIconSize:
    case PM_TabBarIconSize:
      return scaled(kIconPx);
    case PM_ToolBarIconSize:
      return scaled(18);
    case PM_LargeIconSize:
      return scaled(32);
    case PM_SliderLength:
    case PM_SliderControlThickness:
      return scaled(kHandlePx);
    case PM_SliderThickness:
      return scaled(24);
    case PM_ScrollBarExtent:
      return scaled(10);
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
      return scaled(16);
    case PM_TreeViewIndentation:
      return scaled(16);
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
      return scaled(8);
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

void AppStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                  QPainter* painter, const QWidget* widget) const {
  if (control == CC_Slider) {
    if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
        slider != nullptr && slider->orientation == Qt::Horizontal) {
      drawSlider(*slider, painter, widget);
      return;
    }
  }
  QProxyStyle::drawComplexControl(control, option, painter, widget);
}

void AppStyle::drawSlider(const QStyleOptionSlider& option, QPainter* painter, const QWidget* widget) const {
  const QRect handle = proxy()->subControlRect(CC_Slider, &option, SC_SliderHandle, widget);
  const double inset = handle.width() / 2.0;
  const double y = QRectF(handle).center().y();
  const QRectF groove(option.rect.left() + inset, y, option.rect.width() - 2 * inset, 0);
  const int range = std::max(1, option.maximum - option.minimum);
  if ((option.subControls & SC_SliderTickmarks) != 0U && option.tickInterval > 0) {
    painter->setPen(QPen(toQColor(currentTheme().palette.control_border), 1));
    const double top = y + currentTheme().px(8), length = currentTheme().px(4);
    for (int v = option.minimum; v <= option.maximum; v += option.tickInterval) {
      const double x = groove.left() + groove.width() * (v - option.minimum) / range;
      painter->drawLine(QPointF(x, top), QPointF(x, top + length));
    }
  }
  const double fraction = static_cast<double>(option.sliderPosition - option.minimum) / range;
  paintSlider(painter, groove, option.upsideDown ? 1 - fraction : fraction,
              option.state.testFlag(State_Enabled), option.state.testFlag(State_HasFocus),
              option.state.testFlag(State_MouseOver));
}

void paintSlider(QPainter* painter, const QRectF& groove, double fraction, bool enabled, bool focused,
                 bool hovered) {
  const Theme& theme = currentTheme();
  const scene::Palette& p = theme.palette;
  const double half = theme.px(kGroovePx) / 2, y = groove.center().y();
  const double x = groove.left() + groove.width() * std::clamp(fraction, 0.0, 1.0);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  // The unused part must be told from the panel: a step darker than a hairline on light, lighter on dark.
  painter->setBrush(toQColor(scene::mix(p.panel, p.control_border, p.projector ? 0.8 : 0.35)));
  painter->drawRoundedRect(QRectF(groove.left() - half, y - half, groove.width() + 2 * half, 2 * half), half,
                           half);
  painter->setBrush(enabled ? sliderFill(theme) : toQColor(p.control_border));
  painter->drawRoundedRect(QRectF(groove.left() - half, y - half, x - groove.left() + 2 * half, 2 * half),
                           half, half);
  const double radius = theme.px(kHandlePx) / 2 - 0.5;
  const QColor ring = enabled ? toQColor(p.accent) : toQColor(p.control_border);
  if (focused) {
    painter->setPen(QPen(toQColor(p.accent), theme.px(2)));
    painter->setBrush(toQColor(p.panel));
    painter->drawEllipse(QPointF(x, y), radius + theme.px(3), radius + theme.px(3));
  }
  const QColor face = p.dark ? toQColor(enabled ? p.text : p.tertiary_text) : toQColor(p.field);
  painter->setPen(p.dark ? QPen(toQColor(p.panel), theme.px(hovered ? 0.5 : 1)) : QPen(ring, theme.px(2)));
  painter->setBrush(face);
  painter->drawEllipse(QPointF(x, y), radius, radius);
  painter->restore();
}

}  // namespace decodescope::views
