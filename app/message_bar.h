// Non-modal messages above the page: what happened, what follows, what to do. Text can be selected and
// copied.
#pragma once

#include <QFrame>

class QLabel;

namespace decodescope::app {

class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);
  void showText(const QString& text, bool error);
  void dismiss();
  [[nodiscard]] QString text() const;

 private:
  QLabel* icon_ = nullptr;
  QLabel* text_ = nullptr;
};

}  // namespace decodescope::app
