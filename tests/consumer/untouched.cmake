# What a parent project has, and whether adding lockstep changes it.

# A parent's own settings: none of them lockstep's choice.
macro(settings_of_our_own)
  include(CTest) # with BUILD_TESTING
  set(CMAKE_CXX_STANDARD 23)
  set(CMAKE_CXX_EXTENSIONS ON)
  set(CMAKE_CXX_VISIBILITY_PRESET hidden)
  set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
  set(CMAKE_CXX_FLAGS "-Wall")
  add_compile_definitions(OUR_OWN=1)
  foreach(name IN ITEMS core topologies algorithms experiments docs consumers package_all)
    add_custom_target(${name})
  endforeach()
endmacro()

# A parent's own program, which it tests and installs.
function(add_program_of_our_own)
  add_executable(hypercube_sum ../hypercube_sum.cpp)
  target_link_libraries(hypercube_sum PRIVATE lockstep::topologies)
  add_test(NAME hypercube_sum COMMAND hypercube_sum)
  install(TARGETS hypercube_sum)
endfunction()

set(kinds_of_property
    COMPILE_OPTIONS
    COMPILE_DEFINITIONS
    INCLUDE_DIRECTORIES
    LINK_OPTIONS
    LINK_DIRECTORIES
    LINK_LIBRARIES
    BUILDSYSTEM_TARGETS
    IMPORTED_TARGETS
    TESTS)

# remember(PREFIX): everything as it is now, in variables of that prefix.
macro(remember prefix)
  get_cmake_property(${prefix}_cached CACHE_VARIABLES)
  get_cmake_property(${prefix}_variables VARIABLES)
  list(FILTER ${prefix}_variables EXCLUDE REGEX 
       "^(before|after|ARG)|^name$|^CMAKE_(MATCH|ARGC|CURRENT_(FUNCTION|LIST))|^__cmake_")
  foreach(name IN LISTS ${prefix}_variables)
    set(${prefix}_value_${name} "${${name}}")
  endforeach()
  foreach(name IN LISTS ${prefix}_cached)
    set(${prefix}_cache_${name} "$CACHE{${name}}")
  endforeach()
  foreach(name IN LISTS kinds_of_property)
    get_directory_property(${prefix}_${name} ${name})
  endforeach()
endmacro()

# check_untouched(): all is as `remember(before)` found it, but for cache variables of lockstep's and
# of what it needs.
function(check_untouched)
  remember(after)
  foreach(name IN LISTS before_variables)
    if(NOT "${before_value_${name}}" STREQUAL "${after_value_${name}}")
      message(SEND_ERROR "lockstep changes ${name}: '${before_value_${name}}' is now "
                         "'${after_value_${name}}'")
    endif()
  endforeach()
  foreach(name IN LISTS before_cached)
    if(NOT "${before_cache_${name}}" STREQUAL "${after_cache_${name}}")
      message(SEND_ERROR "lockstep changes ${name} in the cache: '${before_cache_${name}}' is now "
                         "'${after_cache_${name}}'")
    endif()
  endforeach()
  foreach(name IN LISTS after_variables)
    if(NOT name IN_LIST before_variables
       AND NOT name MATCHES "^(LOCKSTEP_|lockstep_|fmt_|TBB_|Boost_|boost_|Catch2_|ZLIB_|CMAKE_HAVE_|FIND_PACKAGE_|FETCHCONTENT_.*LOCKSTEP$)")
      message(SEND_ERROR "lockstep adds ${name}: '${${name}}'")
    endif()
  endforeach()
  foreach(name IN LISTS kinds_of_property)
    if(NOT "${before_${name}}" STREQUAL "${after_${name}}")
      message(SEND_ERROR "lockstep changes ${name}: '${before_${name}}' is now '${after_${name}}'")
    endif()
  endforeach()
endfunction()

# check_targets(FOLDER): all targets of lockstep's folders carry its name, and no test is there.
function(check_targets folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(tests DIRECTORY ${folder} PROPERTY TESTS)
  foreach(name IN LISTS targets)
    if(NOT name MATCHES "^lockstep_(core|view|topologies|algorithms|experiments|all|catch2)$")
      message(SEND_ERROR "lockstep adds the target ${name}")
    endif()
  endforeach()
  if(tests)
    message(SEND_ERROR "lockstep adds tests: ${tests}")
  endif()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(one IN LISTS folders)
    check_targets(${one})
  endforeach()
endfunction()
