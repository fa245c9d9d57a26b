# lockstep_add_algorithm(FAMILY FILE [EXPERIMENT...])
#
# An algorithm: src/FAMILY/FILE.cpp and FILE_claims.cpp, where there are such, belong to
# lockstep::algorithms, experiments/src/FAMILY/FILE.cpp, where it is there, to lockstep::experiments, and
# tests/algorithms/FAMILY/FILE_test.cpp to the tests. The umbrella <lockstep/algorithms.hpp> reaches
# its header. EXPERIMENT...: those that the file makes, by functions NAME_experiment(); FILE if none
# is given. They are listed in the order of these lines.
function(lockstep_add_algorithm family file)
  set(experiments ${ARGN})
  if(NOT experiments)
    set(experiments ${file})
  endif()
  foreach(source IN ITEMS src/${family}/${file}.cpp src/${family}/${file}_claims.cpp)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${source})
      set_property(GLOBAL APPEND PROPERTY lockstep_sources_of_algorithms ${source})
    endif()
  endforeach()
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/experiments/src/${family}/${file}.cpp)
    set_property(GLOBAL APPEND PROPERTY lockstep_sources_of_experiments src/${family}/${file}.cpp)
  endif()
  set_property(GLOBAL APPEND PROPERTY lockstep_experiments ${experiments})
  if(EXISTS ${PROJECT_SOURCE_DIR}/tests/algorithms/${family}/${file}_test.cpp)
    set_property(GLOBAL APPEND PROPERTY lockstep_tests_of_algorithms ${family}/${file}_test.cpp)
  endif()
endfunction()

# lockstep_write_experiments(FOLDER)
#
# Writes FOLDER/harness/generated_experiments.hpp, which declares what makes the experiments, and lists
# them all.
function(lockstep_write_experiments folder)
  get_property(names GLOBAL PROPERTY lockstep_experiments)
  set(declarations "")
  set(calls "")
  foreach(name IN LISTS names)
    string(APPEND declarations "[[nodiscard]] experiment ${name}_experiment();\n")
    string(APPEND calls "          ${name}_experiment(),\n")
  endforeach()
  file(
    CONFIGURE
    OUTPUT ${folder}/harness/generated_experiments.hpp
    CONTENT
      "#pragma once

#include <vector>

#include <lockstep/experiments/experiment.hpp>

namespace lockstep {

${declarations}
/// All of them, in the order in which they are listed.
[[nodiscard]] inline std::vector<experiment> generated_experiments() {
  return {
${calls}  };
}

}  // namespace lockstep
")
endfunction()
