// Recorded request arrivals. Formats: CSV with TIMESTAMP,ContextTokens,GeneratedTokens (Azure LLM inference
// trace, Patel et al., ISCA 2024) or timestamp,prompt_tokens,output_tokens (seconds, or a date and time), and
// JSON lines with timestamp in ms, input_length, output_length (Mooncake, Qin et al., FAST 2025).
#pragma once

#include <decodescope/expected.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace decodescope::serving {

struct TraceRequest {
  std::int64_t time_ns = 0;  ///< since the first request
  std::int32_t prompt_tokens = 1, output_tokens = 1;
  friend bool operator==(const TraceRequest&, const TraceRequest&) = default;
};
using Trace = std::vector<TraceRequest>;  ///< in order of time

/// Errors name file, line and column. A trace without requests is an error.
[[nodiscard]] Expected<Trace> parseTrace(std::string_view text, const std::string& name);
[[nodiscard]] Expected<Trace> loadTrace(const std::string& file);

}  // namespace decodescope::serving
