// The parameter table: every row reads, writes and refuses; --set does what the slider does.
#include "catalog/catalog.h"
#include "scenario/overrides.h"
#include "scenario/scenario_json.h"

#include <decodescope/parameters.h>

#include <rapidcheck.h>

#include <QtTest>
#include <cmath>
#include <filesystem>
#include <set>

using namespace decodescope;

namespace {

double number(const ParameterValue& value) {
  return std::get<double>(value);
}
std::string text(const ParameterValue& value) {
  return std::get<std::string>(value);
}

}  // namespace

class TstParameters : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void table_rows_areComplete();
  void table_firstRows_areContextAndClusterSize();
  void rows_numbers_readBackWhatWasWritten();
  void rows_numbers_refuseBeyondHardRange();
  void rows_choices_readBackWhatWasWritten();
  void rows_choices_refuseOthers();
  void rows_wrongKind_isRefused();
  void rows_anyChange_leavesTheRestAlone();
  void rows_set_agreesWithThePath();
  void rows_unset_takeTheSystemsValue();
  void context_closedLoop_movesThePrompt();
  void context_anyLength_isReachedExactly();
  void context_staticMode_isTheContext();
  void mode_switch_keepsTheContext();
  void system_change_bringsItsOwnMachine();
  void system_change_keepsAPart();
  void speculation_zeroTurnsItOff();
  void applySet_wrongAssignments_areErrors_data();
  void applySet_wrongAssignments_areErrors();
  void applySet_nestedKeys();
  void applySet_empty_takesAnOptionalBack();

 private:
  CatalogListing listing_;
  const ParameterDescriptor& row(const char* path) const { return *findParameter(path); }
  Scenario with(const Scenario& s, const char* path, const ParameterValue& value) const {
    return withParameter(s, row(path), value, listing_).value();
  }
};

void TstParameters::initTestCase() {
  const std::filesystem::path folder = DECODESCOPE_SOURCE_DIR "/resources/catalog";
  const auto catalog = Catalog::load({&folder, 1});
  QVERIFY2(catalog.has_value(), catalog ? "" : catalog.error().text().c_str());
  listing_ = (*catalog)->listing();
}

void TstParameters::table_rows_areComplete() {
  QVERIFY(parameterTable().size() >= 30);
  std::set<std::string_view> paths;
  const std::set<std::string_view> sections{"Workload", "Model", "Cluster", "Physical", "Cost"};
  int basic = 0;
  for (const ParameterDescriptor& p : parameterTable()) {
    const std::string name(p.path);
    QVERIFY2(paths.insert(p.path).second, name.c_str());
    QVERIFY2(!p.label.empty() && p.help.ends_with(".") && sections.contains(p.section), name.c_str());
    basic += p.basic ? 1 : 0;
    if (p.scale == ParameterScale::Choice) continue;
    QVERIFY2(p.hard_min <= p.soft_min && p.soft_min < p.soft_max && p.soft_max <= p.hard_max, name.c_str());
    QVERIFY2(p.scale == ParameterScale::Linear || p.scale == ParameterScale::Switch || p.soft_min > 0,
             name.c_str());
    QVERIFY2(std::is_sorted(p.stops.begin(), p.stops.end()), name.c_str());
    QCOMPARE(findParameter(p.path)->path, p.path);
  }
  QVERIFY(basic >= 6 && basic <= 9);
  QVERIFY(findParameter("no.such") == nullptr);
}

void TstParameters::table_firstRows_areContextAndClusterSize() {
  QCOMPARE(parameterTable()[0].label, std::string_view("Context length"));
  QCOMPARE(parameterTable()[0].hard_max, 16777216.0);
  QCOMPARE(parameterTable()[1].label, std::string_view("Cluster size"));
  QCOMPARE(parameterTable()[1].hard_max, 1e6);
}

void TstParameters::rows_numbers_readBackWhatWasWritten() {
  for (const ParameterDescriptor& p : parameterTable()) {
    if (p.scale == ParameterScale::Choice) continue;
    for (const double value : {p.soft_min, p.soft_max, p.hard_min, p.hard_max}) {
      const auto changed = withParameter(Scenario{}, p, value, listing_);
      QVERIFY2(changed.has_value(), changed ? "" : changed.error().text().c_str());
      // 0 of the fabric's rate means the system's own.
      if (p.path == "fabric.gb_per_s_per_chip" && value == 0) continue;
      QCOMPARE(number(parameterValue(*changed, p, listing_)), value);
    }
  }
}

