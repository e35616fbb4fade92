# `cmake --install` gives the headers and, where it is built, the C library; the package that
# find_package(rankforest) finds, and files for pkg-config. Two components, `cpp` and `c`, each of
# use without the other.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package_dir "${CMAKE_INSTALL_DATADIR}/cmake/rankforest")
set(components cpp)

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

if(RANKFOREST_BUILD_C)
  list(APPEND components c)
  install(
    TARGETS rankforest_c
    EXPORT rankforestCTargets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT c NAMELINK_COMPONENT c)
  install(FILES bindings/c/rankforest_c.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT c)
  install(
    EXPORT rankforestCTargets
    NAMESPACE rankforest::
    DESTINATION "${package_dir}"
    COMPONENT c)
endif()

configure_package_config_file(cmake/rankforestConfig.cmake.in rankforestConfig.cmake
                              INSTALL_DESTINATION "${package_dir}")
# The headers serve every architecture, and the linker tells a library of another. Before 1.0 a
# minor version may break.
write_basic_package_version_file(rankforestConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                                               ARCH_INDEPENDENT)
foreach(component IN LISTS components)
  install(
    FILES "${CMAKE_CURRENT_BINARY_DIR}/rankforestConfig.cmake"
          "${CMAKE_CURRENT_BINARY_DIR}/rankforestConfigVersion.cmake"
    DESTINATION "${package_dir}"
    COMPONENT ${component})
endforeach()

# Files for pkg-config, which find the prefix from where they lie: it may be moved.
function(install_pkg_config name component dir)
  file(RELATIVE_PATH to_prefix "${CMAKE_INSTALL_PREFIX}/${dir}/pkgconfig"
       "${CMAKE_INSTALL_PREFIX}")
  configure_file("cmake/${name}.pc.in" "${name}.pc" @ONLY)
  install(
    FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc"
    DESTINATION "${dir}/pkgconfig"
    COMPONENT ${component})
endfunction()
install_pkg_config(rankforest cpp "${CMAKE_INSTALL_DATADIR}")
if(RANKFOREST_BUILD_C)
  install_pkg_config(rankforest_c c "${CMAKE_INSTALL_LIBDIR}")
endif()
