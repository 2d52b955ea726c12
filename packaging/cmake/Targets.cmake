# One function per kind of target. Sources are listed by name, never globbed.

# A module of core: a static library that sees core/, its DEPENDS and nothing of Qt.
#   decodescope_add_module(kernel SOURCES gemm.cpp DEPENDS base catalog LIBRARIES fmt::fmt)
function(decodescope_add_module name)
  cmake_parse_arguments(A "" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  set(target decodescope_core_${name})
  add_library(${target} STATIC ${A_SOURCES})
  list(TRANSFORM A_DEPENDS PREPEND decodescope_core_)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR}/core/api)
  target_link_libraries(${target} PUBLIC ${A_DEPENDS} tl::expected PRIVATE decodescope_options fmt::fmt ${A_LIBRARIES})
  set_target_properties(${target} PROPERTIES AUTOMOC OFF POSITION_INDEPENDENT_CODE ON)
  set_property(GLOBAL APPEND PROPERTY DECODESCOPE_CORE_MODULES ${target})
endfunction()

# A Qt Test program: decodescope_add_test(core.kernel SOURCES tst_kernel.cpp LIBRARIES decodescope_core_kernel LABELS core)
function(decodescope_add_test name)
  cmake_parse_arguments(A "" "" "SOURCES;LIBRARIES;LABELS;ENVIRONMENT" ${ARGN})
  string(REPLACE "." "_" target tst_${name})
  add_executable(${target} ${A_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE decodescope_options ${A_LIBRARIES} Qt6::Test)
  # Tests are compiled once and run once: less optimising, more building.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_compile_definitions(${target} PRIVATE DECODESCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  set_target_properties(${target} PROPERTIES AUTOMOC ON)
  add_test(NAME ${name} COMMAND ${target})
  set_tests_properties(${name} PROPERTIES LABELS "${A_LABELS}" TIMEOUT 300 ENVIRONMENT
    "QT_HASH_SEED=0;LC_ALL=C.UTF-8;TZ=UTC;DECODESCOPE_CATALOG=${PROJECT_SOURCE_DIR}/resources/catalog;${A_ENVIRONMENT}")
endfunction()
