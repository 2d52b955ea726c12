// Fusion, flattened: sliders, sizes by zoom, a click in a slider's groove that goes there.
#pragma once

#include <QProxyStyle>

class QStyleOptionSlider;

namespace decodescope::views {

class AppStyle : public QProxyStyle {
  Q_OBJECT

 public:
  AppStyle();

  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* result) const override;
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override;

 private:
  void drawSlider(const QStyleOptionSlider& option, QPainter* painter, const QWidget* widget) const;
};

/// What every slider looks like: groove, used part, handle, focus ring. `fraction` from 0 to 1 along
/// `groove`.
void paintSlider(QPainter* painter, const QRectF& groove, double fraction, bool enabled, bool focused,
                 bool hovered);

}  // namespace decodescope::views
