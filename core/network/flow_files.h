// Flows on given routes, from CSV files: what `decodescope-cli flows` reads and writes.
#pragma once

#include <decodescope/expected.h>

#include <string>
#include <string_view>
#include <vector>

namespace decodescope::network {

/// Routes: source, destination, then the names of the directed links of the path, as many as it has. Flows:
/// columns phase, src, dst, bytes; the flows of a phase start together when the previous phase has finished.
/// Every link carries `capacity_bytes_per_s`. Returns the flows table with `finish_s`, from the start of the
/// first phase, as last column.
[[nodiscard]] Expected<std::string> solveFlowTables(std::string_view routes_text,
                                                    const std::string& routes_name,
                                                    std::string_view flows_text,
                                                    const std::string& flows_name,
                                                    double capacity_bytes_per_s);

}  // namespace decodescope::network
