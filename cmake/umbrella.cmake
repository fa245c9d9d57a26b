# lockstep_umbrella(TARGET HEADER INCLUDED...)
#
# Writes lockstep/HEADER into the build folder, which includes <lockstep/INCLUDED> one after another, and
# makes it a header of the target. `file(GLOB ...)` patterns, relative to the target's include/lockstep,
# stand for what they find.
function(lockstep_umbrella target header)
  set(text "#pragma once\n\n")
  foreach(included IN LISTS ARGN)
    set(found ${included})
    if(included MATCHES "\\*")
      set(root ${CMAKE_CURRENT_SOURCE_DIR}/include/lockstep)
      file(GLOB_RECURSE found RELATIVE ${root} CONFIGURE_DEPENDS ${root}/${included})
      # Headers in libraries/ need one that lockstep does not need itself.
      list(FILTER found EXCLUDE REGEX "/(detail|libraries)/")
      list(SORT found)
    endif()
    foreach(name IN LISTS found)
      string(APPEND text "#include <lockstep/${name}>\n")
    endforeach()
  endforeach()
  set(folder ${PROJECT_BINARY_DIR}/include)
  file(CONFIGURE OUTPUT ${folder}/lockstep/${header} CONTENT "${text}")
  get_target_property(type ${target} TYPE)
  set(scope PUBLIC)
  if(type STREQUAL INTERFACE_LIBRARY)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${folder}>
                                                $<INSTALL_INTERFACE:include>)
endfunction()
