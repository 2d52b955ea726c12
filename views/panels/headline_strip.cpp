#include "panels/headline_strip.h"

#include "base/theme.h"
#include "panels/headline_tile.h"

namespace decodescope::views {
namespace {

constexpr double kGapPx = 4;

int gap() {
  return qRound(currentTheme().px(kGapPx));
}

}  // namespace

HeadlineStrip::HeadlineStrip(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("headlineStrip"));
  setAccessibleName(tr("Headline numbers"));
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  const std::vector<HeadlineTileContent> empty = headlineTiles(Snapshot{}, nullptr);
  for (std::size_t i = 0; i < kHeadlineCount; ++i) {
    auto* tile = new HeadlineTile(this);
    tile->setContent(empty[i]);
    tiles_.push_back(tile);
    connect(tile, &HeadlineTile::clicked, this,
            [this, tile] { Q_EMIT explainRequested(tile->content().quantity); });
  }
}

void HeadlineStrip::showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
  snapshot_ = snapshot;
  refresh();
}

void HeadlineStrip::setPinned(const std::shared_ptr<const Prediction>& prediction) {
  pinned_ = prediction ? std::optional(headlineValues(*prediction)) : std::nullopt;
  refresh();
}
void HeadlineStrip::setPinnedSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
  pinned_ = snapshot ? std::optional(headlineValues(*snapshot)) : std::nullopt;
  refresh();
}

void HeadlineStrip::refresh() {
  if (!snapshot_) return;
  const std::vector<HeadlineTileContent> contents = headlineTiles(*snapshot_, pinned_ ? &*pinned_ : nullptr);
  for (std::size_t i = 0; i < tiles_.size(); ++i) tiles_[i]->setContent(contents[i]);
}

void HeadlineStrip::applyTheme(const Theme& theme) {
  setCurrentTheme(theme);

  updateGeometry();
  place();
  update();
}

int HeadlineStrip::columnsFor(int width) const {
  const int least = tiles_.front()->minimumSizeHint().width() + gap();
  for (const int columns : {8, 4, 2})
    if (columns * least + gap() <= width) return columns;
  return 1;
}

int HeadlineStrip::heightForWidth(int width) const {
  const int rows = static_cast<int>(kHeadlineCount) / columnsFor(width);
  return rows * (tiles_.front()->sizeHint().height() + gap()) + gap();
}

QSize HeadlineStrip::sizeHint() const {
  const int width = 8 * (tiles_.front()->sizeHint().width() + gap()) + gap();
  return {width, heightForWidth(this->width() > 0 ? this->width() : width)};
}
QSize HeadlineStrip::minimumSizeHint() const {
  return {2 * (tiles_.front()->minimumSizeHint().width() + gap()) + gap(), heightForWidth(width())};
}

void HeadlineStrip::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  place();
  // Rows follow the width; layouts that do not ask for heightForWidth learn it here.
  if (minimumHeight() != heightForWidth(width())) setFixedHeight(heightForWidth(width()));
}

void HeadlineStrip::place() {
  const int columns = columnsFor(width());
  const int tile_height = tiles_.front()->sizeHint().height();
  const double step = static_cast<double>(width() - gap()) / columns;
  for (std::size_t i = 0; i < tiles_.size(); ++i) {
    const int column = static_cast<int>(i) % columns, row = static_cast<int>(i) / columns;
    const int left = gap() + qRound(column * step), right = qRound((column + 1) * step);
    tiles_[i]->setGeometry(left, gap() + row * (tile_height + gap()), right - left, tile_height);
  }
}

}  // namespace decodescope::views
