#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/sorting/counting_sort.hpp>
#include <lockstep/algorithms/sorting/generated_keys.hpp>
#include <lockstep/algorithms/sorting/key_bits.hpp>
#include <lockstep/algorithms/sorting/radix_sort.hpp>
#include <lockstep/algorithms/textbook/counting_sort.hpp>
#include <lockstep/algorithms/textbook/radix_sort.hpp>

#include "files/write_result.hpp"
#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"
#include "routing/pairwise_bounds.hpp"
#include "sorting/key_file.hpp"
#include "sorting/key_lines.hpp"

namespace lockstep {

namespace {

constexpr integer_parameter number_of_keys{"n",
                                           "keys that are generated where there is no input file",
                                           65'536,
                                           0,
                                           std::numeric_limits<std::uint32_t>::max(),
                                           true};
constexpr integer_parameter range_of_keys{"range", "R: keys are 0 to R-1", 256, 1,
                                          std::int64_t{1} << 31U};
constexpr integer_parameter radix_of_keys{
    "radix", "R, a power of two; 0 takes the one that sends the fewest words", 0, 0,
    std::int64_t{1} << 24U};
constexpr choice_parameter distribution_of_keys{
    "distribution", "R (random), S (small entropy), C (cyclic) or N (NAS benchmark)",
    std::array{named_choice{"R", key_distribution::random},
               named_choice{"S", key_distribution::small_entropy},
               named_choice{"C", key_distribution::cyclic},
               named_choice{"N", key_distribution::nas}},
    true};
constexpr choice_parameter size_of_bins{
    "blocks", "in which bins go: real (size) or padded (worst-case size)",
    std::array{named_choice{"real", block_rule::real}, named_choice{"padded", block_rule::bound}}};

/// Lists the types of keys under their names, and what there is instead of one.
[[nodiscard]] constexpr auto key_types_or(char const* other) {
  using named = named_choice<std::optional<key_type>>;
  return std::array{named{other, {}}, named{"int32", key_type::int32},
                    named{"uint32", key_type::uint32}, named{"int64", key_type::int64},
                    named{"uint64", key_type::uint64}};
}

constexpr choice_parameter format_of_files{
    "format",
    "of the files: text (a whole number in each line), or int32, uint32, int64 or uint64, "
    "little-endian",
    key_types_or("text")};
constexpr choice_parameter type_of_keys{
    "keys",
    "their type in a text: auto (the first of int32, int64 and uint64 that has room for all), "
    "int32, uint32, int64 or uint64",
    key_types_or("auto")};

/// A key, and which of the input it is: a sort that is stable leaves equal ones in this order.
template <class Key>
struct numbered_key {
  Key key;
  std::uint32_t number;

