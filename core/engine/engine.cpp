#include "engine/engine.h"

#include "engine/impl.h"

namespace decodescope::engine {

Engine::Engine() : impl_(std::make_unique<Impl>()) {}
Engine::~Engine() = default;

Expected<std::unique_ptr<Engine>> Engine::make(std::shared_ptr<const Catalog> catalog,
                                               const Scenario& scenario) {
  std::unique_ptr<Engine> engine(new Engine);
  engine->impl_->catalog = std::move(catalog);
  if (auto built = engine->impl_->rebuild(scenario); !built) return Unexpected(built.error());
  return engine;
}

void Engine::stepEvent() {
  if (!impl_->halted) impl_->handle(impl_->nextEvent());
}

void Engine::stepToken() {
  const auto& replicas = impl_->replicas;
  const bool is_under_way = !replicas.empty() && replicas[impl_->lead].flight.is_active &&
                            replicas[impl_->lead].flight.start_ns < impl_->now_ns;
  advanceTokens(is_under_way ? 2 : 1);
}

void Engine::stepLayer() {
  impl_->stepLayer();
}
void Engine::advanceUntil(TimeNs time) {
  impl_->advanceUntil(time);
}

void Engine::advanceTokens(std::int64_t tokens) {
  const std::int64_t target = impl_->token + tokens;
  while (!impl_->halted && impl_->token < target) impl_->handle(impl_->nextEvent());
}

TimeNs Engine::now() const {
  return impl_->now_ns;
}
std::int64_t Engine::token() const {
  return impl_->token;
}
std::int64_t Engine::events() const {
  return impl_->handled;
}
bool Engine::isHalted() const {
  return impl_->halted;
}
std::shared_ptr<const Snapshot> Engine::snapshot(bool with_timeline) {
  return impl_->snapshot(with_timeline);
}
RunSummary Engine::summary() const {
  return impl_->summary();
}
Fingerprint Engine::fingerprint() const {
  return impl_->fingerprint;
}
const analysis::Predictor& Engine::predictor() const {
  return *impl_->predictor;
}

}  // namespace decodescope::engine
