// The links of one device as bars: how busy, in the colours of the link states, with the thresholds as lines.
#pragma once

#include "panels/identity.h"

#include <QWidget>
#include <vector>

namespace decodescope::views {

class LinkBars : public QWidget {
  Q_OBJECT

 public:
  explicit LinkBars(QWidget* parent = nullptr);

  void setLinks(std::vector<IdentityLink> links);
  [[nodiscard]] QSize sizeHint() const override;

 Q_SIGNALS:
  void linkClicked(quint32 link);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] QRectF plotRect() const;
  [[nodiscard]] int barAt(double x) const;

  std::vector<IdentityLink> links_;
};

}  // namespace decodescope::views
