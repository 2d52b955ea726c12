#include "base/json_document.h"
#include "base/json_reader.h"
#include "base/text_distance.h"
#include "scenario/migrations.h"
#include "scenario/override_fields.h"
#include "scenario/parameter_rows.h"
#include "scenario/scenario_json.h"

#include <fmt/format.h>
#include <array>
#include <nlohmann/json.hpp>

namespace decodescope::scenario {
namespace {

using json::Object;
using json::Range;

constexpr double kMostTokens = 16777216;
constexpr Range kTokens{1, kMostTokens, "tokens"};

/// The hard range of the parameter table, so that files, --set and the panel agree.
Range rangeOf(std::string_view path) {
  const ParameterDescriptor& p = findRow(path)->descriptor;
  return {p.hard_min, p.hard_max, p.unit, p.integral};
}

/// Reads the parts of a document; keys that nobody asked for end in `unknown`, at their place.
class ScenarioReader {
 public:
  ScenarioReader(json::Reading& reading, const nlohmann::json& document)
      : reading_(reading), document_(document) {}

  Scenario read();

 private:
  void readPrecision(Object o);
  void readParallel(Object& root);
  void readWorkload(Object o);
  void readServing(Object o);
  void readSpeculation(Object& serving);
  void readFabric(Object& root);
  void readPhysical(Object o);
  void readEconomics(Object o);
  void readFaults(Object& root);
  void readJitter(Object& root);
  void readEntry(Object& root, std::string_view key, std::string* id);
  TokenLength readLength(Object& o, std::string_view key, const TokenLength& fallback);
  void keepUnknown(const Object& o);

