#include "kernel/kernel_constants.h"

#include "base/units.h"
#include "kernel/constant_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace decodescope::kernel {
namespace {

using nlohmann::json;

/// Peaks that the ratios refer to: the chip's datasheet, corrected to the datasheet values of the fit where
/// the catalog states others for the same chip (98 of 989.4 TFLOP/s, say), so that a constant keeps the
/// achieved rate it was fitted to.
struct Peaks {
  double bytes_per_s = 0, bf16 = 0, fp8 = 0, int8 = 0, fp4 = 0, sm_count = 0, l2_bytes = 0;

  [[nodiscard]] double of(std::string_view rate) const {
    if (rate == "fp8") return fp8;
    if (rate == "int8") return int8;
    if (rate == "fp4") return fp4;
    return bf16;
  }
};

double corrected(double value, double catalog_value, const ConstantReader& basis, std::string_view key,
                 double unit) {
  const double fit_value = basis.numberOr(key, 0) * unit;
  return fit_value > 0 && catalog_value > 0 ? value * (fit_value / catalog_value) : value;
}

Peaks peaksOf(const Catalog& catalog, const ChipSpec& chip, const json& document, const std::string& file) {
  Peaks peaks{chip.memory_bandwidth_bytes_per_s,
              chip.bf16_flop_per_s,
              chip.fp8_flop_per_s,
              chip.int8_flop_per_s,
              chip.fp4_flop_per_s,
              static_cast<double>(chip.sm_count),
              chip.l2_bytes};
  const auto known = catalog.chip(chip.id);
  const json* basis_json = nullptr;
  if (known && document.contains("chips") && document["chips"].contains(chip.id)) {
    const json& entry = document["chips"][chip.id];
    if (entry.contains("basis")) basis_json = &entry["basis"];
  }
  if (basis_json != nullptr) {
    const ConstantReader basis(*basis_json, file, "");
    const ChipSpec& listed = **known;
    peaks.bytes_per_s = corrected(peaks.bytes_per_s, listed.memory_bandwidth_bytes_per_s, basis,
                                  "memory_bandwidth_gb_per_s", kGiga);
    peaks.bf16 = corrected(peaks.bf16, listed.bf16_flop_per_s, basis, "bf16_tflop_per_s", kTera);
    peaks.fp8 = corrected(peaks.fp8, listed.fp8_flop_per_s, basis, "fp8_tflop_per_s", kTera);
    peaks.fp4 = corrected(peaks.fp4, listed.fp4_flop_per_s, basis, "fp4_tflop_per_s", kTera);
    peaks.sm_count = basis.numberOr("sm_count", peaks.sm_count);
    peaks.l2_bytes = corrected(peaks.l2_bytes, listed.l2_bytes, basis, "l2_mb", kMega);
  }
  if (peaks.sm_count < 1) peaks.sm_count = 1;
  return peaks;
}

/// How one data type runs on this chip.
struct TypeRule {
  std::string library, gemm_library, math_library;
  double rate_flop_per_s = 0, weight_bytes = 2, expert_weight_bytes = 2;
  bool native = true;
};

TypeRule typeRule(const json& dtypes, Dtype dtype, const Peaks& peaks) {
  const json& row = dtypes.at(dtypeId(dtype));
  TypeRule rule;
  rule.weight_bytes = row.at("weight_bytes").get<double>();
  rule.expert_weight_bytes = row.at("expert_weight_bytes").get<double>();
  // A type with less than bf16's rate (int8 on Blackwell Ultra) or none is stored as it is and computed in
  // bf16.
  const double needed = peaks.of(row.at("needs").get<std::string>());
  rule.native = needed > 0 && needed >= peaks.bf16;
  if (!rule.native) {
    rule.library = rule.gemm_library = rule.math_library = "bf16";
    rule.rate_flop_per_s = peaks.bf16;
    return rule;
  }
  rule.library = row.at("library").get<std::string>();
  rule.gemm_library = row.value("gemm_library", rule.library);
  rule.math_library = row.value("math_library", rule.library);
  rule.rate_flop_per_s = peaks.of(row.at("rate").get<std::string>());
  return rule;
}

class Loader {
 public:
  Loader(const Catalog& catalog, const ChipSpec& chip, AttentionLibrary attention, std::string_view exclude)
      : document_(catalog.document("kernels")),
        table_(document_, "kernels.json", std::string(exclude)),
        chip_(chip),
        attention_(attention == AttentionLibrary::Trtllm ? "trtllm" : "sglang"),
        peaks_(peaksOf(catalog, chip, document_, table_.file())),
        libraries_(table_.patched("libraries", chip)) {}

