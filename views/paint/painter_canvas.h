// The canvas that needs no graphics driver.
#pragma once

#include "paint/scene_canvas.h"

namespace decodescope::views {

class PainterCanvas final : public SceneCanvas {
  Q_OBJECT

 public:
  PainterCanvas(const Theme& theme, QWidget* parent);
  [[nodiscard]] QWidget* widget() override { return widget_; }
  [[nodiscard]] QString description() const override;

 private:
  class Surface;
  QWidget* widget_;
};

}  // namespace decodescope::views
