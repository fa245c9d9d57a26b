# lockstep_precompile(TARGET HEADER...)
#
# What nearly all sources of a target include is read once where lockstep itself is built. Each includes what it
# needs all the same: scripts/check compiles sources alone, without this.
function(lockstep_precompile target)
  if(PROJECT_IS_TOP_LEVEL)
    target_precompile_headers(
      ${target}
      PRIVATE
      <algorithm>
      <cstdint>
      <functional>
      <map>
      <memory>
      <optional>
      <span>
      <string>
      <string_view>
      <utility>
      <variant>
      <vector>
      <fmt/format.h>
      ${ARGN})
  endif()
endfunction()

# lockstep_precompile_as(TARGET OTHER)
#
# TARGET takes what is read once for OTHER, which has the same options.
function(lockstep_precompile_as target other)
  if(PROJECT_IS_TOP_LEVEL)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()
