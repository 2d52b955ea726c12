// A closed loop at its steady state: how many sequences decode, how often an iteration carries prompt tokens.
//
// Requests follow one another without pause. One request decodes output - 1 iterations after the prefill that
// gave its first token, and its prompt takes ceil(prompt / chunk) iterations. With C requests in flight on a
// replica, Little's law gives the rate of completions per iteration r = C / (output - 1 + prefill
// iterations), at most chunk / prompt; r (output - 1) sequences decode, and a share r ceil(prompt / chunk) of
// all iterations carries prompt tokens. A decoding request meets only the prompts of the C - 1 others: of its
// output - 1 iterations, (C - 1) ceil(prompt / chunk) carry prompt tokens, and those make its TPOT.
#pragma once

#include "decode/step_model.h"

#include <decodescope/expected.h>
#include <decodescope/scenario.h>

#include <array>

namespace decodescope::analysis {

/// Mean lengths of requests. `decoding_age` is the mean of tokens generated so far, seen at a random instant:
/// E[o^2] / (2 E[o]), half the output when all are alike.
struct MeanLengths {
  double prompt_tokens = 1, output_tokens = 1, decoding_age_tokens = 0.5;
};
[[nodiscard]] MeanLengths meanLengths(const Workload&);
[[nodiscard]] double meanLength(const TokenLength&);

/// Kinds of iteration and how often each occurs.
struct SteadyMix {
  struct Kind {
    decode::StepInput input;
    double share = 0;       ///< of all iterations
    double seen_share = 0;  ///< of the iterations in which one request decodes
  };
  std::array<Kind, 3> kinds;  ///< without prompt tokens, with a full chunk, with the rest of a prompt
  double in_flight = 0;       ///< requests on a busy replica, prefilling or decoding
  double decoding = 0;
  double completions_per_step = 0;
  double prefill_steps = 0;   ///< iterations that one prompt takes
  double context_tokens = 0;  ///< mean over decoding sequences
};
/// `in_flight`: requests of one replica.
[[nodiscard]] SteadyMix steadyMix(const decode::StepModel&, const Scenario&, const MeanLengths&,
                                  double in_flight);

/// The mean iteration.
struct SteadyStep {
  decode::StepResult mean;
  double seen_s = 0;  ///< mean over the iterations in which one request decodes
  double plain_s = 0, carrying_s = 0, carrying_share = 0;
};
[[nodiscard]] SteadyStep steadyStep(const decode::StepModel&, const SteadyMix&, double clock_ratio);

/// Replicas and requests: who fits, who waits.
struct Admission {
  double wanted = 0, fits = 0, admitted = 0;  ///< over the deployment
  double busy_replicas = 1, per_replica = 0;
};
[[nodiscard]] double fittingSequences(const decode::StepModel&, const Scenario&, double context_tokens);
[[nodiscard]] Admission admit(const decode::StepModel&, const Scenario&, const MeanLengths&, double wanted);

/// Throughput and latency of a closed loop of `wanted` requests.
struct ClosedLoop {
  SteadyMix mix;
  SteadyStep step;
  Admission admission;
  double tpot_s = 0, ttft_s = 0, requests_per_s = 0, output_tokens_per_s = 0;
};
[[nodiscard]] ClosedLoop closedLoop(const decode::StepModel&, const Scenario&, const MeanLengths&,
                                    double wanted, double clock_ratio);
/// The loop that the scenario's mode leads to; open and trace modes by Little's law. `overload_ratio` above
/// 1: more arrives than can be served.
[[nodiscard]] ClosedLoop operatingLoop(const decode::StepModel&, const Scenario&, const MeanLengths&,
                                       double arrivals_per_s, double clock_ratio, double* overload_ratio);

}  // namespace decodescope::analysis
