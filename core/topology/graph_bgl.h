// The only place that includes Boost.Graph's containers: a frozen graph with 32-bit ids. Include from few
// .cpp files.
#pragma once

#include <decodescope/topology_view.h>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstdint>
#include <utility>
#include <vector>

namespace decodescope::topology {

/// Directed: both directions of every link that has capacity are edges.
using CsrGraph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                    boost::no_property, std::uint32_t, std::uint32_t>;

[[nodiscard]] inline CsrGraph makeCsrGraph(
    std::uint32_t vertices, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges) {
  return CsrGraph(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), vertices);
}

}  // namespace decodescope::topology
