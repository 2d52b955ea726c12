// Systems as the catalog describes them, for tests that need a machine without reading files.
#pragma once

#include "catalog/chip_spec.h"
#include "catalog/system_spec.h"

namespace decodescope::test {

inline SystemSpec nvl72() {
  SystemSpec system;
  system.id = "gb200-nvl72";
  system.name = "GB200 NVL72";
  system.chips = 72;
  system.cooling = "liquid";
  system.graph.builder = "star";
  system.graph.planes = std::vector<int>(18, 1);
  system.graph.link_bytes_per_s = 50e9;
  system.layout = {.racks = 1,
                   .compute_trays = 18,
                   .chips_per_tray = 4,
                   .switch_trays = 9,
                   .power_shelves = 8,
                   .units = 48,
                   .tray_units = 1,
                   .order = "blank:2 power:4 management:2 compute:10 switch:9 compute:8 power:4 blank:9"};
  system.nic_bytes_per_s_per_chip = 50e9;
  return system;
}

inline SystemSpec hgxH100() {
  SystemSpec system;
  system.id = "dgx-h100";
  system.name = "DGX H100";
  system.chips = 8;
  system.cooling = "air";
  system.graph.builder = "star";
  system.graph.planes = {5, 4, 4, 5};
  system.graph.link_bytes_per_s = 25e9;
  system.layout = {
      .racks = 1, .compute_trays = 1, .chips_per_tray = 8, .units = 48, .tray_units = 8, .order = ""};
  system.nic_bytes_per_s_per_chip = 50e9;
  return system;
}

inline SystemSpec nvl36x2() {
  SystemSpec system = nvl72();
  system.id = "gb200-nvl36x2";
  system.name = "GB200 NVL36x2";
  system.graph.builder = "nvl36x2";
  system.layout = {.racks = 2,
                   .compute_trays = 9,
                   .chips_per_tray = 4,
                   .switch_trays = 9,
                   .units = 48,
                   .tray_units = 2,
                   .order = "power:2 compute:5 switch:9 compute:4 power:2"};
  return system;
}

inline SystemSpec nvl576() {
  SystemSpec system = nvl72();
  system.id = "nvl576";
  system.name = "NVL576";
  system.chips = 576;
  system.graph.builder = "two-tier";
  system.graph.groups = 16;
  system.graph.chips_per_group = 36;
  system.graph.l2_switches_per_plane = 9;
  system.graph.links_per_pair = 4;
  system.layout = {.racks = 16,
                   .switch_racks = 3,
                   .compute_trays = 9,
                   .chips_per_tray = 4,
                   .switch_trays = 9,
                   .units = 48,
                   .tray_units = 1,
                   .order = "power:2 compute:5 switch:9 compute:4 power:2"};
  return system;
}

inline SystemSpec tpuPod(std::array<int, 3> dims, int racks, int trays, int chips_per_tray,
                         double link_bytes_per_s) {
  SystemSpec system;
  system.id = "tpu-pod";
  system.name = "TPU pod";
  system.chips = dims[0] * dims[1] * dims[2];
  system.cooling = "liquid";
  system.graph.builder = "torus";
  system.graph.torus_dims = dims;
  system.graph.link_bytes_per_s = link_bytes_per_s;
  system.layout = {.racks = racks,
                   .compute_trays = trays,
                   .chips_per_tray = chips_per_tray,
                   .units = 48,
                   .tray_units = 1,
                   .order = ""};
  system.nic_bytes_per_s_per_chip = 6.25e9;
  return system;
}

}  // namespace decodescope::test
