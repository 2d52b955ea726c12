#include "topology/builders/builders.h"

namespace decodescope::topology {

namespace {

/// Links along one axis of length k: k - 1, and the closing one only where it would not double an existing
/// link.
void connectAxis(Sketch& sketch, const TorusShape& shape, std::size_t axis, double link_bytes_per_s) {
  const int k = shape.dims[axis];
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < axis; ++d) stride *= static_cast<std::uint32_t>(shape.dims[d]);
  const auto back = static_cast<std::uint32_t>(k - 1) * stride;
  for (std::uint32_t c = 0; c < sketch.chip_count; ++c) {
    const int at = sketch.nodes[c].coordinate[axis];
    if (at + 1 < k) {
      sketch.connect(NodeId{c}, NodeId{c + stride}, 1, link_bytes_per_s);
    } else if (k > 2 && shape.wrap[axis]) {
      sketch.connect(NodeId{c}, NodeId{c - back}, 1, link_bytes_per_s);
    }
  }
}

}  // namespace

Sketch buildTorus(const TorusShape& shape, std::array<double, 3> link_bytes_per_s_by_axis, double latency_s) {
  Sketch sketch;
  sketch.latency_s = latency_s;
  const auto [kx, ky, kz] = shape.dims;
  sketch.layout = kz > 1 ? TopologyLayout::Torus3d : TopologyLayout::Torus2d;
  for (std::size_t d = 0; d < 3; ++d) sketch.torus_dims[d] = static_cast<std::uint16_t>(shape.dims[d]);
  for (int z = 0; z < kz; ++z) {
    for (int y = 0; y < ky; ++y) {
      for (int x = 0; x < kx; ++x) {
        sketch.addChip(
            0, {static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y), static_cast<std::uint16_t>(z)});
      }
    }
  }
  sketch.links.reserve(3 * static_cast<std::size_t>(sketch.chip_count));
  for (std::size_t axis = 0; axis < 3; ++axis)
    connectAxis(sketch, shape, axis, link_bytes_per_s_by_axis[axis]);
  return sketch;
}

}  // namespace decodescope::topology
