// The catalog: loads, every value has a source, entries agree with each other and with published facts.
#include "catalog/catalog.h"
#include "catalog/describe.h"

#include <QtTest>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace decodescope;

namespace {

const std::filesystem::path kShipped = DECODESCOPE_SOURCE_DIR "/resources/catalog";

Expected<std::shared_ptr<const Catalog>> loadFrom(std::vector<std::filesystem::path> folders,
                                                  Warnings* warnings = nullptr) {
  return Catalog::load(folders, warnings);
}

}  // namespace

class TstCatalog : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void load_shipped_hasEveryEntryAndNoWarning();
  void values_all_haveASource();
  void values_estimates_sayHow();
  void chips_limitsAndRates_areOrdered();
  void chips_publishedFacts_data();
  void chips_publishedFacts();
  void systems_links_addUpToTheChip();
  void systems_publishedFacts();
  void systems_layout_addsUpToTheRack();
  void systems_everyChip_isSoldInOne();
  void aliases_nameTheSameEntry();
  void lookup_unknownId_namesTheNearest();
  void listing_hasDefaultsOfEverySystem();
  void describe_convertsAlternatives();
  void modelFiles_holdNoComputedCounts();

 private:
  std::shared_ptr<const Catalog> catalog_;
};

void TstCatalog::initTestCase() {
  auto loaded = loadFrom({kShipped});
  QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().text().c_str());
  catalog_ = *loaded;
}

void TstCatalog::load_shipped_hasEveryEntryAndNoWarning() {
  Warnings warnings;
  QVERIFY(loadFrom({kShipped}, &warnings));
  QVERIFY2(warnings.empty(), warnings.empty() ? "" : warnings[0].text().c_str());
  QCOMPARE(catalog_->chips().size(), std::size_t{26});
  QCOMPARE(catalog_->models().size(), std::size_t{29});
  for (const char* id : {"dgx-a100",      "dgx-h100",    "hgx-h200",          "dgx-b200",
                         "gb200-nvl72",   "gb300-nvl72", "gb200-nvl36x2",     "gh200-nvl32",
                         "dgx-gh200-256", "vr-nvl72",    "rubin-ultra-kyber", "tpu-v4-pod",
                         "tpu-v5e-pod",   "tpu-v6e-pod", "tpu-v5p-pod",       "tpu-v7-pod",
                         "mi300x-8",      "mi355x-8",    "trn2-ultraserver",  "cloudmatrix-384",
                         "nvl576"}) {
    QVERIFY2(catalog_->system(id), id);
  }
  for (const char* id : {"vllm", "sglang", "trtllm", "generic"}) QVERIFY2(catalog_->engine(id), id);
  QVERIFY((*catalog_->system("nvl576"))->modelled);
}

void TstCatalog::values_all_haveASource() {
  const auto check = [&](catalog::EntryKind kind, const std::string& id, std::size_t least) {
    const auto entry = catalog::describe(*catalog_, kind, id);
    QVERIFY(entry);
    QVERIFY2(entry->values.size() >= least, id.c_str());
    for (const catalog::DescribedValue& value : entry->values) {
      QVERIFY2(!value.source.title.empty(), (id + " " + value.name).c_str());
    }
  };
  for (const ChipSpec& c : catalog_->chips()) check(catalog::EntryKind::Chip, c.id, 24);
  for (const SystemSpec& s : catalog_->systems()) check(catalog::EntryKind::System, s.id, 25);
  for (const ModelSpec& m : catalog_->models()) check(catalog::EntryKind::Model, m.id, 20);
  for (const EngineSpec& e : catalog_->engines()) check(catalog::EntryKind::Engine, e.id, 8);
}

