# What `cmake --install` puts where, so that `find_package(lockstep)` finds it.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

install(
  TARGETS lockstep_core lockstep_topologies lockstep_algorithms lockstep_all
  EXPORT lockstepTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(
  DIRECTORY core/include/ topologies/include/ algorithms/include/ include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp")
if(LOCKSTEP_BUILD_CLI)
  install(TARGETS lockstep_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lockstep)
install(
  EXPORT lockstepTargets
  NAMESPACE lockstep::
  DESTINATION ${package_dir})
configure_package_config_file(
  cmake/lockstepConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/lockstepConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/lockstepConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lockstepConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/lockstepConfigVersion.cmake
        DESTINATION ${package_dir})
