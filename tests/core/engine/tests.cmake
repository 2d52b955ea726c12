foreach(name determinism physics run properties)
  decodescope_add_test(core.engine_${name} SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_engine_${name}.cpp
    LIBRARIES decodescope_core rapidcheck LABELS core)
endforeach()
# Golden runs; after an intended change: tst_core_golden --update-golden
decodescope_add_test(core.golden SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_golden.cpp
  LIBRARIES decodescope_core LABELS "core;golden")
