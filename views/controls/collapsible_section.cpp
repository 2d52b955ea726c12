#include "controls/collapsible_section.h"

#include "base/icons.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace decodescope::views {

CollapsibleSection::CollapsibleSection(const QString& title, QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  auto* rule = new QFrame(this);
  rule->setProperty("rule", true);
  layout->addWidget(rule);
  header_ = new QToolButton(this);
  header_->setProperty("section", true);
  header_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  header_->setText(title);
  header_->setAccessibleName(tr("Section %1").arg(title));
  reset_ = new QToolButton(this);
  reset_->setProperty("link", true);
  reset_->setText(tr("reset"));
  reset_->setAccessibleName(tr("Reset section %1").arg(title));
  reset_->setToolTip(tr("Reset all of %1").arg(title));
  reset_->hide();
  auto* head = new QHBoxLayout;
  head->addWidget(header_);
  head->addStretch(1);
  head->addWidget(reset_);
  layout->addLayout(head);
  body_ = new QWidget(this);
  rows_ = new QVBoxLayout(body_);
  rows_->setContentsMargins(2, 0, 0, 4);
  rows_->setSpacing(5);
  layout->addWidget(body_);
  connect(header_, &QToolButton::clicked, this, [this] { setOpen(!open_); });
  connect(reset_, &QToolButton::clicked, this, &CollapsibleSection::resetRequested);
  setOpen(true);
}

void CollapsibleSection::addRow(QWidget* row) {
  rows_->addWidget(row);
}

void CollapsibleSection::setOpen(bool open) {
  open_ = open;
  header_->setIcon(icon(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
  header_->setAccessibleDescription(open ? tr("open") : tr("folded"));
  body_->setVisible(open);
}

void CollapsibleSection::setResetVisible(bool visible) {
  reset_->setVisible(visible);
}

}  // namespace decodescope::views
