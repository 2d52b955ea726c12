decodescope_add_test(core.parallel
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_plan.cpp
  LIBRARIES decodescope_core_parallel rapidcheck
  LABELS core)
