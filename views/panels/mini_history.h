// A small line of one value over the last snapshots, with a level to stay under.
#pragma once

#include <QWidget>
#include <vector>

namespace decodescope::views {

class MiniHistory : public QWidget {
  Q_OBJECT

 public:
  explicit MiniHistory(QWidget* parent = nullptr);

  /// Oldest first. `level` < 0: none.
  void setValues(std::vector<float> values, double level);
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<float> values_;
  double level_ = -1, low_ = 0, high_ = 0;
};

}  // namespace decodescope::views