void TstCatalog::values_estimates_sayHow() {
  // A value of our own without a word on how it came about is a number out of thin air.
  for (const ChipSpec& c : catalog_->chips()) {
    for (const auto& [name, source] : c.sources) {
      const bool ours = source.title.starts_with("our estimate");
      if (name == "idle_w" || name.starts_with("scale_up_kind")) continue;
      QVERIFY2(!ours || !source.note.empty() || name == "memory_bytes" || name == "launch_year" ||
                   source.confidence == Confidence::Estimate,
               (c.id + " " + name).c_str());
      QVERIFY2(!ours || source.confidence == Confidence::Estimate || source.confidence == Confidence::Derived,
               (c.id + " " + name).c_str());
    }
  }
}

void TstCatalog::chips_limitsAndRates_areOrdered() {
  for (const ChipSpec& c : catalog_->chips()) {
    QVERIFY2(c.max_operating_c > 0 && c.max_operating_c <= c.throttle_c && c.throttle_c <= c.shutdown_c,
             c.id.c_str());
    QVERIFY2(c.idle_w > 0 && c.idle_w < c.tdp_w, c.id.c_str());
    QVERIFY2(c.fp8_flop_per_s == 0 || c.fp8_flop_per_s >= c.bf16_flop_per_s, c.id.c_str());
    QVERIFY2(c.fp4_flop_per_s == 0 || c.fp4_flop_per_s >= c.fp8_flop_per_s, c.id.c_str());
    QVERIFY2(c.scale_up_bytes_per_s > 0 && c.scale_out_bytes_per_s > 0 && c.host_bytes_per_s > 0,
             c.id.c_str());
    QVERIFY2(c.l2_bytes > 0 && c.sm_count > 0 && !c.family.empty(), c.id.c_str());
    QVERIFY2(c.peakFlopPerS(Dtype::Mxfp4) >= c.bf16_flop_per_s,
             c.id.c_str());  // 4-bit weights always compute
  }
}

void TstCatalog::chips_publishedFacts_data() {
  QTest::addColumn<QString>("id");
  QTest::addColumn<QString>("name");
  QTest::addColumn<double>("value");
  const auto row = [](const char* id, const char* name, double value) {
    QTest::addRow("%s %s", id, name) << id << name << value;
  };
  row("h100-sxm", "tdp_w", 700);  // datasheets
  row("h100-sxm", "memory_bandwidth_bytes_per_s", 3.35e12);
  row("h100-sxm", "memory_bytes", 80.0 * 1073741824);  // 80 GiB
  row("h100-sxm", "sm_count", 132);
  row("h100-sxm", "max_operating_c", 87);  // nvidia-smi: 87 / 89 / 95
  row("h100-sxm", "throttle_c", 89);
  row("h100-sxm", "shutdown_c", 95);
  row("h200-sxm", "memory_bandwidth_bytes_per_s", 4.8e12);
  row("b200-sxm", "tdp_w", 1000);
  row("b200-sxm", "max_operating_c", 88);  // nvidia-smi: 88 / 91 / 93
  row("b200-sxm", "throttle_c", 91);
  row("b200-sxm", "shutdown_c", 93);
  row("b200-sxm", "memory_bandwidth_bytes_per_s", 7.7e12);
  row("gb200", "tdp_w", 1200);
  row("gb200", "bf16_flop_per_s", 2.5e15);
  row("gb200", "fp4_flop_per_s", 10e15);
  row("gb200", "scale_up_bytes_per_s", 900e9);
  row("gb200", "shutdown_c", 93);
  row("a100-80g", "sm_count", 108);
  row("a100-80g", "scale_up_bytes_per_s", 300e9);
  row("mi300x", "scale_up_bytes_per_s", 448e9);  // 7 x 64
  row("mi300x", "sm_count", 304);
  row("tpu-v4", "scale_up_bytes_per_s", 270e9);   // 6 x 45, scaling book
  row("tpu-v5p", "scale_up_bytes_per_s", 540e9);  // 6 x 90
  row("tpu-v5e", "bf16_flop_per_s", 197e12);
  row("gb200", "usd_per_hour", 2.21);  // InferenceX, April 2026
  row("h100-sxm", "all_in_kw", 1.73);
}

