#include "app/pages/triangle_controller.h"

#include "base/format.h"
#include "scenario/overrides.h"
#include "triangle/triangle_page.h"

#include <algorithm>
#include <array>

namespace decodescope::app {
namespace {

using analysis::Objective;

constexpr std::array kObjectives{Objective::Tpot, Objective::Throughput, Objective::Cost, Objective::Energy};
/// Less than this is nothing that a measurement would show.
constexpr double kNothing = 0.005;

QStringList objectiveNames() {
  return {TriangleController::tr("time per token"), TriangleController::tr("throughput per chip"),
          TriangleController::tr("cost per token"), TriangleController::tr("energy per token")};
}

std::vector<views::ResourceGainRow> rowsOf(const analysis::Sensitivity& found, Objective objective) {
  std::vector<views::ResourceGainRow> rows;
  double largest = 0;
  for (const analysis::ResourceGain& gain : found.gains)
    largest = std::max(largest, std::abs(analysis::gainOf(gain, objective)));
  for (const analysis::ResourceGain& gain : found.gains) {
    const double ratio = analysis::gainOf(gain, objective);
    QStringList assignments;
    for (const std::string& text : gain.assignments) assignments << QString::fromStdString(text);
    rows.push_back({QString::fromStdString(gain.label), QString::fromStdString(gain.change),
                    assignments.join(QLatin1Char('\n')), ratio, largest > 0 ? std::abs(ratio) / largest : 0,
                    std::abs(ratio) < kNothing});
  }
  return rows;
}

QString answerOf(const std::vector<views::ResourceGainRow>& rows, const QString& objective) {
  const auto nothing =
      std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.buys_nothing; });
  if (rows.empty()) return TriangleController::tr("There is no resource here to have more of.");
  if (nothing == std::ssize(rows))
    return TriangleController::tr("None of %1 resources alone improves %2: what binds is something else.")
        .arg(rows.size())
        .arg(objective);
  return TriangleController::tr("10 % more %1 improves %2 by %3 %; %4 of %5 resources buy nothing.")
      .arg(rows.front().resource, objective, views::fixedText(rows.front().gain_ratio * 100, 1))
      .arg(nothing)
      .arg(rows.size());
}

QString skippedText(const analysis::Sensitivity& found) {
  QStringList texts;
  for (const std::string& text : found.skipped) texts << QString::fromStdString(text);
  return texts.isEmpty() ? QString()
                         : TriangleController::tr("Not asked. %1").arg(texts.join(QStringLiteral("; ")));
}

}  // namespace

TriangleController::TriangleController(Workbench& bench)
    : PageController(bench), page_(new views::TrianglePage(objectiveNames())), job_(bench.jobs()) {
  connect(page_, &views::TrianglePage::objectiveChanged, this, &TriangleController::show);
  connect(page_, &views::TrianglePage::gainActivated, this, &TriangleController::load);
}

QWidget* TriangleController::widget() const {
  return page_;
}

views::SnapshotView* TriangleController::view() const {
  return page_;
}

Objective TriangleController::objective() const {
  return kObjectives[static_cast<std::size_t>(std::max(0, page_->objective()))];
}

void TriangleController::refresh() {
  asked_ = bench().document().scenario();
  // What was found before stays on the screen until the new numbers come.
  if (!found_) page_->showMessage(tr("Computing what each resource would buy …"));
  job_.start(tr("Gain of each resource"),
             [this, catalog = bench().catalog(), scenario = asked_](JobControl& control) {
               auto found = analysis::sensitivity(catalog, scenario, Objective::Tpot);
               control.post([this, found = std::move(found)]() mutable {
                 if (found) {
                   found_ = *std::move(found);
                   return show();
                 }
                 found_.reset();
                 page_->showMessage(QString::fromStdString(found.error().text()));
               });
             });
}

void TriangleController::show() {
  if (!found_) return;
  if (!found_->base.feasible) {
    const auto& violations = found_->base.violations;
    return page_->showMessage(tr("It cannot run, so nothing can be gained yet: %1")
                                  .arg(violations.empty()
                                           ? tr("no plan fits")
                                           : QString::fromStdString(violations.front().message)));
  }
  std::stable_sort(found_->gains.begin(), found_->gains.end(), [this](const auto& a, const auto& b) {
    return analysis::gainOf(a, objective()) > analysis::gainOf(b, objective());
  });
  const auto rows = rowsOf(*found_, objective());
  page_->showGains(answerOf(rows, objectiveNames().at(std::max(0, page_->objective()))), rows,
                   skippedText(*found_));
}

void TriangleController::load(int row) {
  if (!found_ || row < 0 || row >= std::ssize(found_->gains)) return;
  const analysis::ResourceGain& gain = found_->gains[static_cast<std::size_t>(row)];
  Scenario changed = asked_;
  for (const std::string& assignment : gain.assignments) {
    auto applied = scenario::applySet(changed, assignment);
    if (!applied)
      return void(Q_EMIT bench().messageRequested(QString::fromStdString(applied.error().text()), true));
    changed = *std::move(applied);
  }
  bench().load(changed, tr("10 % more %1").arg(QString::fromStdString(gain.label)));
}

}  // namespace decodescope::app
