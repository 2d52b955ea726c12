// Two or more readings of one panel, as joined buttons at its upper right.
#pragma once

#include <QColor>
#include <QWidget>

class QButtonGroup;
class QLabel;

namespace decodescope::views {

class ViewSwitch final : public QWidget {
  Q_OBJECT

 public:
  ViewSwitch(int choices, QWidget* parent);
  /// Button i has id i; their texts are up to the panel.
  [[nodiscard]] QButtonGroup* group() const { return group_; }
  /// What the panel shows, left of the buttons.
  void setCaption(const QString& caption);
  void setBackground(const QColor& color);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitCaption();

  QButtonGroup* group_;
  QLabel* caption_;
  QString text_;
  QColor background_;
};

}  // namespace decodescope::views
