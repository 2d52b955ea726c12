// All-reduce, gather and all-to-all inside one scale-up domain.
#include "network/collective_forms.h"

#include <algorithm>
#include <cmath>

namespace decodescope::network::forms {
namespace {

double octaves(double g) {
  return std::log2(g);
}

/// Share of `limit` reached at `bytes`: 0 at none, 1 far beyond `scale`.
double saturating(double bytes, double scale) {
  return bytes / (bytes + scale);
}

/// Ring steps up to 16 ranks, a tree beyond, where it has fewer (3.75 hops per octave meet the ring at 16).
double hopsOf(const NcclConstants& c, double g) {
  return std::min(g - 1, c.hops_per_octave * octaves(g));
}

}  // namespace

CollectiveCost oneShot(const CustomAllReduce& c, double g, double bytes) {
  // Every rank sends its whole buffer to every other rank.
  return {c.one_shot_s * (1 + c.one_shot_octave_ratio * octaves(g)), (g - 1) * bytes / c.one_shot_bytes_per_s,
          "one-shot", (g - 1) * bytes};
}

CollectiveCost twoShot(const CustomAllReduce& c, double g, double bytes) {
  const double wire = 2 * (g - 1) / g * bytes;
  const double over = 2 * (g - 1) / g * c.over_limit_ratio * std::max(0.0, bytes - c.max_bytes);
  return {c.two_shot_s * (1 + c.two_shot_octave_ratio * octaves(g)), (wire + over) / c.two_shot_bytes_per_s,
          "two-shot", wire};
}

CollectiveCost ringAllReduce(const NcclConstants& c, double g, double bytes) {
  const RingConstants& ring = c.all_reduce;
  const double hops = hopsOf(c, g);
  const double wire = 2 * (g - 1) / g * bytes;
  return {ring.fixed_s + ring.hop_s * hops,
          2 * ring.small_s * hops * saturating(bytes, c.small_bytes) + wire / ring.bytes_per_s +
              ring.protocol_s * saturating(bytes, c.protocol_bytes),
          "ring", wire};
}

CollectiveCost nvlsAllReduce(const NvlsConstants& c, double g, double bytes) {
  // multimem.ld_reduce brings the sum of one share, multimem.st spreads it: S (1 + 1/g) in each direction.
  const double wire = bytes * (1 + 1 / g);
  return {c.rank_s * g, wire / c.bytes_per_s, "nvls", wire};
}

CollectiveCost libraryAllReduce(const Constants& c, double g, double bytes) {
  const CollectiveCost ring = ringAllReduce(c.nccl, g, bytes);
  return c.nvls.bytes_per_s > 0 ? cheaper(ring, nvlsAllReduce(c.nvls, g, bytes)) : ring;
}

CollectiveCost engineAllReduce(const Constants& c, double g, double bytes) {
  const CollectiveCost library = libraryAllReduce(c, g, bytes);
  if (!c.custom) return library;
  return cheaper(cheaper(oneShot(*c.custom, g, bytes), twoShot(*c.custom, g, bytes)), library);
}

CollectiveCost eagerAllReduce(const Constants& c, double g, double bytes) {
  // The host cannot launch faster than a floor, and the buffer is first copied to a registered one.
  const auto floored = [&](CollectiveCost cost, double floor_s) {
    cost.latency_s += std::max(0.0, floor_s - cost.total_s());
    return cost;
  };
  CollectiveCost cost = floored(libraryAllReduce(c, g, bytes), c.custom_eager.other_s);
  if (c.custom) {
    cost = cheaper(cost, floored(twoShot(*c.custom, g, bytes), c.custom_eager.other_s));
    cost = cheaper(cost, floored(oneShot(*c.custom, g, bytes), c.custom_eager.one_shot_s));
  }
  cost.transfer_s += 2 * bytes / c.eager_copy_bytes_per_s;
  return cost;
}

CollectiveCost eagerLibraryAllReduce(const Constants& c, double g, double bytes) {
  CollectiveCost cost = libraryAllReduce(c, g, bytes);
  cost.latency_s += std::max(0.0, c.library_eager.other_s - cost.total_s());
  return cost;
}

CollectiveCost libraryGather(const NcclConstants& c, double g, double bytes) {
  const RingConstants& ring = c.gather;
  const double hops = hopsOf(c, g);
  const double wire = (g - 1) / g * bytes;
  return {ring.fixed_s + ring.hop_s * hops,
          ring.small_s * hops * saturating(bytes, c.small_bytes) +
              (wire + ring.self_copy_ratio * bytes / g) / ring.bytes_per_s +
              ring.protocol_s * saturating(bytes, c.protocol_bytes),
          "ring", wire};
}

CollectiveCost libraryAllToAll(const NcclConstants& c, double g, double bytes) {
  const RingConstants& direct = c.all_to_all;
  const double wire = (g - 1) / g * bytes;
  return {direct.fixed_s,
          direct.small_s * saturating(bytes, c.all_to_all_small_bytes) +
              (wire + direct.self_copy_ratio * bytes / g) / direct.bytes_per_s +
              direct.protocol_s * saturating(bytes, c.protocol_bytes),
          "direct", wire};
}

}  // namespace decodescope::network::forms
