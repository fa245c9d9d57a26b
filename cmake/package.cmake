# `make package`, `cpack --config build/release/CPackConfig.cmake`: two Debian packages,
#   lockstep          the command line
#   liblockstep-dev   headers and static libraries, for CMake and pkg-config
# and `make python-package` one of
#   python3-lockstep  the package for Python
# They hold static libraries only; a build of shared ones has no packages.
set(CPACK_COMPONENTS_ALL)
if(libraries_are_static AND LOCKSTEP_BUILD_CLI)
  list(APPEND CPACK_COMPONENTS_ALL lockstep_tool lockstep_development)
endif()
if(libraries_are_static AND LOCKSTEP_BUILD_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL lockstep_python)
endif()
if(NOT CPACK_COMPONENTS_ALL)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lockstep)
set(CPACK_PACKAGE_CONTACT "the lockstep authors <lockstep@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "counts what distributed-memory programs cost")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_OUTPUT_FILE_PREFIX ${CMAKE_CURRENT_BINARY_DIR}/packages)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/cmake/debian_layout.cmake)

set(about
    "lockstep turns one computer into any distributed-memory machine: processors
with private memory, joined as a torus, mesh, hypercube, shuffle-exchange,
tree or crossbar. It runs programs on it with real data, and counts steps,
start-ups, words, hops and link contention exactly.")

set(CPACK_DEBIAN_LOCKSTEP_TOOL_PACKAGE_NAME lockstep)
set(CPACK_DEBIAN_LOCKSTEP_TOOL_PACKAGE_SECTION science)
set(CPACK_DEBIAN_LOCKSTEP_TOOL_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_LOCKSTEP_TOOL_DESCRIPTION
    "${about}\n.\nThis package is the command line.")

# What the headers include and the static libraries link.
set(CPACK_DEBIAN_LOCKSTEP_DEVELOPMENT_PACKAGE_NAME liblockstep-dev)
set(CPACK_DEBIAN_LOCKSTEP_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LOCKSTEP_DEVELOPMENT_PACKAGE_DEPENDS
    "libfmt-dev (>= 9), libtbb-dev (>= 2021), libboost-dev (>= 1.74), libboost-context-dev (>= 1.74), zlib1g-dev")
set(CPACK_DEBIAN_LOCKSTEP_DEVELOPMENT_PACKAGE_SUGGESTS "catch2, cmake, pkg-config")
set(CPACK_COMPONENT_LOCKSTEP_DEVELOPMENT_DESCRIPTION
    "${about}\n.\nThis package is the library, for C++20.")

# The module is for one version of Python. Plain functions need greenlet, and arrays numpy.
if(LOCKSTEP_BUILD_PYTHON)
  get_directory_property(python_minor DIRECTORY python DEFINITION Python3_VERSION_MINOR)
  math(EXPR next_python "${python_minor} + 1")
  set(CPACK_DEBIAN_LOCKSTEP_PYTHON_PACKAGE_NAME python3-lockstep)
  set(CPACK_DEBIAN_LOCKSTEP_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_LOCKSTEP_PYTHON_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_LOCKSTEP_PYTHON_PACKAGE_DEPENDS
      "python3 (>= 3.${python_minor}), python3 (<< 3.${next_python})")
  set(CPACK_DEBIAN_LOCKSTEP_PYTHON_PACKAGE_RECOMMENDS "python3-greenlet, python3-numpy")
  set(CPACK_DEBIAN_LOCKSTEP_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib, jupyter-notebook")
  set(CPACK_DEBIAN_LOCKSTEP_PYTHON_PACKAGE_CONTROL_EXTRA
      ${CMAKE_CURRENT_LIST_DIR}/debian_python/postinst ${CMAKE_CURRENT_LIST_DIR}/debian_python/prerm)
  set(CPACK_COMPONENT_LOCKSTEP_PYTHON_DESCRIPTION
      "${about}\n.\nThis package is for Python: programs are plain functions.")
endif()

include(CPack)
