#include "base/view_switch.h"

#include "base/theme.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace decodescope::views {

ViewSwitch::ViewSwitch(int choices, QWidget* parent)
    : QWidget(parent), group_(new QButtonGroup(this)), caption_(new QLabel) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 0);
  layout->setSpacing(0);
  caption_->setProperty("role", QStringLiteral("secondary"));
  caption_->setMinimumWidth(0);
  caption_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  layout->addWidget(caption_, 1);
  for (int i = 0; i < choices; ++i) {
    auto* button = new QToolButton;
    button->setCheckable(true);
    button->setProperty("segment", true);
    group_->addButton(button, i);
    layout->addWidget(button);
  }
  group_->setExclusive(true);
  setBackground(toQColor(currentTheme().palette.panel));
}

void ViewSwitch::setCaption(const QString& caption) {
  text_ = caption;
  fitCaption();
}

// A caption that does not fit says nothing rather than half of it.
void ViewSwitch::fitCaption() {
  int buttons = 0;
  for (const QAbstractButton* button : group_->buttons()) buttons += button->sizeHint().width();
  const int room =
      width() - buttons - layout()->contentsMargins().left() - layout()->contentsMargins().right();
  caption_->setText(caption_->fontMetrics().horizontalAdvance(text_) <= room ? text_ : QString());
}

void ViewSwitch::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitCaption();
}

void ViewSwitch::setBackground(const QColor& color) {
  background_ = color;
  update();
}

// On the panel's own colour, as the canvas below it.
void ViewSwitch::paintEvent(QPaintEvent*) {
  QPainter(this).fillRect(rect(), background_);
}

}  // namespace decodescope::views
