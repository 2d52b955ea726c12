#include "engine/fingerprint.h"

#include <fmt/format.h>

namespace decodescope::engine {

std::string Fingerprint::text() const {
  return fmt::format("{:016x}-{:016x}-{:016x}-{:016x}", tokens, kv_blocks, time, thermal);
}

}  // namespace decodescope::engine