  Expected<LoadedConstants> load() {
    loadShared();
    for (const auto step : {&Loader::loadGemm, &Loader::loadAttention, &Loader::loadMla, &Loader::loadMlaBmm,
                            &Loader::loadMoe, &Loader::loadPrefill, &Loader::loadStreams}) {
      if (auto done = (this->*step)(); !done) return Unexpected(done.error());
    }
    return LoadedConstants{std::make_shared<const KernelModel::Constants>(out_), provenance(), fitted_};
  }

 private:
  /// Runs `read` on a section's constants and its library's, and reports the first missing constant.
  template <class Read>
  Expected<void> section(std::string_view name, Read read) {
    auto resolved = table_.resolve(name, chip_);
    if (!resolved) return Unexpected(resolved.error());
    note(name, *resolved);
    ConstantReader values(*resolved->values, table_.file(), fmt::format("/{}", name));
    ConstantReader libraries(*libraries_, table_.file(), "/libraries");
    read(values, libraries);
    if (auto ok = values.status(); !ok) return ok;
    return libraries.status();
  }

  void note(std::string_view name, const ResolvedConstants& resolved) {
    if (resolved.origin != ConstantOrigin::Own && name != "compute_scale" && name != "elementwise")
      fitted_ = false;
    for (auto& [text, sections] : notes_) {
      if (text == resolved.note) {
        sections += fmt::format(", {}", name);
        return;
      }
    }
    notes_.emplace_back(resolved.note, std::string(name));
  }

  [[nodiscard]] std::string provenance() const {
    if (notes_.size() == 1) return notes_.front().first;
    std::string text;
    for (const auto& [what, sections] : notes_)
      text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", what, sections);
    return text;
  }

  void loadShared() {
    const auto cache_json = table_.patched("cache", chip_);
    const ConstantReader cache(*cache_json, table_.file(), "/cache");
    out_.sm_count = peaks_.sm_count;
    out_.l2_bytes = peaks_.l2_bytes;
    out_.hit_span_ratio = cache.numberOr("hit_span_ratio", 0);
    out_.cache_speed_ratio = cache.numberOr("speed_ratio", 1);
    out_.weight_copies = cache.numberOr("weight_copies", 1);
    out_.attention_in_cache = cache.flag("attention");
    for (std::size_t i = 0; i < kDtypes; ++i)
      rules_[i] = typeRule(document_.at("dtypes"), static_cast<Dtype>(i), peaks_);
  }

  void loadTiles(const std::string& name, GemmConstants& gemm) const {
    for (const auto& entry : document_.at("tiles").at(name)) {
      if (gemm.tile_count == gemm.tiles.size()) break;
      const double m = entry.at("m").get<double>(), n = entry.at("n").get<double>();
      gemm.tiles[gemm.tile_count++] = {1 / m, 1 / n, m * n / entry.at("efficiency_ratio").get<double>()};
    }
  }

  Expected<void> loadGemm() {
    return section("gemm", [&](ConstantReader& chip, ConstantReader& libraries) {
      auto library = libraries.child("gemm");
      out_.gemm_serial_s = chip.number("serial_us_per_sqrt") * kMicro;
      out_.gemm_bytes_per_s = peaks_.bytes_per_s * chip.number("memory_ratio");
      out_.gemm_quantise_s_per_byte = 1 / peaks_.bytes_per_s;
      for (std::size_t i = 0; i < kDtypes; ++i) {
        const TypeRule& rule = rules_[i];
        auto type = library.child(rule.gemm_library);
        GemmConstants& gemm = out_.gemm[i];
        gemm.fixed_s = (chip.number("fixed_us") + type.number("fixed_us")) * kMicro;
        gemm.weight_bytes = rule.weight_bytes;
        gemm.activation_bytes = rule.native ? rule.weight_bytes : 2.0;
        gemm.flop_per_s = rule.rate_flop_per_s * chip.byType("math_ratio", rule.math_library);
        gemm.wave_share_ratio = type.number("wave_share_ratio");
        gemm.exponent = type.number("exponent");
        gemm.quantise_bytes = type.number("quantise_bytes");
        loadTiles(libraries_->at("gemm").at(rule.gemm_library).at("tiles").get<std::string>(), gemm);
      }
    });
  }

  /// KV caches come in two kinds of kernels, 16 bit and 8 bit; narrower types use the 8-bit one at their own
  /// width.
  [[nodiscard]] std::string kvLibrary(Dtype kv) const {
    return kv != Dtype::Bf16 && peaks_.fp8 > 0 ? "fp8" : "bf16";
  }
  [[nodiscard]] static double kvBytes(Dtype kv) {
    return kv == Dtype::Fp8Block || kv == Dtype::Fp8Dynamic ? 1.0 : bytesPerElement(kv);
  }

