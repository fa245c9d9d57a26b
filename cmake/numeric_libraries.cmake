# FFTW and a BLAS with its C interface, where they are: for programs that lend them to the local work of
# experiments (the command line, benchmarks, tests), never for the libraries that are installed.
#
# lockstep::numeric_libraries links what is found, and defines LOCKSTEP_WITH_FFTW and LOCKSTEP_WITH_CBLAS.
set(LOCKSTEP_FFTW AUTO CACHE STRING "Whether the command line transforms by FFTW: AUTO, ON or OFF")
set(LOCKSTEP_CBLAS AUTO CACHE STRING "Whether the command line multiplies by BLAS: AUTO, ON or OFF")
set_property(CACHE LOCKSTEP_FFTW LOCKSTEP_CBLAS PROPERTY STRINGS AUTO ON OFF)

find_path(LOCKSTEP_FFTW_INCLUDE fftw3.h)
find_library(LOCKSTEP_FFTW_DOUBLE fftw3)
find_library(LOCKSTEP_FFTW_FLOAT fftw3f)
find_path(LOCKSTEP_CBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas)
find_library(LOCKSTEP_CBLAS_LIBRARY NAMES openblas cblas)
mark_as_advanced(LOCKSTEP_FFTW_INCLUDE LOCKSTEP_FFTW_DOUBLE LOCKSTEP_FFTW_FLOAT
                 LOCKSTEP_CBLAS_INCLUDE LOCKSTEP_CBLAS_LIBRARY)

add_library(lockstep_numeric_libraries INTERFACE)
add_library(lockstep::numeric_libraries ALIAS lockstep_numeric_libraries)

# lockstep_lend(NAME INCLUDE LIBRARY...)
#
# Adds a library, if its option lets it and all of it is found.
function(lockstep_lend name include)
  if(NOT LOCKSTEP_${name} STREQUAL AUTO AND NOT LOCKSTEP_${name})
    return()
  endif()
  foreach(found IN ITEMS ${include} ${ARGN})
    if(NOT ${found})
      if(LOCKSTEP_${name} STREQUAL AUTO)
        return()
      endif()
      message(FATAL_ERROR "LOCKSTEP_${name} is ON, and ${found} is not found; install it, or take AUTO")
    endif()
    list(APPEND libraries ${${found}})
  endforeach()
  list(POP_FRONT libraries)
  target_compile_definitions(lockstep_numeric_libraries INTERFACE LOCKSTEP_WITH_${name})
  target_include_directories(lockstep_numeric_libraries SYSTEM INTERFACE ${${include}})
  target_link_libraries(lockstep_numeric_libraries INTERFACE ${libraries})
  message(STATUS "lockstep: ${name} for the local work of experiments")
endfunction()
lockstep_lend(FFTW LOCKSTEP_FFTW_INCLUDE LOCKSTEP_FFTW_DOUBLE LOCKSTEP_FFTW_FLOAT)
lockstep_lend(CBLAS LOCKSTEP_CBLAS_INCLUDE LOCKSTEP_CBLAS_LIBRARY)
