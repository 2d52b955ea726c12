#include "app/scenario_command.h"

namespace decodescope::app {

ScenarioCommand::ScenarioCommand(Document& document, Scenario after, const QString& text, const QString& path,
                                 quint64 drag_serial)
    : QUndoCommand(text),
      document_(document),
      before_(document.scenario()),
      after_(std::move(after)),
      path_(path),
      drag_serial_(drag_serial) {}

void ScenarioCommand::undo() {
  document_.apply(before_);
}

void ScenarioCommand::redo() {
  document_.apply(after_);
}

bool ScenarioCommand::mergeWith(const QUndoCommand* other) {
  const auto& later = static_cast<const ScenarioCommand&>(*other);
  if (later.path_ != path_ || later.drag_serial_ != drag_serial_) return false;
  after_ = later.after_;
  setText(later.text());
  setObsolete(after_ == before_);
  return true;
}

}  // namespace decodescope::app
