// Title bar of a dock: name, the panel's own switches, float and close.
#pragma once

#include <QWidget>

class QDockWidget;
class QLabel;

namespace decodescope::app {

class DockTitle : public QWidget {
  Q_OBJECT

 public:
  /// `extras` (may be null) is taken over.
  DockTitle(QDockWidget* dock, QWidget* extras);

 private:
  void addButton(const QString& icon, const QString& text, QDockWidget* dock, void (*act)(QDockWidget&));
};

}  // namespace decodescope::app
