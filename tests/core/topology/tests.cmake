decodescope_add_test(core.topology.deployment
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_deployment.cpp
  LIBRARIES decodescope_core_topology
  LABELS core)
decodescope_add_test(core.topology.facts
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_facts.cpp
  LIBRARIES decodescope_core_topology
  LABELS core)
decodescope_add_test(core.topology.catalog_machines
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_catalog_machines.cpp
  LIBRARIES decodescope_core_topology
  LABELS core)