void TstParameters::rows_numbers_refuseBeyondHardRange() {
  for (const ParameterDescriptor& p : parameterTable()) {
    if (p.scale == ParameterScale::Choice) continue;
    const double beyond = 1 + std::abs(p.hard_max);
    for (const double value : {p.hard_min - beyond, p.hard_max + beyond, std::nan(""), HUGE_VAL}) {
      const auto changed = withParameter(Scenario{}, p, value, listing_);
      QVERIFY2(!changed, std::string(p.path).c_str());
      QCOMPARE(changed.error().field, std::string(p.path));
      QVERIFY(changed.error().remedy.find("from") != std::string::npos);
    }
    if (p.integral)
      QVERIFY2(!withParameter(Scenario{}, p, p.hard_min + 0.5, listing_), std::string(p.path).c_str());
  }
}

void TstParameters::rows_choices_readBackWhatWasWritten() {
  for (const ParameterDescriptor& p : parameterTable()) {
    if (p.scale != ParameterScale::Choice) continue;
    const auto choices = parameterChoices(p, listing_);
    QVERIFY2(choices.size() >= 2, std::string(p.path).c_str());
    for (const CatalogItem& item : choices) {
      QVERIFY(!item.name.empty());
      const auto changed = withParameter(Scenario{}, p, item.id, listing_);
      QVERIFY2(changed.has_value(), changed ? "" : changed.error().text().c_str());
      QCOMPARE(text(parameterValue(*changed, p, listing_)), item.id);
    }
  }
}

void TstParameters::rows_choices_refuseOthers() {
  for (const ParameterDescriptor& p : parameterTable()) {
    if (p.scale != ParameterScale::Choice) continue;
    const auto changed = withParameter(Scenario{}, p, std::string("bogus"), listing_);
    QVERIFY2(!changed, std::string(p.path).c_str());
    QVERIFY2(!changed.error().remedy.empty(), std::string(p.path).c_str());
  }
  QVERIFY(withParameter(Scenario{}, row("model"), std::string("llama3.1-70"), listing_)
              .error()
              .remedy.find("llama3.1-70b") != std::string::npos);
}

void TstParameters::rows_wrongKind_isRefused() {
  QVERIFY(!withParameter(Scenario{}, row("chips"), std::string("many"), listing_));
  QVERIFY(!withParameter(Scenario{}, row("model"), 7.0, listing_));
}

void TstParameters::rows_anyChange_leavesTheRestAlone() {
  // What moves together by design.
  const std::set<std::string_view> coupled{"workload.context_tokens",
                                           "workload.prompt_tokens",
                                           "workload.output_tokens",
                                           "workload.mode",
                                           "system",
                                           "parallel",
                                           "serving.speculation.acceptance_ratio"};
  Scenario base;
  base.parallel = ParallelDegrees{};
  base.serving.speculation = Speculation{};
  QVERIFY(rc::check("one row changes one value", [&] {
    const ParameterDescriptor& p =
        parameterTable()[*rc::gen::inRange<std::size_t>(0, parameterTable().size())];
    if (coupled.contains(p.path) || p.path == "serving.speculation.draft_tokens") return;
    const ParameterValue value = p.scale == ParameterScale::Choice
                                     ? ParameterValue(parameterChoices(p, listing_).back().id)
                                     : ParameterValue(p.soft_min);
    const auto changed = withParameter(base, p, value, listing_);
    RC_ASSERT(changed.has_value());
    for (const ParameterDescriptor& other : parameterTable()) {
      if (other.path == p.path) continue;
      RC_ASSERT(parameterValue(*changed, other, listing_) == parameterValue(base, other, listing_));
    }
  }));
}

void TstParameters::rows_set_agreesWithThePath() {
  for (const ParameterDescriptor& p : parameterTable()) {
    const ParameterValue value = p.scale == ParameterScale::Choice
                                     ? ParameterValue(parameterChoices(p, listing_).back().id)
                                     : ParameterValue(p.soft_max);
    if (p.path == "system" || p.path == "workload.mode")
      continue;  // the slider knows the catalog; trace needs a file
    const std::string shown = p.scale == ParameterScale::Choice
                                  ? text(value)
                                  : QString::number(number(value), 'g', 17).toStdString();
    const auto by_path = scenario::applySet(Scenario{}, std::string(p.path) + "=" + shown);
    const auto by_slider = withParameter(Scenario{}, p, value, listing_);
    QVERIFY2(by_path.has_value(), by_path ? "" : by_path.error().text().c_str());
    QVERIFY2(*by_path == *by_slider, std::string(p.path).c_str());
    const bool may_be_unset = !isParameterSet(Scenario{}, p);
    QVERIFY2(!may_be_unset || isParameterSet(*by_slider, p), std::string(p.path).c_str());
  }
}

