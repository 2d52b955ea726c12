// Pan and zoom over a layout whose fitted picture is at scale 1.
#pragma once

#include "scene/draw_list.h"

namespace decodescope::scene {

class Camera {
 public:
  static constexpr float kMinScale = 0.5f, kMaxScale = 64.0f;

  void setViewport(Rect viewport) { viewport_ = viewport; }
  [[nodiscard]] Rect viewport() const { return viewport_; }
  [[nodiscard]] float scale() const { return scale_; }
  [[nodiscard]] bool isFitted() const { return scale_ == 1.0f && offset_.x == 0 && offset_.y == 0; }

  void fit() { scale_ = 1, offset_ = {}; }
  /// Shows `world` as large as the viewport allows, with a margin.
  void fitTo(Rect world);
  void panBy(float dx, float dy);
  /// The point under `screen` stays where it is.
  void zoomAt(Point screen, float factor);

  [[nodiscard]] Point toScreen(Point world) const;
  [[nodiscard]] Point toWorld(Point screen) const;
  [[nodiscard]] Rect toScreen(Rect world) const;

 private:
  Rect viewport_;
  float scale_ = 1;
  Point offset_;  ///< screen pixels, after scaling about the viewport's centre
};

}  // namespace decodescope::scene
