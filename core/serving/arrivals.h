// When requests arrive and how long they are: an open Poisson or Gamma process, or a trace.
#pragma once

#include "serving/trace.h"

#include <decodescope/scenario.h>

#include <cstdint>
#include <memory>

namespace decodescope::serving {

struct Arrival {
  std::int64_t time_ns = 0;
  std::int32_t prompt_tokens = 1, output_tokens = 1;
};

/// A stream of arrivals in order of time. Closed loops have none: the engine replaces what completes.
class ArrivalProcess {
 public:
  ArrivalProcess() = default;
  /// Gaps between arrivals have mean 1 / rate and the workload's coefficient of variation: Gamma of shape 1 /
  /// cv^2.
  static ArrivalProcess open(const Workload&, std::uint64_t seed, std::int64_t start_ns);
  static ArrivalProcess replay(std::shared_ptr<const Trace>, std::int64_t start_ns);

  /// INT64_MAX when nothing more will arrive.
  [[nodiscard]] std::int64_t nextTime_ns() const { return next_.time_ns; }
  /// The next arrival; moves on to the one after.
  Arrival take();
  /// From the arrival after the next one, the rate and lengths of `workload` hold.
  void setWorkload(const Workload& workload) { workload_ = workload; }

 private:
  void advance();

  Workload workload_;
  std::shared_ptr<const Trace> trace_;
  std::uint64_t seed_ = 0, number_ = 0;
  std::int64_t origin_ns_ = 0;
  bool is_open_ = false;
  Arrival next_{INT64_MAX, 1, 1};
};

}  // namespace decodescope::serving
