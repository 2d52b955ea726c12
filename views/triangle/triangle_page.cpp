#include "triangle/triangle_page.h"

#include "base/theme.h"
#include "triangle/triangle_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace decodescope::views {
namespace {

QLabel* wrapped(const char* role, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setProperty("role", QString::fromLatin1(role));
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

}  // namespace

TrianglePage::TrianglePage(const QStringList& objectives, QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("trianglePage"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 8, 12, 8);
  layout->setSpacing(16);
  triangle_ = new TrianglePanel(this);
  triangle_->setObjectName(QStringLiteral("largeTriangle"));
  objective_ = new QComboBox(this);
  objective_->addItems(objectives);
  objective_->setAccessibleName(tr("Gain in"));
  objective_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  objective_->setMinimumContentsLength(12);
  connect(objective_, &QComboBox::currentIndexChanged, this, &TrianglePage::objectiveChanged);
  layout->addWidget(triangle_, 5);
  layout->addLayout(makeSide(), 6);
}

QLayout* TrianglePage::makeSide() {
  auto* side = new QVBoxLayout;
  auto* line = new QHBoxLayout;
  QLabel* heading = wrapped("title", this);
  heading->setText(tr("What would 10 % more of each buy?"));
  line->addWidget(heading, 1);
  auto* of = new QLabel(tr("Gain in"), this);
  of->setProperty("role", QStringLiteral("secondary"));
  line->addWidget(of);
  line->addWidget(objective_);
  side->addLayout(line);
  answer_ = wrapped("lead", this);
  side->addWidget(answer_);
  gains_ = new GainTable(this);
  side->addWidget(gains_, 1);
  skipped_ = wrapped("secondary", this);
  side->addWidget(skipped_);
  load_ = new QPushButton(tr("Load with this change"), this);
  load_->setEnabled(false);
  side->addWidget(load_, 0, Qt::AlignRight);
  connect(gains_, &GainTable::gainActivated, this, &TrianglePage::gainActivated);
  connect(load_, &QPushButton::clicked, this, [this] { Q_EMIT gainActivated(gains_->currentRow()); });
  connect(gains_, &QTableWidget::itemSelectionChanged, this,
          [this] { load_->setEnabled(!gains_->selectedItems().isEmpty()); });
  return side;
}

void TrianglePage::showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
  triangle_->showSnapshot(snapshot);
}

void TrianglePage::applyTheme(const Theme& theme) {
  setCurrentTheme(theme);
  triangle_->applyTheme(theme);
  gains_->showGains(rows_);
}

void TrianglePage::showGains(const QString& answer, const std::vector<ResourceGainRow>& rows,
                             const QString& skipped) {
  rows_ = rows;
  answer_->setText(answer);
  gains_->showGains(rows_);
  skipped_->setText(skipped);
  skipped_->setVisible(!skipped.isEmpty());
}

void TrianglePage::showMessage(const QString& text) {
  showGains(text, {}, {});
}

int TrianglePage::objective() const {
  return objective_->currentIndex();
}

QString TrianglePage::answer() const {
  return answer_->text();
}

}  // namespace decodescope::views
