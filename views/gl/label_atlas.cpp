#include "gl/label_atlas.h"

#include "paint/text_measure.h"

#include <QPainter>
#include <QPainterPath>
#include <cmath>

namespace decodescope::views {
namespace {

constexpr double kHaloWidth_px = 4;  // across the stroke, at 100 %: two pixels on either side

// Drawn as QPainter draws on a screen of that pixel ratio, so that both renderers set the same type.
QImage drawMask(const QSize& size, QPointF baseline, const QFont& font, const QString& text,
                double halo_width_px, double pixel_ratio) {
  QImage image(size, QImage::Format_Grayscale8);
  image.fill(0);
  image.setDevicePixelRatio(pixel_ratio);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  if (halo_width_px > 0) {
    QPainterPath path;
    path.addText(baseline, font, text);
    painter.strokePath(path, QPen(Qt::white, halo_width_px, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  } else {
    painter.setFont(font);
    painter.setPen(Qt::white);
    painter.drawText(baseline, text);
  }
  return image;
}

std::vector<unsigned char> interleave(const QImage& letters, const QImage& halo) {
  std::vector<unsigned char> bytes;
  bytes.reserve(2 * std::size_t(letters.width()) * std::size_t(letters.height()));
  for (int y = 0; y < letters.height(); ++y) {
    const uchar* ink = letters.constScanLine(y);
    const uchar* around = halo.isNull() ? nullptr : halo.constScanLine(y);
    for (int x = 0; x < letters.width(); ++x) {
      bytes.push_back(ink[x]);
      bytes.push_back(around ? around[x] : 0);
    }
  }
  return bytes;
}

}  // namespace

void LabelAtlas::setTheme(const Theme& theme, double pixel_ratio) {
  theme_ = theme;
  pixel_ratio_ = pixel_ratio;
  faces_.clear();
  clear();
}

void LabelAtlas::clear() {
  entries_.clear();
  patches_.clear();
  shelf_x_ = shelf_y_ = shelf_height_ = 0;
  ++generation_;
}

const LabelAtlas::Face& LabelAtlas::faceOf(const scene::Label& label, int& face_key) {
  const int scale = qRound(label.scale * 50);
  face_key = (scale * 8 + int(label.font)) * 4 + (label.bold ? 2 : 0);
  auto known = faces_.find(face_key);
  if (known == faces_.end()) {
    const QFont font = fontOf(theme_, label.font, label.bold, float(scale) / 50);
    known = faces_.emplace(face_key, Face{font, QFontMetricsF(font)}).first;
  }
  return known->second;
}

bool LabelAtlas::reserve(int width, int height, QPoint& at) {
  if (width > kWidth || height > kHeight) return false;
  if (shelf_x_ + width > kWidth) shelf_x_ = 0, shelf_y_ += shelf_height_, shelf_height_ = 0;
  if (shelf_y_ + height > kHeight) clear();
  at = {shelf_x_, shelf_y_};
  shelf_x_ += width;
  shelf_height_ = std::max(shelf_height_, height);
  return true;
}

const LabelAtlas::Entry* LabelAtlas::find(const scene::Label& label) {
  int face_key = 0;
  const Face& face = faceOf(label, face_key);
  const bool halo = label.halo.a > 0;
  std::string key(1 + sizeof face_key, '\0');
  for (std::size_t i = 0; i < sizeof face_key; ++i) key[i] = char((face_key >> (8 * i)) & 0xff);
  key.back() = halo ? 'h' : 'p';
  key += label.text;
  if (const auto known = entries_.find(key); known != entries_.end()) return &known->second;

  const QString text = QString::fromStdString(label.text);
  const double halo_px = halo ? kHaloWidth_px * theme_.zoom : 0;
  const auto device = [this](double logical_px) { return int(std::ceil(logical_px * pixel_ratio_)); };
  const int margin = 2 + device(halo_px / 2), ascent = device(face.metrics.ascent());
  const double advance = face.metrics.horizontalAdvance(text);
  const QSize size(device(advance) + 2 * margin, ascent + device(face.metrics.descent()) + 2 * margin);
  QPoint at;
  if (!reserve(size.width(), size.height(), at)) return nullptr;
  const QPoint origin(margin, margin + ascent);
  const QPointF baseline = QPointF(origin) / pixel_ratio_;
  const QImage letters = drawMask(size, baseline, face.font, text, 0, pixel_ratio_);
  const QImage around = halo ? drawMask(size, baseline, face.font, text, halo_px, pixel_ratio_) : QImage();
  patches_.push_back({QRect(at, size), interleave(letters, around)});
  const Entry entry{QRect(at, size), -origin, advance * pixel_ratio_,
                    face.metrics.capHeight() * pixel_ratio_};
  return &entries_.emplace(std::move(key), entry).first->second;
}

std::vector<LabelAtlas::Patch> LabelAtlas::takePatches() {
  return std::exchange(patches_, {});
}

}  // namespace decodescope::views
