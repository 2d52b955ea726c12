// A named group of rows that folds away.
#pragma once

#include <QString>
#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace decodescope::views {

class CollapsibleSection : public QWidget {
  Q_OBJECT

 public:
  explicit CollapsibleSection(const QString& title, QWidget* parent = nullptr);

  void addRow(QWidget* row);
  void setOpen(bool open);
  [[nodiscard]] bool isOpen() const { return open_; }
  void setResetVisible(bool visible);
  [[nodiscard]] QToolButton* headerButton() const { return header_; }

 Q_SIGNALS:
  void resetRequested();

 private:
  bool open_ = true;
  QToolButton* header_ = nullptr;
  QToolButton* reset_ = nullptr;
  QWidget* body_ = nullptr;
  QVBoxLayout* rows_ = nullptr;
};

}  // namespace decodescope::views
