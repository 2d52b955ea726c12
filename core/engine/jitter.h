// Noise of an iteration. Off, it changes nothing, to the bit.
//
// The step model's `wait` is the expected time for which the members of a group wait for the slowest of them,
// and its `host` the expected time of the host; noise makes both random around those means:
//   wait  x  largest of m exponentials / H_m     (m members; the tail is long and its size grows with m
//   through `wait`) host  x  (1/2 + 1/2 exponential)             (one host per replica; never below half)
//   experts: the busiest rank's share of the routed tokens fluctuates around its expectation with a Gumbel
//   distribution of
//            scale sigma / sqrt(2 ln ranks), sigma = 1 / sqrt(tokens per rank), averaged over the MoE layers
//            of a step.
// Shapes: extreme values of light-tailed noise (Gumbel 1958); sizes are assumptions, listed in the
// prediction.
#pragma once

#include "decode/step_model.h"

#include <cstdint>

namespace decodescope::engine {

class Jitter {
 public:
  Jitter(const decode::StepModel&, bool enabled, std::uint64_t seed);

  struct Draw {
    double wait_factor = 1, host_factor = 1, expert_gumbel = 0;
  };
  /// Draws of one iteration of one replica: pure in (seed, replica, iteration).
  [[nodiscard]] Draw draw(std::uint64_t replica, std::uint64_t iteration) const;
  void apply(const Draw&, const decode::StepInput&, decode::StepResult&) const;

 private:
  bool enabled_;
  std::uint64_t seed_;
  double members_ = 1, mean_of_largest_ = 1;
  double expert_ranks_ = 1, top_k_ = 0, moe_layers_ = 0, expert_share_ = 0;
};

}  // namespace decodescope::engine
