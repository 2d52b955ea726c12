#include "serving/arrivals.h"

#include "base/rng.h"
#include "base/units.h"
#include "serving/lengths.h"

#include <algorithm>

namespace decodescope::serving {

namespace {

// Below this variation gaps are taken as constant; the Gamma shape would exceed a million.
constexpr double kSmallestCv = 1e-3;
constexpr double kLongestGap_s = 1e8;

std::int64_t gap_ns(const Workload& workload, std::uint64_t seed, std::uint64_t number) {
  const double cv = workload.burstiness_cv;
  double gap_in_means = 1;
  if (cv > kSmallestCv) {
    rng::Sequence draws(seed, rng::Stream::Arrival, number);
    const double shape = 1 / (cv * cv);
    gap_in_means = draws.gamma(shape) / shape;
  }
  const double rate = std::max(workload.arrivals_per_s, 1e-9);
  return nanosecondsOf(std::min(gap_in_means / rate, kLongestGap_s));
}

}  // namespace

ArrivalProcess ArrivalProcess::open(const Workload& workload, std::uint64_t seed, std::int64_t start_ns) {
  ArrivalProcess process;
  process.workload_ = workload;
  process.seed_ = seed;
  process.is_open_ = true;
  process.next_.time_ns = start_ns;
  process.advance();
  return process;
}

ArrivalProcess ArrivalProcess::replay(std::shared_ptr<const Trace> trace, std::int64_t start_ns) {
  ArrivalProcess process;
  process.trace_ = std::move(trace);
  process.origin_ns_ = start_ns;
  process.advance();
  return process;
}

Arrival ArrivalProcess::take() {
  const Arrival arrival = next_;
  advance();
  return arrival;
}

void ArrivalProcess::advance() {
  const std::uint64_t number = number_++;
  if (is_open_) {
    next_.time_ns += gap_ns(workload_, seed_, number);
    next_.prompt_tokens = drawLength(workload_.prompt, seed_, rng::Stream::PromptLength, number);
    next_.output_tokens = drawLength(workload_.output, seed_, rng::Stream::OutputLength, number);
  } else if (trace_ && number < trace_->size()) {
    const TraceRequest& request = (*trace_)[number];
    next_ = {origin_ns_ + request.time_ns, request.prompt_tokens, request.output_tokens};
  } else {
    next_.time_ns = INT64_MAX;
  }
}

}  // namespace decodescope::serving
