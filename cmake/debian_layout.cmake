# Run by CPack before it packs: what only Debian has, or has elsewhere, or packed.
cmake_minimum_required(VERSION 3.25)
set(project ${CMAKE_CURRENT_LIST_DIR}/..)
set(packed ${CPACK_TEMPORARY_INSTALL_DIRECTORY})

set(texts)
if(lockstep_tool IN_LIST CPACK_COMPONENTS_ALL)
  set(tool ${packed}/lockstep_tool/usr/share)
  file(RENAME ${tool}/zsh/site-functions ${tool}/zsh/vendor-completions)
  list(APPEND texts ${tool}/man/man1/lockstep.1)
endif()

# lockstep_document(COMPONENT PACKAGE): its licence and changelog
function(lockstep_document component package)
  if(NOT component IN_LIST CPACK_COMPONENTS_ALL)
    return()
  endif()
  set(folder ${packed}/${component}/usr/share/doc/${package})
  file(MAKE_DIRECTORY ${folder})
  configure_file(${project}/LICENSE ${folder}/copyright COPYONLY)
  configure_file(${project}/CHANGELOG.md ${folder}/changelog COPYONLY)
  set(texts ${texts} ${folder}/changelog PARENT_SCOPE)
endfunction()
lockstep_document(lockstep_tool lockstep)
lockstep_document(lockstep_development liblockstep-dev)
lockstep_document(lockstep_python python3-lockstep)
execute_process(COMMAND gzip -9n ${texts} COMMAND_ERROR_IS_FATAL ANY)

# Whoever packs, with whatever umask.
set(folders ${CPACK_COMPONENTS_ALL})
list(TRANSFORM folders PREPEND ${packed}/)
file(
  CHMOD_RECURSE
  ${folders}
  DIRECTORY_PERMISSIONS
  OWNER_READ
  OWNER_WRITE
  OWNER_EXECUTE
  GROUP_READ
  GROUP_EXECUTE
  WORLD_READ
  WORLD_EXECUTE)
