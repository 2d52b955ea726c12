#include "network/collective_constants.h"

#include "base/units.h"
#include "kernel/constant_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace decodescope::network {
namespace {

using kernel::ConstantOrigin;
using kernel::ConstantReader;
using kernel::ConstantTable;
using kernel::ResolvedConstants;
using nlohmann::json;

class Loader {
 public:
  Loader(const Catalog& catalog, const ChipSpec& chip, const SystemSpec& system, const EngineSpec& engine,
         double scale_out_bytes_per_s, std::string_view exclude)
      : document_(catalog.document("collectives")),
        table_(document_, "collectives.json", std::string(exclude)),
        chip_(chip),
        system_(system),
        libraries_(document_.at("libraries"), table_.file(), "/libraries"),
        generic_(document_.at("generic"), table_.file(), "/generic") {
    out_.kind = chip.scale_up;
    out_.engine = engine.all_reduce;
    out_.scale_up_bytes_per_s = chip.scale_up_bytes_per_s;
    out_.scale_out.bytes_per_s = scale_out_bytes_per_s > 0             ? scale_out_bytes_per_s
                                 : system.nic_bytes_per_s_per_chip > 0 ? system.nic_bytes_per_s_per_chip
                                                                       : chip.scale_out_bytes_per_s;
  }

  Expected<LoadedCollectives> load() {
    loadScaleOut();
    loadGeneric();
    if (out_.kind == ScaleUpKind::Switched) {
      for (const auto step :
           {&Loader::loadNccl, &Loader::loadCustom, &Loader::loadExperts, &Loader::loadDomain}) {
        if (auto done = (this->*step)(); !done) return Unexpected(done.error());
      }
      loadEager();
    }
    for (const ConstantReader* reader : {&libraries_, &generic_}) {
      if (auto ok = reader->status(); !ok) return Unexpected(ok.error());
    }
    return LoadedCollectives{std::make_shared<const CollectiveModel::Constants>(std::move(out_)),
                             provenance()};
  }

 private:
  Expected<ResolvedConstants> resolve(std::string_view section) {
    auto resolved = table_.resolve(section, chip_);
    if (resolved && std::find(notes_.begin(), notes_.end(), resolved->note) == notes_.end())
      notes_.push_back(resolved->note);
    return resolved;
  }

  [[nodiscard]] std::string provenance() const {
    if (out_.kind != ScaleUpKind::Switched) return "closed forms of the wiring, latencies assumed";
    return fmt::format("{}", fmt::join(notes_, "; "));
  }

  void loadScaleOut() {
    auto net = libraries_.child("scale_out");
    out_.scale_out.hop_s = net.number("hop_us") * kMicro;
    out_.scale_out.octave_s = net.number("octave_us") * kMicro;
    out_.scale_out.send_s = net.number("send_us") * kMicro;
    out_.scale_out.nic_ratio = net.number("nic_ratio");
    out_.scale_out.tree_nic_ratio = net.number("tree_nic_ratio");
    out_.scale_out.overlap_exponent = net.number("overlap_exponent");
    out_.scale_out.congestion_ranks = net.number("congestion_ranks");
    auto kv = libraries_.child("kv_transfer");
    out_.kv_transfer_s = kv.number("fixed_us") * kMicro;
    out_.kv_transfer_nic_ratio = kv.number("nic_ratio");
  }

  void loadGeneric() {
    const double links = std::max(1, chip_.scale_up_links);
    auto mesh = generic_.child("mesh");
    // Chips of one mesh may share several links per pair: what counts is the rate between two chips.
    const double peers = std::max(1, system_.chips - 1);
    const double pair_bytes_per_s = out_.kind == ScaleUpKind::Mesh ? out_.scale_up_bytes_per_s / peers : 0;
    out_.mesh = {mesh.number("one_shot_us") * kMicro, mesh.number("two_shot_us") * kMicro,
                 mesh.number("gather_us") * kMicro, pair_bytes_per_s * mesh.number("link_ratio")};
    auto torus = generic_.child("torus");
    const double link = system_.graph.link_bytes_per_s > 0 ? system_.graph.link_bytes_per_s
                                                           : out_.scale_up_bytes_per_s / links;
    const double hop_s =
        system_.graph.link_latency_s > 0 ? system_.graph.link_latency_s : torus.number("hop_us") * kMicro;
    out_.torus = {torus.number("fixed_us") * kMicro, hop_s, link * torus.number("link_ratio")};
    if (out_.kind == ScaleUpKind::Torus)
      out_.sub_tori = SubTorusTable(system_.graph.torus_dims, system_.graph.torus_wrap);
    auto pcie = generic_.child("pcie");
    out_.pcie = {pcie.number("fixed_us") * kMicro, pcie.number("hop_us") * kMicro,
                 out_.scale_up_bytes_per_s * pcie.number("ratio")};
  }

