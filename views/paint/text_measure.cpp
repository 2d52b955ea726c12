#include "paint/text_measure.h"

namespace decodescope::views {
namespace {

constexpr std::size_t kMostRemembered = 4096;

const QFont& themeFont(const Theme& theme, scene::FontRole role) {
  switch (role) {
    case scene::FontRole::Secondary:
      return theme.secondary;
    case scene::FontRole::Title:
      return theme.title;
    case scene::FontRole::Headline:
      return theme.headline;
    case scene::FontRole::Mono:
      return theme.mono;
    case scene::FontRole::Body:
      break;
  }
  return theme.body;
}

}  // namespace

QFont fontOf(const Theme& theme, scene::FontRole role, bool bold, float scale) {
  QFont font = themeFont(theme, role);
  if (bold) font.setBold(true);
  if (scale != 1.0f) font.setPointSizeF(font.pointSizeF() * double(scale));
  return font;
}

QtTextMeasure::QtTextMeasure(const Theme& theme) {
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    const auto role = static_cast<scene::FontRole>(i / 2);
    faces_[i].metrics = std::make_unique<QFontMetricsF>(fontOf(theme, role, i % 2 == 1, 1));
  }
}

const QtTextMeasure::Face& QtTextMeasure::face(scene::FontRole role, bool bold) const {
  return faces_[2 * static_cast<std::size_t>(role) + (bold ? 1 : 0)];
}

float QtTextMeasure::width(const std::string& text, scene::FontRole role, bool bold) const {
  const Face& with = face(role, bold);
  const auto known = with.widths.find(text);
  if (known != with.widths.end()) return known->second;
  if (with.widths.size() > kMostRemembered) with.widths.clear();
  const auto width = static_cast<float>(with.metrics->horizontalAdvance(QString::fromStdString(text)));
  with.widths.emplace(text, width);
  return width;
}

float QtTextMeasure::lineHeight(scene::FontRole role) const {
  return static_cast<float>(face(role, false).metrics->height());
}

}  // namespace decodescope::views
