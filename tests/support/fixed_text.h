// Text metrics without fonts: every letter is as wide as every other.
#pragma once

#include "scene/draw_list.h"

namespace decodescope::test {

class FixedText final : public scene::TextMeasure {
 public:
  [[nodiscard]] float width(const std::string& text, scene::FontRole role, bool bold) const override {
    // Count letters, not the bytes that continue one in UTF-8.
    int letters = 0;
    for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
    return static_cast<float>(letters) * em(role) * (bold ? 0.6f : 0.55f);
  }
  [[nodiscard]] float lineHeight(scene::FontRole role) const override { return em(role) * 1.36f; }
  [[nodiscard]] static float em(scene::FontRole role) {
    return role == scene::FontRole::Headline ? 27.0f : role == scene::FontRole::Secondary ? 12.0f : 13.0f;
  }
};

/// The dark palette, as far as scenes look at it.
inline scene::Palette darkPalette() {
  using scene::Color;
  scene::Palette p;
  p.canvas = {0x14, 0x18, 0x1D, 255}, p.panel = {0x17, 0x1C, 0x22, 255}, p.text = {0xE8, 0xEC, 0xF1, 255};
  p.secondary_text = {0xAE, 0xB8, 0xC4, 255}, p.tertiary_text = {0x84, 0x90, 0x9D, 255},
  p.accent = {0x8A, 0xB4, 0xF8, 255};
  p.rack_metal = {0x1D, 0x23, 0x2B, 255}, p.rack_metal2 = {0x26, 0x2E, 0x38, 255},
  p.control_border = {0x7C, 0x87, 0x94, 255};
  p.link = {Color{0x66, 0x71, 0x7F, 255},
            {0x4C, 0x94, 0xE0, 255},
            {0xE0, 0xA1, 0x00, 255},
            {0xFF, 0x9E, 0x80, 255},
            {0xFF, 0xE3, 0xEE, 255}};
  p.compute = {0x2F, 0x86, 0xD6, 255}, p.interconnect = {0xF2, 0x67, 0x2A, 255},
  p.physical = {0xD7, 0xA9, 0xF5, 255};
  p.hbm = {0x58, 0xD6, 0xAE, 255}, p.waiting = {0xFF, 0xE6, 0x80, 255}, p.live = {255, 255, 255, 255},
  p.pinned = {0xA4, 0xAE, 0xBB, 255};
  return p;
}

}  // namespace decodescope::test
