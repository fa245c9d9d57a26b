# Compiles a program for another processor, and runs it where that is played.
#   compiler, emulator: programs; include: a folder; sources; program: what is made; arguments: its own
execute_process(COMMAND ${compiler} -std=c++20 -O2 -static -I${include} ${sources} -o ${program}
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${emulator} ${program} ${arguments} COMMAND_ERROR_IS_FATAL ANY)
