#include "fixture.h"

#include "physical/facility.h"

namespace decodescope::physical {

namespace {

constexpr ThermalPath kAir{60, 0.020, 1400, 0.030};
constexpr ThermalPath kPlate{80, 0.012, 160, 0.013};

ThermalPath anyPath() {
  return {*between(20, 200), *between(0.005, 0.05), *between(50, 4000), *between(0.005, 0.1)};
}

double dieAfter(const ThermalPath& path, double from_w, double to_w, double reservoir_c, double t_s) {
  ThermalState state = steadyState(path, from_w, reservoir_c);
  ThermalStep(path, t_s).advance(state, to_w, reservoir_c);
  return state.die_c;
}

}  // namespace

class ThermalTest : public QObject {
  Q_OBJECT

 private slots:
  void stepResponseOfAir();
  void stepResponseOfPlate();
  void timeConstants();
  void cuttingAnIntervalChangesNothing();
  void heatInIsHeatOutPlusStored();
  void longIntervalReachesSteadyState();
  void shortIntervalHeatsTheDieOnly();
  void monotone();
  void hgxH100OnAir();
  void plateOfGb200();
  void rackLoop();
  void seriesAndParallel();
  void seriesOutletIsParallelOutlet();
  void heatBalanceAtSteadyState();
  void endlessFlowLeavesTheJunction();
  void flowLoss();
  void runaway();
  void inletFieldGrowsWithHeightAndLoad();
  void everySystemHasItsCooling();
  void airOnALiquidRackIsHot();
  void liquidOnAirSystemIsNotAsBuilt();
  void biggerPartsGetBetterPlates();
};

// 115 -> 690 W at 25 C air, u = 1. T(0) = 25 + 115 x 0.05; the rest by an independent implementation.
void ThermalTest::stepResponseOfAir() {
  NEAR(dieAfter(kAir, 115, 690, 25, 0), 30.75, 1e-9);
  NEAR(dieAfter(kAir, 115, 690, 25, 1), 37.284, 1e-3);
  NEAR(dieAfter(kAir, 115, 690, 25, 10), 44.999, 1e-3);
  NEAR(dieAfter(kAir, 115, 690, 25, 60), 54.864, 1e-3);
  NEAR(dieAfter(kAir, 115, 690, 25, 300), 59.481, 1e-3);
}

void ThermalTest::stepResponseOfPlate() {
  NEAR(dieAfter(kPlate, 190, 1200, 46.4, 0), 51.15, 1e-9);
  NEAR(dieAfter(kPlate, 190, 1200, 46.4, 1), 59.546, 1e-3);
  NEAR(dieAfter(kPlate, 190, 1200, 46.4, 5), 71.208, 1e-3);
  NEAR(dieAfter(kPlate, 190, 1200, 46.4, 30), 76.396, 1e-3);
}

void ThermalTest::timeConstants() {
  NEAR(timeConstants_s(kAir)[0], 43.85, 0.01);
  NEAR(timeConstants_s(kAir)[1], 1.149, 0.001);
  NEAR(timeConstants_s(kPlate)[0], 3.511, 0.001);
  NEAR(timeConstants_s(kPlate)[1], 0.569, 0.001);
}

void ThermalTest::cuttingAnIntervalChangesNothing() {
  PROPERTY("one step equals many, heat included", [] {
    const ThermalPath path = anyPath();
    const int parts = *rc::gen::inRange(1, 400);
    const double total_s = *between(0.01, 400), power_w = *between(0, 1500), reservoir_c = *between(15, 60);
    ThermalState once{*between(20, 90), *between(20, 90)}, cut = once;
    const double heat_once_j = ThermalStep(path, total_s).advance(once, power_w, reservoir_c);
    const ThermalStep part(path, total_s / parts);
    double heat_cut_j = 0;
    for (int i = 0; i < parts; ++i) heat_cut_j += part.advance(cut, power_w, reservoir_c);
    RC_ASSERT(near(once.die_c, cut.die_c, 1e-9));
    RC_ASSERT(near(once.sink_c, cut.sink_c, 1e-9));
    RC_ASSERT(near(heat_once_j, heat_cut_j, 1e-9 * std::max(1.0, power_w * total_s)));
  });
}

void ThermalTest::heatInIsHeatOutPlusStored() {
  PROPERTY("energy balance with the independent integral", [] {
    const ThermalPath path = anyPath();
    const double dt_s = *rc::gen::element(1e-3, 0.05, 1.0, 30.0, 1e4), power_w = *between(50, 1500);
    ThermalState state{*between(20, 90), *between(20, 90)};
    const double before_j = storedHeat_j(path, state);
    const double out_j = ThermalStep(path, dt_s).advance(state, power_w, *between(15, 60));
    const double residual_j = power_w * dt_s - out_j - (storedHeat_j(path, state) - before_j);
    const double scale_j =
        std::max({power_w * dt_s, std::abs(out_j), std::abs(storedHeat_j(path, state) - before_j)});
    // Below 1 J the rounding of the stored heat itself (about 1e5 J) is the floor.
    RC_ASSERT(std::abs(residual_j) < 1e-9 * std::max(scale_j, 1.0));
  });
}

void ThermalTest::longIntervalReachesSteadyState() {
  PROPERTY("dt to infinity", [] {
    const ThermalPath path = anyPath();
    ThermalState state{*between(20, 90), *between(20, 90)};
    ThermalStep(path, 1e7).advance(state, 800, 30);
    const ThermalState steady = steadyState(path, 800, 30);
    RC_ASSERT(near(state.die_c, steady.die_c, 1e-9) && near(state.sink_c, steady.sink_c, 1e-9));
  });
}

// dT/dt = P / C1 at first: 1000 W into 80 J/K for 1 ms is 12.5 mK.
void ThermalTest::shortIntervalHeatsTheDieOnly() {
  ThermalState state{30, 30};
  ThermalStep(kPlate, 1e-3).advance(state, 1000, 30);
  NEAR(state.die_c - 30, 0.0125, 2e-5);
  NEAR(state.sink_c - 30, 0, 1e-5);
}

void ThermalTest::monotone() {
  PROPERTY("hotter with more power, hotter reservoir, less flow", [] {
    const double power_w = *between(100, 1400), supply_c = *between(15, 55), flow = *between(0.5, 4);
    const double t_s = *between(0.01, 60);
    const CoolingSetup setup = plate(supply_c, flow), drier = plate(supply_c, flow * 0.9);
    const auto die = [t_s](const CoolingSetup& s, double w) {
      return dieAfter(s.path, 100, w, reservoir_c(s, 0, w), t_s);
    };
    RC_ASSERT(die(setup, power_w + 10) > die(setup, power_w));
    RC_ASSERT(die(plate(supply_c + 1, flow), power_w) > die(setup, power_w));
    const double steady_c = steadyState(setup.path, power_w, reservoir_c(setup, 0, power_w)).die_c;
    RC_ASSERT(steadyState(drier.path, power_w, reservoir_c(drier, 0, power_w)).die_c > steady_c);
  });
}

// 25 C inlet. Decode at u = 0.8: front 54.0 C 534 W, rear air 31.65 C, rear 61.7 C 554 W; 700 W at u =
// 1: 60.0 and 66.97 C.
void ThermalTest::hgxH100OnAir() {
  const CoolingSetup air = chassis("HGX-H100", 25, 0.8);
  const Activity decode = rates(1.47, 0.139);
  const SteadyPoint front = settle(power("h100-sxm"), air, decode, 1);
  const SteadyPoint rear = settle(power("h100-sxm"), air, decode, 1, front.power_w);
  NEAR(front.junction_c, 54.0, 0.1);
  NEAR(front.power_w, 534, 1);
  NEAR(reservoir_c(air, front.power_w, rear.power_w), 31.65, 0.05);
  NEAR(rear.junction_c, 61.7, 0.1);
  NEAR(rear.power_w, 554, 1);
  const CoolingSetup full = chassis("HGX-H100", 25, 1);
  NEAR(steadyState(full.path, 700, reservoir_c(full, 0, 700)).die_c, 60.0, 0.01);
  NEAR(steadyState(full.path, 700, reservoir_c(full, 700, 700)).die_c, 66.97, 0.1);
}

// 1200 W, 1.6 L/min: R = 0.025; 1200 / (1.6/60000 x 1022 x 3920 = 106.83 W/K) = 11.23 K; T_j = supply + 5.62
// + 30.
void ThermalTest::plateOfGb200() {
  for (const double supply_c : {25.0, 35.0, 40.0, 45.0, 50.0}) {
    const CoolingSetup setup = plate(supply_c, 1.6);
    NEAR(steadyState(setup.path, 1200, reservoir_c(setup, 0, 1200)).die_c, supply_c + 35.62, 0.01);
    NEAR(outlet_c(setup, 0, 1200) - supply_c, 11.23, 0.01);
  }
  NEAR(plate(40, 1.0).path.total_k_per_w(), 0.012 + 0.013 * std::sqrt(1.6), 1e-12);
}

// 115.56 kW into 130 L/min PG25 rises 13.31 K.
void ThermalTest::rackLoop() {
  NEAR(115560 / plate(25, 130).branch_w_per_k, 13.31, 0.01);
}

// 4 plates of 1200 W, 6.4 L/min in all at 40 C; by an independent implementation.
void ThermalTest::seriesAndParallel() {
  const CoolingSetup series = plate(40, 6.4), parallel = plate(40, 1.6);
  const double first_c = steadyState(series.path, 1200, reservoir_c(series, 0, 1200)).die_c;
  const double last_c = steadyState(series.path, 1200, reservoir_c(series, 3600, 1200)).die_c;
  const double each_c = steadyState(parallel.path, 1200, reservoir_c(parallel, 0, 1200)).die_c;
  // R = 0.012 + 0.013 / 2 = 0.0185; rise per plate 2.808 K.
  NEAR(first_c, 40 + 1.404 + 22.2, 0.01);
  NEAR(last_c - first_c, 3 * 2.808, 0.01);
  NEAR(each_c, 75.62, 0.01);
}

void ThermalTest::seriesOutletIsParallelOutlet() {
  PROPERTY("same coolant, same heat, same outlet", [] {
    const int plates = *rc::gen::inRange(1, 9);
    const double power_w = *between(100, 1500), flow = *between(0.5, 3), supply_c = *between(15, 50);
    const double parallel_c = outlet_c(plate(supply_c, flow), 0, power_w);
    const double series_c = outlet_c(plate(supply_c, flow * plates), power_w * (plates - 1), power_w);
    RC_ASSERT(near(parallel_c, series_c, 1e-9));
  });
}

void ThermalTest::heatBalanceAtSteadyState() {
  PROPERTY("coolant carries what the chips give off", [] {
    const CoolingSetup setup = plate(*between(15, 50), *between(0.5, 3));
    const double power_w = *between(100, 1500);
    ThermalState state = steadyState(setup.path, power_w, reservoir_c(setup, 0, power_w));
    const double heat_j = ThermalStep(setup.path, 10).advance(state, power_w, reservoir_c(setup, 0, power_w));
    RC_ASSERT(nearRatio(heat_j, power_w * 10, 1e-9));
    RC_ASSERT(
        nearRatio((outlet_c(setup, 0, power_w) - setup.supply_c) * setup.branch_w_per_k, power_w, 1e-9));
  });
}

void ThermalTest::endlessFlowLeavesTheJunction() {
  const CoolingSetup flood = plate(30, 1e9);
  NEAR(steadyState(flood.path, 1000, reservoir_c(flood, 0, 1000)).die_c, 30 + 12, 1e-3);
}

// 1200 W: 88 C after 2.95 s with the plate alone, 10.94 s with 800 J/K of stagnant coolant.
void ThermalTest::flowLoss() {
  NEAR(rideThrough_s(kPlate, 1200, 46.4, 0, 88), 2.95, 0.05);
  NEAR(rideThrough_s(kPlate, 1200, 46.4, 800, 88), 10.94, 0.05);
  QCOMPARE(rideThrough_s(kPlate, 1200, 80, 0, 88), 0.0);
  QVERIFY(std::isinf(rideThrough_s(kPlate, 0, 46.4, 0, 88)));
  // Without a way out all heat stays: (C1 + C2) dT = P t between two late moments.
  const double first_s = rideThrough_s(kPlate, 1200, 46.4, 0, 120),
               later_s = rideThrough_s(kPlate, 1200, 46.4, 0, 130);
  NEAR(later_s - first_s, 10 * 240 / 1200.0, 1e-3);
}

// Loop gain R dP/dT above 1: no balance. Below: the balance satisfies its own equation.
void ThermalTest::runaway() {
  const ChipPowerConstants c = power("gb200");
  CoolingSetup poor = plate(60, 1.6);
  poor.path.r2_k_per_w = 0.25;
  QVERIFY(settle(c, poor, rates(2, 0), 1).runaway);
  PROPERTY("a balance is one", [&c] {
    CoolingSetup setup = plate(*between(15, 70), *between(0.3, 3));
    setup.path.r2_k_per_w += *between(0, 0.1);
    const Activity activity = rates(*between(0, 8), *between(0, 1));
    const double x = *between(0.1, 1);
    const SteadyPoint point = settle(c, setup, activity, x);
    if (point.runaway) return;
    RC_ASSERT(nearRatio(point.power_w, chipPower_w(c, activity, point.junction_c, x), 1e-8));
    RC_ASSERT(near(point.junction_c, setup.supply_c + junction_k_per_w(setup) * point.power_w, 1e-5));
    RC_ASSERT(junction_k_per_w(setup) * c.leak_per_k * leakage_w(c, point.junction_c, x) < 1);
  });
}

void ThermalTest::inletFieldGrowsWithHeightAndLoad() {
  const auto open = inletField(catalog().document("physical"), 20, false);
  const auto contained = inletField(catalog().document("physical"), 20, true);
  QVERIFY(open && contained);
  NEAR(open->inlet_c(1, 1, false), 26, 1e-12);
  NEAR(contained->inlet_c(1, 1, true), 23, 1e-12);
  NEAR(open->inlet_c(0.5, 0.5, false), 20 + 6 * 0.5 * 0.25, 1e-12);
  NEAR(open->inlet_c(1, 0, false), 20, 1e-12);
}

// What every shipped machine is built for keeps its chips below throttling while they decode.
void ThermalTest::everySystemHasItsCooling() {
  for (const SystemSpec& system : catalog().systems()) {
    const ChipSpec& spec = chip(system.chip.c_str());
    const bool liquid = builtFor(system, true);
    const auto setup = coolingSetup(catalog(), spec, system, liquid, system.supply_c, 0, 0);
    QVERIFY2(setup.has_value(), system.id.c_str());
    QVERIFY2(setup->as_built, system.id.c_str());
    const double w = 0.75 * spec.tdp_w;
    const double upstream_w = w * (setup->chips_in_series - 1);
    const double die_c = steadyState(setup->path, w, reservoir_c(*setup, upstream_w, w)).die_c;
    const ChipPowerConstants c = power(spec.id.c_str());
    QVERIFY2(die_c > system.supply_c + 5 && die_c < c.throttle_c,
             qPrintable(QString("%1: %2 C").arg(system.id.c_str()).arg(die_c)));
  }
}

void ThermalTest::airOnALiquidRackIsHot() {
  const auto air = coolingSetup(catalog(), chip("gb200"), systemOf("gb200-nvl72"), false, 25, 0, 1);
  QVERIFY(air.has_value());
  QVERIFY(!air->as_built && air->derived);
  // A quarter unit per chip instead of 1.25: five times the sink resistance.
  NEAR(air->path.r2_k_per_w, 0.0181 * 5, 1e-9);
  const SteadyPoint point = steadyPoint(power("gb200"), *air, {1200, 1}, rates(4.2, 0.05));
  QCOMPARE(point.limited_by, ClockLimit::Thermal);
  const auto hgx = coolingSetup(catalog(), chip("b200-sxm"), systemOf("dgx-b200"), false, 25, 0, 1);
  QVERIFY(hgx && hgx->as_built && !hgx->derived);
  NEAR(hgx->path.r2_k_per_w, 0.0181, 1e-9);
  QCOMPARE(hgx->chips_in_series, 2);
}

void ThermalTest::liquidOnAirSystemIsNotAsBuilt() {
  const auto wet = coolingSetup(catalog(), chip("h100-sxm"), systemOf("dgx-h100"), true, 30, 1.0, 1);
  QVERIFY(wet && !wet->as_built);
  NEAR(wet->path.total_k_per_w(), 0.032, 1e-9);
}

void ThermalTest::biggerPartsGetBetterPlates() {
  const auto resistance = [](const char* system) {
    const SystemSpec& s = systemOf(system);
    const auto setup = coolingSetup(catalog(), chip(s.chip.c_str()), s, true, s.supply_c, 0, 0);
    return setup ? setup->path.r1_k_per_w : 0;
  };
  NEAR(resistance("gb200-nvl72"), 0.012, 1e-12);
  NEAR(resistance("gb300-nvl72"), 0.012, 1e-12);
  NEAR(resistance("vr-nvl72"), 0.012 * 1350 / 1800, 1e-12);
  // 192 W part: the H100 plate's rise at full power.
  NEAR(resistance("tpu-v4-pod"), 0.018 * 700 / 192, 1e-9);
}

}  // namespace decodescope::physical

QTEST_GUILESS_MAIN(decodescope::physical::ThermalTest)
#include "tst_thermal.moc"
