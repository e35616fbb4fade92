# The shared library for callers from other languages; see bindings/c/rankforest_c.h.
include(GNUInstallDirs)
set(c_dir "${PROJECT_SOURCE_DIR}/bindings/c")
add_library(rankforest_c SHARED "${c_dir}/rankforest_c.cpp")
# Without OpenMP: its functions work on the thread that calls them, and libgomp would come along
# into every process that loads the library.
target_link_libraries(rankforest_c PRIVATE rankforest_flags Threads::Threads)
target_compile_features(rankforest_c PRIVATE cxx_std_17)
target_include_directories(rankforest_c PRIVATE "${PROJECT_SOURCE_DIR}/cpp/include")
target_include_directories(rankforest_c PUBLIC "$<BUILD_INTERFACE:${c_dir}>")
target_compile_definitions(rankforest_c PRIVATE RANKFOREST_VERSION="${PROJECT_VERSION}")
# Before 1.0 a minor version may break, so each has a name of its own to the loader.
set_target_properties(
  rankforest_c PROPERTIES VERSION ${PROJECT_VERSION}
                          SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
# Nothing but the functions of the header is visible: the library cannot clash with another that
# was built from the same headers.
target_link_options(rankforest_c PRIVATE "LINKER:--version-script=${c_dir}/exports.map")
set_target_properties(rankforest_c PROPERTIES LINK_DEPENDS "${c_dir}/exports.map")
if(RANKFOREST_INSTALL)
  install(TARGETS rankforest_c LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT c
                                       NAMELINK_COMPONENT c)
  install(FILES "${c_dir}/rankforest_c.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT c)
endif()
