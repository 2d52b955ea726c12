decodescope_add_test(core.catalog SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_catalog.cpp
  LIBRARIES decodescope_core_catalog nlohmann_json::nlohmann_json LABELS core)
decodescope_add_test(core.import_model SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_import_model.cpp
  LIBRARIES decodescope_core_model nlohmann_json::nlohmann_json LABELS core)
decodescope_add_test(core.catalog_files SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_catalog_files.cpp
  LIBRARIES decodescope_core_catalog nlohmann_json::nlohmann_json LABELS core)
