foreach(part derivation operations step_golden step_properties timeline memory)
  decodescope_add_test(core.decode.${part}
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/tst_${part}.cpp
    LIBRARIES decodescope_core_decode rapidcheck
    LABELS core)
endforeach()
