// The selected thing at a glance: swatch, name, state, facts, recent history, links.
#pragma once

#include "panels/identity.h"

#include <QWidget>
#include <vector>

class QGridLayout;
class QLabel;

namespace decodescope::views {

class LinkBars;
class MiniHistory;
class Swatch;

class IdentityCard : public QWidget {
  Q_OBJECT

 public:
  explicit IdentityCard(QWidget* parent = nullptr);

  void setIdentity(const Identity& identity, double throttle_c);
  /// Temperatures of the selection over the last snapshots; empty hides the line.
  void setHistory(std::vector<float> temperatures_c, double throttle_c, const QString& title);

 Q_SIGNALS:
  void linkClicked(quint32 link);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct FactTile {
    QWidget* frame = nullptr;
    QLabel *title = nullptr, *value = nullptr, *unit = nullptr, *note = nullptr;
  };
  [[nodiscard]] FactTile makeFact();

  QGridLayout* head_ = nullptr;
  bool narrow_ = false;

  Swatch* swatch_ = nullptr;
  QLabel *name_ = nullptr, *subtitle_ = nullptr, *badge_ = nullptr;
  QLabel *history_title_ = nullptr, *history_note_ = nullptr, *links_title_ = nullptr, *links_note_ = nullptr;
  QGridLayout* grid_ = nullptr;
  std::vector<FactTile> facts_;
  MiniHistory* history_ = nullptr;
  LinkBars* links_ = nullptr;
};

/// A square in the colour of a temperature, hatched when throttled.
class Swatch : public QWidget {
  Q_OBJECT

 public:
  explicit Swatch(QWidget* parent = nullptr);
  void setState(std::optional<double> temperature_c, double throttle_c, bool throttled);
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::optional<double> temperature_c_;
  double throttle_c_ = 88;
  bool throttled_ = false;
};

}  // namespace decodescope::views
