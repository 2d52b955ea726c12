#include "chrome_trace.h"

#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace decodescope::cli {

namespace {

constexpr double kMicrosecondsPerSecond = 1e6;

std::string quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

ChromeTrace::ChromeTrace() : text_("{\"traceEvents\":[") {}

void ChromeTrace::begin() {
  text_ += count_++ == 0 ? "\n" : ",\n";
}

void ChromeTrace::nameProcess(std::string_view name) {
  begin();
  fmt::format_to(std::back_inserter(text_),
                 R"({{"name":"process_name","ph":"M","pid":1,"args":{{"name":{}}}}})", quoted(name));
}

void ChromeTrace::nameTrack(int track, std::string_view name) {
  begin();
  fmt::format_to(std::back_inserter(text_),
                 R"({{"name":"thread_name","ph":"M","pid":1,"tid":{},"args":{{"name":{}}}}},)", track,
                 quoted(name));
  fmt::format_to(std::back_inserter(text_),
                 "\n"
                 R"({{"name":"thread_sort_index","ph":"M","pid":1,"tid":{},"args":{{"sort_index":{}}}}})",
                 track, track);
}

void ChromeTrace::slice(int track, std::string_view name, double start_s, double duration_s,
                        std::string_view arguments) {
  begin();
  fmt::format_to(std::back_inserter(text_),
                 R"({{"name":{},"ph":"X","pid":1,"tid":{},"ts":{:.4f},"dur":{:.4f})", quoted(name), track,
                 start_s * kMicrosecondsPerSecond, duration_s * kMicrosecondsPerSecond);
  if (!arguments.empty()) fmt::format_to(std::back_inserter(text_), R"(,"args":{})", arguments);
  text_ += '}';
}

void ChromeTrace::counter(std::string_view name, double time_s, double value, std::string_view unit) {
  begin();
  fmt::format_to(std::back_inserter(text_),
                 R"({{"name":{},"ph":"C","pid":1,"ts":{:.4f},"args":{{{}:{:.6g}}}}})", quoted(name),
                 time_s * kMicrosecondsPerSecond, quoted(unit), value);
}

std::string ChromeTrace::finish(std::string_view version, std::string_view catalog_hash) {
  text_ +=
      fmt::format("\n],\"displayTimeUnit\":\"ms\",\"otherData\":{{\"version\":{},\"catalog_hash\":{}}}}}\n",
                  quoted(version), quoted(catalog_hash));
  return std::move(text_);
}

}  // namespace decodescope::cli
