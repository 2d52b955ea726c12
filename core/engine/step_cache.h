// Remembers evaluations of the step model, so that an iteration like one before costs two look-ups.
//
// The step is evaluated at the nodes of a fixed grid of contexts (32 per octave) and interpolated linearly
// between the two around the point; the context that prefill already has is rounded to such a node.
// Sequences, prompt tokens and clock are exact. The result is a function of the input alone: what the cache
// held before changes nothing but the time it takes.
#pragma once

#include "decode/step_model.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace decodescope::engine {

class StepCache {
 public:
  explicit StepCache(std::shared_ptr<const decode::StepModel> model);
  [[nodiscard]] decode::StepResult evaluate(const decode::StepInput&);
  [[nodiscard]] std::int64_t misses() const { return misses_; }

 private:
  struct Entry {
    std::array<std::uint64_t, 7> key{};
    bool is_used = false;
    decode::StepResult result;
  };
  const decode::StepResult& atNode(const decode::StepInput&);

  std::shared_ptr<const decode::StepModel> model_;
  std::vector<Entry> entries_;
  std::int64_t misses_ = 0;
};

/// Grid node at or below `tokens`: a multiple of the spacing of its octave, which is never below one token.
[[nodiscard]] double contextNodeBelow(double tokens);
/// The next node after `node`.
[[nodiscard]] double contextNodeAfter(double node);

}  // namespace decodescope::engine
