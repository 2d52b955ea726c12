// Themes: complete, readable, in step with the zoom.
#include "base/app_style.h"
#include "base/icons.h"
#include "base/theme.h"
#include "scene/color_map.h"

#include <QApplication>
#include <QDir>
#include <QPainter>
#include <QSlider>
#include <QTest>

using namespace decodescope;
using namespace decodescope::views;

namespace {

scene::Color sceneColor(const QColor& c) {
  return {static_cast<std::uint8_t>(c.red()), static_cast<std::uint8_t>(c.green()),
          static_cast<std::uint8_t>(c.blue()), 255};
}

void addThemes() {
  QTest::addColumn<QString>("id");
  for (const QString& id : themeIds()) QTest::newRow(qPrintable(id)) << id;
}

Theme fetched() {
  QFETCH(QString, id);
  return makeTheme(id, 1);
}

#define VERIFY_CONTRAST(front, back, least)                                                 \
  do {                                                                                      \
    const double ratio = scene::contrast(front, back);                                      \
    QVERIFY2(ratio >= (least),                                                              \
             qPrintable(QStringLiteral(#front " on " #back ": %1").arg(ratio, 0, 'f', 2))); \
  } while (false)

}  // namespace

class TestTheme : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void textIsReadable_data() { addThemes(); }
  void textIsReadable() {
    const Theme theme = fetched();
    const scene::Palette& p = theme.palette;
    for (const scene::Color back : {p.window, p.panel, p.canvas, p.field}) {
      VERIFY_CONTRAST(p.text, back, 7.0);
      VERIFY_CONTRAST(p.secondary_text, back, 4.5);
      VERIFY_CONTRAST(p.accent, back, 4.5);  // links
    }
    for (const scene::Color back : {p.panel, p.canvas, p.field}) {
      VERIFY_CONTRAST(p.tertiary_text, back, 4.5);
      VERIFY_CONTRAST(sceneColor(theme.error_text), back, 4.5);
      VERIFY_CONTRAST(sceneColor(theme.better_text), back, 4.5);
      VERIFY_CONTRAST(p.warning_text, back, 4.5);
    }
    for (const scene::Color back : {p.raised, p.hover, p.selection}) VERIFY_CONTRAST(p.text, back, 7.0);
    VERIFY_CONTRAST(p.warning_text, p.warning_background, 4.5);
  }

  void graphicsCanBeSeen_data() { addThemes(); }
  void graphicsCanBeSeen() {
    const Theme theme = fetched();
    const scene::Palette& p = theme.palette;
    for (const scene::Color back : {p.panel, p.canvas}) {
      VERIFY_CONTRAST(p.control_border, back, 3.0);
      VERIFY_CONTRAST(p.live, back, 3.0);
      VERIFY_CONTRAST(p.pinned, back, 3.0);
      VERIFY_CONTRAST(p.accent, back, 3.0);
      VERIFY_CONTRAST(sceneColor(sliderFill(theme)), back, 3.0);
    }
    for (const scene::Color link : p.link) VERIFY_CONTRAST(link, p.canvas, 3.0);
    // Areas of the stack carry a label each; on light, HBM green and the yellow of waiting stay below 3 : 1
    // against white and are told apart by place, label and the gap between layers. All others stand out by
    // themselves.
    for (const scene::Color fill : {p.compute, p.interconnect, p.physical})
      VERIFY_CONTRAST(fill, p.panel, 3.0);
  }

  void projectorHasNoPaleText() {
    const scene::Palette p = makeTheme(QStringLiteral("projector"), 1).palette;
    QCOMPARE(p.panel, (scene::Color{255, 255, 255, 255}));
    VERIFY_CONTRAST(p.text, p.panel, 20.9);
    VERIFY_CONTRAST(p.tertiary_text, p.panel, 5.8);
  }

  void hasEveryColour_data() { addThemes(); }
  // A key missing from the file would give black, which only text may be.
  void hasEveryColour() {
    const Theme theme = fetched();
    const scene::Palette& p = theme.palette;
    const scene::Color all[] = {p.window,        p.panel,
                                p.canvas,        p.raised,
                                p.field,         p.hover,
                                p.line,          p.control_border,
                                p.grid,          p.secondary_text,
                                p.tertiary_text, p.accent,
                                p.accent_fill,   p.selection,
                                p.warning_text,  p.warning_background,
                                p.compute,       p.hbm,
                                p.interconnect,  p.physical,
                                p.host,          p.waiting,
                                p.live,          p.pinned,
                                p.rack_metal,    p.rack_metal2,
                                p.feasible_band};
    for (const scene::Color color : all) QVERIFY(!(color == scene::Color{0, 0, 0, 255}));
    for (const scene::Color link : p.link) QVERIFY(!(link == scene::Color{0, 0, 0, 255}));
    QVERIFY(theme.error_text.isValid() && theme.better_text.isValid());
    QCOMPARE(p.dark, theme.id == QStringLiteral("dark"));
    QCOMPARE(p.projector, theme.id == QStringLiteral("projector"));
  }

  void paletteIsComplete_data() { addThemes(); }
  void paletteIsComplete() {
    const Theme theme = fetched();
    const QPalette palette = widgetPalette(theme);
    for (const auto group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled})
      for (int role = 0; role < QPalette::NColorRoles; ++role)
        if (role != QPalette::NoRole)
          QVERIFY2(palette.isBrushSet(group, static_cast<QPalette::ColorRole>(role)),
                   qPrintable(QString::number(role)));
    const auto contrast = [&](QPalette::ColorGroup group, QPalette::ColorRole front,
                              QPalette::ColorRole back) {
      return scene::contrast(sceneColor(palette.color(group, front)), sceneColor(palette.color(group, back)));
    };
    QVERIFY(contrast(QPalette::Active, QPalette::HighlightedText, QPalette::Highlight) >= 4.5);
    QVERIFY(contrast(QPalette::Active, QPalette::ToolTipText, QPalette::ToolTipBase) >= 4.5);
    QVERIFY(contrast(QPalette::Active, QPalette::PlaceholderText, QPalette::Base) >= 4.5);
    QVERIFY(contrast(QPalette::Disabled, QPalette::WindowText, QPalette::Window) >= 3.0);
  }

  void styleSheetIsResolved_data() { addThemes(); }
  void styleSheetIsResolved() {
    const QString sheet = styleSheet(fetched());
    QVERIFY(sheet.size() > 1000);
    QVERIFY2(!sheet.contains(QLatin1Char('@')), "a colour without a name");
    QVERIFY(!sheet.contains(QRegularExpression(QStringLiteral("\\{[0-9.]+\\}"))));
  }

  void unknownThemeIsDark() { QCOMPARE(makeTheme(QStringLiteral("plaid"), 1).id, QStringLiteral("dark")); }

  void zoomScalesFontsAndSizes() {
    const Theme one = makeTheme(QStringLiteral("dark"), 1), two = makeTheme(QStringLiteral("dark"), 2);
    QCOMPARE(two.body.pointSizeF(), 2 * one.body.pointSizeF());
    QCOMPARE(two.headline.pointSizeF(), 2 * one.headline.pointSizeF());
    QCOMPARE(one.headline.pointSizeF(), 20.0);
    QCOMPARE(two.px(12), 24.0);
    QCOMPARE(makeTheme(QStringLiteral("dark"), 99).zoom, kMaxZoom);
    QCOMPARE(makeTheme(QStringLiteral("dark"), std::nan("")).zoom, 1.0);
  }

  void installedThemeReachesWidgets() {
    installTheme(makeTheme(QStringLiteral("light"), 1.5));
    QCOMPARE(QApplication::font().pointSizeF(), 15.0);
    QCOMPARE(QApplication::palette().color(QPalette::Window), toQColor(currentTheme().palette.panel));
    QSlider slider(Qt::Horizontal);
    QCOMPARE(slider.style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, &slider), 24);
    // A click in the groove goes there.
    QVERIFY(slider.style()->styleHint(QStyle::SH_Slider_AbsoluteSetButtons, nullptr, &slider) &
            Qt::LeftButton);
    installTheme(makeTheme(QStringLiteral("dark"), 1));
  }

