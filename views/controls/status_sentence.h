// One sentence above the controls: what the machine is doing and what holds it back, with live numbers.
#pragma once

#include <decodescope/catalog_listing.h>
#include <decodescope/snapshot.h>

#include <QFrame>
#include <memory>

class QLabel;
class QPushButton;

namespace decodescope::views {

class StatusSentence : public QFrame {
  Q_OBJECT

 public:
  explicit StatusSentence(QWidget* parent = nullptr);

  void setSnapshot(const std::shared_ptr<const Snapshot>& snapshot, const CatalogListing& listing);
  [[nodiscard]] QString plainText() const;

 Q_SIGNALS:
  void controlRequested(const QString& path);
  void explainRequested(const QString& quantity);
  void fixRequested(const QString& path, const QString& value);

 private:
  QLabel* text_ = nullptr;
  QPushButton* fix_ = nullptr;
  QString fix_path_, fix_value_;
};

/// Rich text with links "control:<path>" and "explain:<quantity>". Pure, for tests.
[[nodiscard]] QString statusSentence(const Snapshot& snapshot, const CatalogListing& listing);
/// "HBM reading the KV cache": what a part of the step is called in a sentence.
[[nodiscard]] QString boundText(StepPart part);

}  // namespace decodescope::views
