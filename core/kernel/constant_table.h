// Calibrated constants by chip: a chip's own, else its siblings', else its family's rule, else the geometric
// mean.
#pragma once

#include "catalog/chip_spec.h"

#include <decodescope/expected.h>

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace decodescope::kernel {

/// How far the constants of an operation are from measurements on the chip itself.
enum class ConstantOrigin { Own, Sibling, FamilyRule, GeometricMean };

struct ResolvedConstants {
  std::shared_ptr<const nlohmann::json> values;
  ConstantOrigin origin = ConstantOrigin::GeometricMean;
  std::string note;  ///< "fitted on h100-sxm rows", "geometric mean of 5 chips", ...
};

/// Reads a document of the form {"chips": {id: {section: {...}}}, "families": {family: {like, scale, set}}}.
/// `exclude_chip` has no rows of its own: the chip is treated as never measured (leave-one-out).
class ConstantTable {
 public:
  ConstantTable(const nlohmann::json& document, std::string file, std::string exclude_chip);

  /// Constants of one section, such as "gemm" or "attention", for a chip. The geometric mean is taken leaf by
  /// leaf.
  [[nodiscard]] Expected<ResolvedConstants> resolve(std::string_view section, const ChipSpec&) const;
  /// A section that is not per chip, such as "libraries" or "cache", with the family's patch of it.
  [[nodiscard]] std::shared_ptr<const nlohmann::json> patched(std::string_view section,
                                                              const ChipSpec&) const;
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  const nlohmann::json& document_;
  std::string file_, exclude_chip_;
};

/// Reads numbers out of a resolved section; keeps the first error instead of making every call return one.
class ConstantReader {
 public:
  ConstantReader(const nlohmann::json& object, std::string file, std::string path);

  [[nodiscard]] double number(std::string_view key);
  [[nodiscard]] double numberOr(std::string_view key, double fallback) const;
  [[nodiscard]] bool flag(std::string_view key) const;  ///< false when absent
  /// `key` may be a number, or an object by data type; a type without a value takes the geometric mean over
  /// types.
  [[nodiscard]] double byType(std::string_view key, std::string_view type);
  [[nodiscard]] ConstantReader child(std::string_view key);
  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] Expected<void> status() const;

 private:
  void fail(std::string_view key, std::string message);
  const nlohmann::json* object_;
  std::string file_, path_;
  std::shared_ptr<Error> error_;  ///< shared with children
};

}  // namespace decodescope::kernel
