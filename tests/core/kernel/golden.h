// Kernel times computed outside this program: the published formulas in Python, with the constants of
// kernels.json.
#pragma once

#include "base/csv.h"
#include "kernel/kernel_model.h"

#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace golden {

inline std::filesystem::path catalogFolder() {
  return std::filesystem::path(DECODESCOPE_SOURCE_DIR) / "resources/catalog";
}

inline std::shared_ptr<const decodescope::Catalog> loadCatalog(
    const std::vector<std::filesystem::path>& folders = {catalogFolder()}) {
  auto catalog = decodescope::Catalog::load(folders);
  return catalog ? *catalog : nullptr;
}

inline decodescope::csv::Table times() {
  return *decodescope::csv::Table::readFile(std::string(DECODESCOPE_SOURCE_DIR) +
                                            "/tests/core/kernel/reference_times.csv");
}

inline decodescope::Dtype dtypeOf(std::string_view id) {
  using decodescope::Dtype;
  for (const Dtype dtype : {Dtype::Bf16, Dtype::Fp8, Dtype::Fp8Dynamic, Dtype::Fp8Block, Dtype::Int8,
                            Dtype::Mxfp4, Dtype::Nvfp4}) {
    if (decodescope::dtypeId(dtype) == id) return dtype;
  }
  return Dtype::Bf16;
}

/// Predicts rows of times() with models made once per chip and library.
class Predictor {
 public:
  explicit Predictor(const decodescope::Catalog& catalog) : catalog_(catalog) {}

  double microseconds(const decodescope::csv::Table& table, std::size_t row) {
    using namespace decodescope::kernel;
    const std::string op(table.cell(row, "op"));
    const auto library = op == "attention_trtllm" ? AttentionLibrary::Trtllm : AttentionLibrary::Sglang;
    const KernelModel& model = modelOf(std::string(table.cell(row, "chip")), library);
    const auto dtype = dtypeOf(table.cell(row, "dtype"));
    const auto residency = table.cell(row, "replayed") == "1" ? Residency::Replayed : Residency::Cold;
    const auto n = [&](const char* column) { return table.number(row, column)->value_or(0); };
    return 1e6 *
           [&] {
             if (op == "gemm") return model.gemm(dtype, n("a"), n("b"), n("c"), residency);
             if (op == "moe")
               return model.moe(dtype, n("a"), n("b"), n("c"), n("d"), n("e"), n("f"), residency);
             if (op.starts_with("attention"))
               return model.attention(dtype, n("a"), n("b"), n("c"), n("d"), n("e"), residency);
             if (op == "mla") return model.mla(dtype, n("a"), n("b"), n("c"));
             if (op == "mla_bmm") return model.mlaBmm(dtype, n("a"), n("b"));
             if (op == "prefill") return model.prefillAttention(n("a"), n("b"), 0, n("c"), n("d"), n("e"));
             return op == "elementwise" ? model.elementwise(n("a")) : model.computeScale(n("a"));
           }()
               .total_s();
  }

 private:
  const decodescope::kernel::KernelModel& modelOf(const std::string& chip,
                                                  decodescope::kernel::AttentionLibrary library) {
    const std::tuple key(chip, library);
    auto at = models_.find(key);
    if (at == models_.end()) {
      at =
          models_
              .emplace(key, *decodescope::kernel::KernelModel::make(catalog_, **catalog_.chip(chip), library))
              .first;
    }
    return at->second;
  }
  const decodescope::Catalog& catalog_;
  std::map<std::tuple<std::string, decodescope::kernel::AttentionLibrary>, decodescope::kernel::KernelModel>
      models_;
};

}  // namespace golden
