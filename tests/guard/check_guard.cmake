# Gives bench/guard/compare counts that are made up, and looks at what it says.
#   guard: bench/guard; bash: the shell; folder: for files
set(kept "# a remark\nbuilt-by g++ 12\nring 200.0\nbarrier 100.0\n")

# expect(CASE STATUS COUNTED SAID...): how counts compare with those kept. SAID: regular expressions, each of
# which the output has to match; after NOT, must not match.
function(expect case status counted)
  file(WRITE ${folder}/kept.txt "${kept}")
  file(WRITE ${folder}/counted.txt "${counted}")
  execute_process(COMMAND ${bash} ${guard}/compare ${folder}/kept.txt ${folder}/counted.txt
                  RESULT_VARIABLE ended OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT ended EQUAL status)
    message(SEND_ERROR "${case}: exit status ${ended}, not ${status}:\n${output}")
  endif()
  set(wanted TRUE)
  foreach(said IN LISTS ARGN)
    if(said STREQUAL "NOT")
      set(wanted FALSE)
      continue()
    endif()
    set(found FALSE)
    if(output MATCHES "${said}")
      set(found TRUE)
    endif()
    if(NOT found STREQUAL wanted)
      message(SEND_ERROR "${case}: \"${said}\" found: ${found}, in:\n${output}")
    endif()
  endforeach()
endfunction()

expect("the same" 0 "built-by g++ 12\nbarrier 100.0\nring 200.0\n"
  "ring +200.0 +200.0\n" "barrier +100.0 +100.0\n" NOT "FAILED|accept|GREW|shrank")
expect("within half a per cent" 0 "built-by g++ 12\nbarrier 99.5\nring 201.0\n"
  "ring +200.0 +201.0  \\+0.50 %\n" "barrier +100.0 +99.5  -0.50 %\n" NOT "FAILED|accept|GREW|shrank")
expect("more than half a per cent more" 1 "built-by g++ 12\nbarrier 100.0\nring 201.1\n"
  "ring +200.0 +201.1  \\+0.55 %  GREW\n" "FAILED: 1 workload takes more than 0.5 % more"
  "make guard ARGS=--accept" NOT "shrank|fewer")
expect("two that grew" 1 "built-by g++ 12\nbarrier 150.0\nring 201.1\n"
  "barrier +100.0 +150.0  \\+50.00 %  GREW\n" "FAILED: 2 workloads take more than 0.5 % more")
expect("more than half a per cent fewer" 0 "built-by g++ 12\nbarrier 99.4\nring 200.0\n"
  "barrier +100.0 +99.4  -0.60 %  shrank\n" "1 workload takes more than 0.5 % fewer"
  "make guard ARGS=--accept" NOT "FAILED|GREW")
expect("one grew, another shrank" 1 "built-by g++ 12\nbarrier 50.0\nring 300.0\n"
  "shrank" "GREW" "FAILED: 1 workload")
expect("one that was never kept" 1 "built-by g++ 12\nbarrier 100.0\nring 200.0\nprefix 300.0\n"
  "prefix +- +300.0  NOT KEPT" "FAILED: .* not the same workloads")
expect("one that is gone" 1 "built-by g++ 12\nring 200.0\n"
  "barrier +100.0 +-  NOT COUNTED" "FAILED: .* not the same workloads")
expect("another compiler" 77 "built-by clang++ 16\nbarrier 100.0\nring 900.0\n"
  "SKIPPED: .* built by g\\+\\+ 12, and this by clang\\+\\+ 16" NOT "FAILED|GREW")

# Without valgrind nothing is counted.
file(MAKE_DIRECTORY ${folder}/empty)
execute_process(COMMAND ${CMAKE_COMMAND} -E env PATH=${folder}/empty ${bash} ${guard}/check program
                RESULT_VARIABLE ended ERROR_VARIABLE output)
if(NOT ended EQUAL 77 OR NOT output MATCHES "SKIPPED: there is no valgrind")
  message(SEND_ERROR "without valgrind: exit status ${ended}:\n${output}")
endif()
