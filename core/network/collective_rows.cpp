#include "network/collective_rows.h"

#include "base/units.h"
#include "network/collective_forms.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

namespace decodescope::network {
namespace {

using forms::Constants;

struct Spelling {
  std::string_view text, chip;
};
// The first that occurs decides, so longer names stand before names they contain.
constexpr Spelling kChips[] = {
    {"GB300", "gb300"},         {"GB200", "gb200"},        {"B300", "b300-sxm"},
    {"B200", "b200-sxm"},       {"GH200", "gh200"},        {"H200", "h200-sxm"},
    {"H800", "h800-sxm"},       {"H100", "h100-sxm"},      {"H20", "h20-sxm"},
    {"Hopper", "h100-sxm"},     {"Blackwell", "b200-sxm"}, {"A100-SXM4-40GB", "a100-40g"},
    {"A100", "a100-80g"},       {"MI355X", "mi355x"},      {"MI325X", "mi325x"},
    {"MI300X", "mi300x"},       {"TPU v4", "tpu-v4"},      {"TPU v5e", "tpu-v5e"},
    {"TPU v5p", "tpu-v5p"},     {"TPU v6e", "tpu-v6e"},    {"TPU v7", "tpu-v7"},
    {"Trainium2", "trainium2"}, {"Gaudi", "gaudi3"},       {"L40S", "l40s"},
    {"910C", "ascend-910c"},
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The number that ends right before `unit`, such as 400 in "+ 400G RDMA".
std::optional<double> numberBefore(std::string_view text, std::string_view unit) {
  const auto end = text.find(unit);
  if (end == std::string_view::npos || end == 0) return std::nullopt;
  auto begin = end;
  while (begin > 0 &&
         (std::isdigit(static_cast<unsigned char>(text[begin - 1])) != 0 || text[begin - 1] == '.'))
    --begin;
  return csv::parseNumber(text.substr(begin, end - begin));
}
/// The number right after `label`, such as 7168 in "hidden=7168".
std::optional<double> numberAfter(std::string_view text, std::string_view label) {
  const auto at = text.find(label);
  if (at == std::string_view::npos) return std::nullopt;
  const auto begin = at + label.size();
  auto end = begin;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
  return csv::parseNumber(text.substr(begin, end - begin));
}

/// A row's numbers, read once.
struct Row {
  std::string_view system, collective, metric, note;
  int ranks = 1;
  std::optional<double> bytes, tokens;
};

Expected<Row> readRow(const csv::Table& table, std::size_t index) {
  Row row{table.cell(index, "system"),
          table.cell(index, "collective"),
          table.cell(index, "metric"),
          table.cell(index, "note"),
          1,
          std::nullopt,
          std::nullopt};
  const auto ranks = table.number(index, "n_ranks");
  const auto bytes = table.number(index, "bytes");
  const auto tokens = table.number(index, "tokens_per_rank");
  for (const auto* number : {&ranks, &bytes, &tokens}) {
    if (!*number) return Unexpected(number->error());
  }
  if (!*ranks || **ranks < 1 || **ranks > 1e7) {
    return Unexpected(
        table.error(index, "n_ranks", "must be a number of ranks", "write how many chips take part"));
  }
  row.ranks = static_cast<int>(**ranks);
  row.bytes = *bytes;
  row.tokens = *tokens;
  return row;
}

constexpr double kDeepSeekHidden = 7168, kDeepSeekTopK = 8, kBf16Bytes = 2;
// DeepEP sends fp8 rows with one fp32 scale per 128 elements and 16 bytes of metadata.
constexpr double kFp8RowBytes = 1 + 4.0 / 128, kRowHeaderBytes = 16;
// NVFP4 payloads of TensorRT-LLM's all-to-all: half a byte and one fp8 scale per 16 elements.
constexpr double kNvfp4RowBytes = 0.5625;

double rowBytes(std::string_view collective, double hidden) {
  const bool dispatch = contains(collective, "dispatch");
  if (contains(collective, "prepare")) return 0;  // counts only
  if (contains(collective, "low_precision")) return hidden * kNvfp4RowBytes;
  if (!dispatch) return hidden * kBf16Bytes;
  if (contains(collective, "deepep")) return hidden * kFp8RowBytes + kRowHeaderBytes;
  if (contains(collective, "nvfp4")) return hidden * kNvfp4RowBytes;
  return hidden * (contains(collective, "bfloat16") ? kBf16Bytes : 1.0);
}

/// Tokens of published bandwidth tables that state them only in words.
double tokensOf(const Row& row, double row_bytes, double top_k) {
  if (row.tokens) return *row.tokens;
  if (row.bytes && contains(row.collective, "deepep_ll")) return *row.bytes / (top_k * row_bytes);
  if (row.bytes) return *row.bytes / row_bytes;
  if (const auto stated = numberBefore(row.note, " tok/rank")) return *stated;
  if (const auto thousands = numberBefore(row.note, "K tok")) return *thousands * kKibi;
  constexpr double kUsualBenchmark = 4096;
  return kUsualBenchmark;
}

CollectiveCost expertCost(const Row& row, const CollectiveModel& model, GroupShape group,
                          const forms::ExpertTraffic& traffic) {
  const Constants& c = model.constants();
  const bool combine = contains(row.collective, "combine");
  if (c.domain && contains(row.collective, "trtllm")) {
    if (contains(row.collective, "prepare"))
      return domainExchange(c.domain->two_sided_prepare, "prepare", group.size, traffic);
    if (contains(row.collective, "OneSided")) {
      return domainExchange(combine ? c.domain->one_sided_combine : c.domain->one_sided_dispatch,
                            "nvlink-one-sided", group.size, traffic);
    }
    const auto& dispatch_or_combine = !combine ? c.domain->two_sided_dispatch
                                      : contains(row.collective, "low_precision")
                                          ? c.domain->two_sided_combine_low_precision
                                          : c.domain->two_sided_combine;
    return domainExchange(dispatch_or_combine, "nvlink-two-sided", group.size, traffic);
  }
  const auto& phase = combine ? c.deepep_combine : c.deepep_dispatch;
  if (!phase)
    return forms::expertExchange(c, combine ? Collective::MoeCombine : Collective::MoeDispatch, group,
                                 traffic);
  if (contains(row.collective, "rdma_only")) {
    // Before NVLink was used inside the node: every copy goes out of the NIC.
    const double volume = traffic.tokens * traffic.top_k * traffic.row_bytes;
    return {phase->low_latency_s + phase->octave_s * std::log2(2.0 * std::max(1, group.size / 8)),
            volume / (c.scale_out.bytes_per_s * phase->low_latency_nic_ratio), "deepep-ll-rdma", volume};
  }
  return contains(row.collective, "deepep_ll") ? deepEpLowLatency(*phase, c, group, traffic)
                                               : deepEpNormal(*phase, c, group, traffic);
}

/// Logical bytes per second over the named bottleneck, as DeepEP's tables count them.
double expertBandwidth(const Row& row, const forms::ExpertTraffic& traffic, GroupShape group,
                       double seconds) {
  const double targets = contains(row.metric, "NVLink") ? group.size : group.domains();
  return traffic.tokens * traffic.row_bytes * distinctTargets(traffic, std::max(1.0, targets)) / seconds;
}

/// Runs the algorithm that the row's name states; nothing when the name is unknown.
std::optional<CollectiveCost> plainCost(const Row& row, const CollectiveModel& model, GroupShape group,
                                        double bytes) {
  const Constants& c = model.constants();
  const std::string_view name = row.collective;
  const double g = group.size;
  if (name == "all_gather") return model.cost(Collective::AllGather, group, bytes);
  if (name == "reduce_scatter") return model.cost(Collective::ReduceScatter, group, bytes);
  if (name == "alltoall" || name == "all_to_all") return model.cost(Collective::AllToAll, group, bytes);
  if (name == "send_recv" || name == "sendrecv") return model.cost(Collective::SendRecv, group, bytes);
  if (name != "all_reduce" && !name.starts_with("all_reduce_")) return std::nullopt;
  if (group.domains() > 1 || c.kind != ScaleUpKind::Switched)
    return model.cost(Collective::AllReduce, group, bytes);
  if (name == "all_reduce_RING") return forms::ringAllReduce(c.nccl, g, bytes);
  if (name == "all_reduce_NVLS" && c.nvls.bytes_per_s > 0) return forms::nvlsAllReduce(c.nvls, g, bytes);
  if (contains(name, "multimem") || contains(name, "nvls_zero_copy")) {
    const double latency = contains(name, "zero_copy") ? c.symmetric.zero_copy_s : c.symmetric.multimem_s;
    const double wire = bytes * (1 + 1 / g);
    return CollectiveCost{latency, wire / c.symmetric.multimem_bytes_per_s, "nvls", wire};
  }
  if (contains(name, "symm_mem_two_shot")) {
    const double wire = 2 * (g - 1) / g * bytes;
    return CollectiveCost{c.symmetric.two_shot_s, wire / c.symmetric.two_shot_bytes_per_s, "two-shot", wire};
  }
  if (c.custom && contains(name, "oneshot")) return forms::oneShot(*c.custom, g, bytes);
  if (c.custom && contains(name, "twoshot")) return forms::twoShot(*c.custom, g, bytes);
  if (contains(name, "custom")) {
    return contains(name, "eager") ? forms::eagerAllReduce(c, g, bytes) : forms::engineAllReduce(c, g, bytes);
  }
  return contains(row.note, "EAGER") ? forms::eagerLibraryAllReduce(c, g, bytes)
                                     : forms::libraryAllReduce(c, g, bytes);
}

/// Facts of the wiring that published tables state beside measurements.
std::optional<double> wiringFact(const Row& row, const PublishedSystem& published) {
  const ScaleUpGraph& graph = published.system.graph;
  const double unit = row.metric == "TB/s" ? kTera : kGiga;
  if (row.collective == "ici_bidirectional_per_chip") return 2 * published.chip->scale_up_bytes_per_s / unit;
  if (row.collective == "all_reduce_bandwidth_per_pod")
    return row.ranks * published.chip->scale_up_bytes_per_s / unit;
  if (row.collective != "bisection" || graph.builder != "torus") return std::nullopt;
  // Cut across the longest axis: its cross-section, twice where the axis wraps.
  const auto longest = std::max_element(graph.torus_dims.begin(), graph.torus_dims.end());
  const auto axis = static_cast<std::size_t>(longest - graph.torus_dims.begin());
  return row.ranks / static_cast<double>(*longest) * (graph.torus_wrap[axis] ? 2 : 1) *
         graph.link_bytes_per_s / unit;
}

std::string engineOf(std::string_view collective) {
  for (const char* engine : {"trtllm", "sglang", "vllm"}) {
    if (contains(collective, engine)) return engine;
  }
  return contains(collective, "deepep") ? "sglang" : "vllm";
}

}  // namespace

Expected<PublishedSystem> parseSystem(const Catalog& catalog, std::string_view description) {
  PublishedSystem published;
  for (const SystemSpec& system : catalog.systems()) {
    if (system.id != description) continue;
    const auto chip = catalog.chip(system.chip);
    if (!chip) return Unexpected(chip.error());
    return PublishedSystem{*chip, system, system.chips, 0};
  }
  std::string_view id;
  for (const ChipSpec& chip : catalog.chips()) {
    if (chip.id == description || chip.name == description) id = chip.id;
  }
  for (const Spelling& spelling : kChips) {
    if (id.empty() && contains(description, spelling.text)) id = spelling.chip;
  }
  if (id.empty()) {
    return Unexpected(Error{ErrorCode::NotFound, "", "system", std::string(description),
                            "names no known chip", "see `decodescope-cli catalog chips`"});
  }
  const auto chip = catalog.chip(id);
  if (!chip) return Unexpected(chip.error());
  published.chip = *chip;
  constexpr int kBoardChips = 8;
  published.system.chip = (*chip)->id;
  published.system.chips = kBoardChips;
  for (const SystemSpec& system : catalog.systems()) {
    if (system.chip == (*chip)->id) {
      published.system = system;
      break;
    }
  }
  published.domain_chips = std::max(1, published.system.chips);
  if (const auto gigabits = numberBefore(description, "G RDMA"))
    published.nic_bytes_per_s = *gigabits * kGiga / kBitsPerByte;
  if (const auto gigabits = numberBefore(description, "G/GPU"))
    published.nic_bytes_per_s = *gigabits * kGiga / kBitsPerByte;
  return published;
}

CollectiveRowPredictor::CollectiveRowPredictor(const Catalog& catalog, std::string exclude_chip,
                                               bool leave_one_out)
    : catalog_(catalog), exclude_chip_(std::move(exclude_chip)), leave_one_out_(leave_one_out) {}

std::string CollectiveRowPredictor::chipOf(const csv::Table& table, std::size_t row) const {
  const auto published = parseSystem(catalog_, table.cell(row, "system"));
  return published ? published->chip->id : std::string();
}

Expected<const CollectiveModel*> CollectiveRowPredictor::model(const PublishedSystem& published,
                                                               const std::string& engine) {
  const std::tuple key(published.chip->id, published.system.id, engine, published.nic_bytes_per_s);
  auto known = models_.find(key);
  if (known == models_.end()) {
    EngineSpec spec;
    spec.id = spec.all_reduce = engine;
    auto made =
        CollectiveModel::make(catalog_, *published.chip, published.system, spec, published.nic_bytes_per_s,
                              leave_one_out_ ? published.chip->id : exclude_chip_);
    if (!made) return Unexpected(made.error());
    known = models_.emplace(key, *std::move(made)).first;
  }
  return &known->second;
}

Expected<double> CollectiveRowPredictor::predict(const csv::Table& table, std::size_t index) {
  const auto row = readRow(table, index);
  if (!row) return Unexpected(row.error());
  if (row->collective == "kv_transfer_mooncake") {
    // Between two hosts over all their NICs, whatever the chips: any model has its constants.
    const auto rate = numberBefore(row->system, " GB/s");
    const auto any = parseSystem(catalog_, "H100");
    if (!any || !rate || !row->bytes) {
      return Unexpected(
          table.error(index, "system", "does not state the hosts' rate", "write it, such as ~200 GB/s"));
    }
    const auto host = model(*any, "vllm");
    if (!host) return Unexpected(host.error());
    const Constants& c = (*host)->constants();
    return (c.kv_transfer_s + *row->bytes / (*rate * kGiga * c.kv_transfer_nic_ratio)) / kMicro;
  }
  const auto published = parseSystem(catalog_, row->system);
  if (!published)
    return Unexpected(table.error(index, "system", published.error().message, published.error().remedy));
  if (const auto fact = wiringFact(*row, *published)) return *fact;
  const auto built = model(*published, engineOf(row->collective));
  if (!built) return Unexpected(built.error());
  const GroupShape group{row->ranks, std::min(row->ranks, published->domain_chips)};

  if (row->collective.starts_with("ep_")) {
    const double hidden = numberAfter(row->note, "hidden=").value_or(kDeepSeekHidden);
    const double top_k = numberAfter(row->note, " top").value_or(kDeepSeekTopK);
    const double row_bytes = rowBytes(row->collective, hidden);
    const forms::ExpertTraffic traffic{tokensOf(*row, row_bytes, top_k), top_k, row_bytes,
                                       contains(row->note, "balanced")};
    const double seconds = expertCost(*row, **built, group, traffic).total_s();
    if (row->metric == "latency_us") return seconds / kMicro;
    if (row->metric.starts_with("bottleneck_GBps"))
      return expertBandwidth(*row, traffic, group, seconds) / kGiga;
    return Unexpected(table.error(index, "metric", "unknown metric", "latency_us or bottleneck_GBps..."));
  }
  if (!row->bytes || !(*row->bytes > 0)) {
    return Unexpected(table.error(index, "bytes", "the size is not stated", "write bytes"));
  }
  const auto cost = plainCost(*row, **built, group, *row->bytes);
  if (!cost)
    return Unexpected(
        table.error(index, "collective", "unknown collective", "see the documentation of this command"));
  const double seconds = cost->total_s();
  if (row->metric == "latency_us") return seconds / kMicro;
  if (row->metric == "algbw_GBps") return *row->bytes / seconds / kGiga;
  if (row->metric == "busbw_GBps") {
    // nccl-tests: algorithm bandwidth times the traffic of a ring.
    const double ring =
        (row->collective.starts_with("all_reduce") ? 2.0 : 1.0) * (row->ranks - 1.0) / row->ranks;
    return *row->bytes / seconds * ring / kGiga;
  }
  return Unexpected(table.error(index, "metric", "unknown metric", "latency_us, busbw_GBps or algbw_GBps"));
}

}  // namespace decodescope::network
