find_package(rapidcheck REQUIRED)
decodescope_add_test(core.workload SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_workload.cpp
  LIBRARIES decodescope_core_serving LABELS core)
decodescope_add_test(core.scheduler SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_scheduler.cpp
  LIBRARIES decodescope_core_serving rapidcheck LABELS core)
