#include <lockstep/algorithms/collectives/transpose.hpp>

#include <fmt/format.h>

#include <lockstep/detail/enumerator_check.hpp>

namespace lockstep {

std::string_view name_of(access how) {
  switch (how) {
    case access::messages:
      return "messages";
    case access::reads:
      return "reads";
    case access::writes:
      return "writes";
  }
  detail::throw_no_such_value("access", static_cast<std::uint64_t>(how),
                              {"access::messages", "access::reads", "access::writes"});
}

void detail::require_equal_blocks(std::size_t elements, int processors) {
  if (elements % static_cast<std::size_t>(processors) != 0)
    throw invalid_argument(
        fmt::format("transpose_blocks: {} elements cannot be divided evenly among {} processors; "
                    "pass p * m elements",
                    elements, processors));
}

}  // namespace lockstep
