# lockstep_unite(TARGET)
#
# Where CMAKE_UNITY_BUILD is ON, a dozen files of a folder are compiled as one, in a third of the time.
# So what a file keeps to itself (anonymous namespaces) has a name that no other file of its folder has.
function(lockstep_unite target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" group)
    if(NOT DEFINED files_of_${group})
      set(files_of_${group} 0)
    endif()
    math(EXPR part "${files_of_${group}} / 12")
    math(EXPR files_of_${group} "${files_of_${group}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${target}_${group}_${part}")
  endforeach()
endfunction()
