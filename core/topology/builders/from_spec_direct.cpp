// Graphs whose chips are joined directly.
#include "topology/builders/builders.h"
#include "topology/builders/from_spec.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace decodescope::topology {

namespace {

constexpr int kMaxChips = 1'000'000, kMaxMesh = 4096, kMaxAxis = 4096, kMaxHypercube = 19;

/// "110": one digit per axis.
Expected<void> readWrap(const SpecParameters& spec, std::size_t axes, TorusShape& shape) {
  if (!spec.has("wrap")) return {};
  const std::string_view digits = spec.value("wrap");
  const bool is_binary =
      std::all_of(digits.begin(), digits.end(), [](char c) { return c == '0' || c == '1'; });
  if (!is_binary || digits.size() != axes)
    return Unexpected(
        spec.error("wrap", digits, fmt::format("must be {} digits, 1 where the axis closes, else 0", axes)));
  for (std::size_t d = 0; d < axes; ++d) shape.wrap[d] = digits[d] == '1';
  return {};
}

}  // namespace

Expected<Sketch> fullMeshFromSpec(const SpecParameters& spec) {
  if (auto ok = spec.allowOnly({}, true); !ok) return Unexpected(ok.error());
  const auto chips = spec.sizes(1, 2, kMaxMesh);
  if (!chips) return Unexpected(chips.error());
  return buildFullMesh(chips->front(), spec.linkBytesPerS());
}

Expected<Sketch> torusFromSpec(const SpecParameters& spec) {
  constexpr std::string_view kKeys[] = {"wrap"};
  if (auto ok = spec.allowOnly(kKeys, true); !ok) return Unexpected(ok.error());
  const auto sizes = spec.sizes(3, 1, kMaxAxis);
  if (!sizes) return Unexpected(sizes.error());
  TorusShape shape;
  double chips = 1;
  for (std::size_t d = 0; d < sizes->size(); ++d) {
    shape.dims[d] = (*sizes)[d];
    chips *= (*sizes)[d];
  }
  if (chips < 2) return Unexpected(spec.error("size", "", "has fewer than two chips"));
  if (auto ok = spec.checkSize(chips, 3 * chips); !ok) return Unexpected(ok.error());
  if (auto ok = readWrap(spec, sizes->size(), shape); !ok) return Unexpected(ok.error());
  const double rate_bytes_per_s = spec.linkBytesPerS();
  return buildTorus(shape, {rate_bytes_per_s, rate_bytes_per_s, rate_bytes_per_s});
}

Expected<Sketch> hypercubeFromSpec(const SpecParameters& spec) {
  if (auto ok = spec.allowOnly({}, true); !ok) return Unexpected(ok.error());
  const auto dimensions = spec.sizes(1, 1, kMaxHypercube);
  if (!dimensions) return Unexpected(dimensions.error());
  return buildHypercube(dimensions->front(), spec.linkBytesPerS());
}

Expected<Sketch> hyperxFromSpec(const SpecParameters& spec) {
  constexpr std::string_view kKeys[] = {"t", "links"};
  constexpr std::size_t kMaxAxes = 8;
  if (auto ok = spec.allowOnly(kKeys, true); !ok) return Unexpected(ok.error());
  auto sizes = spec.sizes(kMaxAxes, 1, kMaxAxis);
  if (!sizes) return Unexpected(sizes.error());
  const auto hosts = spec.integer("t", 1, kMaxChips);
  if (!hosts) return Unexpected(hosts.error());
  const auto links = spec.integerOr("links", 1, 1, kMaxAxis);
  if (!links) return Unexpected(links.error());
  double routers = 1, degree = 0;
  for (const int size : *sizes) {
    routers *= size;
    degree += size - 1;
  }
  if (auto ok = spec.checkSize(routers * (1 + *hosts), routers * (*hosts + degree / 2)); !ok)
    return Unexpected(ok.error());
  if (routers * *hosts < 2) return Unexpected(spec.error("size", "", "has fewer than two chips"));
  return buildHyperx({*std::move(sizes), *hosts, *links, spec.linkBytesPerS()});
}

Expected<Sketch> fullMeshDomain(const SystemSpec& system, int chips) {
  return buildFullMesh(chips, system.graph.link_bytes_per_s, system.graph.link_latency_s);
}

Expected<Sketch> torusDomain(const SystemSpec& system, int chips) {
  std::array<double, 3> rates_bytes_per_s = system.graph.axis_link_bytes_per_s;
  for (double& rate_bytes_per_s : rates_bytes_per_s) {
    if (rate_bytes_per_s <= 0) rate_bytes_per_s = system.graph.link_bytes_per_s;
  }
  return buildTorus(torusDimsFor(system, chips), rates_bytes_per_s, system.graph.link_latency_s);
}

}  // namespace decodescope::topology