void TstCatalog::chips_publishedFacts() {
  QFETCH(QString, id);
  QFETCH(QString, name);
  QFETCH(double, value);
  const auto entry = catalog::describe(*catalog_, catalog::EntryKind::Chip, id.toStdString());
  QVERIFY(entry);
  for (const catalog::DescribedValue& row : entry->values) {
    if (row.name != name.toStdString()) continue;
    QVERIFY(std::fabs(std::get<double>(row.value) - value) <= 1e-9 * value);
    return;
  }
  QFAIL("no such value");
}

void TstCatalog::systems_links_addUpToTheChip() {
  for (const SystemSpec& s : catalog_->systems()) {
    const ChipSpec& chip = **catalog_->chip(s.chip);
    const ScaleUpGraph& g = s.graph;
    double out = 0;
    if (g.builder == "star" || g.builder == "two-tier") {
      for (const int links : g.planes) out += links * g.link_bytes_per_s;
    } else if (g.builder == "full-mesh") {
      out = (s.chips - 1) * g.links_per_pair * g.link_bytes_per_s;
    } else if (g.builder == "torus") {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double link =
            g.axis_link_bytes_per_s[axis] > 0 ? g.axis_link_bytes_per_s[axis] : g.link_bytes_per_s;
        if (g.torus_dims[axis] > 1) out += 2 * link;
      }
    } else {
      continue;  // wired by their own builders
    }
    QVERIFY2(std::fabs(out - chip.scale_up_bytes_per_s) < 1e-3 * out, s.id.c_str());
  }
}

void TstCatalog::systems_publishedFacts() {
  const SystemSpec& nvl72 = **catalog_->system("gb200-nvl72");
  QCOMPARE(nvl72.graph.planes.size(), std::size_t{18});
  QCOMPARE(nvl72.weight_kg, 1360.0);
  QCOMPARE(nvl72.rack_power_max_w, 132e3);
  QCOMPARE(nvl72.switch_power_w, 11160.0);  // 9 x 1.24 kW
  QCOMPARE(nvl72.interconnect_capex_share, 0.13);
  const SystemSpec& h100 = **catalog_->system("dgx-h100");
  QCOMPARE(h100.graph.planes, (std::vector<int>{5, 4, 4, 5}));
  QCOMPARE(h100.rack_power_max_w, 10.2e3);
  const SystemSpec& nvl576 = **catalog_->system("nvl576");
  QCOMPARE(nvl576.chips, 576);
  QCOMPARE(nvl576.graph.groups * nvl576.graph.chips_per_group, 576);
  // Non-blocking: up-links of a first-tier switch equal its down-links.
  QCOMPARE(nvl576.graph.l2_switches_per_plane * nvl576.graph.links_per_pair, nvl576.graph.chips_per_group);
  const SystemSpec& v4 = **catalog_->system("tpu-v4-pod");
  QCOMPARE(v4.graph.torus_dims, (std::array<int, 3>{16, 16, 16}));
  QCOMPARE(v4.graph.link_bytes_per_s, 45e9);
}

