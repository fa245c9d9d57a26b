#include <lockstep/algorithms/routing/h_relation.hpp>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

std::string_view name_of(block_rule rule) {
  switch (rule) {
    case block_rule::real:
      return "real";
    case block_rule::bound:
      return "bound";
    case block_rule::text:
      return "text";
    case block_rule::appendix:
      return "appendix";
  }
  throw invalid_argument(fmt::format("{} is no block rule", static_cast<int>(rule)));
}

void detail::throw_no_destination(int rank, std::size_t element, std::int64_t destination,
                                  int processors) {
  throw invalid_argument(
      fmt::format("h_relation: processor {} sends its element {} to processor {}, but there are "
                  "processors 0 to {} only; mend its destination",
                  rank, element, destination, processors - 1));
}

}  // namespace lockstep
