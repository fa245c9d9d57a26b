#include "random_access/write_problem.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

#include "files/csv_file.hpp"
#include "prefix/check_prefixes.hpp"

namespace lockstep {

namespace {

__extension__ using wide_integer = __int128;

/// A sum in extended precision, with what bounds the rounding of one in double precision, as in
/// `are_rounded_sums`.
struct rounded_sum {
  long double sum = 0;
  long double absolute = 0;
  std::size_t numbers = 1;

  [[nodiscard]] rounded_sum operator+(rounded_sum const& other) const {
    return {sum + other.sum, absolute + other.absolute, numbers + other.numbers};
  }
  [[nodiscard]] bool is_near(double found) const {
    auto const bound =
        (rounding_bound<double>(numbers - 1) + rounding_bound<long double>(4 * numbers)) * absolute;
    return std::abs(static_cast<long double>(found) - sum) <= bound;
  }
};

/// Requires that each sum fits. Errors: bad_input, with the index of one that does not, and what it does
/// instead.
template <class Sums, class Fits>
void require_each_fits(std::string const& file, Sums const& sums, Fits const& fits,
                       char const* excess) {
  auto const large = std::ranges::find_if_not(sums, fits);
  if (large == sums.end()) return;
  throw bad_input(fmt::format("{}: the values of index {} have a sum that {}", file,
                              large - sums.begin(), excess));
}

/// The values of cells, one processor's after the other's; 0 for an empty cell.
template <class Number>
[[nodiscard]] std::vector<Number> joined_values(
    std::vector<std::vector<extended<Number>>> const& blocks) {
  std::vector<Number> all;
  for (auto const& block : blocks)
    for (auto const& cell : block) all.push_back(cell.value);
  return all;
}

/// Whether each processor has the cells of its own block, with the expected values, as
/// `is_same(expected, found)` compares them.
template <class Value, class Number, class IsSame>
[[nodiscard]] bool are_cells(std::vector<std::vector<extended<Number>>> const& blocks,
                             bucket_layout const& layout, sequential_cells<Value> const& expected,
                             IsSame const& is_same) {
  std::size_t address = 0;
  for (int rank = 0; auto const& block : blocks) {
    if (block.size() != layout.size_of(rank++)) return false;
    for (auto const& cell : block) {
      auto const& wanted = expected[address++];
      if (cell.is_there != wanted.has_value()) return false;
      if (wanted && !is_same(*wanted, cell.value)) return false;
    }
  }
  return address == expected.size();
}

}  // namespace

traffic_requirement write_requirement(access_input const& input, kept_operand kept) {
  auto const p = static_cast<std::size_t>(input.layout.processors());
  std::vector<std::uint64_t> in(p);
  std::vector<std::uint64_t> out(p);
  std::vector<int> last_writer(input.layout.elements(), -1);
  std::vector<bool> is_taken_in(input.layout.elements());
  traffic_requirement needed;
  auto const all = input.pointers.size();
  for (std::size_t step = 0; step < all; ++step) {
    auto const i = kept == kept_operand::last ? all - 1 - step : step;
    auto const address = input.pointers[i];
    if (address == no_pointer) continue;
    auto const from = input.elements.owner(i);
    auto const to = input.layout.owner(address);
    if (last_writer[address] == from || (kept != kept_operand::all && last_writer[address] >= 0))
      continue;
    last_writer[address] = from;
    if (from == to) continue;
    ++out[static_cast<std::size_t>(from)];
    needed.distance = 1;
    if (is_taken_in[address]) continue;
    is_taken_in[address] = true;
    ++in[static_cast<std::size_t>(to)];
    ++needed.moved;
  }
  needed.taken_in = *std::ranges::max_element(in);
  needed.sent = *std::ranges::max_element(out);
  return needed;
}

template <class Number>
write_part<Number> write_problem<Number>::part_of(processor const& me) const {
  auto const part = [&](std::span<Number const> all, bucket_layout const& layout) {
    return all.subspan(layout.first_of(me.rank()), layout.size_of(me.rank()));
  };
  return {input.of(me.rank()), part(values, input.elements),
          before.empty() ? std::span<Number const>() : part(before, input.layout)};
}

template <class Number>
template <class Value, class ValueOf, class Plus>
sequential_cells<Value> write_problem<Number>::in_turn(ValueOf const& value_of,
                                                       Plus const& plus) const {
  sequential_cells<Value> all(input.layout.elements());
  for (std::size_t address = 0; address < before.size(); ++address)
    all[address] = value_of(before[address]);
  return written_in_turn(
      std::move(all), input.pointers, [&](std::size_t i) { return value_of(values[i]); }, plus);
}

template <class Number>
bool write_problem<Number>::is_solved_by(std::vector<cells> const& blocks) const {
  if constexpr (std::floating_point<Number>)
    if (by.is_addition) {
      require_each_fits(
          file, joined_values(blocks), [](Number sum) { return std::isfinite(sum); },
          "fits, and some of them one that is more than double precision holds; give smaller "
          "numbers");
      auto const sum_of_one = [](Number number) {
        return rounded_sum{number, std::abs(static_cast<long double>(number))};
      };
      return are_cells(blocks, input.layout, in_turn<rounded_sum>(sum_of_one, std::plus<>()),
                       [](rounded_sum const& sum, Number found) { return sum.is_near(found); });
    }
  if constexpr (!std::same_as<Number, two_words>)
    if (by.requires_agreement)
      return are_cells(
          blocks, input.layout,
          in_turn<agreed_value<Number>>([](Number of) { return agreed_value(of); }, agreement()),
          std::equal_to<agreed_value<Number>>());
  return are_cells(blocks, input.layout, in_turn<Number>(std::identity(), by.plus),
                   std::equal_to<Number>());
}

template <class Number>
void write_problem<Number>::write(std::ostream& out, std::vector<cells> const& blocks) const {
  if constexpr (!std::same_as<Number, two_words>)
    write_csv_array<Number>(out, joined_values(blocks), written_before, is_changed);
}

template <class Number>
void write_problem<Number>::require_sums_fit() const {
  if constexpr (std::integral<Number>) {
    using limits = std::numeric_limits<Number>;
    require_each_fits(
        file,
        in_turn<wide_integer>([](Number value) { return wide_integer{value}; }, std::plus<>()),
        [](auto const& sum) { return !sum || (limits::min() <= *sum && *sum <= limits::max()); },
        "does not fit into 64 bits; write the numbers with \".0\" behind them, and all are added "
        "in "
        "double precision");
  } else if constexpr (std::floating_point<Number>) {
    require_each_fits(
        file,
        in_turn<long double>([](Number value) { return static_cast<long double>(value); },
                             std::plus<>()),
        [](auto const& sum) { return !sum || std::isfinite(static_cast<Number>(*sum)); },
        "is more than double precision holds; give smaller numbers");
  }
}

template struct write_problem<std::int64_t>;
template struct write_problem<double>;
template struct write_problem<two_words>;

}  // namespace lockstep
