// Errors by group, and whether the order of configurations is right.
#include "analysis/validate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace decodescope::analysis {
namespace {

/// Value below which `share` of the sorted values lie, between neighbours linearly.
double quantile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

struct Sample {
  std::vector<double> errors, ratios;
  int skipped = 0;
};

ErrorGroup groupOf(std::string by, std::string name, Sample& s) {
  std::sort(s.errors.begin(), s.errors.end());
  std::sort(s.ratios.begin(), s.ratios.end());
  ErrorGroup g;
  g.by = std::move(by);
  g.name = std::move(name);
  g.count = static_cast<int>(s.errors.size());
  g.skipped = s.skipped;
  g.median_abs_pct = quantile(s.errors, 0.5);
  g.p90_abs_pct = quantile(s.errors, 0.9);
  g.bias_pct = s.ratios.empty() ? 0 : 100 * (quantile(s.ratios, 0.5) - 1);
  return g;
}

}  // namespace

std::vector<ErrorGroup> errorGroups(const std::vector<PointResult>& results) {
  using Key = std::function<std::string(const PointResult&)>;
  const std::pair<const char*, Key> columns[] = {
      {"all", [](const PointResult&) { return std::string("all"); }},
      {"tier", [](const PointResult& r) { return r.point.tier; }},
      {"metric", [](const PointResult& r) { return r.point.metric; }},
      {"chip", [](const PointResult& r) { return r.chip; }},
      {"model", [](const PointResult& r) { return r.model; }},
      {"engine", [](const PointResult& r) { return r.engine; }},
      {"model_kind", [](const PointResult& r) { return r.model_kind; }},
      {"vendor", [](const PointResult& r) { return r.vendor; }},
      {"source", [](const PointResult& r) { return r.point.source; }},
  };
  std::vector<ErrorGroup> out;
  for (const auto& [by, key] : columns) {
    std::map<std::string, Sample> samples;
    for (const PointResult& r : results) {
      Sample& s = samples[key(r)];
      if (!r.ok) {
        ++s.skipped;
        continue;
      }
      s.errors.push_back(r.abs_error_pct);
      s.ratios.push_back(r.ratio);
    }
    for (auto& [name, sample] : samples)
      out.push_back(groupOf(by, name.empty() ? "not stated" : name, sample));
  }
  return out;
}

std::vector<SourceRanking> rankings(const std::vector<PointResult>& results) {
  std::map<std::string, std::vector<const PointResult*>> sources;
  for (const PointResult& r : results) {
    if (r.ok) sources[r.point.source].push_back(&r);
  }
  std::vector<SourceRanking> out;
  for (const auto& [source, rows] : sources) {
    long agree = 0, differ = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = i + 1; j < rows.size(); ++j) {
        if (rows[i]->point.metric != rows[j]->point.metric) continue;
        const double measured = rows[i]->point.value - rows[j]->point.value;
        const double predicted = rows[i]->predicted - rows[j]->predicted;
        if (measured == 0) continue;
        if (measured * predicted > 0) ++agree;
        if (measured * predicted < 0) ++differ;
      }
    }
    if (agree + differ == 0) continue;
    out.push_back({source, static_cast<int>(agree + differ),
                   static_cast<double>(agree - differ) / static_cast<double>(agree + differ)});
  }
  return out;
}

}  // namespace decodescope::analysis
