#include "base/icons.h"

#include "base/theme.h"

#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace decodescope::views {
namespace {

// The stroke that the files are drawn with; a tone that can be seen on every theme, for whoever loads them
// directly.
constexpr char kFileStroke[] = "#7C8794";

QColor colorOf(IconTint tint, QIcon::Mode mode) {
  const scene::Palette& p = currentTheme().palette;
  if (mode == QIcon::Disabled) return toQColor(p.control_border);
  switch (tint) {
    case IconTint::Text:
      return toQColor(p.text);
    case IconTint::Secondary:
      return toQColor(p.secondary_text);
    case IconTint::Accent:
      return toQColor(p.accent);
    case IconTint::Warning:
      return toQColor(p.warning_text);
  }
  return toQColor(p.text);
}

class ThemedEngine : public QIconEngine {
 public:
  ThemedEngine(QString name, IconTint tint) : name_(std::move(name)), tint_(tint) {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name_));
    if (file.open(QIODevice::ReadOnly)) svg_ = file.readAll();
  }

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    QSvgRenderer renderer(QByteArray(svg_).replace(kFileStroke, colorOf(tint_, mode).name().toLatin1()));
    renderer.render(painter, rect);
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    return scaledPixmap(size, mode, state, 1.0);
  }
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
    const QColor color = colorOf(tint_, mode);
    const quint64 key = (static_cast<quint64>(color.rgb()) << 32) |
                        (static_cast<quint64>(size.width()) << 16) | static_cast<quint64>(size.height());
    if (const auto found = cache_.constFind(key); found != cache_.constEnd()) return *found;
    if (cache_.size() > 32) cache_.clear();
    QPixmap out(size);
    out.fill(Qt::transparent);
    QPainter painter(&out);
    paint(&painter, QRect(QPoint(0, 0), size), mode, state);
    painter.end();
    return *cache_.insert(key, out);
  }

  [[nodiscard]] QIconEngine* clone() const override { return new ThemedEngine(*this); }
  QString key() const override { return QStringLiteral("decodescope"); }
  QString iconName() override { return name_; }
  bool isNull() override { return svg_.isEmpty(); }
  QList<QSize> availableSizes(QIcon::Mode, QIcon::State) override { return {QSize(16, 16)}; }
  QSize actualSize(const QSize& size, QIcon::Mode, QIcon::State) override { return size; }

 private:
  QString name_;
  IconTint tint_;
  QByteArray svg_;
  QHash<quint64, QPixmap> cache_;
};

}  // namespace

QIcon icon(const QString& name, IconTint tint) {
  (void)currentTheme();  // loads the resources
  return QIcon(new ThemedEngine(name, tint));
}

}  // namespace decodescope::views
