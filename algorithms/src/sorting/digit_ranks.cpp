#include <lockstep/algorithms/sorting/detail/digit_ranks.hpp>

#include <lockstep/algorithms/sorting/detail/counting_pass.hpp>

#include <limits>
#include <source_location>
#include <string>

#include <fmt/format.h>

#include <lockstep/detail/library_frame.hpp>
#include <lockstep/errors.hpp>

namespace lockstep::detail {

namespace {

using counts_of_digits = std::vector<std::uint64_t>;

/// For each source a block of q pairs: how many elements with digit v the sources before it have,
/// and how many all of them have.
[[nodiscard]] counts_of_digits scanned_over_sources(std::vector<std::uint32_t> const& by_source,
                                                    std::size_t sources) {
  auto const q = by_source.size() / sources;
  counts_of_digits before(q);
  counts_of_digits pairs(2 * by_source.size());
  for (std::size_t source = 0; source < sources; ++source)
    for (std::size_t v = 0; v < q; ++v) {
      pairs[2 * (source * q + v)] = before[v];
      before[v] += by_source[source * q + v];
    }
  auto const& totals = before;
  for (std::size_t source = 0; source < sources; ++source)
    for (std::size_t v = 0; v < q; ++v) pairs[2 * (source * q + v) + 1] = totals[v];
  return pairs;
}

}  // namespace

std::string name_in_view(processor const& me, char const* what, int digit) {
  if (!me.is_shown()) return {};
  return digit == 0 ? fmt::format("{}: blocks", what)
                    : fmt::format("{}, digit {}: blocks", what, digit);
}

void throw_no_digit(int rank, std::size_t element, std::uint64_t range) {
  throw invalid_argument(fmt::format(
      "counting_sort: the digit of element {} of processor {} is not in 0 to {}; mend it, "
      "or give a larger range",
      element, rank, range - 1));
}

void require_countable(int rank, std::size_t elements) {
  constexpr auto most = std::numeric_limits<std::uint32_t>::max();
  if (elements > most)
    throw invalid_argument(
        fmt::format("counting_sort: processor {} holds {} elements, more than the {} that it can "
                    "count; take more processors",
                    rank, elements, most));
}

void throw_uneven(int rank, std::size_t here, std::uint64_t elements, int processors) {
  throw invalid_argument(
      fmt::format("counting_sort: processor {} holds {} of {} elements, more than ceil(n/p), for "
                  "which padded blocks of {} processors have room; deal them out evenly, or take "
                  "blocks of real size",
                  rank, here, elements, processors));
}

digit_ranks ranks_from(processor& me, std::vector<std::uint32_t> const& histogram, int digit,
                       std::source_location where) {
  library_frame const frame(me, where);
  auto const counts = name_in_view(me, "counts", digit);
  me.phase("counts");
  auto const by_source = transpose_blocks_as(counts, me, histogram);
  me.phase("ranks");
  me.work(by_source.size());
  auto const pairs =
      transpose_blocks_as(name_in_view(me, "ranks", digit), me,
                          scanned_over_sources(by_source, static_cast<std::size_t>(me.size())));
  show_used_up(me, counts);
  digit_ranks ranks{counts_of_digits(histogram.size())};
  for (std::size_t v = 0; v < histogram.size(); ++v) {
    ranks.first[v] = ranks.elements + pairs[2 * v];
    ranks.elements += pairs[2 * v + 1];
  }
  me.work(2 * histogram.size());
  return ranks;
}

}  // namespace lockstep::detail
