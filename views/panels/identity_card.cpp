#include "panels/identity_card.h"

#include "base/theme.h"
#include "panels/link_bars.h"
#include "panels/mini_history.h"
#include "scene/color_map.h"

#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace decodescope::views {
namespace {

constexpr double kSwatchPx = 44, kNarrowPx = 350;
constexpr std::size_t kFacts = 4;

QLabel* label(const char* role, QWidget* parent) {
  auto* out = new QLabel(parent);
  if (*role != '\0') out->setProperty("role", QLatin1String(role));
  return out;
}

}  // namespace

IdentityCard::IdentityCard(QWidget* parent) : QWidget(parent) {
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(12, 10, 12, 6);
  box->setSpacing(6);
  head_ = new QGridLayout;
  head_->setHorizontalSpacing(12);
  head_->setVerticalSpacing(4);
  head_->setColumnStretch(1, 1);
  swatch_ = new Swatch(this);
  name_ = label("name", this);
  name_->setWordWrap(true);
  subtitle_ = label("secondary", this);
  subtitle_->setWordWrap(true);
  badge_ = label("badge", this);
  badge_->hide();
  auto* names = new QVBoxLayout;
  names->setSpacing(0);
  names->addWidget(name_);
  names->addWidget(subtitle_);
  head_->addWidget(swatch_, 0, 0, Qt::AlignTop);
  head_->addLayout(names, 0, 1);
  head_->addWidget(badge_, 0, 2, Qt::AlignTop);
  box->addLayout(head_);
  grid_ = new QGridLayout;
  grid_->setSpacing(4);
  for (std::size_t i = 0; i < kFacts; ++i) {
    facts_.push_back(makeFact());
    grid_->addWidget(facts_.back().frame, static_cast<int>(i / 2), static_cast<int>(i % 2));
  }
  grid_->setColumnStretch(0, 1);
  grid_->setColumnStretch(1, 1);
  box->addLayout(grid_);
  history_title_ = label("lead-small", this);
  history_ = new MiniHistory(this);
  history_->setAccessibleName(tr("Temperature history"));
  history_title_->setWordWrap(true);
  history_note_ = label("secondary", this);
  auto* history_head = new QHBoxLayout;
  history_head->addWidget(history_title_, 1);
  history_head->addWidget(history_note_);
  box->addLayout(history_head);
  box->addWidget(history_);
  auto* links_head = new QHBoxLayout;
  links_title_ = label("lead-small", this);
  links_title_->setWordWrap(true);
  links_note_ = label("secondary", this);
  links_head->addWidget(links_title_, 1);
  links_head->addWidget(links_note_, 0, Qt::AlignBottom);
  box->addLayout(links_head);
  links_ = new LinkBars(this);
  links_->setAccessibleName(tr("Use of the links"));
  box->addWidget(links_);
  connect(links_, &LinkBars::linkClicked, this, &IdentityCard::linkClicked);
}

IdentityCard::FactTile IdentityCard::makeFact() {
  FactTile tile;
  auto* frame = new QFrame(this);
  frame->setProperty("card", QStringLiteral("true"));
  tile.frame = frame;
  auto* box = new QVBoxLayout(frame);
  box->setContentsMargins(8, 4, 8, 4);
  box->setSpacing(0);
  tile.title = label("secondary", frame);
  tile.value = label("value", frame);
  tile.unit = label("secondary", frame);
  tile.note = label("secondary", frame);
  auto* line = new QHBoxLayout;
  line->setSpacing(4);
  line->addWidget(tile.value);
  line->addWidget(tile.unit, 0, Qt::AlignBottom);
  line->addStretch(1);
  line->addWidget(tile.note, 0, Qt::AlignBottom);
  box->addWidget(tile.title);
  box->addLayout(line);
  return tile;
}

void IdentityCard::setIdentity(const Identity& identity, double throttle_c) {
  swatch_->setState(identity.temperature_c, throttle_c, identity.throttled);
  swatch_->setVisible(identity.temperature_c.has_value());
  name_->setText(identity.name);
  subtitle_->setText(identity.subtitle);
  badge_->setText(identity.badge);
  badge_->setVisible(!identity.badge.isEmpty());
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    const bool used = i < identity.facts.size();
    facts_[i].frame->setVisible(used);
    if (!used) continue;
    const IdentityFact& fact = identity.facts[i];
    facts_[i].title->setText(fact.title);
    facts_[i].value->setText(fact.value.number);
    facts_[i].unit->setText(fact.value.unit);
    facts_[i].note->setText(fact.note);
  }
  const bool any = !identity.links.empty();
  links_title_->setText(identity.links_title);
  links_note_->setText(identity.links_note);
  for (QWidget* w : {static_cast<QWidget*>(links_title_), static_cast<QWidget*>(links_note_),
                     static_cast<QWidget*>(links_)})
    w->setVisible(any);
  links_->setLinks(identity.links);
}

void IdentityCard::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  // Too narrow for name and state beside each other: the state goes below.
  const bool narrow = width() < currentTheme().px(kNarrowPx);
  if (narrow == narrow_) return;
  narrow_ = narrow;
  head_->removeWidget(badge_);
  narrow ? head_->addWidget(badge_, 1, 0, 1, 3, Qt::AlignLeft) : head_->addWidget(badge_, 0, 2, Qt::AlignTop);
}

void IdentityCard::setHistory(std::vector<float> temperatures_c, double throttle_c, const QString& title) {
  const bool any = temperatures_c.size() > 1;
  history_title_->setText(title);
  history_title_->setVisible(any);
  history_->setVisible(any);
  history_note_->setVisible(any && throttle_c > 0);
  history_note_->setText(tr("dashed: throttle %1").arg(exactText(throttle_c)));
  history_->setValues(std::move(temperatures_c), throttle_c);
}

Swatch::Swatch(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize Swatch::sizeHint() const {
  const int side = qRound(currentTheme().px(kSwatchPx));
  return {side, side};
}

void Swatch::setState(std::optional<double> temperature_c, double throttle_c, bool throttled) {
  temperature_c_ = temperature_c;
  throttle_c_ = throttle_c > 0 ? throttle_c : 88;
  throttled_ = throttled;
  update();
}

void Swatch::paintEvent(QPaintEvent*) {
  if (!temperature_c_) return;
  const Theme& theme = currentTheme();
  scene::TemperatureScale scale;
  scale.throttle_c = throttle_c_;
  const scene::Color fill = scene::mapColor(scene::ColorMap::Inferno, scale.ratio(*temperature_c_));
  QPainter painter(this);
  painter.fillRect(rect(), toQColor(fill));
  const QColor ink = toQColor(scene::textOn(fill));
  if (throttled_) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(ink, theme.px(1.5)));
    for (double x = -height(); x < width(); x += theme.px(9))
      painter.drawLine(QPointF(x, height()), QPointF(x + height(), 0));
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(QPen(toQColor(throttled_ ? theme.palette.live : theme.palette.control_border),
                      throttled_ ? theme.px(2) : 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace decodescope::views
