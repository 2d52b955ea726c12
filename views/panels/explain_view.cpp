#include "panels/explain_view.h"

#include "base/format.h"
#include "base/theme.h"
#include "panels/explain_model.h"
#include "panels/share_delegate.h"

#include <decodescope/derivation_text.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSet>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <functional>

namespace decodescope::views {
namespace {

QToolButton* link(const QString& text, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setProperty("link", true);
  return button;
}

QLabel* note(const char* role, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setProperty("role", QLatin1String(role));
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

void forEachIndex(const ExplainModel& model, const QModelIndex& parent,
                  const std::function<void(const QModelIndex&)>& visit) {
  for (int row = 0; row < model.rowCount(parent); ++row) {
    const QModelIndex index = model.index(row, 0, parent);
    visit(index);
    forEachIndex(model, index, visit);
  }
}

}  // namespace

ExplainView::ExplainView(QWidget* parent) : QWidget(parent) {
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(2);
  makeHeader();
  model_ = new ExplainModel(this);
  tree_ = new QTreeView(this);
  tree_->setModel(model_);
  tree_->setUniformRowHeights(true);
  tree_->setAccessibleName(tr("Derivation"));
  tree_->setAllColumnsShowFocus(true);
  tree_->setItemDelegateForColumn(ExplainModel::Share, new ShareDelegate(tree_));
  tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  tree_->setTextElideMode(Qt::ElideRight);
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setSectionsMovable(false);
  tree_->header()->setMinimumSectionSize(24);
  tree_->viewport()->installEventFilter(this);
  box->addWidget(tree_, 1);
  auto* below = new QVBoxLayout;
  below->setContentsMargins(12, 4, 12, 4);
  below->setSpacing(2);
  formula_ = note("mono-secondary", this);
  numbers_ = note("mono", this);
  source_ = note("secondary", this);
  go_ = link(tr("Go to control"), this);
  below->addWidget(formula_);
  below->addWidget(numbers_);
  auto* last = new QHBoxLayout;
  last->addWidget(source_, 1);
  last->addWidget(go_, 0, Qt::AlignTop);
  below->addLayout(last);
  box->addLayout(below);
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this, &ExplainView::showCurrent);
  connect(go_, &QToolButton::clicked, this, [this] {
    const QString path = tree_->currentIndex().data(ExplainModel::PathRole).toString();
    if (!path.isEmpty()) Q_EMIT goToControl(path);
  });
  connect(tree_, &QTreeView::activated, this, [this](const QModelIndex& index) {
    const QString path = index.data(ExplainModel::PathRole).toString();
    if (!path.isEmpty()) Q_EMIT goToControl(path);
  });
  showFailure(tr("Click a number with dots below it to see where it comes from."));
}

void ExplainView::makeHeader() {
  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 6, 8, 2);
  title_ = new QLabel(tr("Explain"), this);
  title_->setProperty("role", QStringLiteral("title"));
  title_->setWordWrap(true);
  sensitivity_ = link(tr("Sensitivity"), this);
  sensitivity_->setToolTip(tr("How this number answers to +10 % of each input"));
  copy_ = link(tr("Copy as…"), this);
  copy_->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(copy_);
  const QStringList names{tr("Text"), tr("Markdown"), tr("LaTeX"), tr("JSON")};
  for (int i = 0; i < names.size(); ++i) menu->addAction(names.at(i), this, [this, i] { copyAs(i); });
  copy_->setMenu(menu);
  line->addWidget(title_, 1);
  line->addWidget(sensitivity_);
  line->addWidget(copy_);
  static_cast<QVBoxLayout*>(layout())->addLayout(line);
  connect(sensitivity_, &QToolButton::clicked, this, [this] {
    if (model_->derivation()) Q_EMIT sensitivityRequested(QString::fromStdString(model_->derivation()->id));
  });
}

