#include "base/view_switch.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace decodescope::views {

ViewSwitch::ViewSwitch(int choices, QWidget* parent) : QWidget(parent), group_(new QButtonGroup(this)) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 0);
  layout->setSpacing(0);
  layout->addStretch(1);
  for (int i = 0; i < choices; ++i) {
    auto* button = new QToolButton;
    button->setCheckable(true);
    button->setProperty("segment", true);
    group_->addButton(button, i);
    layout->addWidget(button);
  }
  group_->setExclusive(true);
}

}  // namespace decodescope::views
