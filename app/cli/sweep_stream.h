// Runs a sweep on threads and streams its rows, in order and within bounded memory, to a file.
#pragma once

#include "analysis/sweep.h"

#include <atomic>
#include <cstdio>

namespace decodescope::cli {

struct SweepJob {
  analysis::PointRange range;
  int threads = 1;
  bool shows_progress = false;
  bool failed = false;        ///< the file took no more
  std::uint64_t written = 0;  ///< rows
};

/// Stops early, after whole rows, when `cancelled` is set.
void streamSweep(const analysis::Sweep&, std::FILE* out, const std::atomic<bool>& cancelled, SweepJob&);

}  // namespace decodescope::cli
