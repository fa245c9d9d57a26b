# lockstep_embed_sources(TARGET FOLDER...): compiles the texts of the sources in these folders of the
# project into the target, as what lockstep::cli::library_sources() lists.
# Also a script, which writes that code: cmake -D root=... -D list=... -D code=... -P embed_sources.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  file(STRINGS ${list} paths)
  set(text "#include \"report/library_sources.hpp\"\n\nnamespace lockstep::cli {\n\nnamespace {\n\n")
  string(APPEND text "using namespace std::string_view_literals;\n\n")
  string(APPEND text "constexpr library_file files[] = {\n")
  foreach(path IN LISTS paths)
    file(READ ${root}/${path} source)
    string(APPEND text "{\"${path}\"sv, R\"lockstep_file(${source})lockstep_file\"sv},\n")
  endforeach()
  string(APPEND text "};\n\n}  // namespace\n\n"
                     "std::span<library_file const> library_sources() { return files; }\n\n"
                     "}  // namespace lockstep::cli\n")
  file(WRITE ${code} "${text}")
  return()
endif()

set(LOCKSTEP_EMBED_SOURCES ${CMAKE_CURRENT_LIST_FILE})
function(lockstep_embed_sources target)
  set(paths)
  foreach(folder IN LISTS ARGN)
    file(
      GLOB_RECURSE found CONFIGURE_DEPENDS
      RELATIVE ${PROJECT_SOURCE_DIR}
      ${PROJECT_SOURCE_DIR}/${folder}/*.hpp ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    list(APPEND paths ${found})
  endforeach()
  list(FILTER paths EXCLUDE REGEX "/(papers|files|harness)/") # no program stands there
  set(list ${CMAKE_CURRENT_BINARY_DIR}/library_sources.txt)
  set(code ${CMAKE_CURRENT_BINARY_DIR}/library_sources.cpp)
  list(JOIN paths "\n" lines)
  file(CONFIGURE OUTPUT ${list} CONTENT "${lines}\n")
  list(TRANSFORM paths PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE files)
  add_custom_command(
    OUTPUT ${code}
    COMMAND ${CMAKE_COMMAND} -D root=${PROJECT_SOURCE_DIR} -D list=${list} -D code=${code} -P
            ${LOCKSTEP_EMBED_SOURCES}
    DEPENDS ${files} ${list} ${LOCKSTEP_EMBED_SOURCES}
    VERBATIM)
  target_sources(${target} PRIVATE ${code})
  set_source_files_properties(${code} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
