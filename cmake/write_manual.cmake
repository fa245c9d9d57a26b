# Writes the manual page of a lockstep. In: lockstep, manual (the file).
cmake_minimum_required(VERSION 3.25)
execute_process(
  COMMAND ${lockstep} manual
  OUTPUT_FILE ${manual} COMMAND_ERROR_IS_FATAL ANY)
