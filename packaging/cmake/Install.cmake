# Installation and packaging.
include(GNUInstallDirs)
install(DIRECTORY resources/catalog resources/scenarios resources/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/decodescope)
