# What `cmake --install` puts where. Three components, for packages, and python/CMakeLists.txt has a fourth:
#   lockstep_runtime      shared libraries, where there are any
#   lockstep_development  headers, static libraries, what CMake and pkg-config read
#   lockstep_tool         the command line
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(lockstep_components core view topologies algorithms experiments catch2)
set(header_folders core/include/ view/include/ topologies/include/ algorithms/include/
                   algorithms/experiments/include/ ${CMAKE_CURRENT_BINARY_DIR}/include/)
if(LOCKSTEP_BUILD_CLI)
  list(APPEND lockstep_components main)
  list(APPEND header_folders cli/include/)
endif()
if(LOCKSTEP_BUILD_MPI)
  list(APPEND lockstep_components mpi)
  list(APPEND header_folders mpi/include/)
endif()
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lockstep)

# Each component of the package has a file of targets, so that find_package defines those that are
# asked for; lockstep::lockstep, all of them together, comes with the experiments.
set(targets_of_core lockstep_core)
set(targets_of_view lockstep_view)
set(targets_of_topologies lockstep_topologies)
set(targets_of_algorithms lockstep_algorithms)
set(targets_of_experiments lockstep_experiments lockstep_all)
set(targets_of_catch2 lockstep_catch2)
set(targets_of_main lockstep_main)
set(targets_of_mpi lockstep_mpi)

foreach(component IN LISTS lockstep_components)
  install(
    TARGETS ${targets_of_${component}}
    EXPORT lockstep-${component}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT lockstep_development
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
            COMPONENT lockstep_runtime
            NAMELINK_COMPONENT lockstep_development
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT lockstep_runtime)
  install(
    EXPORT lockstep-${component}
    FILE lockstep-${component}-targets.cmake
    NAMESPACE lockstep::
    DESTINATION ${package_dir}
    COMPONENT lockstep_development)
endforeach()
install(
  DIRECTORY ${header_folders}
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT lockstep_development
  FILES_MATCHING
  PATTERN "*.hpp")

# lockstep_needs(VARIABLE COMPONENT)
#
# The components that a component's target links, as find_package has to define them first.
function(lockstep_needs variable component)
  set(needs)
  get_target_property(linked lockstep_${component} INTERFACE_LINK_LIBRARIES)
  if(component STREQUAL "experiments")
    list(APPEND linked lockstep::view) # for lockstep::lockstep, which comes with them
  endif()
  foreach(other IN LISTS lockstep_components)
    if(lockstep::${other} IN_LIST linked)
      lockstep_needs(of_other ${other})
      list(APPEND needs ${of_other} ${other})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES needs)
  set(${variable} ${needs} PARENT_SCOPE)
endfunction()

foreach(component IN LISTS lockstep_components)
  lockstep_needs(needs_of_${component} ${component})
endforeach()

# Shared libraries bring along what only they link; static ones leave that to the program.
get_target_property(library_type lockstep_core TYPE)
if(library_type STREQUAL STATIC_LIBRARY)
  set(libraries_are_static TRUE)
else()
  set(libraries_are_static FALSE)
endif()

configure_package_config_file(
  cmake/lockstepConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/lockstepConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/lockstepConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(
  FILES ${CMAKE_CURRENT_BINARY_DIR}/lockstepConfig.cmake
        ${CMAKE_CURRENT_BINARY_DIR}/lockstepConfigVersion.cmake
  DESTINATION ${package_dir}
  COMPONENT lockstep_development)

include(cmake/pkg_config.cmake)

if(LOCKSTEP_BUILD_CLI)
  install(TARGETS lockstep_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
                                       COMPONENT lockstep_tool)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/docs/class)
    install(DIRECTORY docs/class DESTINATION ${CMAKE_INSTALL_DATADIR}/lockstep COMPONENT lockstep_tool)
  endif()
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cli/lockstep.1
          DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT lockstep_tool)
  install(FILES cli/completion/lockstep.bash
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME lockstep COMPONENT lockstep_tool)
  install(FILES cli/completion/_lockstep
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT lockstep_tool)
endif()

# What is installed finds its shared libraries from where it lies itself.
if(NOT libraries_are_static AND NOT DEFINED CMAKE_INSTALL_RPATH)
  set_target_properties(lockstep_view lockstep_topologies lockstep_algorithms lockstep_experiments
                        PROPERTIES INSTALL_RPATH $ORIGIN)
  if(LOCKSTEP_BUILD_CLI)
    set_target_properties(lockstep_main PROPERTIES INSTALL_RPATH $ORIGIN)
    cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_FULL_BINDIR}
               OUTPUT_VARIABLE from_tool)
    set_target_properties(lockstep_cli PROPERTIES INSTALL_RPATH $ORIGIN/${from_tool})
  endif()
endif()
