# Run by CPack before it packs: what only Debian has, or has elsewhere, or packed.
cmake_minimum_required(VERSION 3.25)
set(project ${CMAKE_CURRENT_LIST_DIR}/..)
set(tool ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/lockstep_tool/usr/share)
set(development ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/lockstep_development/usr/share)

file(RENAME ${tool}/zsh/site-functions ${tool}/zsh/vendor-completions)
set(texts ${tool}/man/man1/lockstep.1)
foreach(folder IN ITEMS ${tool}/doc/lockstep ${development}/doc/liblockstep-dev)
  file(MAKE_DIRECTORY ${folder})
  configure_file(${project}/LICENSE ${folder}/copyright COPYONLY)
  configure_file(${project}/CHANGELOG.md ${folder}/changelog COPYONLY)
  list(APPEND texts ${folder}/changelog)
endforeach()
execute_process(COMMAND gzip -9n ${texts} COMMAND_ERROR_IS_FATAL ANY)

# Whoever packs, with whatever umask.
file(
  CHMOD_RECURSE
  ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/lockstep_tool
  ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/lockstep_development
  DIRECTORY_PERMISSIONS
  OWNER_READ
  OWNER_WRITE
  OWNER_EXECUTE
  GROUP_READ
  GROUP_EXECUTE
  WORLD_READ
  WORLD_EXECUTE)
