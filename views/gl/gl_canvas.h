// The canvas on OpenGL 3.3 core.
#pragma once

#include "paint/scene_canvas.h"

namespace decodescope::views {

class GlCanvas final : public SceneCanvas {
  Q_OBJECT

 public:
  GlCanvas(const Theme& theme, QWidget* parent);
  [[nodiscard]] QWidget* widget() override;
  [[nodiscard]] QString description() const override;
  void applyTheme(const Theme& theme) override;

 private:
  class Surface;
  Surface* widget_;
};

}  // namespace decodescope::views
