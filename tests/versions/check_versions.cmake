# Checks that the manifests, the change log and the tool have the project's version. In: version,
# source (the project's folder), lockstep (the tool, or nothing).
cmake_minimum_required(VERSION 3.25)

# says(WHERE TEXT)
function(says where text)
  if(NOT text STREQUAL version)
    message(SEND_ERROR "${where} says '${text}', and CMakeLists.txt says ${version}")
  endif()
endfunction()

file(READ ${source}/vcpkg.json manifest)
string(JSON text GET "${manifest}" version)
says(vcpkg.json "${text}")

file(STRINGS ${source}/conanfile.py line REGEX "^ +version = ")
string(REGEX REPLACE "^ +version = \"(.*)\"$" "\\1" text "${line}")
says(conanfile.py "${text}")

# The newest release is the first heading but that of what is not released.
file(STRINGS ${source}/CHANGELOG.md headings REGEX "^## \\[[0-9]")
list(GET headings 0 line)
string(REGEX REPLACE "^## \\[([^]]+)\\].*" "\\1" text "${line}")
says(CHANGELOG.md "${text}")

if(lockstep)
  execute_process(
    COMMAND ${lockstep} --version
    OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "lockstep " "" text "${text}")
  says("lockstep --version" "${text}")

  # The manual has the date that stands behind the version in the change log.
  string(REGEX REPLACE "^## \\[[^]]+\\] - " "" date "${line}")
  execute_process(
    COMMAND ${lockstep} manual
    OUTPUT_VARIABLE page COMMAND_ERROR_IS_FATAL ANY)
  string(FIND "${page}" ".TH LOCKSTEP 1 ${date} \"lockstep ${version}\"" place)
  if(NOT place EQUAL 0)
    string(SUBSTRING "${page}" 0 70 head)
    message(SEND_ERROR "the manual's date is not ${date}: ${head}")
  endif()
endif()