  Expected<void> loadAttention() {
    return section("attention", [&](ConstantReader& all, ConstantReader& libraries) {
      auto chip = all.child(attention_);
      auto library = libraries.child("attention").child(attention_);
      out_.attention_serial_s = chip.number("serial_us_per_sqrt") * kMicro;
      for (std::size_t i = 0; i < kDtypes; ++i) {
        const std::string type = kvLibrary(static_cast<Dtype>(i));
        auto shared = library.child(type);
        out_.attention[i] = {chip.byType("fixed_us", type) * kMicro,
                             kvBytes(static_cast<Dtype>(i)),
                             peaks_.bytes_per_s * chip.byType("memory_ratio", type),
                             peaks_.bf16 * shared.number("math_ratio"),
                             chip.byType("wave_us", type) * kMicro,
                             shared.number("exponent")};
      }
    });
  }

  Expected<void> loadMla() {
    return section("mla", [&](ConstantReader& chip, ConstantReader&) {
      out_.mla_serial_s = chip.number("serial_us_per_sqrt") * kMicro;
      for (std::size_t i = 0; i < kDtypes; ++i) {
        out_.mla[i] = {chip.number("fixed_us") * kMicro,
                       kvBytes(static_cast<Dtype>(i)),
                       peaks_.bytes_per_s * chip.byType("memory_ratio", kvLibrary(static_cast<Dtype>(i))),
                       peaks_.bf16 * chip.number("math_ratio"),
                       chip.number("wave_us") * kMicro,
                       chip.number("exponent")};
      }
    });
  }

  Expected<void> loadMlaBmm() {
    return section("mla_bmm", [&](ConstantReader& chip, ConstantReader&) {
      for (std::size_t i = 0; i < kDtypes; ++i) {
        const std::string type = rules_[i].native && static_cast<Dtype>(i) != Dtype::Bf16 ? "fp8" : "bf16";
        out_.mla_bmm[i] = {chip.byType("fixed_us", type) * kMicro,
                           peaks_.bytes_per_s * chip.byType("memory_ratio", type), rules_[i].weight_bytes};
      }
    });
  }

  Expected<void> loadMoe() {
    return section("moe", [&](ConstantReader& chip, ConstantReader& libraries) {
      auto library = libraries.child("moe");
      out_.moe_bytes_per_s = peaks_.bytes_per_s * chip.number("memory_ratio");
      out_.moe_activation_s_per_byte = chip.number("activation_ratio") / peaks_.bytes_per_s;
      for (std::size_t i = 0; i < kDtypes; ++i) {
        const TypeRule& rule = rules_[i];
        auto type = library.child(rule.library);
        out_.moe[i] = {chip.byType("fixed_us", rule.library) * kMicro,
                       type.number("per_expert_us") * kMicro,
                       rule.expert_weight_bytes,
                       rule.rate_flop_per_s * chip.byType("math_ratio", rule.math_library),
                       type.number("padding_rows"),
                       type.number("exponent")};
      }
    });
  }

  Expected<void> loadPrefill() {
    return section("prefill", [&](ConstantReader& chip, ConstantReader& libraries) {
      out_.prefill = {chip.number("fixed_us") * kMicro,
                      2.0,
                      peaks_.bytes_per_s * chip.number("memory_ratio"),
                      peaks_.bf16 * chip.number("math_ratio"),
                      chip.number("wave_us") * kMicro,
                      libraries.child("prefill").number("exponent")};
    });
  }

  Expected<void> loadStreams() {
    for (const auto& [name, target] :
         {std::pair("elementwise", &out_.elementwise), std::pair("compute_scale", &out_.compute_scale)}) {
      auto done = section(name, [&](ConstantReader& chip, ConstantReader&) {
        *target = {chip.number("fixed_us") * kMicro, peaks_.bytes_per_s * chip.number("memory_ratio"), 2.0};
      });
      if (!done) return done;
    }
    return {};
  }

  const json& document_;
  ConstantTable table_;
  const ChipSpec& chip_;
  std::string attention_;
  Peaks peaks_;
  std::shared_ptr<const json> libraries_;
  std::array<TypeRule, kDtypes> rules_;
  KernelModel::Constants out_;
  std::vector<std::pair<std::string, std::string>> notes_;
  bool fitted_ = true;
};

}  // namespace

Expected<LoadedConstants> loadConstants(const Catalog& catalog, const ChipSpec& chip,
                                        AttentionLibrary attention, std::string_view exclude_chip) {
  try {
    return Loader(catalog, chip, attention, exclude_chip).load();
  } catch (const json::exception& problem) {       // a user's catalog folder may hold anything
    const std::string_view what = problem.what();  // "[json.exception.out_of_range.403] key 'x' not found"
    return Unexpected(Error{ErrorCode::BadInput, "kernels.json of the catalog", "", "",
                            "is incomplete: " + std::string(what.substr(what.find("] ") + 2)),
                            "compare with the shipped file"});
  }
}

}  // namespace decodescope::kernel
