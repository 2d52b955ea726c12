# Build options and the compile settings that every target of the project shares.
option(DECODESCOPE_BUILD_GUI "Build the Qt program and its views" ON)
option(DECODESCOPE_BUILD_TESTS "Build the tests (needs Qt Test)" ON)
option(DECODESCOPE_BUILD_BENCH "Build the benchmarks (needs Google Benchmark)" OFF)
option(DECODESCOPE_WITH_MPI "Build the MPI mode of sweeps (needs OpenMPI and Boost.MPI)" OFF)
set(DECODESCOPE_SANITIZE "" CACHE STRING "Sanitizers to compile with, such as address,undefined")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

add_library(decodescope_options INTERFACE)
target_compile_options(decodescope_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast -Wcast-align
  -Wcast-qual -Wformat=2 -Wimplicit-fallthrough -Wextra-semi -Wduplicated-cond -Wlogical-op -Wundef
  # g++ 12 at -O3 takes the inside of an engaged std::optional for uninitialised.
  $<$<CONFIG:Release>:-Wno-maybe-uninitialized>
  # The same sums on every compiler and machine: no fused multiply-add.
  -ffp-contract=off)
target_compile_definitions(decodescope_options INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
if(DECODESCOPE_SANITIZE)
  target_compile_options(decodescope_options INTERFACE -fsanitize=${DECODESCOPE_SANITIZE} -fno-sanitize-recover=all -g)
  target_link_options(decodescope_options INTERFACE -fsanitize=${DECODESCOPE_SANITIZE})
endif()

find_package(nlohmann_json REQUIRED)
find_package(tl-expected REQUIRED)
find_package(fmt REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(TBB REQUIRED)
if(DECODESCOPE_BUILD_TESTS OR DECODESCOPE_BUILD_GUI)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core Test)
endif()
if(DECODESCOPE_BUILD_GUI)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Gui Widgets OpenGL OpenGLWidgets Charts Svg)
endif()
