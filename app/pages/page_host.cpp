#include "app/pages/page_host.h"

#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace decodescope::app {

PageHost::PageHost(QWidget* parent) : QWidget(parent), tabs_(new QTabBar), stack_(new QStackedWidget) {
  tabs_->setObjectName(QStringLiteral("pageTabs"));
  tabs_->setAccessibleName(tr("Pages"));
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(tabs_);
  layout->addWidget(stack_, 1);
  connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
    if (index < 0) return;
    stack_->setCurrentIndex(index);
    Q_EMIT currentChanged(ids_[index]);
  });
}

void PageHost::addPage(const QString& id, const QString& title, const QString& tool_tip, QWidget* page) {
  ids_ << id;
  stack_->addWidget(page);
  const int index = tabs_->addTab(title);
  tabs_->setTabToolTip(index, tool_tip);
}

QString PageHost::current() const {
  return ids_.value(tabs_->currentIndex());
}

QWidget* PageHost::page(const QString& id) const {
  return stack_->widget(int(ids_.indexOf(id)));
}

QString PageHost::title(const QString& id) const {
  return tabs_->tabText(int(ids_.indexOf(id)));
}

void PageHost::show(const QString& id) {
  if (const auto index = ids_.indexOf(id); index >= 0) tabs_->setCurrentIndex(int(index));
}

}  // namespace decodescope::app
