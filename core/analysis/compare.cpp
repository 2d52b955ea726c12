#include "analysis/compare.h"

#include "scenario/document.h"
#include "scenario/scenario_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

namespace decodescope::analysis {
namespace {

using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

/// Keys that change no prediction.
bool isInput(const std::string& key) {
  static const std::set<std::string, std::less<>> none{"format", "schema", "name", "seed", "jitter"};
  return none.find(key) == none.end();
}

/// A plan's degrees stand or fall together.
bool isWhole(const Pointer& at) {
  return at == Pointer("/parallel") || at == Pointer("/faults");
}

const Json* find(const Json& document, const Pointer& at) {
  return document.contains(at) ? &document.at(at) : nullptr;
}

/// Places where the documents differ: values, or objects that only one of them has.
void differences(const Json& a, const Json& b, const Pointer& at, std::vector<Pointer>& out) {
  const Json *x = find(a, at), *y = find(b, at);
  const bool both = x != nullptr && y != nullptr;
  if (both && *x == *y) return;
  if (!both || !x->is_object() || !y->is_object() || isWhole(at)) {
    out.push_back(at);
    return;
  }
  std::vector<std::string> keys;
  for (const auto& [key, value] : x->items()) keys.push_back(key);
  for (const auto& [key, value] : y->items()) {
    if (!x->contains(key)) keys.push_back(key);
  }
  for (const std::string& key : keys) {
    if (at.empty() && !isInput(key)) continue;
    differences(a, b, at / key, out);
  }
}

std::string dotted(const Pointer& at) {
  std::string out = at.to_string().substr(1);
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

std::string shown(const Json* value) {
  if (value == nullptr) return "default";
  return value->is_string() ? value->get<std::string>() : value->dump();
}

/// `document` with what stands `at` in the other, or without it when the other has none.
void take(Json& document, const Json& other, const Pointer& at) {
  if (const Json* value = find(other, at)) {
    document[at] = *value;
    return;
  }
  const Pointer parent = at.parent_pointer();
  if (document.contains(parent) && document.at(parent).is_object()) document[parent].erase(at.back());
}

std::vector<double> headlines(const Prediction& p) {
  std::vector<double> out;
  for (const HeadlineMetric& metric : headlineMetrics()) out.push_back(metric.value(p));
  return out;
}

/// Scenario A with some of its differing inputs taken from B.
class Hybrids {
 public:
  Hybrids(std::shared_ptr<const Catalog> catalog, const Scenario& a, const Scenario& b)
      : catalog_(std::move(catalog)), a_(scenario::toDocument(a)), b_(scenario::toDocument(b)) {
    differences(a_, b_, Pointer(), places_);
  }
  [[nodiscard]] const std::vector<Pointer>& places() const { return places_; }
  [[nodiscard]] InputDifference input(std::size_t i) const {
    return {dotted(places_[i]), shown(find(a_, places_[i])), shown(find(b_, places_[i]))};
  }
  [[nodiscard]] std::optional<std::vector<double>> operator()(Coalition from_b) const {
    Json document = a_;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if ((from_b >> i & 1) != 0) take(document, b_, places_[i]);
    }
    const auto scenario = scenario::readScenario(document.dump(), "");
    if (!scenario) return {};
    const auto prediction = predict(catalog_, *scenario, {false, false});
    if (!prediction || !prediction->feasible) return {};
    return headlines(*prediction);
  }

 private:
  std::shared_ptr<const Catalog> catalog_;
  Json a_, b_;
  std::vector<Pointer> places_;
};

void attribute(const Hybrids& hybrids, Comparison& out) {
  const auto found = shapley(hybrids.places().size(), [&](Coalition from_b) { return hybrids(from_b); });
  if (!found) {
    out.note = "Both sides differ in more inputs than can be told apart";
    return;
  }
  out.exact = found->exact;
  for (std::size_t g = 0; g < found->groups.size(); ++g) {
    InputEffect effect;
    for (const std::size_t i : found->groups[g]) effect.paths.push_back(out.inputs[i].path);
    effect.share = found->shares[g];
    out.effects.push_back(std::move(effect));
  }
  std::stable_sort(out.effects.begin(), out.effects.end(), [](const InputEffect& x, const InputEffect& y) {
    return std::fabs(x.share[0]) > std::fabs(y.share[0]);
  });
}

}  // namespace

std::vector<InputDifference> inputDifferences(const Scenario& a, const Scenario& b) {
  const Hybrids hybrids(nullptr, a, b);
  std::vector<InputDifference> out;
  for (std::size_t i = 0; i < hybrids.places().size(); ++i) out.push_back(hybrids.input(i));
  return out;
}

Expected<Comparison> compare(const std::shared_ptr<const Catalog>& catalog, const Scenario& a,
                             const Scenario& b) {
  auto before = predict(catalog, a, {false, false});
  if (!before) return Unexpected(before.error());
  auto after = predict(catalog, b, {false, false});
  if (!after) return Unexpected(after.error());
  Comparison out;
  out.a = *std::move(before);
  out.b = *std::move(after);
  const Hybrids hybrids(catalog, a, b);
  for (std::size_t i = 0; i < hybrids.places().size(); ++i) out.inputs.push_back(hybrids.input(i));
  if (!out.a.feasible || !out.b.feasible) {
    out.note = out.a.feasible   ? "The second scenario cannot run"
               : out.b.feasible ? "The first scenario cannot run"
                                : "Neither scenario can run";
    return out;
  }
  for (const HeadlineMetric& metric : headlineMetrics())
    out.results.push_back({&metric, metric.value(out.a), metric.value(out.b)});
  if (out.inputs.empty())
    out.note = "The scenarios have the same inputs";
  else
    attribute(hybrids, out);
  return out;
}

}  // namespace decodescope::analysis
