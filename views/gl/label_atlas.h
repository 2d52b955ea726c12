// Texts as textures: each distinct text is drawn once by QPainter and kept until the atlas is full.
#pragma once

#include "base/theme.h"
#include "scene/draw_list.h"

#include <QFont>
#include <QFontMetricsF>
#include <QImage>
#include <QRect>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace decodescope::views {

class LabelAtlas {
 public:
  static constexpr int kWidth = 2048, kHeight = 1024;

  /// Where a text lies in the atlas, and its box around the baseline's start, in device pixels.
  struct Entry {
    QRect texels;
    QPoint offset;
    double advance_px = 0, cap_height_px = 0;
  };

  void setTheme(const Theme& theme, double pixel_ratio);
  /// Null when the text is too large for the atlas. Entries stay valid until `generation` changes.
  [[nodiscard]] const Entry* find(const scene::Label& label);
  /// Grows whenever everything was forgotten to make room.
  [[nodiscard]] int generation() const { return generation_; }

  /// Pixels that changed since the last call, to be uploaded: rectangle and two bytes per pixel.
  struct Patch {
    QRect rect;
    std::vector<unsigned char> bytes;
  };
  [[nodiscard]] std::vector<Patch> takePatches();

 private:
  struct Face {
    QFont font;
    QFontMetricsF metrics;
  };
  [[nodiscard]] const Face& faceOf(const scene::Label& label, int& face_key);
  [[nodiscard]] bool reserve(int width, int height, QPoint& at);
  void clear();

  Theme theme_;
  double pixel_ratio_ = 1;
  std::map<int, Face> faces_;
  std::unordered_map<std::string, Entry> entries_;
  std::vector<Patch> patches_;
  int shelf_x_ = 0, shelf_y_ = 0, shelf_height_ = 0;
  int generation_ = 0;
};

}  // namespace decodescope::views
