# lockstep_embed(TARGET FUNCTION FILE): compiles the bytes of a file into the target, as what
# `std::string_view lockstep::detail::FUNCTION()` gives. The target declares that function.
# Also a script, which writes that code: cmake -D function=... -D file=... -D code=... -P embed.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  file(
    WRITE ${code}
    "#include <string_view>\n\nnamespace lockstep::detail {\n\n"
    "namespace {\n\nconstexpr unsigned char bytes_of_${function}[] = {\n${bytes}0};\n\n}\n\n"
    "[[nodiscard]] std::string_view ${function}();\n\n"
    "std::string_view ${function}() {\n"
    "  return {reinterpret_cast<char const*>(bytes_of_${function}), sizeof bytes_of_${function} - 1};\n"
    "}\n\n}  // namespace lockstep::detail\n")
  return()
endif()

set(LOCKSTEP_EMBED ${CMAKE_CURRENT_LIST_FILE})
function(lockstep_embed target function file)
  set(code ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  add_custom_command(
    OUTPUT ${code}
    COMMAND ${CMAKE_COMMAND} -D function=${function} -D file=${file} -D code=${code} -P
            ${LOCKSTEP_EMBED}
    DEPENDS ${file} ${LOCKSTEP_EMBED}
    VERBATIM)
  target_sources(${target} PRIVATE ${code})
  set_source_files_properties(${code} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
