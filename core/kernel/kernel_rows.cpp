#include "kernel/kernel_rows.h"

#include "kernel/expert_routing.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>

namespace decodescope::kernel {
namespace {

/// Lower case letters and digits only: "A100-SXM4 80GB" and "a100_sxm4-80gb" are one spelling.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) out += static_cast<char>(std::tolower(byte));
  }
  return out;
}

struct Spelling {
  std::string_view published, id;
};
// Other than the id and name of a chip themselves.
constexpr Spelling kSpellings[] = {
    {"a100sxm480gb", "a100-80g"}, {"a100sxm", "a100-80g"},  {"a100", "a100-80g"},
    {"a100sxm80gb", "a100-80g"},  {"a10080gb", "a100-80g"}, {"a100pcie", "a100-80g"},
    {"a100sxm440gb", "a100-40g"}, {"a10040gb", "a100-40g"}, {"h100", "h100-sxm"},
    {"h100sxm5", "h100-sxm"},     {"h800", "h800-sxm"},     {"h200", "h200-sxm"},
    {"h200sxm5", "h200-sxm"},     {"h20", "h20-sxm"},       {"b200", "b200-sxm"},
    {"b300", "b300-sxm"},         {"tpuv5lite", "tpu-v5e"}, {"trillium", "tpu-v6e"},
    {"ironwood", "tpu-v7"},       {"tpu7x", "tpu-v7"},      {"tpuv7x", "tpu-v7"},
    {"trn2", "trainium2"},        {"910c", "ascend-910c"},  {"gh200144g", "gh200-144"},
};

Expected<Dtype> dtypeOf(std::string_view text) {
  const std::string name = plain(text);
  if (name.empty() || name == "bfloat16" || name == "bf16" || name == "float16" || name == "fp16")
    return Dtype::Bf16;
  if (name == "fp8" || name == "fp8dynamic") return Dtype::Fp8Dynamic;
  if (name == "fp8static") return Dtype::Fp8;
  if (name == "fp8block" || name == "fp8blockscale") return Dtype::Fp8Block;
  if (name == "int8" || name == "w8a8int8" || name == "sqint8") return Dtype::Int8;
  if (name == "nvfp4" || name == "fp4") return Dtype::Nvfp4;
  if (name == "mxfp4" || name == "w4a16mxfp4" || name == "w4a8mxfp4mxfp8") return Dtype::Mxfp4;
  return Unexpected(Error{ErrorCode::BadInput, "", "dtype", std::string(text), "unknown data type",
                          "bfloat16 fp8 fp8_static fp8_block int8 nvfp4 or mxfp4"});
}

/// Reads the numbers that one kind of kernel needs and remembers the first that is missing.
class Shape {
  static constexpr double kLargest = 1e9;

 public:
  Shape(const csv::Table& table, std::size_t row) : table_(table), row_(row) {}

  double operator()(std::string_view column) {
    auto value = table_.number(row_, column);
    if (!value) {
      keep(value.error());
    } else if (!*value) {
      keep(table_.error(row_, column, fmt::format("{} is empty", column), "this kernel needs it"));
    } else if (!(**value > 0)) {
      keep(table_.error(row_, column, "must be positive", "this kernel needs it"));
    } else if (**value > kLargest) {
      keep(table_.error(row_, column, "is out of range", "write at most 1e9"));
    } else {
      return **value;
    }
    return 1;
  }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  void keep(Error error) {
    if (!error_) error_ = std::move(error);
  }
  const csv::Table& table_;
  std::size_t row_;
  std::optional<Error> error_;
};

}  // namespace

std::optional<std::string> chipIdOf(const Catalog& catalog, std::string_view published) {
  std::string name = plain(published);
  for (const std::string_view vendor : {"nvidia", "amd", "google", "aws", "intel", "huawei", "instinct"}) {
    if (name.starts_with(vendor)) name.erase(0, vendor.size());
  }
  for (const ChipSpec& chip : catalog.chips()) {
    if (plain(chip.id) == name || plain(chip.name) == name) return chip.id;
  }
  for (const Spelling& spelling : kSpellings) {
    if (spelling.published == name && catalog.chip(spelling.id)) return std::string(spelling.id);
  }
  return std::nullopt;
}

