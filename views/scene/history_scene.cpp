#include "scene/history_scene.h"

#include "scene/axis_ticks.h"
#include "scene/number_text.h"

#include <algorithm>
#include <cmath>

namespace decodescope::scene {
namespace {

constexpr std::size_t kMostEvents = 500;

enum class Shape : std::uint8_t { None, Square, Disc, Triangle, Diamond };

Shape shapeOf(EventKind kind) {
  switch (kind) {
    case EventKind::Preemption:
      return Shape::Square;
    case EventKind::Fault:
      return Shape::Disc;
    case EventKind::ThrottleOn:
    case EventKind::Shutdown:
      return Shape::Triangle;
    case EventKind::ScenarioChange:
      return Shape::Diamond;
    case EventKind::Arrival:
    case EventKind::Completion:
    case EventKind::ThrottleOff:
      break;
  }
  return Shape::None;
}

std::string textOf(const EngineEvent& event) {
  const std::string times = event.count > 1 ? " ×" + countText(event.count) : std::string();
  switch (event.kind) {
    case EventKind::Preemption:
      return "preempt" + times;
    case EventKind::ThrottleOn:
      return "throttle: " + countText(event.count) + (event.count == 1 ? " chip" : " chips");
    case EventKind::Shutdown:
      return "shutdown" + times;
    case EventKind::Fault:
    case EventKind::ScenarioChange:
    case EventKind::Arrival:
    case EventKind::Completion:
    case EventKind::ThrottleOff:
      break;
  }
  return event.text.empty() ? std::string(event.kind == EventKind::Fault ? "fault" : "change") : event.text;
}

void addShape(DrawList& out, Shape shape, Point at, float size, const SceneStyle& style, PickId pick) {
  const Palette& palette = style.palette;
  const float half = size / 2;
  const Color border = palette.canvas;
  switch (shape) {
    case Shape::Square:
      out.overlays.push_back(
          {{at.x - half, at.y - half, size, size}, palette.waiting, palette.text, 1, 0, Hatch::None, pick});
      break;
    case Shape::Disc:
      out.overlays.push_back(
          {{at.x - half, at.y - half, size, size}, palette.accent, border, 1, half, Hatch::None, pick});
      break;
    case Shape::Triangle:
      out.polygons.push_back(
          {{{at.x, at.y - half}, {at.x + half * 1.1f, at.y + half}, {at.x - half * 1.1f, at.y + half}},
           palette.link[3],
           border,
           1,
           pick});
      break;
    case Shape::Diamond:
      out.polygons.push_back({{{at.x, at.y - half * 1.2f},
                               {at.x + half * 1.2f, at.y},
                               {at.x, at.y + half * 1.2f},
                               {at.x - half * 1.2f, at.y}},
                              palette.text,
                              border,
                              1,
                              pick});
      break;
    case Shape::None:
      break;
  }
}

Curve line(Point a, Point b, Color color, float width, Dash dash = Dash::Solid) {
  return {a, a, b, b, color, width, dash, 0, 0};
}

}  // namespace

void TokenStrip::add(std::int64_t token, float tpot_s) {
  if (worst_s_.empty() || token < first_) clear(), first_ = token;
  last_ = std::max(last_, token);
  auto bin = static_cast<std::size_t>((token - first_) / tokens_per_bin_);
  while (bin >= kMostBins) {
    for (std::size_t i = 0; i < worst_s_.size(); i += 2)
      worst_s_[i / 2] = i + 1 < worst_s_.size() ? std::max(worst_s_[i], worst_s_[i + 1]) : worst_s_[i];
    worst_s_.resize((worst_s_.size() + 1) / 2);
    tokens_per_bin_ *= 2;
    bin = static_cast<std::size_t>((token - first_) / tokens_per_bin_);
  }
  if (bin >= worst_s_.size()) worst_s_.resize(bin + 1, 0);
  worst_s_[bin] = std::max(worst_s_[bin], tpot_s);
}

float TokenStrip::worst(std::int64_t from, std::int64_t to) const {
  float worst_s = 0;
  const std::int64_t begin = std::max<std::int64_t>(0, (from - first_) / tokens_per_bin_);
  const std::int64_t end =
      std::min<std::int64_t>(static_cast<std::int64_t>(worst_s_.size()),
                             (std::max(to, from + 1) - 1 - first_) / tokens_per_bin_ + 1);
  for (std::int64_t bin = begin; bin < end; ++bin)
    worst_s = std::max(worst_s, worst_s_[static_cast<std::size_t>(bin)]);
  return worst_s;
}

float TokenStrip::worst() const {
  return worst_s_.empty() ? 0 : *std::max_element(worst_s_.begin(), worst_s_.end());
}

void HistoryScene::add(const Snapshot& snapshot) {
  for (const TokenRecord& record : snapshot.recent) {
    if (!strip_.isEmpty() && record.token < strip_.firstToken()) clear();
    if (strip_.isEmpty() || record.token > strip_.lastToken())
      strip_.add(record.token, static_cast<float>(record.duration_ns) * 1e-9f);
  }
  for (const EngineEvent& event : snapshot.events) {
    if (shapeOf(event.kind) == Shape::None || (!events_.empty() && event.time_ns < events_.back().time_ns))
      continue;
    events_.push_back(event);
  }
  while (events_.size() > kMostEvents) events_.pop_front();
  live_token_ = std::max(live_token_, strip_.lastToken());
}

void HistoryScene::clear() {
  strip_.clear();
  events_.clear();
  live_token_ = 0;
}

float HistoryScene::xOf(std::int64_t token) const {
  const double span = static_cast<double>(std::max<std::int64_t>(1, live_token_ - strip_.firstToken()));
  const double along = std::clamp(static_cast<double>(token - strip_.firstToken()) / span, 0.0, 1.0);
  return map_.x + map_.width * static_cast<float>(along);
}

std::int64_t HistoryScene::tokenAt(float x) const {
  if (map_.width <= 0) return live_token_;
  const double along = std::clamp(static_cast<double>((x - map_.x) / map_.width), 0.0, 1.0);
  return strip_.firstToken() + std::llround(along * static_cast<double>(live_token_ - strip_.firstToken()));
}

void HistoryScene::paintSilhouette(const SceneStyle& style, DrawList& out) const {
  if (strip_.isEmpty()) return;
  // The top is a round number, so that the scale stands still while values move.
  const double worst_s = std::max(1e-6, static_cast<double>(strip_.worst()));
  const double top_s =
      std::ceil(worst_s * 1.15 / linearTicks(0, worst_s, 4).step) * linearTicks(0, worst_s, 4).step;
  const float column = std::max(2.0f, style.px(2));
  const int count = std::max(1, static_cast<int>(map_.width / column));
  Point previous;
  for (int i = 0; i < count; ++i) {
    const float x = map_.x + column * static_cast<float>(i);
    const std::int64_t from = tokenAt(x), to = std::max(from + 1, tokenAt(x + column));
    const float height = map_.height * 0.72f * static_cast<float>(strip_.worst(from, to) / top_s);
    out.quads.push_back({{x, map_.bottom() - height, column, height},
                         withAlpha(style.palette.secondary_text, 80),
                         {},
                         0,
                         0,
                         Hatch::None,
                         0});
    const Point point{x + column / 2, map_.bottom() - height};
    if (i > 0) out.curves.push_back(line(previous, point, style.palette.secondary_text, 1));
    previous = point;
  }
}

void HistoryScene::paintEvents(const SceneStyle& style, PickId hovered, DrawList& out) {
  const float size = style.px(style.palette.projector ? 11 : 9), y = map_.y + size * 0.7f;
  float last_x = -1e9f;
  for (std::size_t i = events_.size(); i-- > 0;) {
    const EngineEvent& event = events_[i];
    const float x = xOf(event.token);
    const PickId pick = packPick(PickKind::Event, static_cast<std::uint32_t>(i));
    // Dozens of events at one place are one mark; the newest is on top.
    if (std::abs(x - last_x) < 2) continue;
    last_x = x;
    out.curves.push_back(line({x, y}, {x, map_.bottom()}, style.palette.tertiary_text, 1, Dash::Dotted));
    addShape(out, shapeOf(event.kind), {x, y}, pick == hovered ? size * 1.3f : size, style, pick);
    const float left = x + size, right = x - size;
    const std::string text = textOf(event);
    LabelRequest request;
    request.label = {{left, y}, text, style.palette.text, Align::Left, FontRole::Secondary,
                     false,     1,    style.palette.panel};
    request.priority = event.kind == EventKind::ThrottleOn || event.kind == EventKind::Fault
                           ? LabelPriority::Alarm
                           : LabelPriority::Rest;
    request.key = static_cast<std::uint32_t>(event.time_ns / 1000 % 0xffffffff) + 1;
    request.alternatives = {{right - style.text->width(text, FontRole::Secondary, false), y}};
    labels_.add(std::move(request));
  }
}

void HistoryScene::paintHeads(const Snapshot& snapshot, const SceneStyle& style, DrawList& out) const {
  const Palette& palette = style.palette;
  const float live = map_.right(), head = xOf(past_ ? snapshot.token : live_token_), size = style.px(9);
  if (past_) {
    out.quads.push_back(
        {{head, map_.y, live - head, map_.height}, palette.panel, {}, 0, 0, Hatch::Diagonal, 0});
    out.quads.back().fill = withAlpha(palette.window, 140);
    out.quads.back().hatch = Hatch::None;
    out.curves.push_back(
        line({live, map_.y}, {live, map_.bottom()}, palette.secondary_text, style.px(2), Dash::Short));
  }
  out.curves.push_back(line({head, map_.y}, {head, map_.bottom()}, palette.accent, style.px(2)));
  out.polygons.push_back(
      {{{head - size / 2, map_.y - 2}, {head + size / 2, map_.y - 2}, {head, map_.y + size * 0.8f}},
       palette.accent,
       {0, 0, 0, 0},
       0,
       0});
  out.labels.push_back({{live + style.px(7), map_.center().y},
                        "live",
                        past_ ? palette.secondary_text : palette.accent,
                        Align::Left,
                        FontRole::Secondary,
                        true,
                        1,
                        {0, 0, 0, 0}});
}

void HistoryScene::paintTexts(const Snapshot& snapshot, Rect box, const SceneStyle& style,
                              DrawList& out) const {
  const Palette& palette = style.palette;
  const float upper = box.center().y - style.px(8), lower = box.center().y + style.px(9);
  const auto add = [&](float x, float y, std::string text, Color color, FontRole font, bool bold) {
    out.labels.push_back({{x, y}, std::move(text), color, Align::Left, font, bold, 1, {0, 0, 0, 0}});
  };
  add(box.x, upper, "History", palette.text, FontRole::Body, true);
  add(box.x, lower, countText(live_token_) + " tokens", palette.secondary_text, FontRole::Secondary, false);
  const float x = map_.right() + style.px(48);
  if (x + style.px(120) > box.right()) return;
  std::string token = "token " + countText(snapshot.token);
  if (snapshot.timeline && snapshot.layer >= 0)
    token += ", layer " + countText(snapshot.layer + 1) + " of " + countText(snapshot.timeline->layers);
  if (past_) token = "past: " + token;
  add(x, upper, token, past_ ? palette.warning_text : palette.text, FontRole::Secondary, true);
  add(x, lower, "t = " + timeText(static_cast<double>(snapshot.time_ns) * 1e-9) + " simulated",
      palette.secondary_text, FontRole::Secondary, false);
}

void HistoryScene::build(const Snapshot& snapshot, Rect box, const SceneStyle& style, PickId hovered,
                         DrawList& out) {
  out.clear();
  out.background = style.palette.panel;
  const float left = std::max(
      style.px(96), style.text->width("1,000,000 tokens", FontRole::Secondary, false) + style.px(12));
  const bool roomy = box.width > style.px(560);
  const float right =
      roomy ? style.text->width("token 1,000,000, layer 61 of 61", FontRole::Secondary, true) + style.px(60)
            : style.px(48);
  map_ = {box.x + left, box.y + 2, std::max(10.0f, box.width - left - right), box.height - 4};
  out.quads.push_back({map_, style.palette.canvas, style.palette.line, 1, 2, Hatch::None, 0});
  paintSilhouette(style, out);
  paintEvents(style, hovered, out);
  paintHeads(snapshot, style, out);
  labels_.place({map_.x, map_.y - style.px(6), map_.width, map_.height + style.px(6)}, *style.text,
                out.labels);
  paintTexts(snapshot, box, style, out);
}

std::string HistoryScene::describe(PickId pick) const {
  const Pick what = unpackPick(pick);
  if (what.kind != PickKind::Event || what.index >= events_.size()) return {};
  const EngineEvent& event = events_[what.index];
  std::string text = textOf(event) + " at token " + countText(event.token) +
                     ", t = " + timeText(static_cast<double>(event.time_ns) * 1e-9);
  return event.text.empty() || textOf(event) == event.text ? text : text + ": " + event.text;
}

}  // namespace decodescope::scene