  Expected<void> loadNccl() {
    const auto resolved = resolve("nccl");
    if (!resolved) return Unexpected(resolved.error());
    ConstantReader chip(*resolved->values, table_.file(), "/nccl");
    const double rate = out_.scale_up_bytes_per_s;
    const double hop_protocol_s = chip.number("hop_protocol_us") * kMicro;
    const double self_copy = chip.number("self_copy_ratio");
    const auto ring = [&](const char* name, double hop_s, double small_s, double copy_ratio) {
      const auto key = [name](const char* suffix) { return fmt::format("{}_{}", name, suffix); };
      return RingConstants{
          chip.number(key("us")) * kMicro,          hop_s,   rate * chip.number(key("ratio")),
          chip.number(key("protocol_us")) * kMicro, small_s, copy_ratio};
    };
    out_.nccl.all_reduce = ring("all_reduce", chip.number("all_reduce_hop_us") * kMicro, hop_protocol_s, 0);
    out_.nccl.gather = ring("gather", chip.number("gather_hop_us") * kMicro, hop_protocol_s, self_copy);
    out_.nccl.all_to_all = ring("all_to_all", 0, chip.number("all_to_all_small_us") * kMicro, self_copy);
    auto library = libraries_.child("nccl");
    out_.nccl.protocol_bytes = library.number("protocol_mb") * kMega;
    out_.nccl.small_bytes = library.number("small_kb") * kKilo;
    out_.nccl.all_to_all_small_bytes = library.number("all_to_all_small_kb") * kKilo;
    out_.nccl.hops_per_octave = library.number("ring_hops_per_octave");
    const json& nvls = document_.at("nvls");
    if (const auto family = nvls.find(chip_.family); family != nvls.end()) {
      ConstantReader values(*family, table_.file(), "/nvls/" + chip_.family);
      out_.nvls = {values.number("rank_us") * kMicro, rate * values.number("ratio")};
      if (auto ok = values.status(); !ok) return ok;
    }
    return chip.status();
  }

  Expected<void> loadCustom() {
    auto symmetric = libraries_.child("symmetric_memory");
    out_.symmetric = {symmetric.number("multimem_us") * kMicro,
                      out_.scale_up_bytes_per_s * symmetric.number("multimem_ratio"),
                      symmetric.number("two_shot_us") * kMicro,
                      out_.scale_up_bytes_per_s * symmetric.number("two_shot_ratio"),
                      symmetric.number("zero_copy_us") * kMicro};
    const auto resolved = resolve("custom_all_reduce");
    if (!resolved) return Unexpected(resolved.error());
    if (!resolved->values->contains(out_.engine)) return {};
    ConstantReader all(*resolved->values, table_.file(), "/custom_all_reduce");
    auto engine = all.child(out_.engine);
    auto libraries = libraries_.child("custom_all_reduce");
    auto limits = libraries.child(out_.engine);
    out_.custom = CustomAllReduce{engine.number("one_shot_us") * kMicro,
                                  engine.number("one_shot_octave_ratio"),
                                  out_.scale_up_bytes_per_s * engine.number("one_shot_ratio"),
                                  engine.number("two_shot_us") * kMicro,
                                  engine.number("two_shot_octave_ratio"),
                                  out_.scale_up_bytes_per_s * engine.number("two_shot_ratio"),
                                  limits.number("max_mb") * kMega,
                                  libraries.number("over_limit_ratio")};
    return all.status();
  }

