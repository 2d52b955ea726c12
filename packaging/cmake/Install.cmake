# Installation, man pages and the Debian package.
include(GNUInstallDirs)

install(DIRECTORY resources/catalog resources/scenarios resources/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/decodescope)
install(FILES packaging/io.github.decodescope.Decodescope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES packaging/io.github.decodescope.Decodescope.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES packaging/io.github.decodescope.Decodescope.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
install(FILES resources/icons/decodescope.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps
        RENAME io.github.decodescope.Decodescope.svg)

# Man pages come from --help, so that they cannot say anything else.
find_program(HELP2MAN_PROGRAM help2man)
if(HELP2MAN_PROGRAM)
  set(man_folder ${PROJECT_BINARY_DIR}/man)
  file(MAKE_DIRECTORY ${man_folder})
  set(pages "")
  function(decodescope_add_man_page page command)
    add_custom_command(OUTPUT ${man_folder}/${page}.1
      COMMAND ${CMAKE_COMMAND} -E env DECODESCOPE_CATALOG=${PROJECT_SOURCE_DIR}/resources/catalog LC_ALL=C.UTF-8
              ${HELP2MAN_PROGRAM} --no-info --no-discard-stderr --version-string=${PROJECT_VERSION}
              --output=${man_folder}/${page}.1 "${command}"
      DEPENDS decodescope-cli VERBATIM)
    list(APPEND pages ${man_folder}/${page}.1)
    set(pages ${pages} PARENT_SCOPE)
  endfunction()
  decodescope_add_man_page(decodescope-cli $<TARGET_FILE:decodescope-cli>)
  get_property(commands GLOBAL PROPERTY DECODESCOPE_CLI_COMMANDS)
  foreach(command ${commands})
    decodescope_add_man_page(decodescope-cli-${command} "$<TARGET_FILE:decodescope-cli> ${command}")
  endforeach()
  add_custom_target(man ALL DEPENDS ${pages})
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Decodescope developers <decodescope@users.noreply.github.com>")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
include(CPack)
