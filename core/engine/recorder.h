// A log of everything that reached an engine from outside: enough to play a run again, bit for bit.
#pragma once

#include "engine/engine.h"

#include <decodescope/expected.h>
#include <decodescope/scenario.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace decodescope::engine {

/// Call beside the engine's own methods, before each. JSON, format "decodescope-recording".
class Recorder {
 public:
  explicit Recorder(const Scenario& start) : start_(start) {}
  void setScenario(const Engine&, const Scenario&, std::uint64_t revision);
  void inject(const Engine&, const Fault&);
  /// The log with the engine's present state as its end.
  [[nodiscard]] std::string text(const Engine&) const;

 private:
  struct Command {
    std::int64_t events = 0, time_ns = 0;
    bool is_fault = false;
    Scenario scenario;
    std::uint64_t revision = 0;
    Fault fault;
  };
  Scenario start_;
  std::vector<Command> commands_;
};

struct Replay {
  std::unique_ptr<Engine> engine;  ///< in the state at the end of the log
  std::string recorded_fingerprint;
  [[nodiscard]] bool matches() const {
    return engine && engine->fingerprint().text() == recorded_fingerprint;
  }
};
/// Plays a log. Errors name file and field. A fingerprint that differs is a result: matches() says so.
[[nodiscard]] Expected<Replay> replay(std::shared_ptr<const Catalog>, std::string_view text,
                                      const std::string& file);

}  // namespace decodescope::engine
