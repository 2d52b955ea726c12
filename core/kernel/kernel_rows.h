// Predicts rows of measured kernel times: the columns say which kernel of which shape ran on which chip.
#pragma once

#include "base/csv.h"
#include "kernel/kernel_model.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace decodescope::kernel {

/// Catalog id of a published spelling: "A100-SXM4-80GB", "h100_sxm", "MI300X"; nothing when no chip fits.
[[nodiscard]] std::optional<std::string> chipIdOf(const Catalog&, std::string_view published);

class KernelRowPredictor {
 public:
  /// Predicts as measured (operands replayed). `leave_one_out` leaves out the constants of each row's own
  /// chip, `exclude_chip` those of one chip in all rows.
  KernelRowPredictor(const Catalog&, std::string exclude_chip, bool leave_one_out);

  /// Columns: chip framework op dtype kv_dtype M N K batch seq heads kv_heads head_dim tokens experts topk ep
  /// tp hidden inter dist. The error of a row that cannot be predicted says why.
  [[nodiscard]] Expected<double> seconds(const csv::Table&, std::size_t row);

 private:
  [[nodiscard]] Expected<const KernelModel*> model(const ChipSpec&, AttentionLibrary);
  [[nodiscard]] Expected<KernelCost> cost(const csv::Table&, std::size_t row, const KernelModel&,
                                          std::string_view op);

  const Catalog& catalog_;
  std::string exclude_chip_;
  bool leave_one_out_;
  std::map<std::tuple<std::string, AttentionLibrary>, KernelModel> models_;
};

}  // namespace decodescope::kernel
