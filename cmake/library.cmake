# lockstep_library(PART SOURCE...)
#
# The library of a part, lockstep::PART. Its sources include headers of its src/, and whatever links it those of its include/.
function(lockstep_library part)
  set(target lockstep_${part})
  add_library(${target} ${ARGN})
  add_library(lockstep::${part} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${part})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(
    ${target}
    PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    PRIVATE src)
endfunction()
