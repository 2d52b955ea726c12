// One undoable change of the scenario.
#pragma once

#include "app/document.h"

#include <QUndoCommand>

namespace decodescope::app {

class ScenarioCommand : public QUndoCommand {
 public:
  /// Commands of the same path and non-zero drag serial merge.
  ScenarioCommand(Document& document, Scenario after, const QString& text, const QString& path = {},
                  quint64 drag_serial = 0);

  void undo() override;
  void redo() override;
  [[nodiscard]] int id() const override { return drag_serial_ ? 1 : -1; }
  bool mergeWith(const QUndoCommand* other) override;

 private:
  Document& document_;
  Scenario before_, after_;
  QString path_;
  quint64 drag_serial_;
};

}  // namespace decodescope::app