  Expected<void> loadExperts() {
    const auto low = resolve("deepep_low_latency");
    const auto normal = resolve("deepep_normal");
    if (!low || !normal) return {};  // then experts use the library's all-to-all
    ConstantReader low_chip(*low->values, table_.file(), "/deepep_low_latency");
    ConstantReader normal_chip(*normal->values, table_.file(), "/deepep_normal");
    const double rate = out_.scale_up_bytes_per_s;
    for (const auto& [name, target] :
         {std::pair("dispatch", &out_.deepep_dispatch), std::pair("combine", &out_.deepep_combine)}) {
      auto l = low_chip.child(name), n = normal_chip.child(name);
      auto ll = libraries_.child("deepep_low_latency").child(name),
           nl = libraries_.child("deepep_normal").child(name);
      *target = DeepEpPhase{l.number("fixed_us") * kMicro,       rate * l.number("scale_up_ratio"),
                            ll.number("octave_us") * kMicro,     ll.number("nic_ratio"),
                            n.number("fixed_us") * kMicro,       rate * n.number("scale_up_ratio"),
                            nl.number("node_us") * kMicro,       nl.number("nic_ratio"),
                            nl.number("forward_ratio"),          nl.number("ramp_us") * kMicro,
                            nl.number("nodes_ramp_us") * kMicro, nl.number("ramp_tokens")};
    }
    if (auto ok = low_chip.status(); !ok) return ok;
    return normal_chip.status();
  }

  /// Only chips that are sold in domains larger than one board have these kernels.
  Expected<void> loadDomain() {
    constexpr int kBoardChips = 8;
    if (chip_.max_scale_up_domain <= kBoardChips) return {};
    const auto resolved = resolve("nvlink_all_to_all");
    if (!resolved || resolved->origin == ConstantOrigin::GeometricMean) return {};
    ConstantReader chip(*resolved->values, table_.file(), "/nvlink_all_to_all");
    auto one = chip.child("one_sided"), two = chip.child("two_sided");
    const auto read = [&](ConstantReader& kernels, const char* name) {
      auto c = kernels.child(name);
      return DomainExchange{c.number("fixed_us") * kMicro, c.number("octave_us") * kMicro,
                            c.number("token_us") * kMicro,
                            out_.scale_up_bytes_per_s * c.number("scale_up_ratio"), c.number("octave_ratio")};
    };
    out_.domain =
        DomainExchanges{read(one, "dispatch"), read(one, "combine"), read(two, "prepare"),
                        read(two, "dispatch"), read(two, "combine"), read(two, "combine_low_precision")};
    out_.domain_exchange_by_engine = out_.engine == "trtllm" && system_.chips > kBoardChips;
    return chip.status();
  }

  void loadEager() {
    out_.eager_copy_bytes_per_s = chip_.memory_bandwidth_bytes_per_s * libraries_.number("eager_copy_ratio");
    const auto resolved = table_.resolve("eager", chip_);
    if (!resolved) return;
    const auto floors = [&](const std::string& key) {
      if (!resolved->values->contains(key)) return Eager{};
      const ConstantReader c(resolved->values->at(key), table_.file(), "/eager");
      const double other_s = c.numberOr("other_us", 0) * kMicro;
      return Eager{c.numberOr("one_shot_us", other_s / kMicro) * kMicro, other_s};
    };
    out_.custom_eager = floors(out_.engine);
    out_.library_eager = floors("nccl");
  }

  const json& document_;
  ConstantTable table_;
  const ChipSpec& chip_;
  const SystemSpec& system_;
  ConstantReader libraries_, generic_;
  CollectiveModel::Constants out_;
  std::vector<std::string> notes_;
};

}  // namespace

Expected<LoadedCollectives> loadCollectives(const Catalog& catalog, const ChipSpec& chip,
                                            const SystemSpec& system, const EngineSpec& engine,
                                            double scale_out_bytes_per_s, std::string_view exclude_chip) {
  try {
    return Loader(catalog, chip, system, engine, scale_out_bytes_per_s, exclude_chip).load();
  } catch (const json::exception& problem) {       // a user's catalog folder may hold anything
    const std::string_view what = problem.what();  // "[json.exception.out_of_range.403] key 'x' not found"
    return Unexpected(Error{ErrorCode::BadInput, "collectives.json of the catalog", "", "",
                            "is incomplete: " + std::string(what.substr(what.find("] ") + 2)),
                            "compare with the shipped file"});
  }
}

}  // namespace decodescope::network
