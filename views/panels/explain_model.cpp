#include "panels/explain_model.h"

#include "base/format.h"
#include "base/theme.h"

#include <QCoreApplication>
#include <QFont>

namespace decodescope::views {
namespace {

QString fromStd(const std::string& text) {
  return QString::fromStdString(text);
}

}  // namespace

QString sourceName(SourceKind kind) {
  const auto tr = [](const char* text) { return QCoreApplication::translate("ExplainModel", text); };
  switch (kind) {
    case SourceKind::UserSet:
      return tr("you set");
    case SourceKind::Catalog:
      return tr("catalog");
    case SourceKind::Derived:
      return tr("derived");
    case SourceKind::Calibrated:
      return tr("fitted");
    case SourceKind::Simulated:
      return tr("simulated");
    case SourceKind::Assumption:
      return tr("assumed");
  }
  return {};
}

QColor derivationColor(const Derivation& node) {
  const scene::Palette& p = currentTheme().palette;
  const QString last = fromStd(node.id).section(QLatin1Char('/'), -1);
  const struct {
    const char* part;
    scene::Color color;
  } hues[] = {{"throttle", p.physical},
              {"weights_hbm", p.hbm},
              {"kv_hbm", p.hbm},
              {"memory", p.hbm},
              {"hbm", p.hbm},
              {"math", p.compute},
              {"compute", p.compute},
              {"collective", p.interconnect},
              {"transfer", p.interconnect},
              {"latency", p.interconnect},
              {"all_reduce", p.interconnect},
              {"all_to_all", p.interconnect},
              {"dispatch", p.interconnect},
              {"combine", p.interconnect},
              {"wait", p.waiting},
              {"launch", p.host},
              {"fixed", p.host},
              {"host", p.host}};
  for (const auto& hue : hues)
    if (last.contains(QLatin1String(hue.part))) return toQColor(hue.color);
  return {};
}

void ExplainModel::setDerivation(std::shared_ptr<const Derivation> root) {
  beginResetModel();
  root_ = std::move(root);
  entries_.clear();
  if (root_) {
    entries_.push_back({root_.get(), -1, 0, -1});
    // Breadth first, so that the children of a node stand next to each other.
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Derivation* node = entries_[i].node;
      if (node->children.empty()) continue;
      entries_[i].first_child = static_cast<int>(entries_.size());
      for (std::size_t k = 0; k < node->children.size(); ++k)
        entries_.push_back({&node->children[k], static_cast<int>(i), static_cast<int>(k), -1});
    }
  }
  endResetModel();
}

const Derivation* ExplainModel::node(const QModelIndex& index) const {
  return index.isValid() ? entries_[index.internalId()].node : nullptr;
}

QModelIndex ExplainModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  if (!parent.isValid()) return createIndex(row, column, quintptr{0});
  return createIndex(row, column, static_cast<quintptr>(entries_[parent.internalId()].first_child + row));
}

QModelIndex ExplainModel::parent(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const int above = entries_[index.internalId()].parent;
  if (above < 0) return {};
  return createIndex(entries_[static_cast<std::size_t>(above)].row, 0, static_cast<quintptr>(above));
}

int ExplainModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return root_ ? 1 : 0;
  return parent.column() > 0 ? 0 : static_cast<int>(entries_[parent.internalId()].node->children.size());
}

QString ExplainModel::valueText(const Derivation& d) const {
  // Times of one tree in one unit, so that they can be compared and added by eye.
  if (d.unit == "s" && root_->unit == "s") return timeText(d.value, timeUnitFor(root_->value)).text();
  return quantityText(d.value, fromStd(d.unit)).text();
}

QVariant ExplainModel::data(const QModelIndex& index, int role) const {
  const Derivation* d = node(index);
  if (d == nullptr) return {};
  const bool is_root = entries_[index.internalId()].parent < 0;
  switch (role) {
    case Qt::DisplayRole:
      if (index.column() == Quantity) return fromStd(d->label);
      if (index.column() == Value) return valueText(*d);
      if (index.column() == Source) return sourceName(d->source_kind);
      return {};
    case Qt::AccessibleTextRole:
      if (index.column() == Share) return d->share > 0 ? ratioText(d->share).text() : QString();
      return data(index, Qt::DisplayRole);
    case Qt::ToolTipRole: {
      QStringList lines{fromStd(d->label) + QStringLiteral(": ") +
                        quantityText(d->value, fromStd(d->unit), 5).text()};
      if (!d->formula.empty()) lines << QStringLiteral("= ") + fromStd(d->formula);
      if (!d->with_numbers.empty()) lines << QStringLiteral("= ") + fromStd(d->with_numbers);
      lines << sourceName(d->source_kind) +
                   (d->source.empty() ? QString() : QStringLiteral(": ") + fromStd(d->source));
      return lines.join(QLatin1Char('\n'));
    }
    case Qt::FontRole:
      if ((is_root && index.column() != Source) || (index.column() == Value && !d->children.empty())) {
        QFont font = currentTheme().body;
        font.setBold(true);
        return font;
      }
      return {};
    case Qt::TextAlignmentRole:
      if (index.column() == Value || index.column() == Source)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
      return {};
    case Qt::ForegroundRole:
      return index.column() == Source ? QVariant(toQColor(currentTheme().palette.tertiary_text)) : QVariant();
    case ShareRole:
      return is_root ? 1.0 : d->share;
    case ColorRole: {
      const QColor own = derivationColor(*d);
      return own.isValid() ? own : toQColor(currentTheme().palette.pinned);
    }
    case Qt::DecorationRole:
      if (index.column() == Quantity && derivationColor(*d).isValid()) return derivationColor(*d);
      return {};
    case PathRole:
      return fromStd(d->parameter_path);
    default:
      return {};
  }
}

QVariant ExplainModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole && (section == Value || section == Source))
    return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case Quantity:
      return tr("Quantity");
    case Value:
      return tr("Value");
    case Share:
      return tr("Share");
    case Source:
      return tr("Source");
    default:
      return {};
  }
}

}  // namespace decodescope::views
