#include <lockstep/algorithms/sorting/rotate_sort.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/algorithms/sorting/detail/slice_turns.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/detail/enumerator_check.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

rotate_blocks rotate_sort_blocks(int processors, std::source_location where) {
  detail::require_processors("rotate_sort_blocks", processors, where);
  auto const p = static_cast<std::size_t>(processors);
  rotate_blocks blocks{1, p};
  for (std::size_t rows = 2; rows * rows <= p; ++rows)
    if (p % rows == 0) blocks = {rows, p / rows};
  return blocks;
}

bool rotate_sort_leaves_few_rows(int processors, std::source_location where) {
  auto const [rows, columns] = rotate_sort_blocks(processors, where);
  bool const is_power_of_two = std::has_single_bit(static_cast<unsigned>(processors));
  return columns == rows || (columns == 2 * rows && is_power_of_two);
}

int rotate_sort_shears(std::size_t rows, int processors, std::source_location where) {
  detail::require_processors("rotate_sort_shears", processors, where);
  if (rows == 0) return 0;
  auto const p = static_cast<std::uint64_t>(processors);
  auto const one_less =
      rotate_sort_leaves_few_rows(processors) ? detail::quotient_up(6 * p, rows) : p - 1;
  return static_cast<int>(std::bit_width(one_less));
}

namespace {

/// Computes the time of steps 4 and 5: rows of slices to their processors, turned there or by one
/// phase more, and back to columns.
[[nodiscard]] double time_of_slices(detail::rotate_plan const& plan,
                                    rotate_sort_options const& options) {
  if (options.packet == 0)
    throw invalid_argument("rotate_sort: packets of 0 elements; give at least 1");
  std::size_t most_kept = 0;
  for (int rank = 0; rank < static_cast<int>(plan.columns()); ++rank)
    most_kept =
        std::max(most_kept, plan.slice_rows_before(rank + 1) - plan.slice_rows_before(rank));
  auto const messages =
      detail::checked_sum(detail::in_whole_packets(plan.most_rows_taken_in(), options.packet),
                          detail::in_whole_packets(most_kept, options.packet));
  auto const words = detail::checked_product(plan.columns() - 1, messages);
  auto const tau = static_cast<double>(options.tau);
  double const moved = 2 * tau + static_cast<double>(words);
  if (!plan.has_cut_slices()) return moved;
  return moved + tau + static_cast<double>(detail::slice_turns(plan).words(options.packet));
}

/// Where the rows of slices lie, and the time of steps 4 and 5.
struct timed_rows {
  slice_rows rows;
  char const* name;
  double time;
};

[[nodiscard]] std::array<timed_rows, 3> times_of(slice_choice const& choice) {
  return {{{slice_rows::spread, "spread", choice.spread_time},
           {slice_rows::whole, "whole", choice.whole_time},
           {slice_rows::copied, "copied", choice.copied_time}}};
}

[[nodiscard]] detail::rotate_plan::slice_holders holders_of(slice_rows rows) {
  using holders = detail::rotate_plan::slice_holders;
  if (rows == slice_rows::whole) return holders::one;
  return rows == slice_rows::copied ? holders::all_by_rows : holders::by_rows;
}

}  // namespace

slice_choice choose_slice_rows(std::size_t elements, int processors,
                               rotate_sort_options const& options, std::source_location where) {
  return detail::errors_at(where, [&] {
    auto const time = [&](slice_rows rows) {
      auto forced = options;
      forced.slices = rows;
      return time_of_slices(detail::plan_of_rotate_sort(elements, processors, forced), options);
    };
    slice_choice choice{options.slices, time(slice_rows::spread), time(slice_rows::whole),
                        time(slice_rows::copied)};
    if (choice.rows == slice_rows::cheapest)
      choice.rows = std::ranges::min(times_of(choice), {}, &timed_rows::time).rows;
    return choice;
  });
}

int detail::shears_of(rotate_sort_options const& options, std::size_t rows, int processors) {
  constexpr int of_the_original = 3;  // for n >= p^2
  if (options.shears) return *options.shears;
  return options.original ? of_the_original : rotate_sort_shears(rows, processors);
}

std::string text_of(slice_choice const& choice) {
  std::string chosen;
  std::vector<std::string> others;
  for (auto const& [rows, name, time] : times_of(choice)) {
    auto& text = rows == choice.rows ? chosen : others.emplace_back();
    text = fmt::format("{} ({})", name, time);
  }
  return fmt::format("{}, not {}", chosen, fmt::join(others, " or "));
}

detail::rotate_plan detail::plan_of_rotate_sort(std::size_t elements, int processors,
                                                rotate_sort_options const& options) {
  check_enumerator(
      "slice_rows", options.slices,
      {"slice_rows::spread", "slice_rows::whole", "slice_rows::copied", "slice_rows::cheapest"});
  if (options.shears && *options.shears < 0)
    throw invalid_argument(fmt::format(
        "rotate_sort: SHEAR cannot be done {} times; leave options.shears out, or give 0 or more",
        *options.shears));
  auto const a = rotate_sort_blocks(processors).rows;
  require_counted_processors("rotate_sort", processors);
  auto const p = static_cast<std::size_t>(processors);
  auto const least = std::max(elements / p + (elements % p == 0 ? 0 : 1), options.rows);
  auto const rows = checked_product(quotient_up(least, a), a);
  auto const slices = options.slices == slice_rows::cheapest
                          ? choose_slice_rows(elements, processors, options).rows
                          : options.slices;
  if (options.original && !rotate_sort_leaves_few_rows(processors))
    throw invalid_argument(
        fmt::format("rotate_sort: the original is for blocks of about sqrt p rows and columns, and "
                    "{} processors are "
                    "neither a square nor a power of two; leave options.original out",
                    processors));
  if (options.original && rows % p != 0)
    throw invalid_argument(fmt::format(
        "rotate_sort: the original is for columns that p divides, and {} does not divide "
        "{}; leave options.original out, or give rows {}",
        p, rows, checked_product(quotient_up(rows, p), p)));
  return {rows, processors, a, holders_of(slices)};
}

}  // namespace lockstep