  friend bool operator==(numbered_key const&, numbered_key const&) = default;
};

/// What each processor has in the end.
template <class Key>
using key_blocks = std::vector<std::vector<numbered_key<Key>>>;

template <class Key>
[[nodiscard]] std::vector<numbered_key<Key>> numbered(std::span<Key const> keys,
                                                      std::size_t first_number = 0) {
  std::vector<numbered_key<Key>> all;
  all.reserve(keys.size());
  for (auto const key : keys)
    all.push_back({key, static_cast<std::uint32_t>(first_number + all.size())});
  return all;
}

/// Finds out whether the blocks, one after the other, are what std::stable_sort makes of the keys.
template <class Key>
[[nodiscard]] bool is_sorted_stably(std::span<Key const> keys, key_blocks<Key> const& blocks) {
  auto expected = numbered(keys);
  std::ranges::stable_sort(expected, {}, &numbered_key<Key>::key);
  for (int rank = 0; auto const& block : blocks) {
    auto const [first, count] = even_block(keys.size(), static_cast<int>(blocks.size()), rank++);
    if (!std::ranges::equal(block, std::span(expected).subspan(first, count))) return false;
  }
  return true;
}

/// Counts the keys that go from processor i to j, where a stable sort puts them, row by row.
template <class Key>
[[nodiscard]] std::vector<std::uint64_t> keys_between(std::size_t n,
                                                      key_blocks<Key> const& blocks) {
  auto const p = blocks.size();
  std::vector<std::uint64_t> between(p * p);
  for (std::size_t to = 0; to < p; ++to)
    for (auto const& one : blocks[to])
      ++between[textbook::place_in_even_blocks(one.number, n, p).processor * p + to];
  return between;
}

/// Sorts the keys, of which each processor has its block, by `sort(me, numbered keys)`, in lock
/// step: this is what the sorts claim.
template <class Key, class Sort>
[[nodiscard]] experiment_result sort_keys(arguments const& given, std::span<Key const> keys,
                                          Sort const& sort) {
  asked_output out(given);
  machine_needs const needs{.strict = strictness::always, .one_port = true};
  auto const run = run_program(given, needs, [&](processor& me) {
    auto const [first, count] = even_block(keys.size(), me.size(), me.rank());
    return sort(me, numbered(keys.subspan(first, count), first));
  });
  auto result = result_of(given, run, is_sorted_stably(keys, run.results()));
  out.take(result, [&](std::ostream& file) {
    for (auto const& block : run.results()) {
      std::vector<Key> sorted(block.size());
      std::ranges::transform(block, sorted.begin(), &numbered_key<Key>::key);
      write_keys<Key>(file, sorted, given[format_of_files]);
    }
  });
  if (result.correct && given.processors() <= max_processors_for_pairwise_bounds)
    result.bounds = lower_bounds(
        run, relation_between(given.network(), keys_between<Key>(keys.size(), run.results())));
  return result;
}

/// Finds the type of the keys, if one is asked for: by "keys", or by "format" unless that is text.
/// Errors: invalid_argument where they say different types.
[[nodiscard]] std::optional<key_type> type_from(arguments const& given) {
  auto const format = given[format_of_files];
  auto const type = given[type_of_keys];
  if (format && type && type != format)
    throw invalid_argument(
        fmt::format("format {} has no keys of type {}; leave out --keys, which is for text",
                    name_of(*format), name_of(*type)));
  return format ? format : type;
}

/// Requires memory to sort keys with that radix or range, and to check the result.
/// Errors: invalid_argument for 2^32 keys or more; out_of_memory, with the figures.
void require_memory_to_sort(arguments const& given, std::uint64_t keys, std::uint64_t range) {
  if (keys > static_cast<std::uint64_t>(number_of_keys.most))
    throw invalid_argument(fmt::format("{} keys are more than can be numbered; take at most {}",
                                       keys, number_of_keys.most));
  constexpr std::uint64_t bytes_of_a_digit = 72;  // its counts and ranks
  constexpr std::uint64_t bytes_of_a_bin = 256;   // two, and the messages in which they go
  auto const p = static_cast<std::uint64_t>(given.processors());
  auto const each = (keys / p + 1) * bytes_to_sort_a_key +
                    detail::digits_each(range, given.processors()) * p * bytes_of_a_digit +
                    p * bytes_of_a_bin;
  require_memory(given, {.bytes_each = static_cast<double>(each),
                         .held = fmt::format("{} keys, counted by {} digits,", keys, range),
                         .remedy = "fewer keys or digits"});
}

/// Requires that the keys of the input are digits; in a text, one stands in each line.
/// Errors: bad_input, which names the first that is not.
template <class Key>
void require_digits(std::vector<Key> const& keys, std::uint64_t range, arguments const& given) {
  auto const bad = std::ranges::find_if(
      keys, [&](Key key) { return std::cmp_less(key, 0) || std::cmp_greater_equal(key, range); });
  if (bad == keys.end()) return;
  auto const file = given.request().input->string();
  auto const number = bad - keys.begin() + 1;
  auto const place = given[format_of_files] ? fmt::format("{}: its key {} is", file, number)
                                            : fmt::format("{}:{}:", file, number);
  throw bad_input(
      fmt::format("{} {}, which is not in 0 to {}; give a larger --range, or take radix-sort",
                  place, *bad, range - 1));
}

/// Reads or generates the keys. `digits`: their range, if they have one.
/// Errors: bad_input; those of `type_from` and `require_memory_to_sort`.
[[nodiscard]] key_vector keys_from(arguments const& given, std::optional<std::uint64_t> digits) {
  auto const type = type_from(given);
  if (given.request().input) {
    auto keys = read_keys(*given.request().input, given[format_of_files], type);
    if (digits) std::visit([&](auto const& all) { require_digits(all, *digits, given); }, keys);
    return keys;
  }
  auto const n = given[number_of_keys];
  require_memory_to_sort(given, n, digits.value_or(2));
  auto const distribution = digits ? key_distribution::random : given[distribution_of_keys];
  auto keys = generated_keys(distribution, n, given.processors());
  if (digits)
    for (auto& key : keys)
      key = static_cast<std::int32_t>(static_cast<std::uint64_t>(key) % *digits);
  return with_key_type(type.value_or(key_type::int32),
                       [&]<class Key>(Key /*of_type*/) -> key_vector {
                         return std::vector<Key>(keys.begin(), keys.end());
                       });
}

/// Sorts keys that are `digits`, of that range, by these; others by their digits of the radix.
/// Errors: invalid_argument for what is not a radix; those of the run.
template <class Key>
[[nodiscard]] experiment_result sort_by(arguments const& given, std::span<Key const> keys,
                                        std::optional<std::uint64_t> digits) {
  int const p = given.processors();
  auto const n = keys.size();
  auto const blocks = given[size_of_bins];
  bool const is_textbook = given[textbook_form];
  auto range = digits ? *digits : given[radix_of_keys];
  if (range == 0) range = radix_for(n, p, key_bits<Key>);
  auto claims = digits ? counting_sort_claims(n, p, range, blocks)
                       : radix_sort_claims(n, p, key_bits<Key>, range, blocks);
  require_memory_to_sort(given, n, range);
  auto result = sort_keys(given, keys, [&](processor& me, std::vector<numbered_key<Key>> mine) {
    auto const key = &numbered_key<Key>::key;
    if (digits)
      return is_textbook ? textbook::counting_sort(me, mine, key, range)
                         : counting_sort(me, std::move(mine), key, range, blocks);
    return is_textbook ? textbook::radix_sort(me, std::move(mine), key, range)
                       : radix_sort(me, std::move(mine), key, {range, blocks});
  });
  result.claims = std::move(claims);
  result.parameters["n"] = static_cast<std::int64_t>(n);
  if (digits) return result;
  result.parameters["radix"] = static_cast<std::int64_t>(range);
  result.figures["key_bits"] = std::int64_t{key_bits<Key>};
  result.figures["passes"] = std::int64_t{radix_passes(key_bits<Key>, range)};
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
  return std::visit(
      [&]<class Key>(std::vector<Key> const& keys) { return sort_by<Key>(given, keys, digits); },
      keys_from(given, digits));
}

/// Completes an experiment: both run on the same networks, on keys or files.
[[nodiscard]] experiment sort_experiment(experiment of, std::vector<parameter> const& own) {
  of.topologies = "crossbar";
  of.source = bader_helman_jaja_1996;
  of.examples = {"crossbar:16", "crossbar:4", "crossbar:8", "crossbar:32"};
  of.parameters = {number_of_keys};
  of.parameters.insert(of.parameters.end(), own.begin(), own.end());
  of.parameters.insert(of.parameters.end(),
                       {size_of_bins, format_of_files, type_of_keys, textbook_form});
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
