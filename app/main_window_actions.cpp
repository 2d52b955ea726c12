// Menus and shortcuts. Every action of a toolbar or panel is here too.
#include "app/main_window.h"
#include "app/pages/page_host.h"
#include "app/settings.h"
#include "app/transport_bar.h"

#include "base/theme.h"
#include "controls/control_panel.h"
#include "gl/renderer_probe.h"
#include "history/history_scrubber.h"
#include "panels/inspector.h"
#include "rack/rack_page.h"

#include "base/icons.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QTextBrowser>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace decodescope::app {
namespace {

QIcon icon(const char* name) {
  return views::icon(QString::fromLatin1(name));
}

struct ShortcutRow {
  const char* keys;
  const char* what;
};
constexpr ShortcutRow kShortcuts[] = {
    {"Space", QT_TRANSLATE_NOOP("shortcuts", "Play or pause")},
    {".  and  ,", QT_TRANSLATE_NOOP("shortcuts", "Step forward, back (Shift: layer, Ctrl: ten)")},
    {"[  and  ]", QT_TRANSLATE_NOOP("shortcuts", "A decade slower, faster")},
    {"Home, End", QT_TRANSLATE_NOOP("shortcuts", "First token kept, live edge (history focused)")},
    {"Ctrl+1 to Ctrl+9", QT_TRANSLATE_NOOP("shortcuts", "Pages, in the order of their tabs")},
    {"F6, Shift+F6", QT_TRANSLATE_NOOP("shortcuts", "Next, previous pane")},
    {"Arrows, Enter", QT_TRANSLATE_NOOP("shortcuts", "Move the selection on the rack, inspect it")},
    {"W A S D, + -", QT_TRANSLATE_NOOP("shortcuts", "Pan and zoom the rack")},
    {"F", QT_TRANSLATE_NOOP("shortcuts", "Fit the rack")},
    {"F1, Ctrl+E", QT_TRANSLATE_NOOP("shortcuts", "Explain time per output token")},
    {"Ctrl+T", QT_TRANSLATE_NOOP("shortcuts", "Show a focused chart as a table")},
    {"Ctrl+= - 0", QT_TRANSLATE_NOOP("shortcuts", "Zoom the interface")},
    {"Ctrl+Z, Ctrl+Shift+Z", QT_TRANSLATE_NOOP("shortcuts", "Undo, redo")},
    {"Ctrl+Shift+F9", QT_TRANSLATE_NOOP("shortcuts", "Dock all panels, default layout")},
};

QWidget* firstFocusable(QWidget* pane) {
  const auto takes = [](const QWidget* w) {
    return (w->focusPolicy() & Qt::TabFocus) != 0 && w->isEnabled() && w->isVisible();
  };
  if (takes(pane)) return pane;
  const QList<QWidget*> children = pane->findChildren<QWidget*>();
  const auto found = std::ranges::find_if(children, takes);
  return found == children.end() ? nullptr : *found;
}

}  // namespace

void MainWindow::setupMenus() {
  setupFileMenu();
  setupEditMenu();
  setupViewMenu();
  setupSimulateMenu();
  setupHelpMenu();
}

void MainWindow::setupFileMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&File"));
  auto* bar = new QToolBar(tr("File"), this);
  bar->setObjectName(QStringLiteral("file"));
  insertToolBar(transport_, bar);
  const auto add = [&](const QString& text, const QKeySequence& key, const char* picture, auto slot) {
    QAction* action = menu->addAction(picture ? icon(picture) : QIcon(), text, this, slot);
    action->setShortcut(key);
    return action;
  };
  bar->addAction(add(tr("&New"), QKeySequence::New, "new", [this] {
    if (mayDiscard())
      QMetaObject::invokeMethod(worker_, [w = worker_] { w->open(QString::fromLatin1(kDefaultScenario)); });
  }));
  bar->addAction(add(tr("&Open..."), QKeySequence::Open, "open", [this] { openDialog(); }));
  recent_menu_ = menu->addMenu(tr("Open &recent"));
  updateRecentMenu();
  QMenu* shipped = menu->addMenu(tr("Open &example"));
  connect(shipped, &QMenu::aboutToShow, this, [this, shipped] {
    shipped->clear();
    for (const QString& id : shipped_scenarios_) {
      shipped->addAction(id, this, [this, id] {
        if (mayDiscard()) QMetaObject::invokeMethod(worker_, [w = worker_, id] { w->open(id); });
      });
    }
  });
  menu->addSeparator();
  bar->addAction(add(tr("&Save"), QKeySequence::Save, "save", [this] { save(); }));
  add(tr("Save &as..."), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), nullptr, [this] { saveAs(); });
  menu->addSeparator();
  add(tr("&Export picture..."), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), "export",
      [this] { exportView(); });
  menu->addSeparator();
  add(tr("&Quit"), QKeySequence::Quit, nullptr, [this] { close(); });
}

