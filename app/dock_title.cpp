#include "app/dock_title.h"

#include "base/icons.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace decodescope::app {

DockTitle::DockTitle(QDockWidget* dock, QWidget* extras) : QWidget(dock) {
  setObjectName(QStringLiteral("dockTitle"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 4, 6, 4);
  layout->setSpacing(4);
  auto* title = new QLabel(dock->windowTitle(), this);
  title->setObjectName(QStringLiteral("dockTitleText"));
  layout->addWidget(title);
  layout->addStretch(1);
  if (extras) {
    extras->setParent(this);
    layout->addWidget(extras);
  }
  addButton(QStringLiteral("float"), tr("Float or dock %1").arg(dock->windowTitle()), dock,
            [](QDockWidget& d) { d.setFloating(!d.isFloating()); });
  addButton(QStringLiteral("close"), tr("Hide %1; View, Panels brings it back").arg(dock->windowTitle()),
            dock, [](QDockWidget& d) { d.hide(); });
}

void DockTitle::addButton(const QString& icon, const QString& text, QDockWidget* dock,
                          void (*act)(QDockWidget&)) {
  auto* button = new QToolButton(this);
  button->setIcon(views::icon(icon));
  button->setAutoRaise(true);
  button->setToolTip(text);
  button->setAccessibleName(text);
  connect(button, &QToolButton::clicked, dock, [dock, act] { act(*dock); });
  layout()->addWidget(button);
}

}  // namespace decodescope::app
