# Makes the pages of algorithms, and checks that there is one for each algorithm, that it has all
# sections, and that its commands run. In: docs, lockstep (programs), folder, build, source.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ${docs} algorithms ${folder} COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${lockstep} list --json
  OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)

string(JSON count LENGTH "${listed}" algorithms)
math(EXPR last "${count} - 1")
file(READ ${folder}/algorithms.md index)
foreach(number RANGE ${last})
  string(JSON name GET "${listed}" algorithms ${number} name)
  string(JSON example GET "${listed}" algorithms ${number} example)
  set(page ${folder}/algorithms/${name}.md)
  file(READ ${page} text)
  set(parts "# ${name}" "\n## Try it\n" "\n## Cost\n" "\n## Measured\n" "\n## Errata\n"
         "\n## Options\n" "\n## Source\n" "\n## How it works\n" "\n## Step by step\n" "\n## In C++\n"
         "(${name}.svg)" "lockstep run ${name} --on ${example}\n"
         "| figure | | formula | source |" "| words |" " ${example} |")
  foreach(part IN LISTS parts)
    string(FIND "${text}" "${part}" place)
    if(place EQUAL -1)
      message(SEND_ERROR "${page} has no: ${part}")
    endif()
  endforeach()
  foreach(key IN ITEMS explanation call header)
    string(JSON said GET "${listed}" algorithms ${number} ${key})
    string(REPLACE "\\" "" shown "${text}")
    string(FIND "${shown}" "${said}" place)
    if(place EQUAL -1)
      message(SEND_ERROR "${page} does not say: ${said}")
    endif()
  endforeach()
  file(READ ${folder}/algorithms/${name}.svg picture)
  if(NOT picture MATCHES "^<svg .*<circle .*</svg>\n$")
    message(SEND_ERROR "${name}.svg shows no message")
  endif()
  if(text MATCHES "\n[|][-|]+\n\n")
    message(SEND_ERROR "${page} has a table without rows")
  endif()
  # Outside of code.
  string(REGEX REPLACE "`[^`]*`" "" prose "${text}")
  if(prose MATCHES "[^\n]*--[a-z][^\n]*")
    message(SEND_ERROR "Doxygen would show a dash in ${page}: ${CMAKE_MATCH_0}")
  endif()
  string(FIND "${index}" "[${name}](algorithms/${name}.md)" place)
  if(place EQUAL -1)
    message(SEND_ERROR "the index has no ${name}")
  endif()
  execute_process(COMMAND ${docs} check ${page} none ${build} ${source} ${folder}/run
                          COMMAND_ERROR_IS_FATAL ANY)
endforeach()

file(GLOB pages ${folder}/algorithms/*.md)
list(LENGTH pages page_count)
if(NOT page_count EQUAL count)
  message(SEND_ERROR "${page_count} pages for ${count} algorithms")
endif()
