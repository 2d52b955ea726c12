#include "panels/assumptions_list.h"

#include "base/icons.h"
#include "base/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace decodescope::views {

AssumptionsList::AssumptionsList(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("assumptions"));
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 4, 0, 0);
  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 0, 8, 0);
  title_ = new QLabel(this);
  title_->setProperty("role", QStringLiteral("secondary"));
  auto* copy = new QToolButton(this);
  copy->setIcon(icon(QStringLiteral("copy")));
  copy->setAccessibleName(tr("Copy assumptions"));
  copy->setToolTip(tr("Copy as text"));
  line->addWidget(title_, 1);
  line->addWidget(copy);
  box->addLayout(line);
  list_ = new QListWidget(this);
  list_->setWordWrap(true);
  list_->setAccessibleName(tr("Assumptions"));
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  box->addWidget(list_, 1);
  connect(copy, &QToolButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(texts_.join(QLatin1Char('\n'))); });
}

void AssumptionsList::showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
  if (!snapshot || !snapshot->prediction) return;
  QStringList texts;
  for (const std::string& text : snapshot->prediction->assumptions) texts << QString::fromStdString(text);
  if (texts == texts_) return;
  texts_ = texts;
  title_->setText(tr("%1 assumptions of this prediction").arg(texts_.size()));
  list_->clear();
  list_->addItems(texts_);
}

void AssumptionsList::applyTheme(const Theme& theme) {
  setCurrentTheme(theme);

  list_->doItemsLayout();
}

}  // namespace decodescope::views
