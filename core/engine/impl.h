// State of the engine: what events.cpp, iteration.cpp, change.cpp, seeding.cpp and snapshot_builder.cpp work
// on.
#pragma once

#include "analysis/steady_batch.h"
#include "engine/engine.h"
#include "engine/jitter.h"
#include "engine/link_view.h"
#include "engine/machine.h"
#include "engine/step_cache.h"
#include "serving/arrivals.h"
#include "serving/scheduler.h"

#include <optional>
#include <vector>

namespace decodescope::engine {

inline constexpr TimeNs kTick = 50'000'000;
inline constexpr TimeNs kNever = INT64_MAX;
/// More replicas than this are represented by so many, each standing for its share: they differ in nothing
/// but their noise and the last request more or less.
inline constexpr int kMostReplicas = 64;

/// An iteration under way. A clock that changes in the middle stretches what is left of it.
struct Flight {
  bool is_active = false;
  TimeNs start_ns = 0, end_ns = 0;
  TimeNs segment_start_ns = 0;  ///< since then the clock has not changed
  double done_at_segment = 0;   ///< share of the work that was done by then
  decode::StepInput input;
  decode::StepResult result;  ///< at the present clock, noise included
  Jitter::Draw noise;
  StepBreakdown parts_s;  ///< booked up to the start of the segment
  std::uint64_t number = 0;

  [[nodiscard]] double progressAt(TimeNs now) const;
};

/// One replica: its sequences, its iteration, and the work of its chips since the last control tick.
struct Replica {
  explicit Replica(serving::Scheduler s) : scheduler(std::move(s)) {}
  serving::Scheduler scheduler;
  Flight flight;
  std::int64_t weight = 1;  ///< replicas it stands for
  std::int64_t quota = 0;   ///< closed loop: requests it keeps in flight
  std::uint64_t iterations = 0;
  std::int64_t in_remote_prefill = 0;
  bool is_down = false;

  decode::StepResult interval;  ///< work since the last tick, step_s the time of iterations
  TimeNs metered_until_ns = 0;
};

/// A prompt in the prefill pool of a disaggregated deployment, ready when its KV has arrived.
struct RemotePrefill {
  TimeNs ready_ns = 0;
  std::uint32_t replica = 0;
  serving::Request request;
};

/// Sums over the run, for summary().
struct Totals {
  TimeNs started_ns = 0;
  std::int64_t output_tokens = 0, requests = 0;
  StepBreakdown parts_s;  ///< over iterations of all replicas
  double iteration_s = 0, sequence_s = 0, all_iterations = 0;
  std::int64_t iterations = 0;                 ///< of the lead replica
  double lead_s = 0, clock_s = 0, link_s = 0;  ///< its time, and that times clock and busiest link
  std::int64_t ticks = 0;
  std::uint8_t throttle_reasons = 0;
};

/// A bounded list of what happened since the last snapshot; the oldest fall out.
template <class T>
class RecentList {
 public:
  explicit RecentList(std::size_t capacity) : items_(capacity) {}
  void add(T item) {
    items_[(begin_ + size_) % items_.size()] = std::move(item);
    if (size_ < items_.size()) {
      ++size_;
    } else {
      begin_ = (begin_ + 1) % items_.size();
    }
  }
  std::vector<T> take() {
    std::vector<T> out;
    out.reserve(size_);
    for (std::size_t i = 0; i < size_; ++i) out.push_back(std::move(items_[(begin_ + i) % items_.size()]));
    begin_ = size_ = 0;
    return out;
  }

 private:
  std::vector<T> items_;
  std::size_t begin_ = 0, size_ = 0;
};

struct Engine::Impl {
  std::shared_ptr<const Catalog> catalog;
  std::shared_ptr<const Scenario> scenario;  ///< as given
  std::shared_ptr<const analysis::Predictor> predictor;
  std::shared_ptr<const Prediction> prediction;
  std::shared_ptr<const decode::StepModel> model;  ///< null when nothing can run
  std::shared_ptr<const TopologyView> healthy_view, view;
  std::uint64_t revision = 0, snapshot_sequence = 0;
  bool halted = false;
  std::string halt_reason;

