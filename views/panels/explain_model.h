// A derivation tree as an item model: quantity, value, share, source. Shares the tree; copies nothing.
#pragma once

#include <decodescope/derivation.h>

#include <QAbstractItemModel>
#include <QColor>
#include <memory>
#include <vector>

namespace decodescope::views {

class ExplainModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column { Quantity, Value, Share, Source, ColumnCount };
  enum Role { ShareRole = Qt::UserRole + 1, ColorRole, PathRole };

  using QAbstractItemModel::QAbstractItemModel;

  void setDerivation(std::shared_ptr<const Derivation> root);
  [[nodiscard]] const std::shared_ptr<const Derivation>& derivation() const { return root_; }
  [[nodiscard]] const Derivation* node(const QModelIndex& index) const;

  [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& = {}) const override { return ColumnCount; }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Entry {
    const Derivation* node = nullptr;
    int parent = -1, row = 0;
    int first_child = -1;  ///< children stand next to each other
  };

  [[nodiscard]] QString valueText(const Derivation& node) const;

  std::shared_ptr<const Derivation> root_;
  std::vector<Entry> entries_;  ///< breadth first; the root is 0
};

/// "you set", "catalog", "derived", "fitted", "simulated", "assumed".
[[nodiscard]] QString sourceName(SourceKind kind);
/// The hue of what the node stands for, by its id; invalid where it stands for none of the groups.
[[nodiscard]] QColor derivationColor(const Derivation& node);

}  // namespace decodescope::views
