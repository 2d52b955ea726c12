#include "controls/status_sentence.h"

#include "base/format.h"
#include "base/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTextDocumentFragment>
#include <QVBoxLayout>

namespace decodescope::views {
namespace {

/// Rich text turns the narrow no-break space into an ordinary one.
QString unbroken(QString html) {
  return html.replace(QChar(0x202F), QChar::Nbsp);
}

QString linked(const QString& target, const QString& text, const QColor& color) {
  return QStringLiteral("<a href=\"%1\" style=\"color:%2; font-weight:bold; text-decoration:none\">%3</a>")
      .arg(target, color.name(), unbroken(text.toHtmlEscaped()));
}
QString accented(const QString& target, const QString& text) {
  return linked(target, text, toQColor(currentTheme().palette.accent));
}

QString nameOf(const std::string& id, const std::vector<CatalogItem>& items) {
  for (const CatalogItem& item : items)
    if (item.id == id) return QString::fromStdString(item.name);
  return QString::fromStdString(id);
}

/// What slows the machine down: heat and power come first, since they slow everything else.
QString limitText(const Prediction& p) {
  if (p.thermal.limited_by == ClockLimit::Thermal)
    return linked(QStringLiteral("explain:thermal.max_chip_c"),
                  StatusSentence::tr("heat: clocks at %1").arg(ratioText(p.thermal.clock_ratio).text()),
                  toQColor(currentTheme().palette.warning_text));
  if (p.thermal.limited_by == ClockLimit::Power)
    return linked(
        QStringLiteral("explain:power.chip_w"),
        StatusSentence::tr("the power cap: clocks at %1").arg(ratioText(p.thermal.clock_ratio).text()),
        toQColor(currentTheme().palette.warning_text));
  return accented(QStringLiteral("explain:step_time_s"), boundText(p.bound));
}

QString infeasibleText(const Snapshot& s, const CatalogListing& listing) {
  const QString head = (s.scenario->chips == 1 ? StatusSentence::tr("%1 on %2 chip does not run: ")
                                               : StatusSentence::tr("%1 on %2 chips does not run: "))
                           .arg(nameOf(s.scenario->model, listing.models).toHtmlEscaped())
                           .arg(countText(s.scenario->chips));
  const std::string message =
      s.prediction->violations.empty() ? s.halt_reason : s.prediction->violations.front().message;
  QString text = head + QStringLiteral("<span style=\"color:%1; font-weight:bold\">%2</span>")
                            .arg(toQColor(currentTheme().palette.warning_text).name(),
                                 QString::fromStdString(message).toHtmlEscaped());
  if (!s.prediction->violations.empty() && !s.prediction->violations.front().fix.empty())
    text +=
        QStringLiteral("<br>") + QString::fromStdString(s.prediction->violations.front().fix).toHtmlEscaped();
  return text;
}

}  // namespace

QString boundText(StepPart part) {
  switch (part) {
    case StepPart::WeightsHbm:
      return StatusSentence::tr("reading weights from HBM");
    case StepPart::KvHbm:
      return StatusSentence::tr("reading the KV cache from HBM");
    case StepPart::Math:
      return StatusSentence::tr("math");
    case StepPart::Launch:
      return StatusSentence::tr("launching kernels");
    case StepPart::Collectives:
      return StatusSentence::tr("the interconnect");
    case StepPart::Wait:
      return StatusSentence::tr("waiting for the slowest chip");
    case StepPart::Host:
      return StatusSentence::tr("the host");
    case StepPart::Throttle:
      return StatusSentence::tr("reduced clocks");
    case StepPart::Overlap:
      return StatusSentence::tr("overlap");
  }
  return {};
}

QString statusSentence(const Snapshot& s, const CatalogListing& listing) {
  if (!s.scenario || !s.prediction) return StatusSentence::tr("Starting the engine …");
  const Prediction& p = *s.prediction;
  if (!p.feasible) return infeasibleText(s, listing);
  const double context =
      p.mean_context_tokens > 0 ? p.mean_context_tokens : s.scenario->workload.context_tokens;
  const double kv_share = p.memory.capacity_bytes_per_chip > 0
                              ? p.memory.kv_bytes_per_chip / p.memory.capacity_bytes_per_chip
                              : 0;
  return StatusSentence::tr(
             "%1 context × %2 sequences of %3 on %4 chips: the KV cache uses %5 of HBM, "
             "each user gets %6, limited by %7.")
      .arg(accented(QStringLiteral("control:workload.context_tokens"), shortCountText(std::round(context))),
           accented(QStringLiteral("control:workload.concurrency"), countText(p.concurrency)),
           accented(QStringLiteral("control:model"), nameOf(s.scenario->model, listing.models)),
           accented(QStringLiteral("control:chips"), countText(s.scenario->chips)),
           accented(QStringLiteral("explain:memory.kv_bytes_per_chip"), ratioText(kv_share).text()),
           accented(QStringLiteral("explain:output_tokens_per_s_per_user"),
                    tokensPerSecondText(p.output_tokens_per_s_per_user).text()),
           limitText(p));
}

StatusSentence::StatusSentence(QWidget* parent) : QFrame(parent) {
  setProperty("card", QStringLiteral("raised"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 8);
  text_ = new QLabel(tr("Starting the engine …"), this);
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::RichText);
  text_->setTextInteractionFlags(Qt::TextBrowserInteraction);
  text_->setAccessibleName(tr("What the machine is doing"));
  layout->addWidget(text_);
  fix_ = new QPushButton(this);
  fix_->setAccessibleName(tr("Apply the suggested change"));
  fix_->hide();
  layout->addWidget(fix_, 0, Qt::AlignLeft);
  connect(fix_, &QPushButton::clicked, this, [this] { Q_EMIT fixRequested(fix_path_, fix_value_); });
  connect(text_, &QLabel::linkActivated, this, [this](const QString& link) {
    if (link.startsWith(QLatin1String("control:"))) Q_EMIT controlRequested(link.mid(8));
    if (link.startsWith(QLatin1String("explain:"))) Q_EMIT explainRequested(link.mid(8));
  });
}

void StatusSentence::setSnapshot(const std::shared_ptr<const Snapshot>& snapshot,
                                 const CatalogListing& listing) {
  if (!snapshot) return;
  const QString text = statusSentence(*snapshot, listing);
  if (text != text_->text()) text_->setText(text);
  const bool has_fix = snapshot->prediction && !snapshot->prediction->feasible &&
                       !snapshot->prediction->violations.empty() &&
                       !snapshot->prediction->violations.front().fix_path.empty();
  fix_->setVisible(has_fix);
  if (!has_fix) return;
  const Violation& first = snapshot->prediction->violations.front();
  fix_path_ = QString::fromStdString(first.fix_path);
  fix_value_ = QString::fromStdString(first.fix_value);
  fix_->setText(tr("Try it"));
  fix_->setToolTip(QString::fromStdString(first.fix));
}

QString StatusSentence::plainText() const {
  return QTextDocumentFragment::fromHtml(text_->text()).toPlainText();
}

}  // namespace decodescope::views
