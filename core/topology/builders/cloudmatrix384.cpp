#include "topology/builders/builders.h"

namespace decodescope::topology {

namespace {

constexpr int kNpusPerNode = 8, kCpusPerNode = 4, kPlanes = 7, kL2PerPlane = 16;
/// An L1 switch takes 8 NPU links down and has as much up over 16 ports: 8 * 56 / 16 = 28 GB/s each.
constexpr double kUplinkPerNpuLink = static_cast<double>(kNpusPerNode) / kL2PerPlane;
/// A CPU has 160 GB/s over 7 planes where an NPU has 392.
constexpr double kCpuPerNpuLink = 160.0 / 392.0;

}  // namespace

Sketch buildCloudmatrix384(int chips, double npu_link_bytes_per_s, double latency_s) {
  Sketch sketch;
  sketch.latency_s = latency_s;
  const int nodes = (chips + kNpusPerNode - 1) / kNpusPerNode;
  for (int c = 0; c < chips; ++c) sketch.addChip(static_cast<std::uint32_t>(c / kNpusPerNode));
  for (int c = 0; c < nodes * kCpusPerNode; ++c) sketch.addCpu(static_cast<std::uint32_t>(c / kCpusPerNode));
  const auto l1 = static_cast<std::uint32_t>(sketch.nodes.size());
  for (int s = 0; s < nodes * kPlanes; ++s)
    sketch.addSwitch(1, s % kPlanes, static_cast<std::uint32_t>(s / kPlanes));
  for (std::uint32_t n = 0; n < l1; ++n) {
    const bool is_npu = sketch.nodes[n].kind == NodeKind::Chip;
    const double rate_bytes_per_s = npu_link_bytes_per_s * (is_npu ? 1 : kCpuPerNpuLink);
    for (std::uint32_t p = 0; p < kPlanes; ++p)
      sketch.connect(NodeId{n}, NodeId{l1 + sketch.nodes[n].group * kPlanes + p}, 1, rate_bytes_per_s);
  }
  if (nodes < 2) return sketch;
  for (std::uint32_t p = 0; p < kPlanes; ++p) {
    for (int s = 0; s < kL2PerPlane; ++s) {
      const NodeId l2 = sketch.addSwitch(2, static_cast<int>(p));
      for (std::uint32_t n = 0; n < static_cast<std::uint32_t>(nodes); ++n)
        sketch.connect(NodeId{l1 + n * kPlanes + p}, l2, 1, npu_link_bytes_per_s * kUplinkPerNpuLink,
                       LinkClass::InterSwitch);
    }
  }
  return sketch;
}

}  // namespace decodescope::topology