void ExplainView::setDerivation(std::shared_ptr<const Derivation> root) {
  if (!root) return;
  QSet<QString> open;
  QString current;
  const bool same = model_->derivation() && model_->derivation()->id == root->id;
  const auto id_of = [this](const QModelIndex& index) {
    return QString::fromStdString(model_->node(index)->id);
  };
  if (same) {
    forEachIndex(*model_, {}, [&](const QModelIndex& index) {
      if (tree_->isExpanded(index)) open.insert(id_of(index));
    });
    if (tree_->currentIndex().isValid()) current = id_of(tree_->currentIndex());
  }
  model_->setDerivation(std::move(root));
  const Derivation& now = *model_->derivation();
  title_->setText(tr("Explain: %1 %2")
                      .arg(QString::fromStdString(now.label).section(QLatin1Char(','), 0, 0),
                           quantityText(now.value, QString::fromStdString(now.unit)).text()));
  if (same)
    forEachIndex(*model_, {}, [&](const QModelIndex& index) {
      if (open.contains(id_of(index))) tree_->setExpanded(index, true);
      if (id_of(index) == current) tree_->setCurrentIndex(index);
    });
  else
    tree_->expandToDepth(1);
  if (!tree_->currentIndex().isValid()) tree_->setCurrentIndex(model_->index(0, 0));
  for (QWidget* w :
       {static_cast<QWidget*>(tree_), static_cast<QWidget*>(copy_), static_cast<QWidget*>(sensitivity_)})
    w->show();
  measureValues();
  fitColumns();
  showCurrent();
}

void ExplainView::showFailure(const QString& message) {
  model_->setDerivation(nullptr);
  title_->setText(tr("Explain"));
  copy_->hide();
  sensitivity_->hide();
  formula_->hide();
  numbers_->hide();
  go_->hide();
  source_->setText(message);
  source_->show();
}

void ExplainView::showCurrent() {
  const Derivation* d = model_->node(tree_->currentIndex());
  if (d == nullptr) return;
  const auto show = [](QLabel* label, const QString& prefix, const std::string& text) {
    label->setText(prefix + QString::fromStdString(text));
    label->setVisible(!text.empty());
  };
  show(formula_, QStringLiteral("= "), d->formula);
  show(numbers_, QStringLiteral("= "), d->with_numbers);
  source_->setText(
      sourceName(d->source_kind) +
      (d->source.empty() ? QString() : QStringLiteral(": ") + QString::fromStdString(d->source)));
  source_->show();
  go_->setVisible(!d->parameter_path.empty());
}

void ExplainView::copyAs(int format) {
  if (!model_->derivation()) return;
  QGuiApplication::clipboard()->setText(QString::fromStdString(
      derivationText(*model_->derivation(), static_cast<DerivationFormat>(format))));
}

void ExplainView::fitColumns() {
  const Theme& theme = currentTheme();
  const double padding = theme.px(16);
  const int value = qRound(
      std::max(widest_value_, QFontMetricsF(theme.secondary).horizontalAdvance(tr("Value"))) + padding);
  const int share = qRound(theme.px(46));
  const int source =
      qRound(QFontMetricsF(theme.body).horizontalAdvance(sourceName(SourceKind::Simulated)) + padding);
  const int room = tree_->viewport()->width();
  // The source also stands below the tree; names need the room more.
  const bool wide = room > value + share + source + theme.px(170);
  tree_->setColumnHidden(ExplainModel::Source, !wide);
  tree_->setColumnWidth(ExplainModel::Value, value);
  tree_->setColumnWidth(ExplainModel::Share, share);
  tree_->setColumnWidth(ExplainModel::Source, source);
  tree_->setColumnWidth(ExplainModel::Quantity,
                        std::max(room - value - share - (wide ? source : 0), qRound(theme.px(90))));
}

void ExplainView::measureValues() {
  QFont bold = currentTheme().body;
  bold.setBold(true);
  const QFontMetricsF metrics(bold);
  widest_value_ = 0;
  forEachIndex(*model_, {}, [&](const QModelIndex& index) {
    const QString text = index.siblingAtColumn(ExplainModel::Value).data().toString();
    widest_value_ = std::max(widest_value_, metrics.horizontalAdvance(text));
  });
}

bool ExplainView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) fitColumns();
  return QWidget::eventFilter(watched, event);
}

void ExplainView::applyTheme(const Theme& theme) {
  tree_->setIndentation(qRound(theme.px(16)));
  tree_->setIconSize(QSize(qRound(theme.px(10)), qRound(theme.px(10))));
  measureValues();
  fitColumns();
  tree_->viewport()->update();
}

}  // namespace decodescope::views
