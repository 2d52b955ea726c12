foreach(name determinism physics run)
  decodescope_add_test(core.engine_${name} SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_engine_${name}.cpp
    LIBRARIES decodescope_core LABELS core)
endforeach()
