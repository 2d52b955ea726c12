#include "paint/scene_canvas.h"

#include "scene/picking.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>
#include <cmath>

namespace decodescope::views {

SceneCanvas::SceneCanvas(const Theme& theme, QObject* parent) : QObject(parent), theme_(theme) {
  list_.background = theme.palette.panel;
}
SceneCanvas::~SceneCanvas() = default;

void SceneCanvas::watch(QWidget* widget) {
  widget->setMouseTracking(true);
  widget->setContextMenuPolicy(Qt::DefaultContextMenu);
  widget->installEventFilter(this);
}

void SceneCanvas::applyTheme(const Theme& theme) {
  // Until there is something to draw, and until the next list of the new theme.
  list_.background = theme.palette.panel;
  theme_ = theme;
  widget()->update();
}

void SceneCanvas::setDrawList(scene::DrawList list) {
  list_ = std::move(list);
  widget()->update();
}

scene::PickId SceneCanvas::pickAt(QPointF at) const {
  return scene::hitTest(list_, {float(at.x()), float(at.y())}, float(theme_.px(4)));
}

bool SceneCanvas::mouseEvent(QEvent* event) {
  auto* mouse = static_cast<QMouseEvent*>(event);
  const QPointF at = mouse->position();
  switch (event->type()) {
    case QEvent::MouseButtonPress:
      if (mouse->button() != Qt::LeftButton && mouse->button() != Qt::MiddleButton) return false;
      pressed_ = true, dragging_ = false;
      press_at_ = last_at_ = at;
      return false;
    case QEvent::MouseMove:
      if (pressed_ &&
          (dragging_ || (at - press_at_).manhattanLength() >= QApplication::startDragDistance())) {
        dragging_ = true;
        Q_EMIT dragged(at - last_at_);
        last_at_ = at;
        return true;
      }
      if (const scene::PickId pick = pickAt(at); pick != hovered_) Q_EMIT hovered(hovered_ = pick);
      return false;
    case QEvent::MouseButtonRelease:
      if (mouse->button() == Qt::LeftButton && pressed_ && !dragging_) Q_EMIT clicked(pickAt(at), at);
      pressed_ = dragging_ = false;
      return false;
    case QEvent::MouseButtonDblClick:
      if (mouse->button() == Qt::LeftButton) Q_EMIT doubleClicked(pickAt(at), at);
      return true;
    default:
      return false;
  }
}

bool SceneCanvas::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseMove:
    case QEvent::MouseButtonDblClick:
      return mouseEvent(event);
    case QEvent::Leave:
      if (hovered_ != 0) Q_EMIT hovered(hovered_ = 0);
      break;
    case QEvent::Resize:
      Q_EMIT resized();
      break;
    case QEvent::Wheel: {
      auto* wheel = static_cast<QWheelEvent*>(event);
      // Ctrl+wheel zooms the whole program elsewhere.
      if (wheel->modifiers() & Qt::ControlModifier) break;
      Q_EMIT zoomed(wheel->position(), std::pow(1.2, wheel->angleDelta().y() / 120.0));
      return true;
    }
    case QEvent::ContextMenu: {
      auto* menu = static_cast<QContextMenuEvent*>(event);
      Q_EMIT contextRequested(pickAt(menu->pos()), menu->globalPos());
      return true;
    }
    case QEvent::ToolTip: {
      auto* help = static_cast<QHelpEvent*>(event);
      Q_EMIT toolTipRequested(pickAt(help->pos()), help->globalPos());
      return true;
    }
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace decodescope::views
