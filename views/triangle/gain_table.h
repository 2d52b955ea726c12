// What 10 % more of each resource buys, as bars, largest first: most of them buy nothing, and are seen to.
#pragma once

#include <QString>
#include <QTableWidget>
#include <vector>

namespace decodescope::views {

struct ResourceGainRow {
  QString resource;       ///< "HBM bandwidth"
  QString change;         ///< "8000 to 8800 GB/s"
  QString assignments;    ///< the same as `--set` writes it
  double gain_ratio = 0;  ///< of what is asked for; positive is better
  double gain_share = 0;  ///< of the largest gain, 0 to 1
  bool buys_nothing = true;
};

class GainTable : public QTableWidget {
  Q_OBJECT

 public:
  explicit GainTable(QWidget* parent = nullptr);
  void showGains(const std::vector<ResourceGainRow>& rows);
  /// Tab-separated, with a heading.
  [[nodiscard]] QString text() const;

 Q_SIGNALS:
  /// Double click or Enter on a row.
  void gainActivated(int row);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
};

}  // namespace decodescope::views
