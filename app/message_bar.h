// Non-modal messages above the page: what happened, what follows, what to do. Text can be selected and
// copied.
#pragma once

#include <QFrame>
#include <functional>

class QLabel;
class QToolButton;

namespace decodescope::app {

class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);
  void showText(const QString& text, bool error);
  /// A button beside Dismiss, until the next text.
  void setAction(const QString& text, std::function<void()> action);
  /// For a text that goes by itself.
  void setDismissable(bool on);
  void dismiss();
  [[nodiscard]] QString text() const;

 private:
  QLabel* icon_ = nullptr;
  QLabel* text_ = nullptr;
  QToolButton* action_button_ = nullptr;
  QToolButton* dismiss_ = nullptr;
  std::function<void()> action_;
};

}  // namespace decodescope::app
