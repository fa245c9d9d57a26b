# Checks that a text quotes something word for word, as a block of that language. In: text,
# language, and either file, or executable, whose output it is.
cmake_minimum_required(VERSION 3.25)
if(executable)
  execute_process(
    COMMAND ${executable}
    OUTPUT_VARIABLE quoted COMMAND_ERROR_IS_FATAL ANY)
else()
  file(READ ${file} quoted)
endif()
file(READ ${text} quoting)
string(FIND "${quoting}" "```${language}\n${quoted}```" place)
if(place EQUAL -1)
  message(FATAL_ERROR "${text} has no block of ${language} that is:\n${quoted}")
endif()