  TimeNs now_ns = 0, next_tick_ns = kTick;
  std::int64_t handled = 0;  ///< events
  std::int64_t token = 0;    ///< iterations of the first replica
  std::uint64_t next_request = 0;
  std::vector<Replica> replicas;
  std::vector<TimeNs> flight_end_ns;  ///< by replica, kNever when idle
  std::size_t lead = 0;               ///< replica whose iterations are counted and recorded
  serving::ArrivalProcess arrivals;
  std::vector<RemotePrefill> remote;                 ///< heap, earliest first
  std::vector<Fault> active_faults, pending_faults;  ///< pending in order of time, next last

  std::optional<StepCache> cache;
  std::optional<Jitter> jitter;
  std::optional<Machine> machine;
  std::optional<LinkView> links, healthy_links;
  std::shared_ptr<serving::KvBlockTable> blocks;
  std::vector<ReplicaActivity> activities;  ///< scratch of the tick, by replica

  serving::LatencyTracker latency;
  Totals totals;
  Fingerprint fingerprint;
  StepBreakdown last_parts_s;
  RecentList<TokenRecord> recent{4096};
  RecentList<EngineEvent> events{1024};
  struct RateMark {
    TimeNs time_ns = 0;
    std::int64_t output_tokens = 0;
  };
  std::vector<RateMark> rate_marks = std::vector<RateMark>(1000);
  std::size_t rate_begin = 0, rate_size = 0;
  std::shared_ptr<const IterationTimeline> timeline;
  std::uint64_t timeline_number = UINT64_MAX;
  double timeline_clock = 0;

  // events.cpp
  enum class Next : std::uint8_t { IterationEnd, RemoteReady, Arrival, Fault, Tick };
  struct Due {
    TimeNs time_ns = kNever;
    Next kind = Next::Tick;
    std::size_t replica = 0;
  };
  [[nodiscard]] Due nextEvent() const;
  void handle(const Due&);
  void advanceUntil(TimeNs);
  void stopWhenDone();
  void arrive();
  void remoteReady();
  void tick();
  void retireReplicas();
  void applyDueFaults();
  void note(EventKind, std::uint32_t count, std::string text = {});

  // iteration.cpp
  void startIteration(std::size_t replica, double done = 0);
  void endIteration(std::size_t replica);
  void meter(Replica&, TimeNs until);
  [[nodiscard]] decode::StepResult stepAt(const decode::StepInput&, const Jitter::Draw&);
  void retime(std::size_t replica, bool forced = false);
  void record(std::size_t replica, TimeNs duration_ns, const StepBreakdown&);
  void refill(std::size_t replica);
  void stop(std::string reason);

  // seeding.cpp
  [[nodiscard]] serving::SchedulerOptions schedulerOptions() const;
  void buildReplicas();
  void seed();
  void seedClosedLoop(std::size_t replica);
  void submit(std::size_t replica, serving::Request);
  void prefillRemotely(std::size_t replica, serving::Request);
  [[nodiscard]] std::size_t leastLoaded() const;
  [[nodiscard]] serving::Request newRequest();
  void startArrivals();
  void assignQuotas();

  // change.cpp
  [[nodiscard]] Expected<void> rebuild(const Scenario&);
  void configureMachine();
  [[nodiscard]] analysis::SteadyMix mixOf(std::size_t replica) const;
  void warmUp();
  void reseed();
  [[nodiscard]] bool loadChanged(const Scenario& before) const;
  void rebuildView();
  void noteChange(std::uint64_t next_revision);
  void takeFaults();
  void judge();
  void startAll(double done);

  // snapshot_builder.cpp, timeline_position.cpp, summary.cpp
  [[nodiscard]] std::shared_ptr<const Snapshot> snapshot(bool with_timeline);
  void layOut();
  void stepLayer();
  [[nodiscard]] RunSummary summary() const;
};

}  // namespace decodescope::engine
