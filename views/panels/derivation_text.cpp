#include "panels/derivation_text.h"

#include "base/format.h"
#include "panels/explain_model.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace decodescope::views {
namespace {

QString fromStd(const std::string& text) {
  return QString::fromStdString(text);
}

QString valueOf(const Derivation& d) {
  return quantityText(d.value, fromStd(d.unit), 4).text();
}

QString sourceOf(const Derivation& d) {
  return sourceName(d.source_kind) +
         (d.source.empty() ? QString() : QStringLiteral(": ") + fromStd(d.source));
}

void writeText(const Derivation& d, int depth, QString& out) {
  out += QString(depth * 2, QLatin1Char(' ')) + fromStd(d.label) + QStringLiteral("  ") + valueOf(d);
  if (!d.formula.empty()) out += QStringLiteral("  = ") + fromStd(d.formula);
  if (!d.with_numbers.empty()) out += QStringLiteral("  = ") + fromStd(d.with_numbers);
  out += QStringLiteral("  [") + sourceOf(d) + QStringLiteral("]\n");
  for (const Derivation& child : d.children) writeText(child, depth + 1, out);
}

QString markdownCell(QString text) {
  return text.replace(QLatin1Char('|'), QLatin1String("\\|"));
}

void writeMarkdown(const Derivation& d, int depth, QString& out) {
  QString indent;
  for (int i = 0; i < depth; ++i) indent += QStringLiteral("&emsp;");
  out += QStringLiteral("| %1%2 | %3 | %4 | %5 | %6 |\n")
             .arg(indent, markdownCell(fromStd(d.label)), valueOf(d),
                  d.share > 0 ? ratioText(d.share).text() : QString(), markdownCell(fromStd(d.formula)),
                  markdownCell(sourceOf(d)));
  for (const Derivation& child : d.children) writeMarkdown(child, depth + 1, out);
}

QString latexEscaped(const QString& text) {
  QString out;
  for (const QChar c : text) {
    if (QStringLiteral("&%$#_{}").contains(c)) out += QLatin1Char('\\');
    if (c == QLatin1Char('\\'))
      out += QStringLiteral("\\textbackslash{}");
    else if (c == QLatin1Char('^'))
      out += QStringLiteral("\\textasciicircum{}");
    else if (c == QLatin1Char('~'))
      out += QStringLiteral("\\textasciitilde{}");
    else if (c == QChar(0x202F))
      out += QStringLiteral("\\,");
    else if (c == QChar(0x2212))
      out += QStringLiteral("$-$");
    else if (c == QChar(0x00D7))
      out += QStringLiteral("$\\times$");
    else if (c == QChar(0x00B5))
      out += QStringLiteral("\\textmu{}");
    else if (c == QChar(0x00B0))
      out += QStringLiteral("\\textdegree{}");
    else
      out += c;
  }
  return out;
}

void writeLatex(const Derivation& d, int depth, QString& out) {
  out += QStringLiteral("\\hspace*{%1em}%2 & %3 & %4 & %5 \\\\\n")
             .arg(depth)
             .arg(latexEscaped(fromStd(d.label)), latexEscaped(valueOf(d)), latexEscaped(fromStd(d.formula)),
                  latexEscaped(sourceOf(d)));
  for (const Derivation& child : d.children) writeLatex(child, depth + 1, out);
}

QJsonObject jsonOf(const Derivation& d) {
  QJsonObject out{{QStringLiteral("id"), fromStd(d.id)},
                  {QStringLiteral("label"), fromStd(d.label)},
                  {QStringLiteral("value"), d.value},
                  {QStringLiteral("unit"), fromStd(d.unit)},
                  {QStringLiteral("source_kind"), sourceName(d.source_kind)}};
  const auto add = [&out](const QString& key, const std::string& text) {
    if (!text.empty()) out.insert(key, fromStd(text));
  };
  add(QStringLiteral("formula"), d.formula);
  add(QStringLiteral("with_numbers"), d.with_numbers);
  add(QStringLiteral("source"), d.source);
  add(QStringLiteral("parameter_path"), d.parameter_path);
  if (d.share > 0) out.insert(QStringLiteral("share"), d.share);
  QJsonArray children;
  for (const Derivation& child : d.children) children.append(jsonOf(child));
  if (!children.isEmpty()) out.insert(QStringLiteral("children"), children);
  return out;
}

}  // namespace

QString derivationText(const Derivation& root, DerivationFormat format) {
  QString out;
  switch (format) {
    case DerivationFormat::Text:
      writeText(root, 0, out);
      break;
    case DerivationFormat::Markdown:
      out = QStringLiteral("| Quantity | Value | Share | Formula | Source |\n|---|---:|---:|---|---|\n");
      writeMarkdown(root, 0, out);
      break;
    case DerivationFormat::Latex:
      out = QStringLiteral("\\begin{tabular}{lrll}\nQuantity & Value & Formula & Source \\\\ \\hline\n");
      writeLatex(root, 0, out);
      out += QStringLiteral("\\end{tabular}\n");
      break;
    case DerivationFormat::Json:
      out = QString::fromUtf8(QJsonDocument(jsonOf(root)).toJson());
      break;
  }
  return out;
}

}  // namespace decodescope::views
