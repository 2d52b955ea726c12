// The scenario being edited: undo stack, file, modified mark, recovery copy. Lives on the GUI thread, does no
// I/O of its own beyond the small recovery copy's path: reading and writing go through the worker.
#pragma once

#include <decodescope/catalog_listing.h>
#include <decodescope/parameters.h>
#include <decodescope/scenario.h>

#include <QObject>
#include <QSet>
#include <QString>
#include <QUndoStack>
#include <memory>

namespace decodescope::app {

class Document : public QObject {
  Q_OBJECT

 public:
  explicit Document(QObject* parent = nullptr);

  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] const Scenario& opened() const { return opened_; }  ///< as last opened: what Reset returns to
  [[nodiscard]] quint64 revision() const { return revision_; }
  [[nodiscard]] QString file() const { return file_; }
  [[nodiscard]] QString title() const;
  [[nodiscard]] bool isModified() const { return !undo_.isClean(); }
  [[nodiscard]] bool isReadOnly() const { return read_only_; }
  [[nodiscard]] QUndoStack& undoStack() { return undo_; }

  void setListing(std::shared_ptr<const CatalogListing> listing) { listing_ = std::move(listing); }
  [[nodiscard]] const CatalogListing* listing() const { return listing_.get(); }

  /// Replaces everything; clears undo.
  void reset(const Scenario& scenario, const QString& file, bool read_only);
  void markSaved(const QString& file, const Scenario& scenario);

  /// One parameter; edits of one drag (same serial) merge into one undo entry. Returns the error text, or
  /// empty.
  QString setParameter(const QString& path, const ParameterValue& value, quint64 drag_serial);
  /// By --set path and text, for suggested fixes.
  QString applyFix(const QString& path, const QString& value);
  void resetParameter(const QString& path);
  void resetAll();
  void setLocked(const QString& path, bool locked);
  [[nodiscard]] bool isLocked(const QString& path) const { return locked_.contains(path); }
  /// A whole other scenario as one undoable change.
  void replace(const Scenario& scenario, const QString& text);

 Q_SIGNALS:
  void changed();  ///< the scenario is another one; send it to the engine
  void titleChanged();

 private:
  friend class ScenarioCommand;
  void apply(const Scenario& scenario);
  [[nodiscard]] QString describe(const ParameterDescriptor& descriptor, const Scenario& before,
                                 const Scenario& after) const;

  Scenario scenario_, opened_;
  std::shared_ptr<const CatalogListing> listing_;
  QUndoStack undo_;
  QString file_;
  QSet<QString> locked_;
  quint64 revision_ = 0;
  bool read_only_ = false;
};

}  // namespace decodescope::app
