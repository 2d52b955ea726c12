decodescope_add_test(core.kernel.model
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_kernel_model.cpp
  LIBRARIES decodescope_core_kernel rapidcheck
  LABELS core)
decodescope_add_test(core.kernel.constants
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_kernel_constants.cpp
  LIBRARIES decodescope_core_kernel nlohmann_json::nlohmann_json
  LABELS core)
decodescope_add_test(core.kernel.rows
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_kernel_rows.cpp
  LIBRARIES decodescope_core_kernel rapidcheck
  LABELS core)
