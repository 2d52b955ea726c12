// Predicts rows of measured collectives in the row's own metric.
#pragma once

#include "base/csv.h"
#include "network/collective.h"

#include <map>
#include <string>
#include <tuple>

namespace decodescope::network {

/// What a published description such as "H100-SXM x8 nodes + 400G RDMA/GPU" says.
struct PublishedSystem {
  const ChipSpec* chip = nullptr;
  SystemSpec system;           ///< the catalog's, or eight chips on a board where it has none
  int domain_chips = 8;        ///< of one scale-up domain
  double nic_bytes_per_s = 0;  ///< when the description states it, else 0
};
[[nodiscard]] Expected<PublishedSystem> parseSystem(const Catalog&, std::string_view description);

class CollectiveRowPredictor {
 public:
  CollectiveRowPredictor(const Catalog&, std::string exclude_chip, bool leave_one_out);

  /// Columns: system n_ranks collective bytes tokens_per_rank metric note. Empty bytes: tokens_per_rank tells
  /// the size, of 7168 elements to 8 experts unless the note states "hidden=" and "top". The error says why a
  /// row is out of reach.
  [[nodiscard]] Expected<double> predict(const csv::Table&, std::size_t row);
  /// Id of the chip that the row's system names, for summaries; empty when unknown.
  [[nodiscard]] std::string chipOf(const csv::Table&, std::size_t row) const;

 private:
  [[nodiscard]] Expected<const CollectiveModel*> model(const PublishedSystem&, const std::string& engine);

  const Catalog& catalog_;
  std::string exclude_chip_;
  bool leave_one_out_;
  std::map<std::tuple<std::string, std::string, std::string, double>, CollectiveModel> models_;
};

}  // namespace decodescope::network
