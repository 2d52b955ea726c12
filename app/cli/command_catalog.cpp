// catalog: lists or shows entries with sources. import-model: a Hugging Face config.json as a catalog entry.
#include "base/json_document.h"
#include "catalog/describe.h"
#include "catalog/entry_reader.h"
#include "catalog/import_model.h"
#include "commands.h"
#include "model/arithmetic.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace decodescope::cli {

namespace {

using Json = nlohmann::ordered_json;

struct CatalogArguments {
  std::string kind, id;
  bool json = false;
};

constexpr std::array<std::pair<const char*, catalog::EntryKind>, 4> kKinds{
    {{"chips", catalog::EntryKind::Chip},
     {"systems", catalog::EntryKind::System},
     {"models", catalog::EntryKind::Model},
     {"engines", catalog::EntryKind::Engine}}};

/// Whole numbers without a fraction.
Json number(double value) {
  constexpr double kExact = 9007199254740992.0;
  if (value == std::floor(value) && std::abs(value) < kExact) return static_cast<std::int64_t>(value);
  return value;
}

/// What follows from a model's dimensions.
void putComputed(const ModelSpec& m, Json& out) {
  const model::ParameterCount p = model::countParameters(m);
  out["parameters_total"] = number(p.total());
  out["parameters_active"] = number(p.active_excl_input_embedding);
  out["parameters_active_with_input_embedding"] = number(p.active_incl_input_embedding);
  out["parameters_active_without_embeddings"] = number(p.active_excl_both_embeddings);
  if (p.mtp_block > 0) out["parameters_mtp"] = number(p.mtp_block);
  out["kv_bytes_per_token_bf16"] = number(model::kvBytesPerTokenMarginal(m, Dtype::Bf16, 0));
  out["kv_bytes_per_token_bf16_at_max_context"] =
      number(model::kvBytesPerTokenMarginal(m, Dtype::Bf16, m.max_context_tokens));
  if (m.layers_linear > 0)
    out["linear_state_bytes_per_sequence"] = number(model::kvBytesPerSequence(m, Dtype::Bf16, 0));
}

Json sourceJson(const Source& source) {
  Json o{{"title", source.title}, {"url", source.url}, {"read", source.read}};
  return o;
}

Json valueJson(const catalog::DescribedValue& row) {
  Json o;
  if (const double* n = std::get_if<double>(&row.value)) o["value"] = number(*n);
  if (const bool* b = std::get_if<bool>(&row.value)) o["value"] = *b;
  if (const std::string* t = std::get_if<std::string>(&row.value)) o["value"] = *t;
  o["source"] = sourceJson(row.source);
  o["confidence"] = catalog::confidenceId(row.source.confidence);
  if (!row.source.note.empty()) o["note"] = row.source.note;
  for (const catalog::Alternative& other : row.alternatives) {
    o["alternatives"].push_back({{"value", number(other.value)},
                                 {"source", sourceJson(other.source)},
                                 {"confidence", catalog::confidenceId(other.source.confidence)}});
  }
  return o;
}

std::string valueText(const catalog::DescribedValue& row) {
  if (const double* n = std::get_if<double>(&row.value)) return fmt::format("{}", number(*n).dump());
  if (const bool* b = std::get_if<bool>(&row.value)) return *b ? "yes" : "no";
  return std::get<std::string>(row.value);
}

Json entryJson(const Catalog& catalog, const catalog::DescribedEntry& entry) {
  Json out{{"kind", entry.kind}, {"id", entry.id}, {"name", entry.name}};
  if (entry.kind == "model") putComputed(**catalog.model(entry.id), out);
  for (const catalog::DescribedValue& row : entry.values) out["values"][row.name] = valueJson(row);
  out["catalog"] = catalog.hash();
  return out;
}

std::string entryText(const Catalog& catalog, const catalog::DescribedEntry& entry) {
  std::string out = fmt::format("{} ({})\n", entry.name, entry.id);
  if (entry.kind == "model") {
    Json computed;
    putComputed(**catalog.model(entry.id), computed);
    out += "\nComputed from the dimensions:\n";
    for (const auto& [key, value] : computed.items()) out += fmt::format("  {:<40} {}\n", key, value.dump());
  }
  out += "\n";
  for (const catalog::DescribedValue& row : entry.values) {
    out += fmt::format("  {:<40} {:<22} {:<9} {}{}\n", row.name, valueText(row),
                       catalog::confidenceId(row.source.confidence), row.source.title,
                       row.source.url.empty() ? "" : "  " + row.source.url);
    if (!row.source.note.empty()) out += fmt::format("  {:<40} {}\n", "", row.source.note);
    for (const catalog::Alternative& other : row.alternatives) {
      out += fmt::format("  {:<40} or {} ({})\n", "", number(other.value).dump(), other.source.title);
    }
  }
  return out;
}

const std::vector<CatalogItem>& itemsOf(const CatalogListing& listing, catalog::EntryKind kind) {
  switch (kind) {
    case catalog::EntryKind::Chip:
      return listing.chips;
    case catalog::EntryKind::System:
      return listing.systems;
    case catalog::EntryKind::Model:
      return listing.models;
    case catalog::EntryKind::Engine:
      break;
  }
  return listing.engines;
}

std::string listText(const Catalog& catalog, const CatalogArguments& args, catalog::EntryKind kind) {
  const CatalogListing listing = catalog.listing();
  const std::vector<CatalogItem>& items = itemsOf(listing, kind);
  if (args.json) {
    Json out{{"catalog", catalog.hash()}, {args.kind, Json::array()}};
    for (const CatalogItem& item : items) {
      Json o{{"id", item.id}, {"name", item.name}, {"detail", item.detail}};
      if (kind == catalog::EntryKind::Model) putComputed(**catalog.model(item.id), o);
      out[args.kind].push_back(std::move(o));
    }
    return out.dump(2) + "\n";
  }
  std::string out;
  for (const CatalogItem& item : items)
    out += fmt::format("{:<20} {:<38} {}\n", item.id, item.name, item.detail);
  return out;
}

ExitCode runCatalog(Context& context, const CatalogArguments& args) {
  const auto catalog = context.catalog();
  if (!catalog) return context.fail(catalog.error());
  const auto* kind =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& k) { return args.kind == k.first; });
  std::string text;
  if (args.id.empty()) {
    text = listText(**catalog, args, kind->second);
  } else {
    const auto entry = catalog::describe(**catalog, kind->second, args.id);
    if (!entry) return context.fail(entry.error());
    text = args.json ? entryJson(**catalog, *entry).dump(2) + "\n" : entryText(**catalog, *entry);
  }
  const auto written = writeOutput("", text);
  return written ? ExitCode::Ok : context.fail(written.error());
}

