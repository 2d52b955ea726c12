decodescope_add_test(core.arithmetic SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_arithmetic.cpp
  LIBRARIES decodescope_core_model nlohmann_json::nlohmann_json rapidcheck LABELS core)
