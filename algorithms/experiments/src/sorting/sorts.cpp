#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/sorting/counting_sort.hpp>
#include <lockstep/algorithms/sorting/generated_keys.hpp>
#include <lockstep/algorithms/sorting/key_bits.hpp>
#include <lockstep/algorithms/sorting/radix_sort.hpp>
#include <lockstep/algorithms/textbook/counting_sort.hpp>
#include <lockstep/algorithms/textbook/radix_sort.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "sorting/sort_input.hpp"
#include "sorting/sort_problem.hpp"

namespace lockstep {

namespace {

constexpr integer_parameter range_of_keys{"range", "R: keys are 0 to R-1", 256, 1,
                                          std::int64_t{1} << 31U};
constexpr integer_parameter radix_of_keys{
    "radix", "R, a power of two; 0 takes the one that sends the fewest words", 0, 0,
    std::int64_t{1} << 24U};
constexpr choice_parameter size_of_bins{
    "blocks", "in which bins go: real (size) or padded (worst-case size)",
    std::array{named_choice{"real", block_rule::real}, named_choice{"padded", block_rule::bound}}};

/// The needs of a run that sorts keys with that radix or range.
[[nodiscard]] needs_of_keys needs_for_digits(arguments const& given, std::uint64_t range) {
  return [given, range](std::uint64_t keys) -> machine_needs {
    constexpr std::uint64_t bytes_of_a_key = 68;    // made, in bins, sorted, and compared
    constexpr std::uint64_t bytes_in_small = 50;    // more, in messages whose memory is kept
    constexpr std::uint64_t most_small = 7680;      // bytes of these, of a pair of processors
    constexpr std::uint64_t bytes_of_a_digit = 72;  // its counts and ranks
    constexpr std::uint64_t bytes_of_a_bin = 256;   // two, and the messages in which they go
    auto const p = static_cast<std::uint64_t>(given.processors());
    auto const in_bins =
        std::min(keys / p * bytes_in_small, p * most_small) +
        p * (detail::digits_each(range, given.processors()) * bytes_of_a_digit + bytes_of_a_bin);
    return {
        .bytes_each = bytes_of_block(given, keys, bytes_of_a_key) + static_cast<double>(in_bins),
        .held = fmt::format("{} keys, counted by {} digits,", keys, range),
        .remedy = "fewer keys or digits"};
  };
}

/// Requires that the keys of the input are digits; in a text, one stands in each line.
/// Errors: bad_input, which names the first that is not.
template <class Key>
void require_digits(std::vector<Key> const& keys, std::optional<csv_table> const& table,
                    std::uint64_t range, arguments const& given) {
  auto const bad = std::ranges::find_if(
      keys, [&](Key key) { return std::cmp_less(key, 0) || std::cmp_greater_equal(key, range); });
  if (bad == keys.end()) return;
  throw bad_input(
      fmt::format("{} {}, which is not in 0 to {}; give a larger --range, or take radix-sort",
                  place_of_key(given, keys_taken::whole_numbers, table,
                               static_cast<std::size_t>(bad - keys.begin())),
                  *bad, range - 1));
}

/// Makes generated keys digits in that range, and requires that those of a file are.
/// Errors: those of require_digits.
template <class Key>
void make_digits(std::vector<Key>& keys, sort_input const& input, std::uint64_t range,
                 arguments const& given) {
  if (given.request().input) return require_digits(keys, input.table, range, given);
  for (auto& key : keys) key = static_cast<Key>(static_cast<std::uint64_t>(key) % range);
}

/// Computes the bits of a key, which have the digits.
[[nodiscard]] int bits_of_key(key_type type) {
  return with_key_type(type, []<class Key>(Key /*of_type*/) { return key_bits<Key>; });
}

/// Reads or generates the keys. `digits`: their range, if they have one.
/// Errors: bad_input; those of `keys_from`.
[[nodiscard]] sort_input digit_keys_from(arguments const& given,
                                         std::optional<std::uint64_t> digits) {
  auto input = keys_from(given, keys_taken::whole_numbers, given[number_of_keys],
                         needs_for_digits(given, digits.value_or(2)));
  if (digits)
    std::visit(
        [&]<class Key>(std::vector<Key>& all) {
          if constexpr (std::integral<Key>)  // all that `keys_from` gives of whole numbers
            make_digits(all, input, *digits, given);
        },
        input.keys);
  return input;
}

/// Sorts keys that are `digits`, of that range, by these; others by their digits of the radix.
/// Errors: invalid_argument for a number that is not a radix; those of the run.
[[nodiscard]] experiment_result sort_by(arguments const& given, sort_input const& input,
                                        std::optional<std::uint64_t> digits) {
  int const p = given.processors();
  auto const n = input.size();
  int const bits = bits_of_key(input.type());
  auto const blocks = given[size_of_bins];
  bool const is_textbook = given[textbook_form];
  auto const zero =
      with_key_type(input.type(), []<class Key>(Key /*of_type*/) { return order_of(Key{0}); });
  auto range = digits ? *digits : given[radix_of_keys];
  if (range == 0) range = radix_for(n, p, bits);
  auto claims = digits ? counting_sort_claims(n, p, range, blocks)
                       : radix_sort_claims(n, p, bits, range, blocks);
  require_memory_to_sort(given, n, needs_for_digits(given, range));
  expect_steps(claims);
  auto result = solve_sort(given, input, {}, [&](processor& me, std::vector<sort_element> mine) {
    auto const key = &sort_element::order;
    auto const digit = [zero](sort_element const& one) { return one.order - zero; };
    if (digits)
      return is_textbook ? textbook::counting_sort(me, mine, digit, range)
                         : counting_sort(me, std::move(mine), digit, range, blocks);
    return is_textbook ? textbook::radix_sort(me, std::move(mine), key, range, bits)
                       : radix_sort(me, std::move(mine), key, {range, blocks, bits});
  });
  result.claims = std::move(claims);
  if (digits) return result;
  result.parameters["radix"] = static_cast<std::int64_t>(range);
  result.figures["key_bits"] = std::int64_t{bits};
  result.figures["passes"] = std::int64_t{radix_passes(bits, range)};
  return result;
}

/// Sorts the keys that are asked for: digits in that range, if there is one.
/// Errors: invalid_argument for the form that reads as the paper with bins that it does not have.
[[nodiscard]] experiment_result run_sort(arguments const& given,
                                         std::optional<integer_parameter> const& range = {}) {
  require_crossbar(given);
  auto const blocks = given[size_of_bins];
  if (given[textbook_form] && blocks != block_rule::real)
    throw invalid_argument("--textbook has bins of their real size; leave out --blocks");
  auto const digits = range ? std::optional(given[*range]) : std::nullopt;
  auto const input = digit_keys_from(given, digits);
  return sort_by(given, input, digits);
}

/// Completes an experiment: both run on the same networks, on keys or files.
[[nodiscard]] experiment sort_experiment(experiment of, std::vector<parameter> const& own) {
  of.topologies = "crossbar";
  of.source = bader_helman_jaja_1996;
  of.examples = {"crossbar:16", "crossbar:4", "crossbar:8", "crossbar:32"};
  of.parameters = {number_of_keys};
  of.parameters.insert(of.parameters.end(), own.begin(), own.end());
  of.parameters.emplace_back(size_of_bins);
  std::ranges::move(parameters_of_files(keys_taken::whole_numbers),
                    std::back_inserter(of.parameters));
  of.parameters.emplace_back(textbook_form);
  of.takes_files = true;
  return of;
}

}  // namespace

experiment counting_sort_experiment() {
  return sort_experiment(
      {.name = "counting-sort",
       .summary =
           "stable sort of keys 0 to R-1 by their counts and an h-relation in two phases; keys "
           "are generated, or those of an input file",
       .run = [](arguments const& given) { return run_sort(given, range_of_keys); }},
      {range_of_keys});
}

experiment radix_sort_experiment() {
  return sort_experiment(
      {.name = "radix-sort",
       .summary =
           "stable sort of whole numbers of 32 or 64 bits, a counting sort for each digit; keys "
           "are generated, or those of an input file",
       .run = [](arguments const& given) { return run_sort(given); }},
      {radix_of_keys, distribution_of_keys});
}

}  // namespace lockstep
