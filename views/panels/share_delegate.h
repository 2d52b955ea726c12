// A share of the whole as a bar, in the hue of what it stands for.
#pragma once

#include <QStyledItemDelegate>

namespace decodescope::views {

class ShareDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace decodescope::views