void MainWindow::setupEditMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Edit"));
  auto* bar = new QToolBar(tr("Edit"), this);
  bar->setObjectName(QStringLiteral("edit"));
  insertToolBar(transport_, bar);
  QAction* undo = document_.undoStack().createUndoAction(this, tr("&Undo"));
  undo->setShortcut(QKeySequence::Undo);
  undo->setIcon(icon("undo"));
  QAction* redo = document_.undoStack().createRedoAction(this, tr("&Redo"));
  redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
  redo->setIcon(icon("redo"));
  menu->addActions({undo, redo});
  bar->addActions({undo, redo});
  menu->addSeparator();
  menu->addAction(icon("reset"), tr("Reset &all parameters"), &document_, &Document::resetAll);
  QAction* find =
      menu->addAction(icon("search"), tr("&Find parameter"), controls_, [this] { controls_->focusSearch(); });
  find->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_K), QKeySequence::Find});
}

void MainWindow::setupViewMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&View"));
  QMenu* themes = menu->addMenu(icon("theme"), tr("&Theme"));
  auto* group = new QActionGroup(this);
  const auto title = [](const QString& id) { return id.left(1).toUpper() + id.mid(1); };
  for (const QString& id : views::themeIds()) {
    QAction* action = themes->addAction(title(id), this, [this, id] { chooseTheme(id, theme_.zoom); });
    action->setCheckable(true);
    action->setData(id);
    group->addAction(action);
  }
  connect(themes, &QMenu::aboutToShow, this, [this, group] {
    for (QAction* action : group->actions()) action->setChecked(action->data().toString() == theme_.id);
  });
  const auto zoom = [&](const QString& text, const QList<QKeySequence>& keys, auto slot) {
    menu->addAction(text, this, slot)->setShortcuts(keys);
  };
  zoom(tr("Zoom &in"), {QKeySequence(Qt::CTRL | Qt::Key_Equal), QKeySequence(Qt::CTRL | Qt::Key_Plus)},
       [this] { chooseTheme(theme_.id, theme_.zoom + 0.1); });
  zoom(tr("Zoom &out"), {QKeySequence(Qt::CTRL | Qt::Key_Minus)},
       [this] { chooseTheme(theme_.id, theme_.zoom - 0.1); });
  zoom(tr("Zoom to 100 %"), {QKeySequence(Qt::CTRL | Qt::Key_0)}, [this] { chooseTheme(theme_.id, 1.0); });
  menu->addSeparator();
  setupPagesMenu(menu->addMenu(tr("Pa&ges")));
  panels_menu_ = menu->addMenu(tr("&Panels"));
  for (QDockWidget* dock : findChildren<QDockWidget*>()) panels_menu_->addAction(dock->toggleViewAction());
  QAction* reset = menu->addAction(tr("&Dock all panels, default layout"), this, &MainWindow::resetLayout);
  reset->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F9));
  QAction* motion = menu->addAction(tr("&Reduce motion"), this, [this](bool on) {
    settings::setReducedMotion(on);
    rack_->setReducedMotion(on);
  });
  motion->setCheckable(true);
  motion->setChecked(settings::reducedMotion());
  rack_->setReducedMotion(settings::reducedMotion());
  QAction* full =
      menu->addAction(tr("&Full screen"), this, [this](bool on) { on ? showFullScreen() : showNormal(); });
  full->setCheckable(true);
  full->setShortcut(QKeySequence(Qt::Key_F11));
  menu->addSeparator();
  menu->addAction(icon("fit"), tr("Fit the &rack"), rack_, [this] { rack_->fit(); });
  menu->addAction(tr("&Next pane"), this, [this] { cyclePane(1); })->setShortcut(QKeySequence(Qt::Key_F6));
  menu->addAction(tr("Pre&vious pane"), this, [this] { cyclePane(-1); })
      ->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F6));
}