void TstCatalog::systems_layout_addsUpToTheRack() {
  for (const SystemSpec& s : catalog_->systems()) {
    std::istringstream order(s.layout.order);
    int units = 0, compute = 0, switches = 0, power = 0;
    for (std::string part; order >> part;) {
      const auto colon = part.find(':');
      const std::string kind = part.substr(0, colon);
      const int count = std::stoi(part.substr(colon + 1));
      units += count * (kind == "compute" ? s.layout.tray_units : 1);
      if (kind == "compute") compute += count;
      if (kind == "switch") switches += count;
      if (kind == "power") power += count;
    }
    QVERIFY2(units == s.layout.units, s.id.c_str());
    QVERIFY2(compute == s.layout.compute_trays, s.id.c_str());
    QVERIFY2(switches == s.layout.switch_trays, s.id.c_str());
    QVERIFY2(power == s.layout.power_shelves, s.id.c_str());
    QVERIFY2(s.layout.racks * compute * s.layout.chips_per_tray == s.chips, s.id.c_str());
    QVERIFY2(s.cooling == "air" ? s.liquid_heat_ratio == 0
                                : s.flow_l_per_min_per_chip > 0 && s.liquid_heat_ratio > 0.5,
             s.id.c_str());
    QVERIFY2(s.supply_c <= s.supply_max_c, s.id.c_str());
    QVERIFY2(s.rack_power_typical_w <= s.rack_power_max_w && s.rack_power_max_w > 0, s.id.c_str());
  }
}

void TstCatalog::systems_everyChip_isSoldInOne() {
  for (const ChipSpec& c : catalog_->chips()) {
    const auto systems = catalog_->systems();
    QVERIFY2(std::any_of(systems.begin(), systems.end(), [&](const SystemSpec& s) { return s.chip == c.id; }),
             c.id.c_str());
  }
}

void TstCatalog::aliases_nameTheSameEntry() {
  QCOMPARE(*catalog_->system("hgx-h100"), *catalog_->system("dgx-h100"));
  QCOMPARE(*catalog_->system("hgx-b200"), *catalog_->system("dgx-b200"));
  QCOMPARE(*catalog_->model("deepseek-r1"), *catalog_->model("deepseek-v3"));
  QCOMPARE(*catalog_->engine("tensorrt-llm"), *catalog_->engine("trtllm"));
}

void TstCatalog::lookup_unknownId_namesTheNearest() {
  const auto chip = catalog_->chip("h100");
  QVERIFY(!chip);
  QCOMPARE(chip.error().code, ErrorCode::NotFound);
  QVERIFY(chip.error().remedy.find("h100-sxm") != std::string::npos);
  QVERIFY(catalog_->model("llama3.1-70").error().remedy.find("llama3.1-70b") != std::string::npos);
  QVERIFY(catalog_->system("potato").error().remedy.find("catalog systems") != std::string::npos);
}

void TstCatalog::listing_hasDefaultsOfEverySystem() {
  const CatalogListing listing = catalog_->listing();
  QCOMPARE(listing.systems.size(), catalog_->systems().size());
  for (const CatalogItem& item : listing.systems) {
    QVERIFY2(!item.name.empty() && !item.detail.empty(), item.id.c_str());
    QVERIFY2(listing.system_defaults.at(item.id).at("chips") > 0, item.id.c_str());
  }
  QCOMPARE(listing.system_defaults.at("gb200-nvl72").find("physical.rack_power_cap_kw")->second, 132.0);
  QCOMPARE(listing.system_defaults.at("hgx-h100").find("chips")->second, 8.0);
}

void TstCatalog::describe_convertsAlternatives() {
  const auto entry = catalog::describe(*catalog_, catalog::EntryKind::Chip, "h100-sxm");
  QVERIFY(entry);
  for (const catalog::DescribedValue& row : entry->values) {
    if (row.name != "bf16_flop_per_s") continue;
    QVERIFY(!row.alternatives.empty());
    QVERIFY(std::fabs(row.alternatives[0].value - 989e12) < 1e9);  // in SI like the value itself
    QVERIFY(!row.alternatives[0].source.title.empty());
  }
}

void TstCatalog::modelFiles_holdNoComputedCounts() {
  const std::string text = [] {
    std::ifstream file(kShipped / "models.json");
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  for (const char* key : {"params_computed", "kv_cache", "bytes_per_token", "parameters_total"}) {
    QVERIFY2(text.find(key) == std::string::npos, key);
  }
}

QTEST_GUILESS_MAIN(TstCatalog)
#include "tst_catalog.moc"
