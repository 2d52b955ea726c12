#include "panels/fix_list.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace decodescope::views {

FixList::FixList(QWidget* parent) : QWidget(parent) {
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(12, 4, 12, 6);
  box->setSpacing(4);
  title_ = new QLabel(tr("Smallest changes that help"), this);
  title_->setProperty("role", QStringLiteral("title"));
  box->addWidget(title_);
  body_ = new QWidget(this);
  rows_ = new QVBoxLayout(body_);
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->setSpacing(6);
  box->addWidget(body_);
  box->addStretch(1);
}

void FixList::setViolations(const std::vector<Violation>& violations) {
  std::vector<QString> now;
  for (const Violation& v : violations)
    now.push_back(QString::fromStdString(v.message + '\n' + v.fix + '\n' + v.fix_value));
  if (now == shown_) return;  // rebuilding would take the focus from a button
  shown_ = std::move(now);
  while (QLayoutItem* item = rows_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  for (const Violation& v : violations) addEntry(v);
}

void FixList::addEntry(const Violation& violation) {
  auto* row = new QWidget(body_);
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(8);
  auto* text = new QVBoxLayout;
  text->setSpacing(0);
  const auto add = [&](const std::string& content, const char* role) {
    if (content.empty()) return;
    auto* label = new QLabel(QString::fromStdString(content), row);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (*role != '\0') label->setProperty("role", QLatin1String(role));
    text->addWidget(label);
  };
  add(violation.message, violation.fix.empty() ? "" : "secondary");
  add(violation.fix, "");
  line->addLayout(text, 1);
  if (!violation.fix_path.empty()) {
    auto* button = new QPushButton(tr("Try"), row);
    button->setAccessibleName(tr("Try: %1").arg(QString::fromStdString(violation.fix)));
    button->setToolTip(
        tr("Sets %1 to %2; can be undone")
            .arg(QString::fromStdString(violation.fix_path), QString::fromStdString(violation.fix_value)));
    line->addWidget(button, 0, Qt::AlignVCenter);
    connect(button, &QPushButton::clicked, this,
            [this, path = QString::fromStdString(violation.fix_path),
             value = QString::fromStdString(violation.fix_value)] { Q_EMIT applyFix(path, value); });
  }
  rows_->addWidget(row);
}

}  // namespace decodescope::views
