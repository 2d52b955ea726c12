#include "scene/camera.h"

#include <algorithm>

namespace decodescope::scene {

void Camera::fitTo(Rect world) {
  constexpr float kMargin = 0.85f;
  if (world.width <= 0 || world.height <= 0 || viewport_.width <= 0) return fit();
  const float wanted = kMargin * std::min(viewport_.width / world.width, viewport_.height / world.height);
  scale_ = std::clamp(wanted, kMinScale, kMaxScale);
  const Point middle = viewport_.center(), target = world.center();
  offset_ = {(middle.x - target.x) * scale_, (middle.y - target.y) * scale_};
}

void Camera::panBy(float dx, float dy) {
  // At least a corner of the fitted picture stays in view.
  const float reach_x = viewport_.width * (scale_ + 1) / 2 * 0.9f,
              reach_y = viewport_.height * (scale_ + 1) / 2 * 0.9f;
  offset_.x = std::clamp(offset_.x + dx, -reach_x, reach_x);
  offset_.y = std::clamp(offset_.y + dy, -reach_y, reach_y);
}

void Camera::zoomAt(Point screen, float factor) {
  const Point anchor = toWorld(screen);
  scale_ = std::clamp(scale_ * factor, kMinScale, kMaxScale);
  const Point moved = toScreen(anchor);
  offset_.x += screen.x - moved.x;
  offset_.y += screen.y - moved.y;
}

Point Camera::toScreen(Point world) const {
  const Point middle = viewport_.center();
  return {(world.x - middle.x) * scale_ + middle.x + offset_.x,
          (world.y - middle.y) * scale_ + middle.y + offset_.y};
}

Point Camera::toWorld(Point screen) const {
  const Point middle = viewport_.center();
  return {(screen.x - middle.x - offset_.x) / scale_ + middle.x,
          (screen.y - middle.y - offset_.y) / scale_ + middle.y};
}

Rect Camera::toScreen(Rect world) const {
  const Point corner = toScreen(Point{world.x, world.y});
  return {corner.x, corner.y, world.width * scale_, world.height * scale_};
}

}  // namespace decodescope::scene
