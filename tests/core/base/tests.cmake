decodescope_add_test(core.random SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_random.cpp
  LIBRARIES decodescope_core_base LABELS core)
decodescope_add_test(core.json SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_json.cpp
  LIBRARIES decodescope_core_base nlohmann_json::nlohmann_json rapidcheck LABELS core)
decodescope_add_test(core.csv SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_csv.cpp
  LIBRARIES decodescope_core_base rapidcheck LABELS core)
