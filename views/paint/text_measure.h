// Widths of texts in the fonts of a theme, remembered: the same labels come back every frame.
#pragma once

#include "base/theme.h"
#include "scene/draw_list.h"

#include <QFontMetricsF>
#include <array>
#include <memory>
#include <string>
#include <unordered_map>

namespace decodescope::views {

class QtTextMeasure final : public scene::TextMeasure {
 public:
  explicit QtTextMeasure(const Theme& theme);

  [[nodiscard]] float width(const std::string& text, scene::FontRole role, bool bold) const override;
  [[nodiscard]] float lineHeight(scene::FontRole role) const override;

 private:
  struct Face {
    std::unique_ptr<QFontMetricsF> metrics;
    mutable std::unordered_map<std::string, float> widths;
  };
  [[nodiscard]] const Face& face(scene::FontRole role, bool bold) const;
  std::array<Face, 10> faces_;
};

/// The font of a label, with its scale.
[[nodiscard]] QFont fontOf(const Theme& theme, scene::FontRole role, bool bold, float scale);

}  // namespace decodescope::views
