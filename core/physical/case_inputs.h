// Inputs that kinds of cases share: chips, rates, plates, chassis. Private to cases.cpp.
#pragma once

#include "base/json_reader.h"
#include "physical/clocks.h"

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <utility>

namespace decodescope::physical {

namespace case_range {
using decodescope::json::kNotNegative;
using decodescope::json::kPositive;
using decodescope::json::Range;
inline constexpr Range kTemperature_c{-60, 200, "C"};
inline constexpr Range kClock{0.01, 1};
inline constexpr Range kFlow{0.01, 1000, "L/min"};
}  // namespace case_range

/// One case being computed: its inputs and the constants.
struct Case {
  json::Object in;
  const Catalog& catalog;
  const nlohmann::json& constants;

  double need(std::string_view key, const json::Range& range) {
    in.require(key, "give a number");
    return in.number(key, range.min > 0 ? range.min : 0, range);
  }
  /// Hands an error of the model to the reading, located at `key`.
  template <class T>
  T take(Expected<T> value, std::string_view key) {
    if (value) return *std::move(value);
    in.fail(key, value.error().message, value.error().remedy);
    return T{};
  }
  [[nodiscard]] bool ok() { return in.reading().ok(); }
};

[[nodiscard]] ChipSpec chipOf(Case&);
[[nodiscard]] ChipPowerConstants constantsOf(Case&, const ChipSpec&);
/// Rates as given, at the given clock.
[[nodiscard]] Activity activityOf(Case&);
/// A large matrix product: all of its rates go with the clock.
[[nodiscard]] Activity gemmOf(Case&, const ChipSpec&);
[[nodiscard]] double gemmFlopPerS(const ChipPowerConstants&, const Activity& at_nominal, double clock_ratio);
/// The plate named in the case, else that of its chip, else the one of GB200.
[[nodiscard]] CoolingSetup plateOf(Case&, const ChipSpec*);
/// The chassis named in the case, else that of its chip.
[[nodiscard]] CoolingSetup chassisOf(Case&, const ChipSpec&);
[[nodiscard]] std::string_view limitName(ClockLimit);

}  // namespace decodescope::physical
