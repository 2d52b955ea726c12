// Closed forms of single algorithms. Notation: g ranks, S bytes, one direction. Times are affine or concave
// in S and never fall as S grows. Shapes and alternatives: Thakur, Rabenseifner, Gropp 2005; NCCL; fits in
// collectives.json.
#pragma once

#include "network/collective_constants.h"

namespace decodescope::network::forms {

using Constants = CollectiveModel::Constants;

/// The cheaper of two, `a` on a tie.
[[nodiscard]] inline const CollectiveCost& cheaper(const CollectiveCost& a, const CollectiveCost& b) {
  return b.total_s() < a.total_s() ? b : a;
}

// Inside one scale-up domain
// -------------------------------------------------------------------------------------
[[nodiscard]] CollectiveCost oneShot(const CustomAllReduce&, double g, double bytes);
[[nodiscard]] CollectiveCost twoShot(const CustomAllReduce&, double g, double bytes);
[[nodiscard]] CollectiveCost ringAllReduce(const NcclConstants&, double g, double bytes);
[[nodiscard]] CollectiveCost nvlsAllReduce(const NvlsConstants&, double g, double bytes);
/// Ring or NVLS, as the library chooses.
[[nodiscard]] CollectiveCost libraryAllReduce(const Constants&, double g, double bytes);
/// As the engine runs it: its own kernels or the library, in a CUDA graph.
[[nodiscard]] CollectiveCost engineAllReduce(const Constants&, double g, double bytes);
/// The same launched one by one from the host.
[[nodiscard]] CollectiveCost eagerAllReduce(const Constants&, double g, double bytes);
[[nodiscard]] CollectiveCost eagerLibraryAllReduce(const Constants&, double g, double bytes);
[[nodiscard]] CollectiveCost libraryGather(const NcclConstants&, double g,
                                           double bytes);  ///< all-gather, reduce-scatter
[[nodiscard]] CollectiveCost libraryAllToAll(const NcclConstants&, double g, double bytes);

// Domains without a switch
// ---------------------------------------------------------------------------------------
[[nodiscard]] CollectiveCost onMesh(const MeshConstants&, Collective, double g, double bytes);
[[nodiscard]] CollectiveCost onTorus(const TorusConstants&, const SubTorus&, Collective, double g,
                                     double bytes);
[[nodiscard]] CollectiveCost onPcie(const PcieConstants&, Collective, double g, double bytes);

/// Any collective among g ranks of one domain.
[[nodiscard]] CollectiveCost withinDomain(const Constants&, Collective, int g, double bytes);
/// Any collective over several domains: the domain's own and the NICs' share, overlapped.
[[nodiscard]] CollectiveCost acrossDomains(const Constants&, Collective, GroupShape, double bytes);

// Experts
// --------------------------------------------------------------------------------------------------------
/// What one rank sends: its tokens, the copies each makes, and the bytes of one copy.
struct ExpertTraffic {
  double tokens = 0, top_k = 1, row_bytes = 0;
  bool balanced =
      false;  ///< routing reaches min(top_k, ranks) distinct ranks for sure, as benchmarks arrange
};
/// Expected distinct targets, among `targets` equally likely ones, of one token.
[[nodiscard]] double distinctTargets(const ExpertTraffic&, double targets);
[[nodiscard]] CollectiveCost deepEpLowLatency(const DeepEpPhase&, const Constants&, GroupShape,
                                              const ExpertTraffic&);
[[nodiscard]] CollectiveCost deepEpNormal(const DeepEpPhase&, const Constants&, GroupShape,
                                          const ExpertTraffic&);
[[nodiscard]] CollectiveCost domainExchange(const DomainExchange&, std::string_view algorithm, double g,
                                            const ExpertTraffic&);
[[nodiscard]] CollectiveCost expertExchange(const Constants&, Collective, GroupShape, const ExpertTraffic&);

}  // namespace decodescope::network::forms
