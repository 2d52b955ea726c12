#include "engine/recorder.h"

#include "scenario/scenario_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace decodescope::engine {

namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kFormat = "decodescope-recording";

Json scenarioJson(const Scenario& scenario) {
  return Json::parse(scenario::writeScenario(scenario));
}

Error badField(const std::string& file, const std::string& field, const std::string& message) {
  return {ErrorCode::BadInput, file, field, "", message, "record the run again"};
}

void advanceTo(Engine& engine, std::int64_t events, TimeNs time_ns) {
  while (engine.events() < events && !engine.isHalted()) engine.stepEvent();
  if (engine.now() < time_ns) engine.advanceUntil(time_ns);
}

Expected<void> applyCommand(Engine& engine, const Json& command, const std::string& file,
                            const std::string& field) {
  advanceTo(engine, command.value("events_count", std::int64_t{0}),
            command.value("time_ns", std::int64_t{0}));
  if (command.contains("scenario")) {
    const auto scenario = scenario::readScenario(command["scenario"].dump(), file);
    if (!scenario) return Unexpected(scenario.error());
    return engine.setScenario(*scenario, command.value("revision", std::uint64_t{0}));
  }
  if (!command.contains("fault") || !command["fault"].is_object()) {
    return Unexpected(badField(file, field, "is neither a scenario nor a fault"));
  }
  const Json& described = command["fault"];
  Fault fault;
  fault.kind = described.value("kind", "");
  fault.target = described.value("target", "");
  fault.capacity_ratio = described.value("capacity_ratio", 0.0);
  engine.inject(fault);
  return {};
}

}  // namespace

void Recorder::setScenario(const Engine& engine, const Scenario& scenario, std::uint64_t revision) {
  commands_.push_back({engine.events(), engine.now(), false, scenario, revision, {}});
}

void Recorder::inject(const Engine& engine, const Fault& fault) {
  commands_.push_back({engine.events(), engine.now(), true, {}, 0, fault});
}

std::string Recorder::text(const Engine& engine) const {
  Json out;
  out["format"] = kFormat;
  out["schema"] = 1;
  out["start"] = scenarioJson(start_);
  out["commands"] = Json::array();
  for (const Command& command : commands_) {
    Json entry = {{"events_count", command.events}, {"time_ns", command.time_ns}};
    if (command.is_fault) {
      entry["fault"] = {{"kind", command.fault.kind},
                        {"target", command.fault.target},
                        {"capacity_ratio", command.fault.capacity_ratio}};
    } else {
      entry["revision"] = command.revision;
      entry["scenario"] = scenarioJson(command.scenario);
    }
    out["commands"].push_back(std::move(entry));
  }
  out["end"] = {{"events_count", engine.events()},
                {"time_ns", engine.now()},
                {"fingerprint", engine.fingerprint().text()}};
  return out.dump(2) + "\n";
}

Expected<Replay> replay(std::shared_ptr<const Catalog> catalog, std::string_view text,
                        const std::string& file) {
  const Json log = Json::parse(text, nullptr, false);
  if (!log.is_object() || !log.contains("format") || log["format"] != kFormat) {
    return Unexpected(badField(file, "/format", "is no recording of this program"));
  }
  if (!log.contains("start") || !log.contains("end") || !log["end"].is_object()) {
    return Unexpected(badField(file, "/start, /end", "is incomplete"));
  }
  try {
    const auto start = scenario::readScenario(log["start"].dump(), file);
    if (!start) return Unexpected(start.error());
    auto engine = Engine::make(std::move(catalog), *start);
    if (!engine) return Unexpected(engine.error());
    std::size_t index = 0;
    for (const Json& command : log.value("commands", Json::array())) {
      const std::string field = fmt::format("/commands/{}", index++);
      if (auto applied = applyCommand(**engine, command, file, field); !applied)
        return Unexpected(applied.error());
    }
    const Json& end = log["end"];
    advanceTo(**engine, end.value("events_count", std::int64_t{0}), end.value("time_ns", std::int64_t{0}));
    return Replay{*std::move(engine), end.value("fingerprint", "")};
  } catch (const Json::exception&) {
    return Unexpected(badField(file, "/commands", "has a value of the wrong type"));
  }
}

}  // namespace decodescope::engine