void MainWindow::setupPagesMenu(QMenu* menu) {
  auto* group = new QActionGroup(menu);
  int number = 1;
  for (const QString& id : pages_->ids()) {
    QAction* action = menu->addAction(pages_->title(id), pages_, [this, id] { pages_->show(id); });
    action->setCheckable(true);
    action->setData(id);
    if (number < 10) action->setShortcut(QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_0 + number)));
    group->addAction(action);
    ++number;
  }
  connect(menu, &QMenu::aboutToShow, this, [this, group] {
    for (QAction* action : group->actions())
      action->setChecked(action->data().toString() == pages_->current());
  });
}

/// F6: the next pane that is open, brought to the front.
void MainWindow::cyclePane(int step) {
  QList<QWidget*> panes{pages_->page(pages_->current())};
  for (const char* name : {"latency", "heatmap", "triangle", "inspector"}) {
    if (dock(name)->toggleViewAction()->isChecked()) panes << dock(name)->widget();
  }
  panes << history_;
  if (dock("controls")->toggleViewAction()->isChecked()) panes << controls_;
  const QWidget* focus = QApplication::focusWidget();
  qsizetype at = 0;
  for (qsizetype i = 0; i < panes.size(); ++i) {
    if (panes[i] == focus || panes[i]->isAncestorOf(focus)) at = i;
  }
  for (qsizetype tried = 0; tried < panes.size(); ++tried) {
    at = (at + step + panes.size()) % panes.size();
    if (auto* holder = qobject_cast<QDockWidget*>(panes[at]->parentWidget())) holder->raise();
    if (QWidget* target = firstFocusable(panes[at])) {
      target->setFocus(Qt::TabFocusReason);
      return;
    }
  }
}

void MainWindow::setupSimulateMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Simulate"));
  menu->addActions(transport_->transportActions());
  menu->addSeparator();
  menu->addAction(tr("Back to &live"), this,
                  [this] { QMetaObject::invokeMethod(worker_, [w = worker_] { w->backToLive(); }); });
  QAction* explain = menu->addAction(icon("info"), tr("&Explain time per output token"), this,
                                     [this] { inspector_->explain(QStringLiteral("tpot_s")); });
  explain->setShortcuts({QKeySequence(Qt::Key_F1), QKeySequence(Qt::CTRL | Qt::Key_E)});
  menu->addSeparator();
  QAction* pin = menu->addAction(icon("pin"), tr("&Pin as A, compare"), this, &MainWindow::pin);
  pin->setCheckable(true);
  pin->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A));
  pin->setIconText(tr("Pin A"));
  pin->setToolTip(tr("Pin what is shown as A and compare with it (Ctrl+Shift+A)"));
  auto* pin_button = new QToolButton(transport_);
  pin_button->setDefaultAction(pin);
  pin_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  transport_->addWidget(pin_button);
  for (QToolBar* bar : findChildren<QToolBar*>()) bar->setMovable(false);
}

void MainWindow::setupHelpMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Help"));
  QAction* keys = menu->addAction(tr("&Keyboard shortcuts"), this, [this] {
    QString rows;
    for (const ShortcutRow& row : kShortcuts) {
      rows += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;&nbsp;</td><td>%2</td></tr>")
                  .arg(QString::fromLatin1(row.keys).toHtmlEscaped(),
                       QCoreApplication::translate("shortcuts", row.what));
    }
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Keyboard shortcuts"),
                                QStringLiteral("<table cellspacing='6'>%1</table>").arg(rows),
                                QMessageBox::Close, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setModal(false);
    box->show();
  });
  keys->setShortcut(QKeySequence(Qt::Key_Question));
  menu->addAction(tr("&About Decodescope"), this, [this] {
    QMessageBox::about(this, tr("About Decodescope"),
                       tr("<b>Decodescope %1</b><p>Shows why an LLM cluster decodes as fast as it does, and "
                          "why it cannot go "
                          "faster.</p><p>Renderer: %2</p><p>Licence: GPL-3.0-or-later</p>")
                           .arg(QStringLiteral(DECODESCOPE_VERSION), rack_->rendererDescription()));
  });
}

void MainWindow::updateRecentMenu() {
  recent_menu_->clear();
  const QStringList files = settings::recentFiles();
  for (const QString& file : files) recent_menu_->addAction(file, this, [this, file] { openFile(file); });
  recent_menu_->setEnabled(!files.isEmpty());
  if (files.isEmpty()) return;
  recent_menu_->addSeparator();
  recent_menu_->addAction(tr("Clear list"), this, [this] {
    settings::clearRecentFiles();
    updateRecentMenu();
  });
}

}  // namespace decodescope::app
