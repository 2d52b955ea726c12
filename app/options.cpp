#include "app/options.h"

#include "app/pages/pages.h"

#include "base/theme.h"

#include <QCommandLineParser>
#include <QRegularExpression>

namespace decodescope::app {
namespace {

QString listOf(const QStringList& names) {
  return names.join(QStringLiteral(", "));
}

class Reader {
 public:
  explicit Reader(const QCommandLineParser& parser) : parser_(parser) {}

  void fail(const QString& option, const QString& value, const QString& remedy) {
    if (error_.isEmpty()) error_ = QStringLiteral("--%1 = %2: not usable; %3").arg(option, value, remedy);
  }
  [[nodiscard]] QString choice(const QString& option, const QString& fallback, const QStringList& known) {
    if (!parser_.isSet(option)) return fallback;
    const QString value = parser_.value(option);
    if (!known.contains(value)) fail(option, value, QStringLiteral("one of %1").arg(listOf(known)));
    return value;
  }
  [[nodiscard]] double number(const QString& option, double fallback, double low, double high) {
    if (!parser_.isSet(option)) return fallback;
    bool ok = false;
    const double value = parser_.value(option).toDouble(&ok);
    if (!ok || !(value >= low && value <= high)) {
      fail(option, parser_.value(option), QStringLiteral("a number from %1 to %2").arg(low).arg(high));
    }
    return value;
  }
  [[nodiscard]] QSize size(const QString& option) {
    if (!parser_.isSet(option)) return {};
    static const QRegularExpression pattern(QStringLiteral("^(\\d{2,5})x(\\d{2,5})$"));
    const auto match = pattern.match(parser_.value(option));
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    if (!match.hasMatch() || size.width() > 16384 || size.height() > 16384) {
      fail(option, parser_.value(option), QStringLiteral("WIDTHxHEIGHT in pixels, such as 1920x1080"));
    }
    return size;
  }
  [[nodiscard]] const QString& error() const { return error_; }

 private:
  const QCommandLineParser& parser_;
  QString error_;
};

void describe(QCommandLineParser& parser) {
  parser.setApplicationDescription(
      QStringLiteral("Shows why an LLM cluster decodes as fast as it does, and why it cannot go faster.\n"
                     "Without a display, --screenshot renders a picture and decodescope-cli computes."));
  parser.addPositionalArgument(QStringLiteral("FILE"),
                               QStringLiteral("Scenario file, or the id of a shipped scenario"),
                               QStringLiteral("[FILE]"));
  const auto option = [&](const char* name, const QString& help, const char* value = nullptr) {
    QCommandLineOption added(QString::fromLatin1(name), help);
    if (value) added.setValueName(QString::fromLatin1(value));
    parser.addOption(added);
  };
  option("theme", QStringLiteral("Theme: %1").arg(listOf(views::themeIds())), "ID");
  option("zoom", QStringLiteral("Interface zoom in percent, 80 to 300"), "PERCENT");
  option("renderer", QStringLiteral("auto, gl or software"), "NAME");
  option("screenshot", QStringLiteral("Render a picture to FILE (.png) and exit; needs no display"), "FILE");
  option("view", QStringLiteral("What to picture: %1").arg(listOf(viewNames())), "NAME");
  option("page", QStringLiteral("Page to open with: %1").arg(listOf(pageIds())), "NAME");
  option("size", QStringLiteral("Size of window or picture, such as 1920x1080"), "WxH");
  option("at-token", QStringLiteral("Iterations to simulate before the picture is taken"), "N");
  option("present", QStringLiteral("Full screen in the projector theme"));
  option("paused", QStringLiteral("Open without playing"));
  option("reset-settings", QStringLiteral("Forget stored settings and layout"));
  option("graphics-info", QStringLiteral("Print which renderer would be used, and why"));
}

}  // namespace

QStringList viewNames() {
  return {QStringLiteral("window"),   QStringLiteral("page"),    QStringLiteral("rack"),
          QStringLiteral("latency"),  QStringLiteral("heatmap"), QStringLiteral("triangle"),
          QStringLiteral("inspector")};
}

ParsedOptions parseOptions(const QStringList& arguments) {
  QCommandLineParser parser;
  describe(parser);
  const QCommandLineOption help(QStringLiteral("help"), QStringLiteral("Show this text"));
  const QCommandLineOption version(QStringLiteral("version"), QStringLiteral("Show the version"));
  parser.addOptions({help, version});

  ParsedOptions parsed;
  if (!parser.parse(QStringList{QStringLiteral("decodescope")} + arguments)) {
    return {{}, parser.errorText() + QStringLiteral("; decodescope --help lists the options"), 1};
  }
  if (parser.isSet(help)) return {{}, parser.helpText(), 0};
  if (parser.isSet(version)) return {{}, QStringLiteral("decodescope " DECODESCOPE_VERSION), 0};

  Reader read(parser);
  Options& options = parsed.options;
  if (parser.positionalArguments().size() > 1) return {{}, QStringLiteral("one scenario at a time"), 1};
  if (!parser.positionalArguments().isEmpty()) options.scenario = parser.positionalArguments().constFirst();
  options.theme = read.choice(QStringLiteral("theme"), QString(), views::themeIds());
  options.zoom = read.number(QStringLiteral("zoom"), 0, 80, 300) / 100;
  const QString renderer =
      read.choice(QStringLiteral("renderer"), QStringLiteral("auto"),
                  {QStringLiteral("auto"), QStringLiteral("gl"), QStringLiteral("software")});
  options.renderer = renderer == QLatin1String("gl")         ? views::RendererChoice::Gl
                     : renderer == QLatin1String("software") ? views::RendererChoice::Software
                                                             : views::RendererChoice::Auto;
  options.screenshot = parser.value(QStringLiteral("screenshot"));
  options.view = read.choice(QStringLiteral("view"), QStringLiteral("window"), viewNames());
  options.page = read.choice(QStringLiteral("page"), options.page, pageIds());
  options.size = read.size(QStringLiteral("size"));
  options.at_token = qint64(read.number(QStringLiteral("at-token"), double(options.at_token), 0, 1e9));
  options.present = parser.isSet(QStringLiteral("present"));
  options.paused = parser.isSet(QStringLiteral("paused"));
  options.reset_settings = parser.isSet(QStringLiteral("reset-settings"));
  options.graphics_info = parser.isSet(QStringLiteral("graphics-info"));
  if (options.present && options.theme.isEmpty()) options.theme = QStringLiteral("projector");
  if (!read.error().isEmpty()) return {{}, read.error(), 1};
  return parsed;
}

}  // namespace decodescope::app
