#include "engine/step_cache.h"

#include "engine/fingerprint.h"

#include <algorithm>
#include <bit>

namespace decodescope::engine {

namespace {

constexpr std::size_t kEntries = 4096;  // power of two
constexpr int kNodesPerOctaveLog2 = 5;

std::int64_t spacingAt(std::int64_t tokens) {
  const int octave = std::bit_width(static_cast<std::uint64_t>(tokens)) - 1;
  return std::int64_t{1} << std::max(octave - kNodesPerOctaveLog2, 0);
}

double lerp(double a, double b, double t) {
  return a + (b - a) * t;
}

decode::StepResult interpolate(const decode::StepResult& a, const decode::StepResult& b, double t) {
  decode::StepResult out;
  for (std::size_t i = 0; i < kStepPartCount; ++i) {
    out.breakdown_s.part_s[i] = lerp(a.breakdown_s.part_s[i], b.breakdown_s.part_s[i], t);
  }
  out.step_s = out.breakdown_s.total_s();
  out.hbm_bytes = lerp(a.hbm_bytes, b.hbm_bytes, t);
  out.bf16_flop = lerp(a.bf16_flop, b.bf16_flop, t);
  out.fp8_flop = lerp(a.fp8_flop, b.fp8_flop, t);
  out.fp4_flop = lerp(a.fp4_flop, b.fp4_flop, t);
  out.wire_bytes = lerp(a.wire_bytes, b.wire_bytes, t);
  out.busy_s = lerp(a.busy_s, b.busy_s, t);
  out.collective_s = lerp(a.collective_s, b.collective_s, t);
  out.host_s = lerp(a.host_s, b.host_s, t);
  return out;
}

}  // namespace

double contextNodeBelow(double tokens) {
  const auto whole = static_cast<std::int64_t>(std::max(tokens, 1.0));
  const std::int64_t spacing = spacingAt(whole);
  return static_cast<double>(whole / spacing * spacing);
}

double contextNodeAfter(double node) {
  return node + static_cast<double>(spacingAt(static_cast<std::int64_t>(node)));
}

StepCache::StepCache(std::shared_ptr<const decode::StepModel> model)
    : model_(std::move(model)), entries_(kEntries) {}

const decode::StepResult& StepCache::atNode(const decode::StepInput& in) {
  const std::array<std::uint64_t, 7> key{std::bit_cast<std::uint64_t>(in.sequences),
                                         std::bit_cast<std::uint64_t>(in.busiest_group_sequences),
                                         std::bit_cast<std::uint64_t>(in.context_tokens),
                                         std::bit_cast<std::uint64_t>(in.prefill_tokens),
                                         std::bit_cast<std::uint64_t>(in.prefill_past_tokens),
                                         std::bit_cast<std::uint64_t>(in.prefill_sequences),
                                         std::bit_cast<std::uint64_t>(in.clock_ratio)};
  std::uint64_t hash = 0;
  for (const std::uint64_t word : key) hash = (hash ^ word) * 0x9E3779B97F4A7C15U, hash ^= hash >> 32U;
  Entry& entry = entries_[hash & (kEntries - 1)];
  if (!entry.is_used || entry.key != key) {
    entry.key = key;
    entry.is_used = true;
    entry.result = model_->evaluate(in);
    ++misses_;
  }
  return entry.result;
}

decode::StepResult StepCache::evaluate(const decode::StepInput& input) {
  decode::StepInput node = input;
  if (node.prefill_tokens > 0 && node.prefill_past_tokens > 0) {
    const double below = contextNodeBelow(node.prefill_past_tokens);
    const double after = contextNodeAfter(below);
    node.prefill_past_tokens =
        node.prefill_past_tokens - below <= after - node.prefill_past_tokens ? below : after;
  }
  if (node.sequences <= 0) {
    node.context_tokens = 1;
    return atNode(node);
  }
  node.context_tokens = contextNodeBelow(input.context_tokens);
  const double below = node.context_tokens;
  const double after = contextNodeAfter(below);
  const double t = std::clamp((input.context_tokens - below) / (after - below), 0.0, 1.0);
  if (t <= 0) return atNode(node);
  // Copied: the second look-up may replace the first in its slot.
  const decode::StepResult low = atNode(node);
  node.context_tokens = after;
  return interpolate(low, atNode(node), t);
}

}  // namespace decodescope::engine
