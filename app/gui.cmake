# The window. decodescope_app holds everything but main(), so that tests can link it.
add_library(decodescope_app STATIC
  dock_title.cpp
  document.cpp
  jobs/job.cpp
  jobs/job_chip.cpp
  jobs/job_runner.cpp
  main_window.cpp
  main_window_actions.cpp
  main_window_docks.cpp
  main_window_files.cpp
  message_bar.cpp
  options.cpp
  pages/page_controller.cpp
  pages/page_host.cpp
  pages/pages.cpp
  pages/triangle_controller.cpp
  scenario_command.cpp
  screenshot.cpp
  settings.cpp
  sim_worker.cpp
  slider_curves.cpp
  transport_bar.cpp
  workbench.h
)
target_include_directories(decodescope_app PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(decodescope_app PUBLIC decodescope_views decodescope_core Qt6::Widgets TBB::tbb PRIVATE decodescope_options)
target_compile_definitions(decodescope_app PRIVATE DECODESCOPE_VERSION="${PROJECT_VERSION}")
set_target_properties(decodescope_app PROPERTIES AUTOMOC ON)

add_executable(decodescope main.cpp)
target_link_libraries(decodescope PRIVATE decodescope_options decodescope_app)
target_compile_definitions(decodescope PRIVATE DECODESCOPE_VERSION="${PROJECT_VERSION}")
set_target_properties(decodescope PROPERTIES AUTOMOC ON)
install(TARGETS decodescope)