  json::Reading& reading_;
  const nlohmann::json& document_;
  Scenario scenario_;
  nlohmann::json unknown_ = nlohmann::json::object();
};

void ScenarioReader::keepUnknown(const Object& o) {
  o.warnUnknownKeys();
  for (const std::string& key : o.unknownKeys()) {
    nlohmann::json* place = &unknown_;
    std::string_view rest = o.pointer();
    while (!rest.empty()) {  // "/workload/prompt_tokens": known keys, without escapes
      rest.remove_prefix(1);
      const auto slash = rest.find('/');
      place = &(*place)[std::string(rest.substr(0, slash))];
      rest = slash == std::string_view::npos ? std::string_view{} : rest.substr(slash);
    }
    const nlohmann::json::json_pointer pointer(o.pointerTo(key));
    (*place)[key] = document_.at(pointer);
  }
}

TokenLength ScenarioReader::readLength(Object& o, std::string_view key, const TokenLength& fallback) {
  const nlohmann::json* value = o.find(key);
  if (value == nullptr) return fallback;
  TokenLength length;
  if (!value->is_object()) {
    length.mean_tokens =
        json::readNumber(reading_, *value, o.pointerTo(key), kTokens).value_or(fallback.mean_tokens);
    return length;
  }
  Object d = o.object(key);
  constexpr std::array<std::string_view, 3> kDistributions{"fixed", "uniform", "lognormal"};
  length.distribution = static_cast<TokenLength::Distribution>(d.choice("dist", kDistributions, 0));
  length.min_tokens = d.number("min", length.min_tokens, kTokens);
  length.max_tokens = d.number("max", length.max_tokens, kTokens);
  const bool uniform = length.distribution == TokenLength::Distribution::Uniform;
  length.mean_tokens =
      d.number("mean", uniform ? (length.min_tokens + length.max_tokens) / 2 : fallback.mean_tokens, kTokens);
  length.sigma = d.number("sigma", 0, {0, 10});
  if (length.min_tokens > length.max_tokens) d.fail("min", "is above max", "swap them");
  keepUnknown(d);
  return length;
}

void ScenarioReader::readPrecision(Object o) {
  constexpr std::array<std::string_view, 7> kWeights{"",     "bf16",  "fp8",  "fp8_block",
                                                     "int8", "mxfp4", "nvfp4"};
  constexpr std::array<std::string_view, 4> kKv{"", "bf16", "fp8", "fp4"};
  constexpr std::array<std::string_view, 2> kActivations{"bf16", "fp8"};
  scenario_.precision.weights = kWeights[o.choice("weights", kWeights, 0)];
  scenario_.precision.kv = kKv[o.choice("kv", kKv, 0)];
  scenario_.precision.activations = kActivations[o.choice("activations", kActivations, 0)];
  keepUnknown(o);
}

void ScenarioReader::readParallel(Object& root) {
  const nlohmann::json* value = root.find("parallel");
  if (value == nullptr || *value == "auto") return;
  if (!value->is_object()) {
    root.fail("parallel", "is neither \"auto\" nor an object",
              R"(write "auto" or {"tp": 8, "pp": 1, "ep": 1, "dp": 1, "cp": 1})");
    return;
  }
  Object o = root.object("parallel");
  ParallelDegrees d;
  d.tp = o.integer("tp", 1, rangeOf("parallel.tp"));
  d.pp = o.integer("pp", 1, rangeOf("parallel.pp"));
  d.ep = o.integer("ep", 1, rangeOf("parallel.ep"));
  d.dp = o.integer("dp", 1, rangeOf("parallel.dp"));
  d.cp = o.integer("cp", 1, rangeOf("parallel.cp"));
  constexpr std::array<std::string_view, 2> kAttention{"tp", "dp"};
  d.attention = static_cast<AttentionSharding>(o.choice("attention", kAttention, 0));
  keepUnknown(o);
  scenario_.parallel = d;
}

void ScenarioReader::readWorkload(Object o) {
  Workload& w = scenario_.workload;
  constexpr std::array<std::string_view, 4> kModes{"closed", "open", "static", "trace"};
  w.mode = static_cast<WorkloadMode>(o.choice("mode", kModes, 0));
  w.concurrency = o.number("concurrency", w.concurrency, rangeOf("workload.concurrency"));
  const bool has_prompt = o.has("prompt_tokens");
  w.prompt = readLength(o, "prompt_tokens", w.prompt);
  w.output = readLength(o, "output_tokens", w.output);
  const auto context = o.optionalNumber("context_tokens", rangeOf("workload.context_tokens"));
  if (context) w.context_tokens = *context;
  // A loop described by its context alone.
  if (context && !has_prompt && w.mode != WorkloadMode::Static) setMeanContextTokens(w, *context);
  w.arrivals_per_s = o.number("arrivals_per_s", w.arrivals_per_s, rangeOf("workload.arrivals_per_s"));
  w.burstiness_cv = o.number("burstiness_cv", w.burstiness_cv, rangeOf("workload.burstiness_cv"));
  w.trace_file = o.text("trace_file", "");
  w.slo_tpot_ms = o.number("slo_tpot_ms", w.slo_tpot_ms, rangeOf("workload.slo_tpot_ms"));
  w.slo_ttft_ms = o.number("slo_ttft_ms", w.slo_ttft_ms, rangeOf("workload.slo_ttft_ms"));
  if (w.mode == WorkloadMode::Trace && w.trace_file.empty()) {
    o.fail("trace_file", "is missing",
           "a trace needs a CSV file with timestamp, prompt tokens and output tokens");
  }
  keepUnknown(o);
}

void ScenarioReader::readSpeculation(Object& serving) {
  if (!serving.has("speculation")) return;
  Object o = serving.object("speculation");
  Speculation s;
  s.draft_tokens = o.integer("draft_tokens", s.draft_tokens, {1, 64, "tokens", true});
  s.acceptance_ratio =
      o.number("acceptance_ratio", s.acceptance_ratio, rangeOf("serving.speculation.acceptance_ratio"));
  keepUnknown(o);
  scenario_.serving.speculation = s;
}

void ScenarioReader::readServing(Object o) {
  Serving& s = scenario_.serving;
  s.engine = o.text("engine", s.engine);
  constexpr std::array<std::string_view, 3> kPrefill{"none", "chunked", "disaggregated"};
  // A static load has no prompts to prefill.
  const PrefillMode usual = scenario_.workload.mode == WorkloadMode::Static ? PrefillMode::None : s.prefill;
  s.prefill = static_cast<PrefillMode>(o.choice("prefill", kPrefill, static_cast<std::size_t>(usual)));
  s.chunk_tokens = o.integer("chunk_tokens", s.chunk_tokens, rangeOf("serving.chunk_tokens"));
  s.kv_block_tokens = o.integer("kv_block_tokens", s.kv_block_tokens, rangeOf("serving.kv_block_tokens"));
  s.max_batch_per_replica = o.integer("max_batch_per_replica", 0, rangeOf("serving.max_batch_per_replica"));
  s.two_batch_overlap_ratio =
      o.number("two_batch_overlap_ratio", 0, rangeOf("serving.two_batch_overlap_ratio"));
  readSpeculation(o);
  keepUnknown(o);
}

void ScenarioReader::readFabric(Object& root) {
  const nlohmann::json* value = root.find("fabric");
  if (value == nullptr) return;
  Fabric& f = scenario_.fabric;
  constexpr std::array<std::string_view, 4> kKinds{"rail", "none", "leaf-spine", "torus"};
  if (value->is_string()) {
    f.kind = kKinds[root.choice("fabric", kKinds, 0)];
    return;
  }
  Object o = root.object("fabric");
  f.kind = kKinds[o.choice("kind", kKinds, 0)];
  f.gb_per_s_per_chip = o.number("gb_per_s_per_chip", 0, rangeOf("fabric.gb_per_s_per_chip"));
  f.oversubscription = o.number("oversubscription", 1, rangeOf("fabric.oversubscription"));
  keepUnknown(o);
}

void ScenarioReader::readPhysical(Object o) {
  Physical& p = scenario_.physical;
  constexpr std::array<std::string_view, 3> kCooling{"", "air", "liquid"};
  p.cooling = kCooling[o.choice("cooling", kCooling, 0)];
  p.supply_c = o.optionalNumber("supply_c", rangeOf("physical.supply_c"));
  p.flow_l_per_min_per_chip =
      o.optionalNumber("flow_l_per_min_per_chip", rangeOf("physical.flow_l_per_min_per_chip"));
  p.airflow_ratio = o.optionalNumber("airflow_ratio", rangeOf("physical.airflow_ratio"));
  p.rack_power_cap_kw = o.optionalNumber("rack_power_cap_kw", rangeOf("physical.rack_power_cap_kw"));
  p.chip_power_cap_w = o.optionalNumber("chip_power_cap_w", rangeOf("physical.chip_power_cap_w"));
  p.ambient_c = o.number("ambient_c", p.ambient_c, rangeOf("physical.ambient_c"));
  p.clock_limit_ratio =
      o.number("clock_limit_ratio", p.clock_limit_ratio, rangeOf("physical.clock_limit_ratio"));
  p.dew_point_c = o.number("dew_point_c", p.dew_point_c, rangeOf("physical.dew_point_c"));
  keepUnknown(o);
}

void ScenarioReader::readEconomics(Object o) {
  Economics& e = scenario_.economics;
  e.years = o.number("years", e.years, rangeOf("economics.years"));
  e.interest_ratio = o.number("interest_ratio", e.interest_ratio, rangeOf("economics.interest_ratio"));
  e.usd_per_kwh = o.number("usd_per_kwh", e.usd_per_kwh, rangeOf("economics.usd_per_kwh"));
  e.hosting_usd_per_kw_month = o.number("hosting_usd_per_kw_month", e.hosting_usd_per_kw_month,
                                        rangeOf("economics.hosting_usd_per_kw_month"));
  e.utilization = o.number("utilization", e.utilization, rangeOf("economics.utilization"));
  e.chip_capex_usd = o.optionalNumber("chip_capex_usd", rangeOf("economics.chip_capex_usd"));
  keepUnknown(o);
}

void ScenarioReader::readFaults(Object& root) {
  const nlohmann::json* value = root.find("faults");
  if (value == nullptr) return;
  if (!value->is_array())
    return root.fail("faults", "is not an array", R"(write [{"kind": "link", "target": "..."}])");
  constexpr std::array<std::string_view, 4> kKinds{"link", "switch", "chip-link", "flow"};
  for (std::size_t i = 0; i < value->size(); ++i) {
    Object o(reading_, (*value)[i], fmt::format("/faults/{}", i));
    Fault fault;
    o.require("kind", "write link, switch, chip-link or flow");
    o.require("target", "write the label of the link, node or tray");
    fault.kind = kKinds[o.choice("kind", kKinds, 0)];
    fault.target = o.text("target", "");
    fault.capacity_ratio = o.number("capacity_ratio", 0, {0, 1});
    fault.at_s = o.number("at_s", 0, {0, 1e9, "s"});
    o.warnUnknownKeys();
    scenario_.faults.push_back(std::move(fault));
  }
}

void ScenarioReader::readJitter(Object& root) {
  const nlohmann::json* value = root.find("jitter");
  if (value == nullptr) return;
  if (value->is_boolean()) {
    scenario_.jitter = value->get<bool>();
    return;
  }
  constexpr std::array<std::string_view, 2> kSwitch{"off", "on"};
  scenario_.jitter = root.choice("jitter", kSwitch, 1) == 1;
}

/// "model": id, or {"base": id, field: value, ...}; "chip" has fields only.
void ScenarioReader::readEntry(Object& root, std::string_view key, std::string* id) {
  const nlohmann::json* value = root.find(key);
  if (value == nullptr) return;
  if (value->is_string() && id != nullptr) {
    *id = value->get<std::string>();
    if (id->empty()) root.fail(key, "is empty", "write the id of an entry of the catalog");
    return;
  }
  if (!value->is_object()) {
    root.fail(key, "is neither an id nor an object", R"(write "id" or {"base": "id", "field": value})");
    return;
  }
  if (id != nullptr) {
    Object o = root.object(key);
    *id = o.text("base", *id);
  }
  readOverrides(reading_, key, *value, scenario_.overrides);
}

Scenario ScenarioReader::read() {
  Object root(reading_, document_, "");
  if (const std::string format = root.text("format", "decodescope-scenario");
      format != "decodescope-scenario") {
    root.fail("format", "is no scenario of Decodescope", "write \"decodescope-scenario\"");
  }
  (void)root.find("schema");
  scenario_.name = root.text("name", scenario_.name);
  readEntry(root, "model", &scenario_.model);
  readEntry(root, "system", &scenario_.system);
  readEntry(root, "chip", nullptr);
  sortOverrides(scenario_.overrides);
  scenario_.chips = root.integer("chips", scenario_.chips, rangeOf("chips"));
  readPrecision(root.object("precision"));
  readParallel(root);
  readWorkload(root.object("workload"));
  readServing(root.object("serving"));
  readFabric(root);
  readPhysical(root.object("physical"));
  readEconomics(root.object("economics"));
  readFaults(root);
  readJitter(root);
  scenario_.seed = root.unsignedInteger("seed", scenario_.seed);
  keepUnknown(root);
  if (!unknown_.empty())
    scenario_.unknown_json = unknown_.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return std::move(scenario_);
}

}  // namespace

Expected<Scenario> readScenario(std::string_view text, const std::string& file, Warnings* warnings) {
  auto document = json::parse(text, file);
  if (!document) return Unexpected(document.error());
  if (document->is_object()) {
    if (auto migrated = migrate(*document, file, kSchema, migrations()); !migrated)
      return Unexpected(migrated.error());
  }
  json::Reading reading(file, warnings);
  Scenario scenario = ScenarioReader(reading, *document).read();
  if (!reading.ok()) return Unexpected(reading.error());
  return scenario;
}

}  // namespace decodescope::scenario
