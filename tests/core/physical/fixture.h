// The shipped catalog, read once, for the tests of the physical model.
#pragma once

#include "catalog/catalog.h"
#include "physical/clocks.h"

#include <rapidcheck.h>
#include <QtTest>
#include <cmath>
#include <string>
#include <vector>

namespace decodescope::physical {

inline const Catalog& catalog() {
  static const std::shared_ptr<const Catalog> kCatalog = [] {
    const std::string given = qEnvironmentVariable("DECODESCOPE_CATALOG").toStdString();
    const std::vector<std::filesystem::path> folders{
        given.empty() ? std::string(DECODESCOPE_SOURCE_DIR) + "/resources/catalog" : given};
    auto loaded = Catalog::load(folders);
    if (!loaded) qFatal("%s", loaded.error().text().c_str());
    return *loaded;
  }();
  return *kCatalog;
}
inline const ChipSpec& chip(const char* id) {
  const auto found = catalog().chip(id);
  if (!found) qFatal("%s", found.error().text().c_str());
  return **found;
}
inline const SystemSpec& systemOf(const char* id) {
  const auto found = catalog().system(id);
  if (!found) qFatal("%s", found.error().text().c_str());
  return **found;
}
inline ChipPowerConstants power(const char* id) {
  const auto constants = chipPowerConstants(catalog(), chip(id));
  if (!constants) qFatal("%s", constants.error().text().c_str());
  return *constants;
}
inline CoolingSetup plate(double supply_c, double l_per_min, const char* name = "GB200") {
  const auto setup = plateSetup(catalog().document("physical"), name, supply_c, l_per_min);
  if (!setup) qFatal("%s", setup.error().text().c_str());
  return *setup;
}
inline CoolingSetup chassis(const char* name, double inlet_c, double airflow_ratio) {
  const auto setup = chassisSetup(catalog().document("physical"), name, inlet_c, airflow_ratio);
  if (!setup) qFatal("%s", setup.error().text().c_str());
  return *setup;
}

/// Decode-like rates: TB/s that also feed the datapath, PFLOP/s of bf16.
inline Activity rates(double tb_per_s, double pflop_per_s) {
  Activity activity;
  activity.hbm_bytes_per_s = activity.operand_bytes_per_s = tb_per_s * 1e12;
  activity.bf16_flop_per_s = pflop_per_s * 1e15;
  return activity;
}

inline bool near(double value, double expected, double absolute) {
  return std::abs(value - expected) <= absolute;
}
inline bool nearRatio(double value, double expected, double relative) {
  return std::abs(value - expected) <= relative * std::abs(expected);
}
/// A number between two bounds, in steps of a thousandth: shrinks towards the lower one.
inline rc::Gen<double> between(double low, double high) {
  return rc::gen::map(rc::gen::inRange(0, 1001), [=](int i) { return low + (high - low) * i / 1000.0; });
}

}  // namespace decodescope::physical

#define NEAR(value, expected, absolute)                                                                \
  do {                                                                                                 \
    const double got_value = (value), wanted = (expected);                                             \
    QVERIFY2(decodescope::physical::near(got_value, wanted, (absolute)),                               \
             qPrintable(QString("%1 against %2").arg(got_value, 0, 'g', 10).arg(wanted, 0, 'g', 10))); \
  } while (false)
#define PROPERTY(name, ...) QVERIFY2(rc::check(name, __VA_ARGS__), name)
