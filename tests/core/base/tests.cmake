decodescope_add_test(core.random SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_random.cpp
  LIBRARIES decodescope_core_base LABELS core)
