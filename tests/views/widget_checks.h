// What every panel must keep: names for screen readers, and no text that does not fit.
#pragma once

#include "base/theme.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>
#include <QToolButton>

namespace decodescope::test {

inline QString nameOf(const QWidget* widget) {
  return QStringLiteral("%1 '%2'").arg(QString::fromLatin1(widget->metaObject()->className()),
                                       widget->objectName());
}

/// Interactive widgets below `root` without an accessible name.
inline QStringList unnamedWidgets(QWidget* root) {
  QStringList out;
  for (QWidget* widget : root->findChildren<QWidget*>()) {
    const bool interactive =
        qobject_cast<QAbstractButton*>(widget) != nullptr ||
        qobject_cast<QAbstractSlider*>(widget) != nullptr ||
        qobject_cast<QAbstractSpinBox*>(widget) != nullptr || qobject_cast<QComboBox*>(widget) != nullptr ||
        qobject_cast<QLineEdit*>(widget) != nullptr || qobject_cast<QAbstractItemView*>(widget) != nullptr;
    // Parts that Qt makes belong to the widget they are in.
    const bool part =
        qobject_cast<QScrollBar*>(widget) != nullptr ||
        widget->objectName().startsWith(QLatin1String("qt_")) ||
        qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
        QString::fromLatin1(widget->metaObject()->className()).startsWith(QLatin1String("QComboBox")) ||
        QString::fromLatin1(widget->metaObject()->className()) == QLatin1String("QTableCornerButton") ||
        QString::fromLatin1(widget->metaObject()->className()) == QLatin1String("QHeaderView") ||
        QString::fromLatin1(widget->metaObject()->className()) == QLatin1String("QLineEditIconButton") ||
        widget->focusPolicy() == Qt::NoFocus;
    if (!interactive || part) continue;
    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
    if (face == nullptr || face->text(QAccessible::Name).trimmed().isEmpty()) out << nameOf(widget);
  }
  return out;
}

inline QString labelTrouble(const QLabel* label) {
  if (label->text().isEmpty()) return {};
  if (label->wordWrap()) {
    const int needed = label->heightForWidth(label->width());
    if (label->height() + 1 < needed)
      return QStringLiteral("'%1' is %2 high, needs %3").arg(label->text()).arg(label->height()).arg(needed);
    return {};
  }
  const QSize needed = label->sizeHint();
  if (label->width() + 1 < needed.width())
    return QStringLiteral("'%1' is %2 wide, needs %3")
        .arg(label->text())
        .arg(label->width())
        .arg(needed.width());
  return {};
}

/// Visible texts below `root` that are cut off: labels, buttons, number fields.
inline QStringList clippedTexts(QWidget* root) {
  QStringList out;
  for (const QWidget* widget : root->findChildren<QWidget*>()) {
    if (!widget->isVisible()) continue;
    if (const auto* label = qobject_cast<const QLabel*>(widget)) {
      if (const QString trouble = labelTrouble(label); !trouble.isEmpty()) out << trouble;
      const QWidget* parent = label->parentWidget();
      if (qobject_cast<const QLineEdit*>(parent) == nullptr && label->geometry().right() > parent->width())
        out << QStringLiteral("'%1' leaves its parent").arg(label->text());
    } else if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
      const bool has_hint = qobject_cast<const QToolButton*>(button) != nullptr ||
                            qobject_cast<const QPushButton*>(button) != nullptr;
      if (has_hint && !button->text().isEmpty() && button->width() + 1 < button->sizeHint().width())
        out << QStringLiteral("button '%1' is %2 wide, needs %3")
                   .arg(button->text())
                   .arg(button->width())
                   .arg(button->sizeHint().width());
    } else if (const auto* spin = qobject_cast<const QAbstractSpinBox*>(widget)) {
      const auto* edit = spin->findChild<QLineEdit*>();
      const int room = edit->width() - edit->textMargins().left() - edit->textMargins().right();
      const int needed = edit->fontMetrics().horizontalAdvance(edit->text());
      if (room < needed)
        out << QStringLiteral("field '%1' has %2, needs %3").arg(edit->text()).arg(room).arg(needed);
    }
  }
  return out;
}

/// Shows the widget at a size given at 100 %, lets layouts settle.
inline void showAt(QWidget& widget, double width, double height) {
  const double zoom = views::currentTheme().zoom;
  widget.resize(qRound(width * zoom), qRound(height * zoom));
  widget.show();
  QVERIFY(QTest::qWaitForWindowExposed(&widget));
  QTest::qWait(20);
}

}  // namespace decodescope::test
