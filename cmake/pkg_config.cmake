# lockstep.pc, for `pkg-config --cflags --libs lockstep`: paths from where it lies, so that what is
# installed can be moved; and, of static libraries, all that they need.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
  set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
  set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  set(pc_folder /${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  cmake_path(RELATIVE_PATH pc_folder BASE_DIRECTORY / OUTPUT_VARIABLE pc_folder)
  string(REGEX REPLACE "[^/]+" ".." pc_prefix "${pc_folder}")
  string(PREPEND pc_prefix "\${pcfiledir}/")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()

set(pc_main)
if(LOCKSTEP_BUILD_CLI)
  set(pc_main "-llockstep_main ")
endif()
set(pc_requires "fmt >= 9")
if(libraries_are_static)
  string(APPEND pc_requires ", tbb, zlib")
  set(pc_libs -lboost_context)
else()
  set(pc_requires_private "tbb, zlib")
  set(pc_libs_private -lboost_context)
endif()

# What the targets ask of those who use them.
get_target_property(definitions lockstep_core INTERFACE_COMPILE_DEFINITIONS)
get_target_property(options lockstep_core INTERFACE_COMPILE_OPTIONS)
if(definitions)
  list(TRANSFORM definitions PREPEND -D)
  list(JOIN definitions " " pc_definitions)
endif()
if(options)
  list(JOIN options " " pc_options)
endif()

configure_file(cmake/lockstep.pc.in ${CMAKE_CURRENT_BINARY_DIR}/lockstep.pc.in @ONLY)
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/lockstep.pc
     INPUT ${CMAKE_CURRENT_BINARY_DIR}/lockstep.pc.in TARGET lockstep_core)
install(
  FILES ${CMAKE_CURRENT_BINARY_DIR}/lockstep.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT lockstep_development)
