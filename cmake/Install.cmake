# `cmake --install` gives the headers and the package that find_package(rankforest) finds.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package_dir "${CMAKE_INSTALL_DATADIR}/cmake/rankforest")

install(
  TARGETS rankforest
  EXPORT rankforestTargets
  FILE_SET HEADERS
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT cpp)
install(
  EXPORT rankforestTargets
  NAMESPACE rankforest::
  DESTINATION "${package_dir}"
  COMPONENT cpp)
configure_package_config_file(cmake/rankforestConfig.cmake.in rankforestConfig.cmake
                              INSTALL_DESTINATION "${package_dir}")
# Headers alone: one package serves every architecture. Before 1.0 a minor version may break.
write_basic_package_version_file(rankforestConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                                               ARCH_INDEPENDENT)
install(
  FILES "${CMAKE_CURRENT_BINARY_DIR}/rankforestConfig.cmake"
        "${CMAKE_CURRENT_BINARY_DIR}/rankforestConfigVersion.cmake"
  DESTINATION "${package_dir}"
  COMPONENT cpp)
