#include "scenario/document.h"
#include "scenario/scenario_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace decodescope::scenario {
namespace {

using Json = nlohmann::ordered_json;

/// Whole numbers are written without a fraction.
Json number(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (value == std::floor(value) && std::abs(value) < kExact) return static_cast<std::int64_t>(value);
  return value;
}

void putIfNot(Json& o, const char* key, double value, double usual) {
  if (value != usual) o[key] = number(value);
}

void putIfSet(Json& o, const char* key, const std::optional<double>& value) {
  if (value) o[key] = number(*value);
}

Json lengthOf(const TokenLength& t) {
  const TokenLength usual;
  if (t == TokenLength{TokenLength::Distribution::Fixed, t.mean_tokens}) return number(t.mean_tokens);
  constexpr const char* kIds[] = {"fixed", "uniform", "lognormal"};
  Json o;
  o["dist"] = kIds[static_cast<std::size_t>(t.distribution)];
  o["mean"] = number(t.mean_tokens);
  putIfNot(o, "sigma", t.sigma, usual.sigma);
  putIfNot(o, "min", t.min_tokens, usual.min_tokens);
  putIfNot(o, "max", t.max_tokens, usual.max_tokens);
  return o;
}

Json workloadOf(const Workload& w) {
  const Workload usual;
  constexpr const char* kIds[] = {"closed", "open", "static", "trace"};
  const bool fixed = w.mode == WorkloadMode::Static;
  Json o;
  o["mode"] = kIds[static_cast<std::size_t>(w.mode)];
  o["concurrency"] = number(w.concurrency);
  if (!fixed || w.prompt != usual.prompt) o["prompt_tokens"] = lengthOf(w.prompt);
  if (!fixed || w.output != usual.output) o["output_tokens"] = lengthOf(w.output);
  if (fixed || w.context_tokens != usual.context_tokens) o["context_tokens"] = number(w.context_tokens);
  if (w.mode == WorkloadMode::Open || w.arrivals_per_s != usual.arrivals_per_s)
    o["arrivals_per_s"] = number(w.arrivals_per_s);
  putIfNot(o, "burstiness_cv", w.burstiness_cv, usual.burstiness_cv);
  if (!w.trace_file.empty()) o["trace_file"] = w.trace_file;
  putIfNot(o, "slo_tpot_ms", w.slo_tpot_ms, usual.slo_tpot_ms);
  putIfNot(o, "slo_ttft_ms", w.slo_ttft_ms, usual.slo_ttft_ms);
  return o;
}

Json servingOf(const Serving& s, bool fixed) {
  const Serving usual;
  constexpr const char* kIds[] = {"none", "chunked", "disaggregated"};
  Json o;
  o["engine"] = s.engine;
  if (!fixed || s.prefill != PrefillMode::None) o["prefill"] = kIds[static_cast<std::size_t>(s.prefill)];
  if (s.prefill == PrefillMode::Chunked || s.chunk_tokens != usual.chunk_tokens)
    o["chunk_tokens"] = s.chunk_tokens;
  o["kv_block_tokens"] = s.kv_block_tokens;
  if (s.max_batch_per_replica != 0) o["max_batch_per_replica"] = s.max_batch_per_replica;
  putIfNot(o, "two_batch_overlap_ratio", s.two_batch_overlap_ratio, 0);
  o["speculation"] = nullptr;
  if (s.speculation) {
    o["speculation"] = {{"draft_tokens", s.speculation->draft_tokens},
                        {"acceptance_ratio", number(s.speculation->acceptance_ratio)}};
  }
  return o;
}

Json parallelOf(const Scenario& s) {
  if (!s.parallel) return "auto";
  const ParallelDegrees& d = *s.parallel;
  Json o{{"tp", d.tp}, {"pp", d.pp}, {"ep", d.ep}, {"dp", d.dp}, {"cp", d.cp}};
  o["attention"] = d.attention == AttentionSharding::Data ? "dp" : "tp";
  return o;
}

Json precisionOf(const Precision& p) {
  Json o = Json::object();
  if (!p.weights.empty()) o["weights"] = p.weights;
  if (!p.kv.empty()) o["kv"] = p.kv;
  o["activations"] = p.activations;
  return o;
}

Json physicalOf(const Physical& p) {
  const Physical usual;
  Json o = Json::object();
  if (!p.cooling.empty()) o["cooling"] = p.cooling;
  putIfSet(o, "supply_c", p.supply_c);
  putIfSet(o, "flow_l_per_min_per_chip", p.flow_l_per_min_per_chip);
  putIfSet(o, "airflow_ratio", p.airflow_ratio);
  putIfSet(o, "rack_power_cap_kw", p.rack_power_cap_kw);
  putIfSet(o, "chip_power_cap_w", p.chip_power_cap_w);
  o["ambient_c"] = number(p.ambient_c);
  putIfNot(o, "clock_limit_ratio", p.clock_limit_ratio, usual.clock_limit_ratio);
  putIfNot(o, "dew_point_c", p.dew_point_c, usual.dew_point_c);
  return o;
}

Json economicsOf(const Economics& e) {
  const Economics usual;
  Json o{{"years", number(e.years)}};
  putIfNot(o, "interest_ratio", e.interest_ratio, usual.interest_ratio);
  o["usd_per_kwh"] = number(e.usd_per_kwh);
  o["hosting_usd_per_kw_month"] = number(e.hosting_usd_per_kw_month);
  o["utilization"] = number(e.utilization);
  putIfSet(o, "chip_capex_usd", e.chip_capex_usd);
  return o;
}

/// Fields of one entry as nested objects.
void putOverrides(const Scenario& s, std::string_view entry, Json& o) {
  for (const CatalogOverride& change : s.overrides) {
    if (change.entry != entry) continue;
    Json* place = &o;
    std::string_view rest = change.field;
    for (auto dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
      place = &(*place)[std::string(rest.substr(0, dot))];
      rest = rest.substr(dot + 1);
    }
    (*place)[std::string(rest)] = number(change.value);
  }
}

Json entryOf(const Scenario& s, std::string_view entry, const std::string& id) {
  Json o{{"base", id}};
  putOverrides(s, entry, o);
  return o.size() == 1 ? Json(id) : o;
}

void putFabric(const Fabric& f, Json& document) {
  if (f == Fabric{}) return;
  if (f == Fabric{"none", 0, 1}) {
    document["fabric"] = "none";
    return;
  }
  Json o{{"kind", f.kind}};
  putIfNot(o, "gb_per_s_per_chip", f.gb_per_s_per_chip, 0);
  putIfNot(o, "oversubscription", f.oversubscription, 1);
  document["fabric"] = o;
}

void putFaults(const Scenario& s, Json& document) {
  for (const Fault& fault : s.faults) {
    document["faults"].push_back({{"kind", fault.kind},
                                  {"target", fault.target},
                                  {"capacity_ratio", number(fault.capacity_ratio)},
                                  {"at_s", number(fault.at_s)}});
  }
}

/// The long form of a value that also has a short one, to hold further keys.
void expandShortForm(Json& value) {
  if (value.is_number()) value = Json{{"dist", "fixed"}, {"mean", value}};  // a length
  if (value == "none") value = Json{{"kind", "none"}};                      // the fabric
}

/// Puts back what the file had and this program does not know.
void putUnknown(const Json& unknown, Json& document) {
  for (const auto& [key, value] : unknown.items()) {
    if (!document.contains(key)) {
      document[key] = value;
    } else if (value.is_object()) {
      expandShortForm(document[key]);
      if (document[key].is_object()) putUnknown(value, document[key]);
    }
  }
}

}  // namespace

nlohmann::ordered_json toDocument(const Scenario& s) {
  Json d{{"format", "decodescope-scenario"}, {"schema", kSchema}, {"name", s.name}};
  d["model"] = entryOf(s, "model", s.model);
  d["precision"] = precisionOf(s.precision);
  d["system"] = entryOf(s, "system", s.system);
  Json chip = Json::object();
  putOverrides(s, "chip", chip);
  if (!chip.empty()) d["chip"] = chip;
  d["chips"] = s.chips;
  d["parallel"] = parallelOf(s);
  d["workload"] = workloadOf(s.workload);
  d["serving"] = servingOf(s.serving, s.workload.mode == WorkloadMode::Static);
  putFabric(s.fabric, d);
  d["physical"] = physicalOf(s.physical);
  d["economics"] = economicsOf(s.economics);
  putFaults(s, d);
  if (!s.jitter) d["jitter"] = "off";
  d["seed"] = s.seed;
  if (!s.unknown_json.empty()) putUnknown(Json::parse(s.unknown_json, nullptr, false), d);
  return d;
}

std::string writeScenario(const Scenario& s) {
  return toDocument(s).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace decodescope::scenario
