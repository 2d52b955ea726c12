#include "scenario/parameter_rows.h"

namespace decodescope::scenario {
namespace {

const Speculation kDefaultSpeculation{};

Speculation& speculationOf(Scenario& s) {
  return s.serving.speculation ? *s.serving.speculation : s.serving.speculation.emplace(kDefaultSpeculation);
}

void addPrecisionRows(std::vector<ParameterRow>& rows) {
  addRow(
      rows,
      choice("precision.weights", "Weight precision", "Model",
             "How weights are stored and multiplied; automatic takes the model's own type where the chip has "
             "it."),
      [](const Scenario& s, const Defaults&) -> ParameterValue { return s.precision.weights; },
      [](Scenario& s, const ParameterValue& v) { s.precision.weights = textOf(v); },
      [](const Scenario& s) { return !s.precision.weights.empty(); },
      {{"", "Automatic", "the model's own type"},
       {"bf16", "bf16", "16 bit"},
       {"fp8", "fp8", "8 bit, scale per tensor"},
       {"fp8_block", "fp8 block", "8 bit, scale per 128 x 128"},
       {"int8", "int8", "8 bit integers"},
       {"mxfp4", "mxfp4", "4.25 bit"},
       {"nvfp4", "nvfp4", "4.5 bit"}});
  addRow(
      rows,
      choice("precision.kv", "KV cache precision", "Model",
             "How keys and values are stored; automatic is bf16.", kBasic),
      [](const Scenario& s, const Defaults&) -> ParameterValue { return s.precision.kv; },
      [](Scenario& s, const ParameterValue& v) { s.precision.kv = textOf(v); },
      [](const Scenario& s) { return !s.precision.kv.empty(); },
      {{"", "Automatic", "bf16"},
       {"bf16", "bf16", "16 bit"},
       {"fp8", "fp8", "8 bit"},
       {"fp4", "fp4", "4.5 bit"}});
}

void addSpeculationRows(std::vector<ParameterRow>& rows) {
  addRow(
      rows,
      number("serving.speculation.draft_tokens", "Draft tokens", "Model", "tokens", ParameterScale::Linear,
             {0, 8}, {0, 64},
             "Tokens proposed per step by speculative decoding or multi-token prediction; 0 turns it off.",
             kIntegral),
      [](const Scenario& s, const Defaults&) -> ParameterValue {
        return s.serving.speculation ? static_cast<double>(s.serving.speculation->draft_tokens) : 0.0;
      },
      [](Scenario& s, const ParameterValue& v) {
        const int tokens = static_cast<int>(numberOf(v));
        if (tokens <= 0)
          s.serving.speculation.reset();
        else
          speculationOf(s).draft_tokens = tokens;
      },
      [](const Scenario& s) { return s.serving.speculation.has_value(); });
  addRow(
      rows,
      number("serving.speculation.acceptance_ratio", "Draft acceptance", "Model", "", ParameterScale::Linear,
             {0.3, 1}, {0, 1}, "Chance that a proposed token is accepted when the one before it was."),
      [](const Scenario& s, const Defaults&) -> ParameterValue {
        return s.serving.speculation.value_or(kDefaultSpeculation).acceptance_ratio;
      },
      [](Scenario& s, const ParameterValue& v) { speculationOf(s).acceptance_ratio = numberOf(v); },
      [](const Scenario& s) { return s.serving.speculation.has_value(); });
}

}  // namespace

void addModelRows(std::vector<ParameterRow>& rows) {
  addRow(
      rows, choice("model", "Model", "Model", "What is decoded.", kBasic),
      [](const Scenario& s, const Defaults&) -> ParameterValue { return s.model; },
      [](Scenario& s, const ParameterValue& v) {
        if (s.model == textOf(v)) return;
        s.model = textOf(v);
        std::erase_if(s.overrides, [](const CatalogOverride& o) { return o.entry == "model"; });
      });
  addPrecisionRows(rows);
  addRow(
      rows,
      choice("serving.engine", "Serving engine", "Model",
             "Whose kernels, collectives, memory rule and host time are used."),
      [](const Scenario& s, const Defaults&) -> ParameterValue { return s.serving.engine; },
      [](Scenario& s, const ParameterValue& v) { s.serving.engine = textOf(v); });
  addRow(
      rows,
      choice("serving.prefill", "Prefill", "Model",
             "Chunked mixes pieces of prompts into decode steps, disaggregated leaves them to other chips, "
             "none leaves them out."),
      [](const Scenario& s, const Defaults&) -> ParameterValue {
        constexpr const char* kIds[] = {"none", "chunked", "disaggregated"};
        return std::string(kIds[static_cast<std::size_t>(s.serving.prefill)]);
      },
      [](Scenario& s, const ParameterValue& v) {
        const std::string& id = textOf(v);
        s.serving.prefill = id == "none"            ? PrefillMode::None
                            : id == "disaggregated" ? PrefillMode::Disaggregated
                                                    : PrefillMode::Chunked;
      },
      nullptr,
      {{"none", "None", "pure decode"},
       {"chunked", "Chunked", "within decode steps"},
       {"disaggregated", "Disaggregated", "on a pool of its own"}});
  addNumber<&Scenario::serving, &Serving::chunk_tokens>(
      rows, number("serving.chunk_tokens", "Prefill chunk", "Model", "tokens", ParameterScale::Log2,
                   {128, 32768}, {1, 1e6}, "Prompt tokens that one step may take along.", kIntegral));
  addNumber<&Scenario::serving, &Serving::kv_block_tokens>(
      rows, number("serving.kv_block_tokens", "KV block", "Model", "tokens", ParameterScale::Log2, {1, 256},
                   {1, 65536}, "Tokens per block of the paged KV cache.", kIntegral));
  addNumber<&Scenario::serving, &Serving::max_batch_per_replica>(
      rows, number("serving.max_batch_per_replica", "Batch limit", "Model", "sequences",
                   ParameterScale::Linear, {0, 4096}, {0, 1e6},
                   "Most sequences that one replica decodes together; 0 leaves it to memory.", kIntegral));
  addNumber<&Scenario::serving, &Serving::two_batch_overlap_ratio>(
      rows, number("serving.two_batch_overlap_ratio", "Two-batch overlap", "Model", "",
                   ParameterScale::Linear, {0, 1}, {0, 1},
                   "Share of collective time hidden behind the math of the other half of the batch."));
  addSpeculationRows(rows);
}

}  // namespace decodescope::scenario
