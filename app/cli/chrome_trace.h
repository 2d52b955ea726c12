// A trace of slices and counters in the Chrome trace event format, which Perfetto opens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace decodescope::cli {

/// Times in seconds of simulated time. Tracks are numbered by the caller.
class ChromeTrace {
 public:
  ChromeTrace();
  void nameProcess(std::string_view name);
  void nameTrack(int track, std::string_view name);
  /// `arguments` is a JSON object or empty.
  void slice(int track, std::string_view name, double start_s, double duration_s,
             std::string_view arguments = {});
  void counter(std::string_view name, double time_s, double value, std::string_view unit);
  [[nodiscard]] std::string finish(std::string_view version, std::string_view catalog_hash);
  [[nodiscard]] std::int64_t size() const { return count_; }

 private:
  void begin();
  std::string text_;
  std::int64_t count_ = 0;
};

}  // namespace decodescope::cli
