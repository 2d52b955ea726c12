// Domains without a switch: full mesh, torus, PCIe through the host.
#include "network/collective_forms.h"

#include <algorithm>

namespace decodescope::network::forms {
namespace {

/// Bytes out of one rank, whatever the wiring.
double wireBytes(Collective kind, double g, double bytes) {
  switch (kind) {
    case Collective::AllReduce:
      return 2 * (g - 1) / g * bytes;
    case Collective::AllGather:
    case Collective::ReduceScatter:
    case Collective::AllToAll:
    case Collective::MoeDispatch:
    case Collective::MoeCombine:
      return (g - 1) / g * bytes;
    case Collective::SendRecv:
      return bytes;
  }
  return bytes;
}

}  // namespace

CollectiveCost onMesh(const MeshConstants& c, Collective kind, double g, double bytes) {
  // Each pair of chips has its own link, so the g - 1 peers are served at once, each at one link's rate.
  if (kind == Collective::SendRecv) return {c.gather_s, bytes / c.link_bytes_per_s, "send-recv", bytes};
  if (kind != Collective::AllReduce)
    return {c.gather_s, bytes / g / c.link_bytes_per_s, "direct", wireBytes(kind, g, bytes)};
  const CollectiveCost one{c.one_shot_s, bytes / c.link_bytes_per_s, "one-shot", (g - 1) * bytes};
  const CollectiveCost two{c.two_shot_s, 2 * bytes / g / c.link_bytes_per_s, "two-shot",
                           wireBytes(kind, g, bytes)};
  return cheaper(one, two);
}

CollectiveCost onTorus(const TorusConstants& c, const SubTorus& box, Collective kind, double g,
                       double bytes) {
  // Rings along all axes at once, both directions. Hops and transfer pipeline: the larger of the two counts.
  double hops_s = c.hop_s * box.diameterHops();
  double transfer_s = 0;
  switch (kind) {
    case Collective::AllReduce:
      hops_s *= 2;
      transfer_s = 2 * bytes / (box.receivingLinks() * c.link_bytes_per_s);
      break;
    case Collective::AllGather:
    case Collective::ReduceScatter:
      transfer_s = bytes / (box.receivingLinks() * c.link_bytes_per_s);
      break;
    case Collective::AllToAll:
    case Collective::MoeDispatch:
    case Collective::MoeCombine:
      transfer_s = bytes * box.allToAllLoad() / c.link_bytes_per_s;
      break;
    case Collective::SendRecv:
      hops_s = c.hop_s;
      transfer_s = bytes / c.link_bytes_per_s;
      break;
  }
  return {c.fixed_s + hops_s, std::max(0.0, transfer_s - hops_s),
          kind == Collective::SendRecv ? "send-recv" : "torus-ring", wireBytes(kind, g, bytes)};
}

CollectiveCost onPcie(const PcieConstants& c, Collective kind, double g, double bytes) {
  const double wire = wireBytes(kind, g, bytes);
  const double hops = kind == Collective::AllReduce ? 2 * (g - 1) : kind == Collective::SendRecv ? 1 : g - 1;
  return {c.fixed_s + c.hop_s * hops, wire / c.bytes_per_s,
          kind == Collective::SendRecv ? "send-recv" : "host-ring", wire};
}

CollectiveCost withinDomain(const Constants& c, Collective kind, int ranks, double bytes) {
  const double g = ranks;
  switch (c.kind) {
    case ScaleUpKind::Mesh:
      return onMesh(c.mesh, kind, g, bytes);
    case ScaleUpKind::Torus:
      return onTorus(c.torus, c.sub_tori.of(ranks), kind, g, bytes);
    case ScaleUpKind::PcieOnly:
      return onPcie(c.pcie, kind, g, bytes);
    case ScaleUpKind::Switched:
      break;
  }
  switch (kind) {
    case Collective::AllReduce:
      return engineAllReduce(c, g, bytes);
    case Collective::AllGather:
    case Collective::ReduceScatter:
      return libraryGather(c.nccl, g, bytes);
    case Collective::AllToAll:
    case Collective::MoeDispatch:
    case Collective::MoeCombine:
      return libraryAllToAll(c.nccl, g, bytes);
    case Collective::SendRecv:
      return {c.nccl.all_to_all.fixed_s, bytes / c.nccl.all_to_all.bytes_per_s, "send-recv", bytes};
  }
  return {};
}

}  // namespace decodescope::network::forms
