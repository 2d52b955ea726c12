#include "panels/headline.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace decodescope::views {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
/// Smaller changes are noise to the eye.
constexpr double kSameShare = 0.01;

QString tr(const char* text) {
  return QCoreApplication::translate("Headline", text);
}

enum Index { kP50, kP99, kPerUser, kPerChip, kEnergy, kCost, kPower, kHottest };

double measuredPower_w(const Snapshot& s) {
  if (!s.rack_power_w.empty()) return std::accumulate(s.rack_power_w.begin(), s.rack_power_w.end(), 0.0);
  return s.prediction ? s.prediction->power.it_w : kUnknown;
}

/// "▲ +17 % slower": the sign of the change and what it means.
void compare(HeadlineTileContent& tile, double now, double before, const QString& before_text,
             bool less_is_better, const QString& worse, const QString& better) {
  if (!std::isfinite(before)) return;
  tile.corner = tr("A %1").arg(before_text);
  tile.corner_tone = Tone::Neutral;
  if (!std::isfinite(now) || before == 0) return;
  const double change = now / before - 1;
  if (std::abs(change) < kSameShare) {
    tile.note = tr("as A");
    tile.note_tone = Tone::Neutral;
    return;
  }
  const bool is_better = (change < 0) == less_is_better;
  tile.short_note = (change > 0 ? QStringLiteral("▲ ") : QStringLiteral("▼ ")) + changeText(now, before);
  tile.note = tile.short_note + QLatin1Char(' ') + (is_better ? better : worse);
  tile.note_tone = is_better ? Tone::Better : Tone::Worse;
}

HeadlineTileContent p50Tile(const Snapshot& s, const HeadlineValues& v, TimeUnit unit) {
  HeadlineTileContent t;
  t.quantity = QStringLiteral("tpot_s");
  t.title = tr("TPOT p50, time per output token");
  t.short_title = tr("TPOT p50");
  t.value = timeText(v[kP50], unit);
  if (s.tpot.count > 0) t.note = tr("p95 %1").arg(timeText(s.tpot.p95_s, unit).number);
  return t;
}

HeadlineTileContent p99Tile(const Snapshot& s, const HeadlineValues& v, TimeUnit unit) {
  HeadlineTileContent t;
  t.quantity = QStringLiteral("tpot_s");
  t.title = t.short_title = tr("TPOT p99");
  t.value = timeText(v[kP99], unit);
  // A p99 of few tokens is a maximum by another name.
  if (s.tpot.count > 0 && s.tpot.count < 100) t.title = tr("TPOT p99 of %1 tokens").arg(s.tpot.count);
  if (!s.scenario || !std::isfinite(v[kP99])) return t;
  const double slo_s = s.scenario->workload.slo_tpot_ms / 1e3;
  const double left_s = slo_s - v[kP99];
  const QString slo = timeText(slo_s, unit).number;
  t.note = left_s >= 0 ? tr("SLO %1: %2 left").arg(slo, timeText(left_s, unit, 2).number)
                       : tr("SLO %1 missed").arg(slo);
  t.short_note = left_s >= 0 ? tr("SLO %1").arg(slo) : tr("SLO missed");
  t.note_tone = left_s >= 0 ? Tone::Neutral : Tone::Worse;
  return t;
}

HeadlineTileContent perUserTile(const Snapshot& s, const HeadlineValues& v) {
  HeadlineTileContent t;
  t.quantity = QStringLiteral("output_tokens_per_s_per_user");
  t.title = tr("Output speed per user");
  t.short_title = tr("Per user");
  t.value = {numberText(v[kPerUser]), QStringLiteral("tok/s")};
  const double users = s.serving.running > 0 ? static_cast<double>(s.serving.running)
                       : s.prediction        ? s.prediction->concurrency
                                             : 0;
  if (users > 0) t.note = tr("%1 users").arg(countText(users));
  return t;
}