void TstParameters::rows_unset_takeTheSystemsValue() {
  Scenario s;  // GB200 NVL72
  QVERIFY(!isParameterSet(s, row("physical.rack_power_cap_kw")));
  QCOMPARE(number(parameterValue(s, row("physical.rack_power_cap_kw"), listing_)), 132.0);
  QCOMPARE(number(parameterValue(s, row("chip.memory_bandwidth_gb_per_s"), listing_)), 8000.0);
  QCOMPARE(number(parameterValue(s, row("system.scale_up.link_gb_per_s"), listing_)), 50.0);
  s.system = "dgx-h100";
  QCOMPARE(number(parameterValue(s, row("chip.memory_bandwidth_gb_per_s"), listing_)), 3350.0);
  s = with(s, "chip.memory_bandwidth_gb_per_s", 4000.0);
  QVERIFY(isParameterSet(s, row("chip.memory_bandwidth_gb_per_s")));
  s = with(s, "chip.memory_bandwidth_gb_per_s", 5000.0);
  QCOMPARE(s.overrides.size(), std::size_t{1});
}

void TstParameters::context_closedLoop_movesThePrompt() {
  Scenario s;
  QCOMPARE(number(parameterValue(s, row("workload.context_tokens"), listing_)), 8192.0 + 512);
  s = with(s, "workload.context_tokens", 131072.0);
  QCOMPARE(s.workload.prompt.mean_tokens, 131072.0 - 512);
  QCOMPARE(s.workload.output.mean_tokens, 1024.0);
}

void TstParameters::context_anyLength_isReachedExactly() {
  QVERIFY(rc::check("the slider shows what was set", [this] {
    const double context = *rc::gen::inRange(2, 16777217);
    Scenario s;
    s.workload.output.mean_tokens = *rc::gen::inRange(1, 32769);
    s = withParameter(s, row("workload.context_tokens"), context, listing_).value();
    RC_ASSERT(s.workload.prompt.mean_tokens >= 1 && s.workload.output.mean_tokens >= 1);
    RC_ASSERT(number(parameterValue(s, row("workload.context_tokens"), listing_)) == context);
  }));
}

void TstParameters::context_staticMode_isTheContext() {
  Scenario s;
  s.workload.mode = WorkloadMode::Static;
  s = with(s, "workload.context_tokens", 65536.0);
  QCOMPARE(s.workload.context_tokens, 65536.0);
  QCOMPARE(s.workload.prompt.mean_tokens, 8192.0);
}

void TstParameters::mode_switch_keepsTheContext() {
  Scenario s = with(Scenario{}, "workload.context_tokens", 40000.0);
  s = with(s, "workload.mode", std::string("static"));
  QCOMPARE(number(parameterValue(s, row("workload.context_tokens"), listing_)), 40000.0);
  QVERIFY(s.serving.prefill == PrefillMode::None);
  s = with(s, "workload.context_tokens", 50000.0);
  s = with(s, "workload.mode", std::string("open"));
  QCOMPARE(number(parameterValue(s, row("workload.context_tokens"), listing_)), 50000.0);
  QVERIFY(s.serving.prefill == PrefillMode::Chunked);
}

void TstParameters::system_change_bringsItsOwnMachine() {
  Scenario s;
  s.physical.supply_c = 40;
  s.physical.cooling = "liquid";
  s.physical.ambient_c = 20;
  s.overrides = {{"model", "layers", 10}, {"chip", "tdp_w", 900}};
  s = with(s, "system", std::string("dgx-h100"));
  QCOMPARE(s.chips, 8);
  QVERIFY(s.physical.cooling.empty() && !s.physical.supply_c);
  QCOMPARE(s.physical.ambient_c, 20.0);
  QVERIFY((s.overrides == std::vector<CatalogOverride>{{"model", "layers", 10}}));
}

