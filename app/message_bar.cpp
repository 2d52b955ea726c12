#include "app/message_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace decodescope::app {

MessageBar::MessageBar(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("messageBar"));
  setFrameShape(QFrame::StyledPanel);
  icon_ = new QLabel(this);
  text_ = new QLabel(this);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  auto* close = new QToolButton(this);
  close->setText(tr("Dismiss"));
  close->setAutoRaise(true);
  connect(close, &QToolButton::clicked, this, &MessageBar::dismiss);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 4, 8, 4);
  layout->addWidget(icon_);
  layout->addWidget(text_, 1);
  layout->addWidget(close);
  hide();
}

void MessageBar::showText(const QString& text, bool error) {
  icon_->setText(error ? tr("Error") : tr("Note"));
  QFont bold = icon_->font();
  bold.setBold(true);
  icon_->setFont(bold);
  text_->setText(text);
  setAccessibleName(text);
  show();
}

void MessageBar::dismiss() {
  hide();
}

QString MessageBar::text() const {
  return isHidden() ? QString() : text_->text();
}

}  // namespace decodescope::app
