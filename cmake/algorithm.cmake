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

# lockstep_write_explanations(FOLDER)
#
# Writes FOLDER/harness/generated_explanations.hpp, which has what experiments/explanations/NAME.md says
# of each experiment: lines "call: ...", "header: ..." and "teaching: ...", lines "why: ..." or "why
# "PHASE": ...", and after an empty line how it works. Sections that begin with a line "for network ..." or
# "for --..." may follow, on runs that go another way. An experiment without such a file, or a file without one of the rest, is an error.
function(lockstep_write_explanations folder)
  get_property(names GLOBAL PROPERTY lockstep_experiments)
  set(entries "")
  foreach(name IN LISTS names)
    string(REPLACE "_" "-" name "${name}")
    set(file ${CMAKE_CURRENT_SOURCE_DIR}/explanations/${name}.md)
    if(NOT EXISTS ${file})
      message(FATAL_ERROR "${file} is missing: it explains ${name}, as explanations/README.md says")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    if(NOT text MATCHES
       "^call: ([^\n]+)\nheader: ([^\n]+)\nteaching: ([^\n]+)\n((why[^\n]+\n)+)\n(.+)\n$")
      message(FATAL_ERROR "${file} has to begin with the lines \"call: \", \"header: \", "
                          "\"teaching: \" and \"why\", and an empty line before the text")
    endif()
    set(how_it_works "${CMAKE_MATCH_6}")
    set(variants "")
    string(FIND "${how_it_works}" "\n\nfor " end)
    if(NOT end EQUAL -1)
      string(SUBSTRING "${how_it_works}" ${end} -1 variants)
      string(SUBSTRING "${how_it_works}" 0 ${end} how_it_works)
      string(STRIP "${variants}" variants)
    endif()
    string(APPEND entries "      {\"${name}\", R\"~(${CMAKE_MATCH_1})~\", \"${CMAKE_MATCH_2}\",\n"
           "       \"${CMAKE_MATCH_3}\",\n       R\"~(${CMAKE_MATCH_4})~\",\n"
           "       R\"~(${how_it_works})~\",\n       R\"~(${variants})~\"},\n")
  endforeach()
  list(LENGTH names count)
  file(
    CONFIGURE
    OUTPUT ${folder}/harness/generated_explanations.hpp
    CONTENT
      "#pragma once

#include <array>

#include \"harness/written_explanation.hpp\"

namespace lockstep {

/// What explanations/NAME.md says of each experiment.
inline constexpr std::array<written_explanation, ${count}> generated_explanations{{
${entries}}};

}  // namespace lockstep
"
    @ONLY)
endfunction()
