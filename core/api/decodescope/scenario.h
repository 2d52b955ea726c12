// A scenario: everything the user may choose. Plain data, Qt-free, with the defaults of a new scenario.
// JSON form, key by key: resources/schema/scenario.schema.json. Reading and writing: core/scenario.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace decodescope {

/// A token count that may be a distribution.
struct TokenLength {
  enum class Distribution { Fixed, Uniform, Lognormal };
  Distribution distribution = Distribution::Fixed;
  double mean_tokens = 1024;
  double sigma = 0.0;     ///< Lognormal: standard deviation of the logarithm
  double min_tokens = 1;  ///< bounds of Uniform; clamps of Lognormal
  double max_tokens = 16777216;
  friend bool operator==(const TokenLength&, const TokenLength&) = default;
};

enum class WorkloadMode { Closed, Open, Static, Trace };
struct Workload {
  WorkloadMode mode = WorkloadMode::Closed;
  double concurrency = 256;  ///< sequences in flight over the whole deployment
  TokenLength prompt{TokenLength::Distribution::Fixed, 8192};
  TokenLength output{TokenLength::Distribution::Fixed, 1024};
  double context_tokens = 8192;  ///< Static: tokens held by every sequence
  double arrivals_per_s = 10;    ///< Open
  double burstiness_cv = 1;      ///< Open: coefficient of variation of gaps; 1 is Poisson
  std::string trace_file;        ///< Trace: CSV with timestamp, prompt tokens, output tokens
  double slo_tpot_ms = 50;       ///< target of time per output token
  double slo_ttft_ms = 2000;
  friend bool operator==(const Workload&, const Workload&) = default;
};

struct Precision {
  std::string
      weights;  ///< bf16 fp8 fp8_block int8 mxfp4 nvfp4; empty: the model's native type where the chip has it
  std::string kv;  ///< bf16 fp8 fp4; empty: bf16
  std::string activations = "bf16";
  friend bool operator==(const Precision&, const Precision&) = default;
};

enum class AttentionSharding { Tensor, Data };
/// Degrees of parallelism. chips = tp * pp * cp * dp * replicas; ep overlays tp * dp.
struct ParallelDegrees {
  int tp = 1, pp = 1, ep = 1, dp = 1, cp = 1;
  AttentionSharding attention = AttentionSharding::Tensor;
  friend bool operator==(const ParallelDegrees&, const ParallelDegrees&) = default;
};

struct Speculation {
  int draft_tokens = 1;           ///< tokens proposed per step
  double acceptance_ratio = 0.8;  ///< chance that one proposed token is accepted, given the one before was
  friend bool operator==(const Speculation&, const Speculation&) = default;
};

enum class PrefillMode { None, Chunked, Disaggregated };
struct Serving {
  std::string engine = "vllm";  ///< id in the catalog of serving engines
  PrefillMode prefill = PrefillMode::Chunked;
  int chunk_tokens = 2048;
  int kv_block_tokens = 64;
  int max_batch_per_replica = 0;  ///< 0: no limit but memory
  double two_batch_overlap_ratio =
      0;  ///< share of collective time hidden behind the other half batch, 0 to 1
  std::optional<Speculation> speculation;
  friend bool operator==(const Serving&, const Serving&) = default;
};

/// Scale-out network between scale-up domains. Absent in the file: rail-optimised at the system's NIC rate.
struct Fabric {
  std::string kind = "rail";     ///< none rail leaf-spine torus
  double gb_per_s_per_chip = 0;  ///< per direction; 0: the system's NIC
  double oversubscription = 1;
  friend bool operator==(const Fabric&, const Fabric&) = default;
};

/// Unset values take the system's own.
struct Physical {
  std::string cooling;                            ///< air liquid; empty: as the system was built
  std::optional<double> supply_c;                 ///< coolant supply or air inlet
  std::optional<double> flow_l_per_min_per_chip;  ///< liquid
  std::optional<double> airflow_ratio;            ///< air, of the chassis maximum
  std::optional<double> rack_power_cap_kw;
  std::optional<double> chip_power_cap_w;
  double ambient_c = 30;
  double clock_limit_ratio = 1;
  double dew_point_c = 15;
  friend bool operator==(const Physical&, const Physical&) = default;
};

struct Economics {
  double years = 4;
  double interest_ratio = 0.09;
  double usd_per_kwh = 0.0929;
  double hosting_usd_per_kw_month = 184;
  double utilization = 0.7;
  std::optional<double> chip_capex_usd;  ///< all-in capital per chip; unset: from the catalog
  friend bool operator==(const Economics&, const Economics&) = default;
};

/// One number of a model, system or chip replaced by the user, such as {"chip", "memory_bandwidth_gb_per_s",
/// 6000}.
struct CatalogOverride {
  std::string entry;  ///< model system chip
  std::string field;
  double value = 0;
  friend bool operator==(const CatalogOverride&, const CatalogOverride&) = default;
};

/// A fault put in by the user: a link or switch out of service or degraded.
struct Fault {
  std::string kind;           ///< link switch chip-link flow
  std::string target;         ///< label of the link or node, or of the tray for "flow"
  double capacity_ratio = 0;  ///< what is left
  double at_s = 0;
  friend bool operator==(const Fault&, const Fault&) = default;
};

struct Scenario {
  std::string name = "Untitled";
  std::string model = "deepseek-v3";
  std::string system = "gb200-nvl72";
  int chips = 72;
  Precision precision;
  std::optional<ParallelDegrees> parallel;  ///< unset: automatic
  Workload workload;
  Serving serving;
  Fabric fabric;
  Physical physical;
  Economics economics;
  std::vector<CatalogOverride> overrides;
  std::vector<Fault> faults;
  bool jitter = true;
  std::uint64_t seed = 1;
  std::string unknown_json;  ///< unknown keys as read, written back on save
  friend bool operator==(const Scenario&, const Scenario&) = default;
};

}  // namespace decodescope