HeadlineTileContent perChipTile(const Snapshot& s, const HeadlineValues& v) {
  HeadlineTileContent t;
  t.quantity = QStringLiteral("output_tokens_per_s_per_chip");
  t.title =
      s.scenario ? tr("Output per chip, all %1").arg(countText(s.scenario->chips)) : tr("Output per chip");
  t.short_title = tr("Per chip");
  t.value = {numberText(v[kPerChip]), QStringLiteral("tok/s")};
  if (s.output_tokens_per_s > 0)
    t.note = tr("%1 total").arg(shortCountText(std::round(s.output_tokens_per_s)));
  return t;
}

HeadlineTileContent energyTile(const Snapshot&, const HeadlineValues& v) {
  HeadlineTileContent t;
  t.quantity = QStringLiteral("joules_per_token");
  t.title = tr("Energy, IT power");
  t.short_title = tr("Energy");
  t.value = {numberText(v[kEnergy]), QStringLiteral("J/token")};
  if (v[kEnergy] > 0) t.note = tr("%1 tok/J").arg(numberText(1 / v[kEnergy]));
  return t;
}

HeadlineTileContent costTile(const Snapshot& s, const HeadlineValues& v) {
  HeadlineTileContent t;
  t.quantity = QStringLiteral("cost.usd_per_million_output_tokens");
  t.title = tr("Cost, output tokens");
  t.short_title = tr("Cost");
  t.value = {numberText(v[kCost]), QStringLiteral("$/Mtok")};
  if (s.prediction && s.scenario && s.scenario->chips > 0 && s.prediction->cost.usd_per_hour > 0)
    t.note = tr("$%1/chip-h").arg(fixedText(s.prediction->cost.usd_per_hour / s.scenario->chips, 2));
  return t;
}

HeadlineTileContent powerTile(const Snapshot& s, const HeadlineValues& v) {
  HeadlineTileContent t;
  t.quantity = QStringLiteral("power.rack_w");
  const std::size_t racks = s.rack_power_w.size();
  t.title = racks > 1 ? tr("Power, %1 racks").arg(countText(static_cast<double>(racks))) : tr("Rack power");
  t.short_title = racks > 1 ? tr("Power") : t.title;
  t.value = powerText(v[kPower]);
  const double cap_w = s.prediction ? s.prediction->power.rack_cap_w : 0;
  if (cap_w <= 0) return t;
  const double worst_w =
      racks > 0 ? *std::max_element(s.rack_power_w.begin(), s.rack_power_w.end()) : v[kPower];
  t.corner = racks > 1 ? tr("cap %1 a rack").arg(powerText(cap_w, 3).text())
                       : tr("cap %1").arg(powerText(cap_w, 3).text());
  t.bar_ratio = worst_w / cap_w;
  if (t.bar_ratio > 1) t.corner_tone = Tone::Worse;
  return t;
}

HeadlineTileContent hottestTile(const Snapshot& s, const HeadlineValues& v) {
  HeadlineTileContent t;
  t.quantity = QStringLiteral("thermal.max_chip_c");
  t.title = t.short_title = tr("Hottest chip");
  if (s.topology && !s.chip_temperature_c.empty()) {
    const auto chip = static_cast<std::uint32_t>(hottestChip(s));
    t.title = tr("Hottest: %1").arg(QString::fromStdString(nodeLabel(*s.topology, NodeId{chip})));
  }
  t.value = temperatureText(v[kHottest]);
  if (const int throttled = throttledChips(s); throttled > 0) {
    t.corner = throttled == 1 ? tr("throttled") : tr("%1 throttled").arg(countText(throttled));
    t.corner_tone = Tone::Warning;
  }
  if (!s.chip_temperature_c.empty()) {
    const double sum = std::accumulate(s.chip_temperature_c.begin(), s.chip_temperature_c.end(), 0.0);
    t.note = tr("mean %1").arg(fixedText(sum / static_cast<double>(s.chip_temperature_c.size()), 1));
  }
  return t;
}

