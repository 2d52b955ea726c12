decodescope_add_test(core.scenario_file SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_scenario_file.cpp
  LIBRARIES decodescope_core_scenario nlohmann_json::nlohmann_json rapidcheck LABELS core)
decodescope_add_test(core.parameters SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_parameters.cpp
  LIBRARIES decodescope_core_scenario rapidcheck LABELS core)
