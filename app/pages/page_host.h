// The middle of the window: tabs, and under them the rack and the pages that answer questions.
#pragma once

#include <QHash>
#include <QStringList>
#include <QWidget>

class QStackedWidget;
class QTabBar;

namespace decodescope::app {

class PageHost : public QWidget {
  Q_OBJECT

 public:
  explicit PageHost(QWidget* parent = nullptr);
  /// Takes the widget. Tabs keep the order in which they are added.
  void addPage(const QString& id, const QString& title, const QString& tool_tip, QWidget* page);
  [[nodiscard]] QString current() const;
  /// Null for an id that is not here.
  [[nodiscard]] QWidget* page(const QString& id) const;
  [[nodiscard]] const QStringList& ids() const { return ids_; }
  [[nodiscard]] QString title(const QString& id) const;

 public Q_SLOTS:
  void show(const QString& id);

 Q_SIGNALS:
  void currentChanged(const QString& id);

 private:
  QTabBar* tabs_;
  QStackedWidget* stack_;
  QStringList ids_;
};

}  // namespace decodescope::app
