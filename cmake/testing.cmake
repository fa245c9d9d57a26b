set(LOCKSTEP_TEST_TAG "" CACHE STRING
    "Compile only those files of test cases that have some with this tag; empty: all")

# lockstep_tagged(VARIABLE SOURCE...)
#
# The sources but those files of test cases (*_test.cpp) that LOCKSTEP_TEST_TAG leaves out.
function(lockstep_tagged variable)
  set(kept)
  foreach(source IN LISTS ARGN)
    set(found unasked)
    if(LOCKSTEP_TEST_TAG AND source MATCHES "_test\\.cpp$")
      set_property(
        DIRECTORY
        APPEND
        PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
      file(STRINGS ${source} found REGEX "\\[${LOCKSTEP_TEST_TAG}\\]" LIMIT_COUNT 1)
    endif()
    if(found)
      list(APPEND kept ${source})
    endif()
  endforeach()
  set(${variable} ${kept} PARENT_SCOPE)
endfunction()

# lockstep_add_test(NAME SOURCE... [LIBRARIES library...] [LABELS label...] [EXCEPT tag...] [PROCESSORS n])
#
# An executable of Catch2 test cases; each test case becomes a test of ctest, "NAME: test case",
# with a time-out. Test cases tagged [sanitize] or [threads] carry those labels, besides LABELS.
# LIBRARIES: what is tested, lockstep::lockstep if not given. Test cases with a tag of EXCEPT are compiled,
# and left out of ctest. PROCESSORS: as many cores as a test case has threads that wait for each other, so that
# ctest starts no more tests than there are cores for: on cores that others need, too, such threads take five to
# twenty times as long. Where LOCKSTEP_TEST_TAG leaves out all files of test cases, the executable is not
# built unless it is asked for by name.
function(lockstep_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "PROCESSORS" "LIBRARIES;LABELS;EXCEPT")
  if(NOT test_LIBRARIES)
    set(test_LIBRARIES lockstep::lockstep)
  endif()
  lockstep_tagged(sources ${test_UNPARSED_ARGUMENTS})
  set(files_of_test_cases ${sources})
  list(FILTER files_of_test_cases INCLUDE REGEX "_test\\.cpp$|TARGET_OBJECTS")
  if(files_of_test_cases)
    add_executable(${name} ${sources})
  else()
    add_executable(${name} EXCLUDE_FROM_ALL ${test_UNPARSED_ARGUMENTS})
  endif()
  lockstep_unite(${name})
  target_link_libraries(${name} PRIVATE ${test_LIBRARIES} lockstep_test_main)
  if(NOT files_of_test_cases)
    return()
  endif()

  set(list ${CMAKE_CURRENT_BINARY_DIR}/${name}.ctest.cmake)
  add_custom_command(
    TARGET ${name}
    POST_BUILD
    BYPRODUCTS ${list}
    COMMAND ${CMAKE_COMMAND} -D name=${name} -D executable=$<TARGET_FILE:${name}> -D list=${list}
            -D "labels=${test_LABELS}" -D "except=${test_EXCEPT}" -D "processors=${test_PROCESSORS}" -D
            catch2_version=${Catch2_VERSION} -P ${PROJECT_SOURCE_DIR}/cmake/list_tests.cmake
    VERBATIM)
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.include.cmake
       CONTENT "if(EXISTS [[${list}]])
  include([[${list}]])
else()
  add_test([[${name}: not built]] [[${name}: not built]])
endif()
")
  set_property(
    DIRECTORY
    APPEND
    PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.include.cmake)
endfunction()

# lockstep_precompile_for_tests(TARGET)
#
# For executables of many files: what nearly all of them include is read once. Each file includes what
# it needs all the same.
function(lockstep_precompile_for_tests target)
  target_precompile_headers(
    ${target}
    PRIVATE
    <algorithm>
    <map>
    <random>
    <span>
    <string>
    <vector>
    <lockstep/machine.hpp>
    [["catch.hpp"]])
endfunction()

# lockstep_include_insides(TARGET)
#
# Tests of TARGET include the headers that tests share, and those that libraries keep to themselves.
function(lockstep_include_insides target)
  target_include_directories(
    ${target}
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests
            ${PROJECT_SOURCE_DIR}/algorithms/experiments/src ${PROJECT_SOURCE_DIR}/algorithms/src
            ${PROJECT_SOURCE_DIR}/core/src)
endfunction()

# lockstep_add_compile_fail_test(NAME MESSAGE)
#
# A test that NAME.cpp does not compile, with an error that the regular expression MESSAGE matches.
function(lockstep_add_compile_fail_test name message)
  set(include_dirs $<TARGET_PROPERTY:lockstep_core,INCLUDE_DIRECTORIES>)
  add_test(NAME "compile_fail: ${name}"
           COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only
                   "-I$<JOIN:${include_dirs},$<SEMICOLON>-I>"
                   ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp COMMAND_EXPAND_LISTS)
  set_tests_properties("compile_fail: ${name}" PROPERTIES TIMEOUT 20 LABELS compile_fail
                                                          PASS_REGULAR_EXPRESSION "error: ${message}")
endfunction()

# lockstep_add_refused_test(NAME)
#
# A test of what the compiler says of the calls in NAME.cpp, which must not compile (check_refused.cmake); and another of
# what the other compiler says, g++ or clang from 16 on, if there is one.
function(lockstep_add_refused_test name)
  lockstep_add_refused_test_with(${name} "${name}" ${CMAKE_CXX_COMPILER} ${CMAKE_CXX_COMPILER_ID})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    find_program(LOCKSTEP_OTHER_COMPILER NAMES clang++-16 clang++-17 clang++-18 clang++-19)
    set(other Clang)
  else()
    find_program(LOCKSTEP_OTHER_COMPILER NAMES g++)
    set(other GNU)
  endif()
  mark_as_advanced(LOCKSTEP_OTHER_COMPILER)
  if(LOCKSTEP_OTHER_COMPILER)
    lockstep_add_refused_test_with(${name} "${name}, by ${other}" ${LOCKSTEP_OTHER_COMPILER} ${other})
  endif()
endfunction()

function(lockstep_add_refused_test_with name title compiler id)
  set(include_dirs $<TARGET_PROPERTY:lockstep_core,INCLUDE_DIRECTORIES>)
  set(all_errors)
  if(id MATCHES "Clang")
    set(all_errors -ferror-limit=0)
  endif()
  add_test(NAME "compile_fail: ${title}"
           COMMAND ${CMAKE_COMMAND} -D SOURCE=${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp -P
                   ${PROJECT_SOURCE_DIR}/cmake/check_refused.cmake -- ${compiler} -std=c++20 -fsyntax-only
                   ${all_errors} "-I$<JOIN:${include_dirs},$<SEMICOLON>-I>" COMMAND_EXPAND_LISTS)
  set_tests_properties("compile_fail: ${title}" PROPERTIES TIMEOUT 20 LABELS compile_fail)
endfunction()