struct ImportArguments {
  std::string file, name, output;
};

void report(const char* heading, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  fmt::print(stderr, "{}\n", heading);
  for (const std::string& line : lines) fmt::print(stderr, "  {}\n", line);
}

ExitCode runImport(Context& context, const ImportArguments& args) {
  const auto config = json::parseFile(args.file);
  if (!config) return context.fail(config.error());
  std::string name = args.name;
  if (name.empty() && config->is_object()) {
    if (const auto own = config->find("_name_or_path"); own != config->end() && own->is_string())
      name = own->get<std::string>();
  }
  if (name.empty())
    name = args.file == "-" ? "imported"
                            : std::filesystem::absolute(args.file).parent_path().filename().string();
  const auto imported = catalog::importModel(*config, args.file == "-" ? "standard input" : args.file, name);
  if (!imported) return context.fail(imported.error());
  report("Assumed, because the file does not say:", imported->assumed);
  report("Not understood, and left out:", imported->unmapped);
  report("Without effect on sizes or speed:", imported->ignored);
  const auto written = writeOutput(args.output, imported->entry);
  if (!written) return context.fail(written.error());
  fmt::print(stderr,
             "To use it, save the entry as models.json in your catalog folder "
             "(~/.local/share/decodescope/catalog).\n");
  return ExitCode::Ok;
}

}  // namespace

Run addCatalogCommand(CLI::App& command) {
  const auto args = std::make_shared<CatalogArguments>();
  command.add_option("KIND", args->kind, "chips, systems, models or engines")
      ->required()
      ->check(CLI::IsMember({"chips", "systems", "models", "engines"}));
  command.add_option("ID", args->id, "Show one entry, value by value, with sources");
  command.add_flag("--json", args->json, "Print one JSON object");
  return [args](Context& context) { return runCatalog(context, *args); };
}

Run addImportModelCommand(CLI::App& command) {
  const auto args = std::make_shared<ImportArguments>();
  command.add_option("CONFIG", args->file, "A Hugging Face config.json, or - for standard input")->required();
  command.add_option("--name", args->name,
                     "Name of the entry; default: as the file names itself, or its folder");
  command.add_option("-o,--output", args->output, "Write the catalog entry to this file")->type_name("FILE");
  return [args](Context& context) { return runImport(context, *args); };
}

}  // namespace decodescope::cli
