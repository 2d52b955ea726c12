#include "triangle/gain_table.h"

#include "base/format.h"
#include "base/theme.h"
#include "panels/explain_model.h"
#include "panels/share_delegate.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>

namespace decodescope::views {
namespace {

enum Column { kResource, kChange, kBar, kGain, kColumns };

QString gainText(const ResourceGainRow& row) {
  if (row.buys_nothing) return GainTable::tr("nothing");
  return QStringLiteral("%1%2 %").arg(row.gain_ratio > 0 ? QStringLiteral("+") : QStringLiteral("−"),
                                      fixedText(std::abs(row.gain_ratio) * 100, 1));
}

}  // namespace

GainTable::GainTable(QWidget* parent) : QTableWidget(0, kColumns, parent) {
  setObjectName(QStringLiteral("gains"));
  setEditTriggers(NoEditTriggers);
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setShowGrid(false);
  setTabKeyNavigation(false);
  setWordWrap(false);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setItemDelegateForColumn(kBar, new ShareDelegate(this));
  verticalHeader()->hide();
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setSectionsClickable(false);
  horizontalHeader()->setSectionResizeMode(kResource, QHeaderView::ResizeToContents);
  horizontalHeader()->setSectionResizeMode(kChange, QHeaderView::Stretch);
  horizontalHeader()->setSectionResizeMode(kBar, QHeaderView::Stretch);
  horizontalHeader()->setSectionResizeMode(kGain, QHeaderView::ResizeToContents);
  connect(this, &QTableWidget::cellDoubleClicked, this, [this](int row, int) { Q_EMIT gainActivated(row); });
  retranslate();
}

void GainTable::retranslate() {
  setAccessibleName(tr("Gain of 10 % more of each resource"));
  setHorizontalHeaderLabels({tr("Resource"), tr("10 % more"), QString(), tr("Gain")});
  for (int column : {kResource, kChange})
    horizontalHeaderItem(column)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  horizontalHeaderItem(kGain)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

void GainTable::showGains(const std::vector<ResourceGainRow>& rows) {
  const Theme& theme = currentTheme();
  setRowCount(static_cast<int>(rows.size()));
  for (int i = 0; i < rowCount(); ++i) {
    const ResourceGainRow& row = rows[static_cast<std::size_t>(i)];
    auto* bar = new QTableWidgetItem;
    bar->setData(ExplainModel::ShareRole, row.buys_nothing ? 0.0 : row.gain_share);
    bar->setData(ExplainModel::ColorRole, row.gain_ratio < 0 ? theme.error_text : theme.better_text);
    auto* gain = new QTableWidgetItem(gainText(row));
    gain->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    const std::array items{new QTableWidgetItem(row.resource), new QTableWidgetItem(row.change), bar, gain};
    for (int column = 0; column < kColumns; ++column) {
      QTableWidgetItem* item = items[static_cast<std::size_t>(column)];
      item->setToolTip(tr("%1\nEnter: load the scenario with this change").arg(row.assignments));
      if (row.buys_nothing) item->setForeground(toQColor(theme.palette.secondary_text));
      setItem(i, column, item);
    }
  }
  resizeRowsToContents();
}

QString GainTable::text() const {
  QStringList lines{tr("Resource\t10 % more\tGain")};
  for (int i = 0; i < rowCount(); ++i)
    lines << item(i, kResource)->text() + QLatin1Char('\t') + item(i, kChange)->text() + QLatin1Char('\t') +
                 item(i, kGain)->text();
  return lines.join(QLatin1Char('\n'));
}

void GainTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return QGuiApplication::clipboard()->setText(text());
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && currentRow() >= 0) return void(Q_EMIT gainActivated(currentRow()));
  QTableWidget::keyPressEvent(event);
}

void GainTable::changeEvent(QEvent* event) {
  QTableWidget::changeEvent(event);
  if (event->type() == QEvent::LanguageChange) retranslate();
}

}  // namespace decodescope::views