  void iconsFollowTheTheme_data() {
    QTest::addColumn<QString>("name");
    const QStringList files = QDir(QStringLiteral(":/icons")).entryList({QStringLiteral("*.svg")});
    QVERIFY(files.size() >= 30);
    for (QString file : files) QTest::newRow(qPrintable(file)) << file.remove(QStringLiteral(".svg"));
  }
  // Each icon draws something, and in the text colour of the theme.
  void iconsFollowTheTheme() {
    QFETCH(QString, name);
    const QIcon drawn = icon(name);
    for (const QString& id : themeIds()) {
      installTheme(makeTheme(id, 1));
      const QImage image = drawn.pixmap(QSize(32, 32), 1.0).toImage().convertToFormat(QImage::Format_ARGB32);
      int inked = 0, tinted = 0;
      for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 32; ++x) {
          const QColor pixel = image.pixelColor(x, y);
          if (pixel.alpha() < 250) continue;
          ++inked;
          const QColor text = toQColor(currentTheme().palette.text);
          tinted += std::abs(pixel.lightness() - text.lightness()) < 24 ? 1 : 0;
        }
      QVERIFY(inked > 8);
      if (name != QStringLiteral("check")) QVERIFY2(tinted * 2 > inked, qPrintable(id));
    }
    QVERIFY(icon(QStringLiteral("no-such-icon")).isNull());
  }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
