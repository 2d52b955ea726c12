foreach(part chip_power thermal clocks facility constants cases)
  decodescope_add_test(core.physical.${part}
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_${part}.cpp
    LIBRARIES decodescope_core_physical nlohmann_json::nlohmann_json rapidcheck
    LABELS core)
  target_compile_definitions(tst_core_physical_${part} PRIVATE PHYSICAL_TEST_DIR="${CMAKE_CURRENT_LIST_DIR}")
endforeach()
