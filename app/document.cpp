#include "app/document.h"

#include "app/scenario_command.h"
#include "scenario/overrides.h"

#include <QFileInfo>
#include <QLocale>

namespace decodescope::app {
namespace {

constexpr int kUndoLimit = 500;

QString textOf(const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return QString::fromStdString(*text);
  return QLocale().toString(std::get<double>(value), 'g', 6);
}

}  // namespace

Document::Document(QObject* parent) : QObject(parent) {
  undo_.setUndoLimit(kUndoLimit);
  connect(&undo_, &QUndoStack::cleanChanged, this, &Document::titleChanged);
}

QString Document::title() const {
  const QString name = QString::fromStdString(scenario_.name);
  return file_.isEmpty() ? name : tr("%1 (%2)").arg(name, QFileInfo(file_).fileName());
}

void Document::reset(const Scenario& scenario, const QString& file, bool read_only) {
  undo_.clear();
  file_ = file;
  read_only_ = read_only;
  opened_ = scenario;
  apply(scenario);
  Q_EMIT titleChanged();
}

void Document::markSaved(const QString& file, const Scenario& scenario) {
  file_ = file;
  read_only_ = false;
  if (scenario == scenario_) undo_.setClean();
  Q_EMIT titleChanged();
}

void Document::apply(const Scenario& scenario) {
  scenario_ = scenario;
  ++revision_;
  Q_EMIT changed();
}

QString Document::describe(const ParameterDescriptor& descriptor, const Scenario& before,
                           const Scenario& after) const {
  return tr("%1 %2 → %3")
      .arg(QString::fromUtf8(descriptor.label.data(), int(descriptor.label.size())),
           textOf(parameterValue(before, descriptor, *listing_)),
           textOf(parameterValue(after, descriptor, *listing_)));
}

QString Document::setParameter(const QString& path, const ParameterValue& value, quint64 drag_serial) {
  const ParameterDescriptor* descriptor = findParameter(path.toStdString());
  if (!descriptor || !listing_) return tr("There is no parameter %1.").arg(path);
  auto after = withParameter(scenario_, *descriptor, value, *listing_);
  if (!after) return QString::fromStdString(after.error().text());
  if (*after == scenario_) return {};
  undo_.push(new ScenarioCommand(*this, *after, describe(*descriptor, scenario_, *after), path, drag_serial));
  return {};
}

QString Document::applyFix(const QString& path, const QString& value) {
  auto after = scenario::applySet(scenario_, (path + QLatin1Char('=') + value).toStdString());
  if (!after) return QString::fromStdString(after.error().text());
  undo_.push(new ScenarioCommand(*this, *after, tr("%1 = %2").arg(path, value)));
  return {};
}

void Document::resetParameter(const QString& path) {
  const ParameterDescriptor* descriptor = findParameter(path.toStdString());
  if (!descriptor || !listing_) return;
  setParameter(path, parameterValue(opened_, *descriptor, *listing_), 0);
}

void Document::resetAll() {
  Scenario after = opened_;
  for (const QString& path : locked_) {
    const ParameterDescriptor* descriptor = findParameter(path.toStdString());
    if (!descriptor || !listing_) continue;
    if (auto kept =
            withParameter(after, *descriptor, parameterValue(scenario_, *descriptor, *listing_), *listing_))
      after = *kept;
  }
  replace(after, tr("Reset all"));
}

void Document::setLocked(const QString& path, bool locked) {
  if (locked) {
    locked_.insert(path);
  } else {
    locked_.remove(path);
  }
}

void Document::replace(const Scenario& scenario, const QString& text) {
  if (scenario != scenario_) undo_.push(new ScenarioCommand(*this, scenario, text));
}

}  // namespace decodescope::app