void compareAll(std::vector<HeadlineTileContent>& tiles, const HeadlineValues& now, const HeadlineValues& a,
                TimeUnit unit) {
  const QString worse = tr("worse"), better = tr("better");
  compare(tiles[kP50], now[kP50], a[kP50], timeText(a[kP50], unit).number, true, tr("slower"), tr("faster"));
  compare(tiles[kP99], now[kP99], a[kP99], timeText(a[kP99], unit).number, true, tr("slower"), tr("faster"));
  compare(tiles[kPerUser], now[kPerUser], a[kPerUser], numberText(a[kPerUser]), false, tr("slower"),
          tr("faster"));
  compare(tiles[kPerChip], now[kPerChip], a[kPerChip], numberText(a[kPerChip]), false, worse, better);
  compare(tiles[kEnergy], now[kEnergy], a[kEnergy], numberText(a[kEnergy]), true, worse, better);
  compare(tiles[kCost], now[kCost], a[kCost], numberText(a[kCost]), true, worse, better);
  compare(tiles[kPower], now[kPower], a[kPower], powerText(a[kPower]).text(), true, tr("more"), tr("less"));
  compare(tiles[kHottest], now[kHottest], a[kHottest], temperatureText(a[kHottest]).number, true,
          tr("hotter"), tr("cooler"));
  tiles[kPower].bar_ratio = -1;
}

}  // namespace

std::size_t hottestChip(const Snapshot& s) {
  const auto hottest = std::max_element(s.chip_temperature_c.begin(), s.chip_temperature_c.end());
  return hottest == s.chip_temperature_c.end()
             ? 0
             : static_cast<std::size_t>(hottest - s.chip_temperature_c.begin());
}

int throttledChips(const Snapshot& s) {
  return static_cast<int>(
      std::count_if(s.chip_throttle.begin(), s.chip_throttle.end(), [](auto bits) { return bits != 0; }));
}

HeadlineValues headlineValues(const Prediction& p) {
  HeadlineValues v;
  v.fill(kUnknown);
  if (!p.feasible) return v;
  v[kP50] = p.tpot_s;
  v[kPerUser] = p.output_tokens_per_s_per_user;
  v[kPerChip] = p.output_tokens_per_s_per_chip;
  v[kEnergy] = p.joules_per_token;
  v[kCost] = p.cost.usd_per_million_output_tokens;
  v[kPower] = p.power.it_w;
  v[kHottest] = p.thermal.max_chip_c;
  return v;
}

HeadlineValues headlineValues(const Snapshot& s) {
  HeadlineValues v;
  v.fill(kUnknown);
  const bool runs = !s.prediction || s.prediction->feasible;
  if (s.prediction) v = headlineValues(*s.prediction);
  if (!runs) return v;
  if (s.tpot.count > 0) {
    v[kP50] = s.tpot.p50_s;
    v[kP99] = s.tpot.p99_s;
  }
  if (s.output_tokens_per_s > 0) {
    if (s.serving.running > 0) v[kPerUser] = s.output_tokens_per_s / static_cast<double>(s.serving.running);
    if (s.scenario && s.scenario->chips > 0) v[kPerChip] = s.output_tokens_per_s / s.scenario->chips;
  }
  v[kPower] = measuredPower_w(s);
  if (!s.chip_temperature_c.empty()) v[kHottest] = static_cast<double>(s.chip_temperature_c[hottestChip(s)]);
  return v;
}

std::vector<HeadlineTileContent> headlineTiles(const Snapshot& s, const HeadlineValues* pinned) {
  const HeadlineValues v = headlineValues(s);
  // p50 and p99 are read against each other: one unit for both.
  const TimeUnit unit = timeUnitFor(std::isfinite(v[kP50]) ? v[kP50] : 1e-3);
  std::vector<HeadlineTileContent> tiles{p50Tile(s, v, unit), p99Tile(s, v, unit), perUserTile(s, v),
                                         perChipTile(s, v),   energyTile(s, v),    costTile(s, v),
                                         powerTile(s, v),     hottestTile(s, v)};
  if (pinned != nullptr) compareAll(tiles, v, *pinned, unit);
  return tiles;
}

}  // namespace decodescope::views