void TstParameters::system_change_keepsAPart() {
  Scenario s;
  s.chips = 16;  // not the whole NVL72
  QCOMPARE(with(s, "system", std::string("gb300-nvl72")).chips, 16);
}

void TstParameters::speculation_zeroTurnsItOff() {
  Scenario s = with(Scenario{}, "serving.speculation.draft_tokens", 3.0);
  QCOMPARE(s.serving.speculation->draft_tokens, 3);
  s = with(s, "serving.speculation.draft_tokens", 0.0);
  QVERIFY(!s.serving.speculation);
}

void TstParameters::applySet_wrongAssignments_areErrors_data() {
  QTest::addColumn<QString>("assignment");
  QTest::addColumn<QString>("field");
  QTest::addColumn<QString>("remedy");
  QTest::newRow("no value") << "workload.concurrency"
                            << "--set"
                            << "workload.concurrency=64";
  QTest::newRow("no path") << "=3"
                           << "--set"
                           << "for example";
  QTest::newRow("unknown") << "workload.concurency=3"
                           << "workload.concurency"
                           << "workload.concurrency";
  QTest::newRow("last part only") << "tp=4"
                                  << "tp"
                                  << "parallel.tp";
  QTest::newRow("not a number") << "chips=many"
                                << "chips"
                                << "whole number";
  QTest::newRow("NaN") << "chips=NaN"
                       << "chips"
                       << "whole number";
  QTest::newRow("negative") << "workload.prompt_tokens=-1"
                            << "workload.prompt_tokens"
                            << "from 1";
  QTest::newRow("absurd") << "workload.context_tokens=1e12"
                          << "workload.context_tokens"
                          << "16777216";
  QTest::newRow("choice") << "precision.kv=fp9"
                          << "precision.kv"
                          << "fp8";
  QTest::newRow("override") << "model.layer=4"
                            << "model.layer"
                            << "model.layers";
  QTest::newRow("override range") << "model.layers=-4"
                                  << "model.layers"
                                  << "whole number";
  QTest::newRow("nested range") << "workload.prompt_tokens.sigma=99"
                                << "workload.prompt_tokens.sigma"
                                << "from 0 to 10";
  QTest::newRow("seed") << "seed=1.5"
                        << "seed"
                        << "2^64";
}

void TstParameters::applySet_wrongAssignments_areErrors() {
  QFETCH(QString, assignment);
  QFETCH(QString, field);
  QFETCH(QString, remedy);
  const auto s = scenario::applySet(Scenario{}, assignment.toStdString());
  QVERIFY(!s);
  QCOMPARE(QString::fromStdString(s.error().field), field);
  QVERIFY2(QString::fromStdString(s.error().remedy).contains(remedy), s.error().text().c_str());
}

void TstParameters::applySet_nestedKeys() {
  Scenario s;
  const auto set = [&](const char* assignment) {
    const auto changed = scenario::applySet(s, assignment);
    QVERIFY2(changed.has_value(), changed ? "" : changed.error().text().c_str());
    s = *changed;
  };
  set("parallel.tp=8");
  set("workload.prompt_tokens.dist=lognormal");
  set("workload.prompt_tokens.sigma=0.5");
  set("model.moe.top_k=4");
  set("fabric=none");
  set("name=My run");
  set("seed=18446744073709551615");
  set(R"(serving.speculation={"draft_tokens": 2})");
  set("jitter=off");
  QCOMPARE(s.parallel->tp, 8);
  QVERIFY((s.workload.prompt == TokenLength{TokenLength::Distribution::Lognormal, 8192, 0.5}));
  QVERIFY((s.overrides == std::vector<CatalogOverride>{{"model", "moe.top_k", 4}}));
  QCOMPARE(s.fabric.kind, std::string("none"));
  QCOMPARE(s.name, std::string("My run"));
  QCOMPARE(s.seed, 18446744073709551615ULL);
  QCOMPARE(s.serving.speculation->draft_tokens, 2);
  QVERIFY(!s.jitter);
  set("parallel=auto");
  QVERIFY(!s.parallel);
}

void TstParameters::applySet_empty_takesAnOptionalBack() {
  Scenario s;
  s.physical.supply_c = 40;
  const auto back = scenario::applySet(s, "physical.supply_c=");
  QVERIFY(back);
  QVERIFY(!back->physical.supply_c);
}

QTEST_GUILESS_MAIN(TstParameters)
#include "tst_parameters.moc"
