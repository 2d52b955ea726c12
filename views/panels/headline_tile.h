// One headline number: a button that explains it.
#pragma once

#include "panels/headline.h"

#include <QAbstractButton>

namespace decodescope::views {

class HeadlineTile : public QAbstractButton {
  Q_OBJECT

 public:
  explicit HeadlineTile(QWidget* parent = nullptr);

  void setContent(const HeadlineTileContent& content);
  [[nodiscard]] const HeadlineTileContent& content() const { return content_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paintTop(QPainter* painter, const QRectF& inner) const;
  void paintBottom(QPainter* painter, const QRectF& inner) const;

  HeadlineTileContent content_;
};

}  // namespace decodescope::views
