// What has been, as a strip: time per token as a silhouette of its worst, events by shape, where we look and
// where live is.
#pragma once

#include "scene/label_placement.h"
#include "scene/picking.h"
#include "scene/scene_style.h"

#include <decodescope/snapshot.h>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace decodescope::scene {

/// Time per token, the worst of each bin; when full, neighbouring bins merge, so memory stays bounded and no
/// spike is lost.
class TokenStrip {
 public:
  static constexpr std::size_t kMostBins = 4096;

  void add(std::int64_t token, float tpot_s);
  void clear() { worst_s_.clear(), first_ = last_ = 0, tokens_per_bin_ = 1; }
  /// The worst of the tokens in [from, to); 0 when there are none.
  [[nodiscard]] float worst(std::int64_t from, std::int64_t to) const;
  [[nodiscard]] float worst() const;
  [[nodiscard]] std::int64_t firstToken() const { return first_; }
  [[nodiscard]] std::int64_t lastToken() const { return last_; }
  [[nodiscard]] std::int64_t tokensPerBin() const { return tokens_per_bin_; }
  [[nodiscard]] bool isEmpty() const { return worst_s_.empty(); }

 private:
  std::vector<float> worst_s_;
  std::int64_t first_ = 0, last_ = 0, tokens_per_bin_ = 1;
};

class HistoryScene {
 public:
  /// Takes the records and events of a live snapshot.
  void add(const Snapshot& snapshot);
  void clear();
  void setLive(std::int64_t live_token, bool past) {
    live_token_ = std::max(live_token, strip_.lastToken()), past_ = past;
  }
  void build(const Snapshot& snapshot, Rect box, const SceneStyle& style, PickId hovered, DrawList& out);

  [[nodiscard]] std::int64_t firstToken() const { return strip_.firstToken(); }
  [[nodiscard]] std::int64_t liveToken() const { return live_token_; }
  [[nodiscard]] std::int64_t tokenAt(float x) const;
  [[nodiscard]] float xOf(std::int64_t token) const;
  [[nodiscard]] const std::deque<EngineEvent>& events() const { return events_; }
  [[nodiscard]] std::string describe(PickId pick) const;
  [[nodiscard]] const TokenStrip& strip() const { return strip_; }

 private:
  void paintSilhouette(const SceneStyle& style, DrawList& out) const;
  void paintEvents(const SceneStyle& style, PickId hovered, DrawList& out);
  void paintHeads(const Snapshot& snapshot, const SceneStyle& style, DrawList& out) const;
  void paintTexts(const Snapshot& snapshot, Rect box, const SceneStyle& style, DrawList& out) const;

  TokenStrip strip_;
  std::deque<EngineEvent> events_;
  LabelPlacer labels_;
  Rect map_;
  std::int64_t live_token_ = 0;
  bool past_ = false;
};

}  // namespace decodescope::scene
