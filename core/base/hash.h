// FNV-1a, 64 bit (Fowler, Noll, Vo): identities of catalogs, scenarios and states in print. Not
// cryptographic.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace decodescope {

inline constexpr std::uint64_t kFnvOffset = 0xcbf29ce484222325ULL, kFnvPrime = 0x100000001b3ULL;

[[nodiscard]] constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = kFnvOffset) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * kFnvPrime;
  return hash;
}
/// Sixteen hexadecimal digits.
[[nodiscard]] std::string hexText(std::uint64_t value);

}  // namespace decodescope
