#include <lockstep/algorithms/detail/size_checks.hpp>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

void detail::throw_no_processors(char const* of, std::int64_t processors,
                                 std::source_location where) {
  throw invalid_argument(
      fmt::format("{}: {} processors; give at least 1 processor", of, processors), where);
}

void detail::require_counted_processors(char const* of, int processors,
                                        std::source_location where) {
  require_processors(of, processors, where);
  if (processors > most_counted_processors)
    throw invalid_argument(
        fmt::format("{}: {} processors are too many to go through one by one; give at most {}", of,
                    processors, most_counted_processors),
        where);
}

void detail::throw_empty(char const* of, char const* these, std::source_location where) {
  throw invalid_argument(fmt::format("{}: 0 {}; give at least 1", of, these), where);
}

void detail::require_elements(char const* of, std::uint64_t given, std::uint64_t n) {
  if (given != n)
    throw invalid_argument(
        fmt::format("{}: this processor has {} elements; it needs {}", of, given, n));
}

void detail::throw_no_destination(char const* of, int rank, std::size_t element,
                                  std::int64_t destination, int processors) {
  throw invalid_argument(
      fmt::format("{}: processor {} sends its element {} to processor {}, but there are processors "
                  "0 to {} only; mend its destination",
                  of, rank, element, destination, processors - 1));
}

void detail::require_dimensions(char const* of, int d, int least, std::source_location where) {
  constexpr int most = 30;
  if (d < least || d > most)
    throw invalid_argument(
        fmt::format("{}: there is no hypercube of {} dimensions for it; give {} to {}", of, d,
                    least, most),
        where);
}

}  // namespace lockstep
