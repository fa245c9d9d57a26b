#include <lockstep/detail/checked_counts.hpp>

#include <lockstep/errors.hpp>

namespace lockstep {

void detail::throw_count_overflow() {
  throw invalid_argument(
      "counts of 2^64 words or more, which no figure holds; take fewer words or processors, larger "
      "words, or smaller packets");
}

}  // namespace lockstep
