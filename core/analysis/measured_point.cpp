#include "analysis/measured_point.h"

#include <algorithm>
#include <cctype>

namespace decodescope::analysis {
namespace {

bool isNumberCharacter(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
}

std::string_view numberAfter(std::string_view text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && isNumberCharacter(text[end])) ++end;
  while (end > from && text[end - 1] == '.') --end;
  return text.substr(from, end - from);
}

std::string_view numberBefore(std::string_view text, std::size_t end) {
  while (end > 0 && text[end - 1] == ' ') --end;
  std::size_t from = end;
  while (from > 0 && isNumberCharacter(text[from - 1])) --from;
  return text.substr(from, end - from);
}

}  // namespace

std::optional<double> MeasuredPoint::noted(std::string_view word) const {
  for (std::size_t at = notes.find(word); at != std::string::npos; at = notes.find(word, at + 1)) {
    std::size_t after = at + word.size();
    while (after < notes.size() && (notes[after] == '=' || notes[after] == ' ')) ++after;
    if (const auto behind = csv::parseNumber(numberAfter(notes, after))) return behind;
    if (const auto before = csv::parseNumber(numberBefore(notes, at))) return before;
  }
  return std::nullopt;
}

bool MeasuredPoint::notes_have(std::string_view text) const {
  return notes.find(text) != std::string::npos;
}

Expected<MeasuredPoint> readPoint(const csv::Table& table, std::size_t row) {
  MeasuredPoint p;
  const std::pair<const char*, std::string*> texts[] = {{"id", &p.id},
                                                        {"tier", &p.tier},
                                                        {"source", &p.source},
                                                        {"engine", &p.engine},
                                                        {"chip", &p.chip},
                                                        {"chip_as_published", &p.chip_as_published},
                                                        {"scaleup_link", &p.scaleup_link},
                                                        {"model", &p.model},
                                                        {"model_as_published", &p.model_as_published},
                                                        {"weight_dtype", &p.weight_dtype},
                                                        {"kv_dtype", &p.kv_dtype},
                                                        {"speculative", &p.speculative},
                                                        {"metric", &p.metric},
                                                        {"includes_prefill", &p.includes_prefill},
                                                        {"notes", &p.notes}};
  for (const auto& [column, text] : texts) *text = table.cell(row, column);
  const std::pair<const char*, std::optional<double>*> numbers[] = {{"n_chips", &p.n_chips},
                                                                    {"nodes", &p.nodes},
                                                                    {"tp", &p.tp},
                                                                    {"pp", &p.pp},
                                                                    {"ep", &p.ep},
                                                                    {"dp", &p.dp},
                                                                    {"batch_or_concurrency", &p.batch},
                                                                    {"input_len", &p.input_tokens},
                                                                    {"output_len", &p.output_tokens},
                                                                    {"mean_context", &p.mean_context_tokens}};
  for (const auto& [column, number] : numbers) {
    const auto value = table.number(row, column);
    if (!value) return Unexpected(value.error());
    *number = *value;
  }
  const auto value = table.number(row, "value");
  if (!value) return Unexpected(value.error());
  if (!*value || !(**value > 0))
    return Unexpected(table.error(row, "value", "is not a positive number", "state what was measured"));
  p.value = **value;
  return p;
}

}  // namespace decodescope::analysis
