// Spellings of engines, chips, models and machines in published rows.
#include "analysis/point_mapping.h"

#include <algorithm>
#include <cctype>

namespace decodescope::analysis {
namespace {

std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  }
  return out;
}

struct Spelling {
  std::string_view part;  ///< folded, contained in the published name
  std::string_view id;
};

// First match counts, so longer names stand before those that they contain.
constexpr Spelling kEngines[] = {{"tensorrt", "trtllm"},
                                 {"trtllm", "trtllm"},
                                 {"sglang", "sglang"},
                                 {"vllm", "vllm"},
                                 {"fastertransformer", "fastertransformer"},
                                 {"jetstream", "jetstream"},
                                 {"jax", "jetstream"},
                                 {"deepspeed", "deepspeed"},
                                 {"textgenerationinference", "tgi"}};
constexpr Spelling kChips[] = {
    {"gb300", "gb300"},     {"gb200", "gb200"},     {"gh200144", "gh200-144"},  {"gh200", "gh200"},
    {"b300", "b300-sxm"},   {"b200", "b200-sxm"},   {"h200", "h200-sxm"},       {"h800", "h800-sxm"},
    {"h20", "h20-sxm"},     {"h100", "h100-sxm"},   {"a10040", "a100-40g"},     {"a100", "a100-80g"},
    {"l40s", "l40s"},       {"mi355x", "mi355x"},   {"mi325x", "mi325x"},       {"mi300x", "mi300x"},
    {"tpuv4", "tpu-v4"},    {"tpuv5e", "tpu-v5e"},  {"tpuv5p", "tpu-v5p"},      {"tpuv6e", "tpu-v6e"},
    {"ironwood", "tpu-v7"}, {"tpuv7", "tpu-v7"},    {"trainium2", "trainium2"}, {"trn2", "trainium2"},
    {"gaudi3", "gaudi3"},   {"910c", "ascend-910c"}};
constexpr Spelling kModels[] = {{"deepseekv32", "deepseek-v3.2"},
                                {"deepseekv3", "deepseek-v3"},
                                {"deepseekr1", "deepseek-v3"},
                                {"kimik2instruct", "kimi-k2"},
                                {"llama31405b", "llama3.1-405b"},
                                {"llama3405b", "llama3.1-405b"},
                                {"llama3370b", "llama3.1-70b"},
                                {"llama3170b", "llama3.1-70b"},
                                {"llama370b", "llama3.1-70b"},
                                {"llama318b", "llama3.1-8b"},
                                {"llama38b", "llama3.1-8b"},
                                {"llama270b", "llama2-70b"},
                                {"llama213b", "llama2-13b"},
                                {"llama27b", "llama2-7b"},
                                {"llama4maverick", "llama4-maverick"},
                                {"llama4scout", "llama4-scout"},
                                {"mixtral8x22b", "mixtral-8x22b"},
                                {"mixtral8x7b", "mixtral-8x7b"},
                                {"gptoss120b", "gpt-oss-120b"},
                                {"gptoss20b", "gpt-oss-20b"},
                                {"qwen3235b", "qwen3-235b-a22b"},
                                {"qwen332b", "qwen3-32b"},
                                {"qwen2572b", "qwen2.5-72b"},
                                {"qwen257b", "qwen2.5-7b"},
                                {"palm540b", "palm-540b"},
                                {"gpt3175b", "gpt3-175b"},
                                {"glm45", "glm-4.5"},
                                {"gemma327b", "gemma3-27b"},
                                {"gemma227b", "gemma2-27b"},
                                {"minimaxtext01", "minimax-text-01"}};

template <std::size_t N>
std::string lookUp(const Spelling (&table)[N], std::string_view published) {
  const std::string name = folded(published);
  for (const Spelling& s : table) {
    if (name.find(s.part) != std::string::npos) return std::string(s.id);
  }
  return {};
}

}  // namespace

std::string engineOf(std::string_view published) {
  const std::string id = lookUp(kEngines, published);
  return id.empty() ? "generic" : id;
}

std::string chipOf(const Catalog& catalog, const MeasuredPoint& p) {
  // Where the row doubts its own memory size, the smaller one is meant.
  if (p.chip == "a100-80g" && p.notes_have("A100-40GB") && catalog.chip("a100-40g")) return "a100-40g";
  if (!p.chip.empty() && catalog.chip(p.chip)) return p.chip;
  const std::string id = lookUp(kChips, p.chip.empty() ? p.chip_as_published : p.chip);
  return catalog.chip(id) ? id : std::string{};
}

std::string modelOf(const Catalog& catalog, const MeasuredPoint& p) {
  if (!p.model.empty() && catalog.model(p.model)) return p.model;
  const std::string id = lookUp(kModels, p.model.empty() ? p.model_as_published : p.model);
  return catalog.model(id) ? id : std::string{};
}

const SystemSpec* systemOf(const Catalog& catalog, const std::string& chip, const MeasuredPoint& p) {
  const SystemSpec* best = nullptr;
  const std::string link = folded(p.scaleup_link);
  const double chips = p.n_chips.value_or(1);
  for (const SystemSpec& s : catalog.systems()) {
    if (s.chip != chip || s.modelled) continue;
    if (!link.empty() && link.find("nvl36x2") != std::string::npos &&
        s.id.find("nvl36x2") != std::string::npos)
      return &s;
    if (!best) {
      best = &s;
      continue;
    }
    const bool holds = s.chips >= chips, best_holds = best->chips >= chips;
    if (holds != best_holds ? holds : s.chips < best->chips && holds) best = &s;
  }
  return best;
}

}  // namespace decodescope::analysis
