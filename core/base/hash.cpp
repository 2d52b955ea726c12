#include "base/hash.h"

#include <fmt/format.h>

namespace decodescope {

std::string hexText(std::uint64_t value) {
  return fmt::format("{:016x}", value);
}

}  // namespace decodescope
