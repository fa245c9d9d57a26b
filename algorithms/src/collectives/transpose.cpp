#include <lockstep/algorithms/collectives/transpose.hpp>

#include <fmt/format.h>

#include <lockstep/detail/enumerator_names.hpp>

namespace lockstep {

std::string_view name_of(access how) {
  return detail::shown_name(
      "access", how,
      {{access::messages, "messages"}, {access::reads, "reads"}, {access::writes, "writes"}});
}

void detail::require_equal_blocks(std::size_t elements, int processors) {
  if (elements % static_cast<std::size_t>(processors) != 0)
    throw invalid_argument(
        fmt::format("transpose_blocks: {} elements cannot be divided evenly among {} processors; "
                    "pass p * m elements",
                    elements, processors));
}

}  // namespace lockstep
