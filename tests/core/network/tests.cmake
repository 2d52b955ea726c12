decodescope_add_test(core.network.flow_solver
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_flow_solver.cpp
  LIBRARIES decodescope_core_network rapidcheck
  LABELS core)
decodescope_add_test(core.network.link_loads
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_link_loads.cpp
  LIBRARIES decodescope_core_network rapidcheck
  LABELS core)
decodescope_add_test(core.network.collective
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_collective.cpp
  LIBRARIES decodescope_core_network rapidcheck
  LABELS core)
decodescope_add_test(core.network.collective_constants
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_collective_constants.cpp
  LIBRARIES decodescope_core_network nlohmann_json::nlohmann_json
  LABELS core)
