// The left dock: every parameter of the descriptor table, context length and cluster size first. Shows a
// scenario and says what the user wants; never changes anything itself.
#pragma once

#include "base/snapshot_view.h"
#include "controls/sparkline.h"

#include <decodescope/catalog_listing.h>
#include <decodescope/parameters.h>
#include <decodescope/scenario.h>

#include <QHash>
#include <QStringList>
#include <QWidget>
#include <memory>
#include <vector>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace decodescope::views {

class CollapsibleSection;
class ControlRow;
class StatusSentence;

class ControlPanel : public QWidget, public SnapshotView {
  Q_OBJECT

 public:
  explicit ControlPanel(QWidget* parent = nullptr);
  ~ControlPanel() override;

  /// Shows these values; emits nothing. Call after every change of the document, the user's own included.
  void setScenario(const Scenario& scenario, const CatalogListing& listing);
  /// What reset returns to; the first scenario shown until this is called.
  void setReference(const Scenario& reference);
  void setLocked(const QString& path, bool locked);
  /// Disables a parameter and says why; empty frees it.
  void setBlocked(const QString& path, const QString& why);
  /// A refused edit: the text below its row. Empty clears it.
  void showError(const QString& path, const QString& text);
  /// The curve under a slider; empty takes it away.
  void setSensitivity(const QString& path, std::vector<SensitivityPoint> points);
  /// Paths of numbers in view, leading ones first: those worth a sensitivity curve.
  [[nodiscard]] QStringList sensitivityPaths() const;

  void setShowAll(bool all);
  [[nodiscard]] bool showsAll() const { return show_all_; }
  /// Unfolds, scrolls to and focuses the control.
  void focusParameter(const QString& path);
  void focusSearch();
  /// The Basic/All switch, for the dock's title bar. It stands on top of the panel until this takes it from
  /// there.
  [[nodiscard]] QWidget* headerExtras();
  [[nodiscard]] ControlRow* row(const QString& path) const;
  [[nodiscard]] QStringList paths() const;

  void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
  void applyTheme(const Theme& theme) override;

 Q_SIGNALS:
  /// One change. Edits of the same serial belong together (one undo entry); the last of a drag has
  /// `finished`.
  void edited(const QString& path, const decodescope::ParameterValue& value, quint64 dragSerial,
              bool finished);
  void resetRequested(const QString& path);
  void resetSectionRequested(const QStringList& paths);
  void resetAllRequested();
  void lockChanged(const QString& path, bool locked);
  /// From the sentence on top: explain a quantity; apply a suggested change.
  void explainRequested(const QString& quantity);
  void fixRequested(const QString& path, const QString& value);

 private:
  void makeHeader();
  void makeRows();
  void makeFooter();
  void addRow(const ParameterDescriptor& descriptor, bool leading);
  [[nodiscard]] CollapsibleSection* sectionOf(const QString& title);
  void filterRows();
  void updateModified();
  [[nodiscard]] bool isShown(const ControlRow& row) const;

  QVBoxLayout* layout_ = nullptr;
  QHBoxLayout* header_line_ = nullptr;
  QWidget* header_ = nullptr;
  QToolButton* basic_ = nullptr;
  QToolButton* all_ = nullptr;
  QLineEdit* search_ = nullptr;
  StatusSentence* sentence_ = nullptr;
  QScrollArea* scroll_ = nullptr;
  QVBoxLayout* rows_layout_ = nullptr;
  QWidget* leading_box_ = nullptr;
  QPushButton* reset_all_ = nullptr;
  QLabel* shown_ = nullptr;

  std::vector<ControlRow*> rows_;
  QHash<QString, ControlRow*> by_path_;
  std::vector<std::pair<QString, CollapsibleSection*>> sections_;
  std::unique_ptr<Scenario> scenario_, reference_;
  CatalogListing listing_;
  bool show_all_ = false;
};

/// Context length and cluster size: the two that the program is about, on top and bigger.
[[nodiscard]] bool isLeadingParameter(const ParameterDescriptor& descriptor);

}  // namespace decodescope::views
