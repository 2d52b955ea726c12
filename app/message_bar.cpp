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
  action_button_ = new QToolButton(this);
  action_button_->setAccessibleName(tr("Suggested action"));
  action_button_->hide();
  connect(action_button_, &QToolButton::clicked, this, [this] {
    dismiss();
    if (const auto action = action_) action();
  });
  dismiss_ = new QToolButton(this);
  dismiss_->setText(tr("Dismiss"));
  connect(dismiss_, &QToolButton::clicked, this, &MessageBar::dismiss);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 4, 8, 4);
  layout->addWidget(icon_);
  layout->addWidget(text_, 1);
  layout->addWidget(action_button_);
  layout->addWidget(dismiss_);
  hide();
}

void MessageBar::showText(const QString& text, bool error) {
  icon_->setText(error ? tr("Error") : tr("Note"));
  QFont bold = icon_->font();
  bold.setBold(true);
  icon_->setFont(bold);
  text_->setText(text);
  if (dismiss_->isVisibleTo(this)) action_button_->hide();
  setAccessibleName(text);
  show();
}

void MessageBar::setAction(const QString& text, std::function<void()> action) {
  action_button_->setText(text);
  action_button_->show();
  action_ = std::move(action);
}

void MessageBar::setDismissable(bool on) {
  dismiss_->setVisible(on);
}

void MessageBar::dismiss() {
  hide();
}

QString MessageBar::text() const {
  return isHidden() ? QString() : text_->text();
}

}  // namespace decodescope::app
