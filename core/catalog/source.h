// Where a catalog value comes from. Every value of a catalog entry keeps one.
#pragma once

#include <map>
#include <string>

namespace decodescope {

enum class Confidence { High, Medium, Low, Estimate, Derived };

struct Source {
  std::string title, url;
  bool read = false;  ///< the page was read, rather than cited from memory
  Confidence confidence = Confidence::Estimate;
  std::string note;
};

/// Sources of one entry by field name of the spec, such as "memory_bandwidth_bytes_per_s".
using SourceTable = std::map<std::string, Source, std::less<>>;

}  // namespace decodescope