KernelRowPredictor::KernelRowPredictor(const Catalog& catalog, std::string exclude_chip, bool leave_one_out)
    : catalog_(catalog), exclude_chip_(std::move(exclude_chip)), leave_one_out_(leave_one_out) {}

Expected<const KernelModel*> KernelRowPredictor::model(const ChipSpec& chip, AttentionLibrary library) {
  const std::tuple key(chip.id, library);
  auto known = models_.find(key);
  if (known == models_.end()) {
    auto made = KernelModel::make(catalog_, chip, library, leave_one_out_ ? chip.id : exclude_chip_);
    if (!made) return Unexpected(made.error());
    known = models_.emplace(key, *std::move(made)).first;
  }
  return &known->second;
}

Expected<double> KernelRowPredictor::seconds(const csv::Table& table, std::size_t row) {
  const std::string_view published = table.cell(row, "chip");
  const auto id = chipIdOf(catalog_, published);
  if (!id) return Unexpected(table.error(row, "chip", "unknown chip", "see `decodescope-cli catalog chips`"));
  const auto chip = catalog_.chip(*id);
  if (!chip) return Unexpected(chip.error());
  const bool trtllm = table.cell(row, "framework") == "trtllm";
  auto model_of_chip = model(**chip, trtllm ? AttentionLibrary::Trtllm : AttentionLibrary::Sglang);
  if (!model_of_chip) return Unexpected(model_of_chip.error());
  const auto result = cost(table, row, **model_of_chip, table.cell(row, "op"));
  if (!result) return Unexpected(result.error());
  return result->total_s();
}

Expected<KernelCost> KernelRowPredictor::cost(const csv::Table& table, std::size_t row,
                                              const KernelModel& model, std::string_view op) {
  const auto dtype = dtypeOf(table.cell(row, "dtype"));
  if (!dtype) return Unexpected(dtype.error());
  const auto kv_dtype = dtypeOf(table.cell(row, "kv_dtype"));
  if (!kv_dtype) return Unexpected(kv_dtype.error());
  Shape shape(table, row);
  KernelCost cost;
  if (op == "gemm") {
    cost = model.gemm(*dtype, shape("M"), shape("N"), shape("K"), Residency::Replayed);
  } else if (op == "attn_decode") {
    cost = model.attention(*kv_dtype, shape("batch"), shape("seq"), shape("heads"), shape("kv_heads"),
                           shape("head_dim"), Residency::Replayed);
  } else if (op == "mla_decode") {
    cost = model.mla(*kv_dtype, shape("batch"), shape("seq"), shape("heads"));
  } else if (op == "mla_bmm_pre" || op == "mla_bmm_post") {
    cost = model.mlaBmm(*dtype, shape("tokens"), shape("heads"));
  } else if (op == "attn_prefill") {
    cost = model.prefillAttention(shape("batch"), shape("seq"), 0, shape("heads"), shape("kv_heads"),
                                  shape("head_dim"));
  } else if (op == "scale_matrix" || op == "compute_scale") {
    // Reads bf16 and writes fp8: 3 bytes per element.
    const double bytes = 3 * shape("M") * shape("K");
    cost = op == "scale_matrix" ? model.elementwise(bytes) : model.computeScale(bytes);
  } else if (op == "moe") {
    const double tokens = shape("tokens"), experts = shape("experts"), ranks = shape("ep");
    const double top_k = shape("topk"), hidden = shape("hidden"), inter = shape("inter"), tp = shape("tp");
    if (shape.error()) return Unexpected(*shape.error());
    const auto rank = routeTokens(tokens, static_cast<int>(experts), static_cast<int>(top_k),
                                  static_cast<int>(ranks), table.cell(row, "dist"));
    if (!rank) return Unexpected(rank.error());
    cost = model.moe(*dtype, tokens, hidden, inter / tp, experts / ranks, rank->distinct_experts,
                     rank->routed_tokens, Residency::Replayed);
  } else {
    return Unexpected(
        table.error(row, "op", "unknown kernel",
                    "gemm attn_decode mla_decode mla_bmm_pre mla_bmm_post moe attn_prefill scale_matrix "
                    "compute_scale"));
  }
  if (shape.error()) return Unexpected(*shape.error());
  return cost;
}

}  // namespace decodescope::kernel
