#include "sweep_stream.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>
#include <algorithm>
#include <chrono>
#include <string>

namespace decodescope::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// Rows that travel together. Small, so that a slow sweep still shows progress.
constexpr std::uint64_t kRowsOfChunk = 32;

struct Chunk {
  analysis::PointRange range;
  std::string rows;
  std::uint64_t count = 0;
};

std::string durationText(double s) {
  if (s < 90) return fmt::format("{:.0f} s", s);
  if (s < 5400) return fmt::format("{:.0f} min", s / 60);
  return fmt::format("{:.1f} h", s / 3600);
}

class Progress {
 public:
  Progress(bool shown, std::uint64_t total) : total_(total), shown_(shown) {}
  void update(std::uint64_t done) {
    const auto now = Clock::now();
    constexpr auto kInterval = std::chrono::milliseconds(200);
    if (!shown_ || (done < total_ && now - last_ < kInterval)) return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
    const double left_s = rate > 0 ? static_cast<double>(total_ - done) / rate : 0;
    fmt::print(stderr, "\r{} of {} points, {:.0f} per second, {} left   ", done, total_, rate,
               durationText(left_s));
    std::fflush(stderr);
  }
  void end() const {
    if (shown_) fmt::print(stderr, "\n");
  }

 private:
  Clock::time_point start_ = Clock::now(), last_ = start_;
  std::uint64_t total_;
  bool shown_;
};

}  // namespace

void streamSweep(const analysis::Sweep& sweep, std::FILE* out, const std::atomic<bool>& cancelled,
                 SweepJob& job) {
  tbb::enumerable_thread_specific<analysis::SweepWorker> workers(
      [&] { return analysis::SweepWorker(sweep); });
  Progress progress(job.shows_progress, job.range.size());
  std::uint64_t next = job.range.first;
  bool broken_off = false;
  const auto cut = [&](tbb::flow_control& control) {
    Chunk chunk;
    if (next >= job.range.last || cancelled.load(std::memory_order_relaxed) || job.failed) {
      control.stop();
      return chunk;
    }
    chunk.range = {next, std::min(job.range.last, next + kRowsOfChunk)};
    next = chunk.range.last;
    return chunk;
  };
  const auto compute = [&](Chunk chunk) {
    chunk.count = workers.local().appendRows(chunk.range, chunk.rows, cancelled);
    return chunk;
  };
  const auto write = [&](const Chunk& chunk) {
    // Rows behind a gap would not be the sweep's beginning.
    if (broken_off || job.failed) return;
    job.failed = std::fwrite(chunk.rows.data(), 1, chunk.rows.size(), out) != chunk.rows.size();
    if (!job.failed) job.written += chunk.count;
    broken_off = chunk.count < chunk.range.size();
    progress.update(job.written);
  };
  constexpr auto kInOrder = tbb::filter_mode::serial_in_order;
  tbb::task_arena arena(job.threads);
  arena.execute([&] {
    tbb::parallel_pipeline(static_cast<std::size_t>(4 * job.threads),
                           tbb::make_filter<void, Chunk>(kInOrder, cut) &
                               tbb::make_filter<Chunk, Chunk>(tbb::filter_mode::parallel, compute) &
                               tbb::make_filter<Chunk, void>(kInOrder, write));
  });
  progress.end();
}

}  // namespace decodescope::cli
