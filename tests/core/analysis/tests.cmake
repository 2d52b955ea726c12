foreach(part sweep pareto compare planner)
  decodescope_add_test(core.analysis.${part}
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_${part}.cpp
    LIBRARIES decodescope_core_analysis nlohmann_json::nlohmann_json rapidcheck
    LABELS core)
endforeach()
foreach(part steady predict predict_properties plan_choice explain derivation_text validate)
  decodescope_add_test(core.analysis.${part}
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_${part}.cpp
    LIBRARIES decodescope_core_analysis rapidcheck nlohmann_json::nlohmann_json
    LABELS core)
endforeach()
