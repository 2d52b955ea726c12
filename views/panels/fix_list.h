// What breaks a rule, and the smallest change that would help, each with a button that makes it.
#pragma once

#include <decodescope/prediction.h>

#include <QString>
#include <QWidget>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace decodescope::views {

class FixList : public QWidget {
  Q_OBJECT

 public:
  explicit FixList(QWidget* parent = nullptr);

  void setViolations(const std::vector<Violation>& violations);

 Q_SIGNALS:
  /// As for --set.
  void applyFix(const QString& path, const QString& value);

 private:
  void addEntry(const Violation& violation);

  QLabel* title_ = nullptr;
  QWidget* body_ = nullptr;
  QVBoxLayout* rows_ = nullptr;
  std::vector<QString> shown_;
};

}  // namespace decodescope::views
