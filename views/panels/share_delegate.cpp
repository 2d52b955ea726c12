#include "panels/share_delegate.h"

#include "base/theme.h"
#include "panels/explain_model.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>

namespace decodescope::views {

void ShareDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
  QStyleOptionViewItem background = option;
  initStyleOption(&background, index);
  background.text.clear();
  QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &background, painter, option.widget);
  const double share = index.data(ExplainModel::ShareRole).toDouble();
  if (share <= 0) return;
  const Theme& theme = currentTheme();
  const double height = theme.px(6), left = option.rect.left() + theme.px(4);
  const QRectF track(left, option.rect.center().y() - height / 2 + 0.5,
                     option.rect.right() - theme.px(6) - left, height);
  painter->fillRect(track, toQColor(theme.palette.line));
  painter->fillRect(
      QRectF(track.topLeft(), QSizeF(std::max(1.0, track.width() * std::min(1.0, share)), height)),
      index.data(ExplainModel::ColorRole).value<QColor>());
}

QSize ShareDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  return {qRound(currentTheme().px(46)), QStyledItemDelegate::sizeHint(option, index).height()};
}

}  // namespace decodescope::views
