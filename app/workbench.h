// What the pages of the window share: the scenario being edited, the catalog, the newest snapshot, the jobs.
#pragma once

#include "app/document.h"
#include "app/jobs/job_runner.h"

#include "catalog/catalog.h"

#include <decodescope/snapshot.h>

#include <QObject>
#include <memory>

namespace decodescope::app {

class Workbench : public QObject {
  Q_OBJECT

 public:
  explicit Workbench(Document& document, QObject* parent = nullptr) : QObject(parent), document_(document) {
    connect(&document_, &Document::changed, this, [this] {
      if (isReady()) Q_EMIT scenarioChanged();
    });
  }

  [[nodiscard]] Document& document() { return document_; }
  [[nodiscard]] JobRunner& jobs() { return jobs_; }
  /// Null until it has been loaded.
  [[nodiscard]] const std::shared_ptr<const Catalog>& catalog() const { return catalog_; }
  /// Whether there is a catalog and a scenario to compute with.
  [[nodiscard]] bool isReady() const { return catalog_ && document_.revision() > 0; }
  /// The newest live one, or null.
  [[nodiscard]] const std::shared_ptr<const Snapshot>& snapshot() const { return snapshot_; }

  void setCatalog(std::shared_ptr<const Catalog> catalog) { catalog_ = std::move(catalog); }
  void setSnapshot(std::shared_ptr<const Snapshot> snapshot) { snapshot_ = std::move(snapshot); }
  /// Another scenario into the document, as one undoable change.
  void load(const Scenario& scenario, const QString& undo_text) { document_.replace(scenario, undo_text); }

 Q_SIGNALS:
  void scenarioChanged();
  /// The derivation of a result key, in the inspector.
  void explainRequested(const QString& quantity);
  void messageRequested(const QString& text, bool error);
  void pageRequested(const QString& id);

 private:
  Document& document_;
  JobRunner jobs_;
  std::shared_ptr<const Catalog> catalog_;
  std::shared_ptr<const Snapshot> snapshot_;
};

}  // namespace decodescope::app
