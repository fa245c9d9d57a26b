#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/nas_random.hpp>
#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/sorting/counting_sort.hpp>
#include <lockstep/algorithms/sorting/generated_keys.hpp>
#include <lockstep/algorithms/sorting/key_bits.hpp>
#include <lockstep/algorithms/sorting/radix_sort.hpp>
#include <lockstep/algorithms/textbook/counting_sort.hpp>
#include <lockstep/algorithms/textbook/radix_sort.hpp>
#include <lockstep/experiments/output_file.hpp>

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
constexpr choice_parameter format_of_files{
    "format",
    "of the files: text (a whole number in each line), or int32, uint32, int64 or uint64, "
    "little-endian",
    std::array{named_choice{"text", key_format::text}, named_choice{"int32", key_format::int32},
               named_choice{"uint32", key_format::uint32}, named_choice{"int64", key_format::int64},
               named_choice{"uint64", key_format::uint64}}};
constexpr choice_parameter type_of_keys{
    "keys",
    "their type in a text: auto (the first of int32, int64 and uint64 that has room for all), "
    "int32, uint32, int64 or uint64",
    std::array{named_choice{"auto", key_type::smallest}, named_choice{"int32", key_type::int32},
               named_choice{"uint32", key_type::uint32}, named_choice{"int64", key_type::int64},
               named_choice{"uint64", key_type::uint64}}};

/// A key, and which of the input it is: a sort that is stable leaves equal ones in this order.
template <class Key>
struct numbered_key {
  Key key;
  std::uint32_t number;

  friend bool operator==(numbered_key const&, numbered_key const&) = default;
};

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
[[nodiscard]] bool is_sorted_stably(std::span<Key const> keys,
                                    std::vector<std::vector<numbered_key<Key>>> const& blocks) {
  auto expected = numbered(keys);
  std::ranges::stable_sort(expected, {}, &numbered_key<Key>::key);
  auto next = expected.begin();
  for (int rank = 0; auto const& block : blocks) {
    auto const size = even_block(keys.size(), static_cast<int>(blocks.size()), rank++).count;
    if (block.size() != size || !std::ranges::equal(block, std::span(next, size))) return false;
    next += static_cast<std::ptrdiff_t>(size);
  }
  return true;
}

/// Counts the keys that go from processor i to j, where a stable sort puts them, row by row.
template <class Key>
[[nodiscard]] std::vector<std::uint64_t> keys_between(
    std::size_t n, std::vector<std::vector<numbered_key<Key>>> const& blocks) {
  auto const p = blocks.size();
  std::vector<std::uint64_t> owner(n);
  for (std::size_t rank = 0; rank < p; ++rank) {
    auto const [first, count] = even_block(n, static_cast<int>(p), static_cast<int>(rank));
    std::fill_n(owner.begin() + static_cast<std::ptrdiff_t>(first), count, rank);
  }
  std::vector<std::uint64_t> between(p * p);
  for (std::size_t to = 0; to < p; ++to)
    for (auto const& one : blocks[to]) ++between[owner[one.number] * p + to];
  return between;
}

template <class Key>
void write_sorted(output_file& out, std::vector<std::vector<numbered_key<Key>>> const& blocks,
                  key_format format) {
  std::vector<Key> keys;
  for (auto const& block : blocks) {
    keys.clear();
    std::ranges::transform(block, std::back_inserter(keys), &numbered_key<Key>::key);
    write_keys<Key>(out.stream(), keys, format);
  }
  out.complete();
}

/// Sorts the keys, of which each processor has its block, by `sort(me, numbered keys)`, in lock
/// step: this is what the sorts claim.
template <class Key, class Sort>
[[nodiscard]] experiment_result sort_keys(arguments const& given, std::span<Key const> keys,
                                          Sort const& sort) {
  std::optional<output_file> out;
  if (given.request().output) out.emplace(*given.request().output);
  machine_needs const needs{.strict = strictness::always, .one_port = true};
  auto run = run_program(given, needs, [&](processor& me) {
    auto const [first, count] = even_block(keys.size(), me.size(), me.rank());
    return sort(me, numbered(keys.subspan(first, count), first));
  });
  auto result = result_of(given, run, is_sorted_stably(keys, run.results()));
  if (out && result.correct)
    write_result(result, [&] { write_sorted(*out, run.results(), given[format_of_files]); });
  if (result.correct && given.processors() <= max_processors_for_pairwise_bounds)
    result.bounds = lower_bounds(
        run, relation_between(given.network(), keys_between<Key>(keys.size(), run.results())));
  result.parameters["n"] = static_cast<std::int64_t>(keys.size());
  return result;
}

/// Finds the type of the keys: by "keys", or by "format" unless that is text.
/// Errors: invalid_argument where they say different types.
[[nodiscard]] key_type type_from(arguments const& given) {
  auto const format = given[format_of_files];
  auto const type = given[type_of_keys];
  if (format == key_format::text) return type;
  auto const of_format = static_cast<key_type>(format);
  if (type != key_type::smallest && type != of_format)
    throw invalid_argument(
        fmt::format("format {} has no keys of type {}; leave out --keys, which is for text",
                    name_of(format), name_of(type)));
  return of_format;
}

/// Whether the form is asked for that reads as the paper, with bins of their real size.
/// Errors: invalid_argument where other bins are asked for.
[[nodiscard]] bool textbook_from(arguments const& given) {
  if (given[textbook_form] && given[size_of_bins] != block_rule::real)
    throw invalid_argument("--textbook has bins of their real size; leave out --blocks");
  return given[textbook_form];
}

[[nodiscard]] std::size_t count_of(key_vector const& keys) {
  return std::visit([](auto const& all) { return all.size(); }, keys);
}

/// Converts keys to a type that has room for them; 32 bits where any will do.
[[nodiscard]] key_vector as_type(std::vector<std::int32_t> keys, key_type type) {
  if (type == key_type::uint32) return std::vector<std::uint32_t>(keys.begin(), keys.end());
  if (type == key_type::int64) return std::vector<std::int64_t>(keys.begin(), keys.end());
  if (type == key_type::uint64) return std::vector<std::uint64_t>(keys.begin(), keys.end());
  return keys;
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

[[nodiscard]] key_vector keys_for_radix_sort(arguments const& given) {
  auto const type = type_from(given);
  if (given.request().input) return read_keys(*given.request().input, given[format_of_files], type);
  auto const n = given[number_of_keys];
  require_memory_to_sort(given, n, 2);
  return as_type(generated_keys(given[distribution_of_keys], n, given.processors()), type);
}

[[nodiscard]] experiment_result run_radix_sort(arguments const& given) {
  require_crossbar(given);
  bool const is_textbook = textbook_from(given);
  int const p = given.processors();
  auto const all = keys_for_radix_sort(given);
  int const bits =
      std::visit([]<class Key>(std::vector<Key> const& /*keys*/) { return key_bits<Key>; }, all);
  auto const asked = given[radix_of_keys];
  radix_options const options{asked == 0 ? radix_for(count_of(all), p, bits) : asked,
                              given[size_of_bins]};
  int const passes = radix_passes(bits, options.radix);
  require_memory_to_sort(given, count_of(all), options.radix);
  auto result = std::visit(
      [&]<class Key>(std::vector<Key> const& keys) {
        return sort_keys<Key>(given, keys, [&](processor& me, std::vector<numbered_key<Key>> mine) {
          auto const key = &numbered_key<Key>::key;
          return is_textbook ? textbook::radix_sort(me, std::move(mine), key, options.radix)
                             : radix_sort(me, std::move(mine), key, options);
        });
      },
      all);
  result.claims = radix_sort_claims(count_of(all), p, bits, options.radix, options.blocks);
  result.parameters["radix"] = static_cast<std::int64_t>(options.radix);
  result.figures["key_bits"] = std::int64_t{bits};
  result.figures["passes"] = std::int64_t{passes};
  return result;
}

/// Says which key of the input it is: in a text, one in each line.
[[nodiscard]] std::string place_in_input(arguments const& given, std::size_t i) {
  auto const file = given.request().input->string();
  if (given[format_of_files] == key_format::text) return fmt::format("{}:{}:", file, i + 1);
  return fmt::format("{}: its key {} is", file, i + 1);
}

/// Errors: bad_input for a key that is not a digit.
void require_digits(key_vector const& all, std::uint64_t range, arguments const& given) {
  std::visit(
      [&](auto const& keys) {
        for (std::size_t i = 0; i < keys.size(); ++i)
          if (std::cmp_less(keys[i], 0) || std::cmp_greater_equal(keys[i], range))
            throw bad_input(fmt::format(
                "{} {}, which is not in 0 to {}; give a larger --range, or take radix-sort",
                place_in_input(given, i), keys[i], range - 1));
      },
      all);
}

[[nodiscard]] key_vector keys_for_counting_sort(arguments const& given, std::uint64_t range) {
  auto const type = type_from(given);
  if (given.request().input) {
    auto keys = read_keys(*given.request().input, given[format_of_files], type);
    require_digits(keys, range, given);
    return keys;
  }
  require_memory_to_sort(given, given[number_of_keys], range);
  nas_random numbers;
  std::vector<std::int32_t> keys(given[number_of_keys]);
  std::ranges::generate(keys,
                        [&] { return static_cast<std::int32_t>((numbers.next() >> 15U) % range); });
  return as_type(std::move(keys), type);
}

[[nodiscard]] experiment_result run_counting_sort(arguments const& given) {
  require_crossbar(given);
  auto const blocks = given[size_of_bins];
  bool const is_textbook = textbook_from(given);
  auto const range = given[range_of_keys];
  auto const all = keys_for_counting_sort(given, range);
  require_memory_to_sort(given, count_of(all), range);
  auto result = std::visit(
      [&]<class Key>(std::vector<Key> const& keys) {
        return sort_keys<Key>(given, keys, [&](processor& me, std::vector<numbered_key<Key>> mine) {
          auto const key = &numbered_key<Key>::key;
          return is_textbook ? textbook::counting_sort(me, mine, key, range)
                             : counting_sort(me, std::move(mine), key, range, blocks);
        });
      },
      all);
  result.claims = counting_sort_claims(count_of(all), given.processors(), range, blocks);
  return result;
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
       .run = run_counting_sort},
      {range_of_keys});
}

experiment radix_sort_experiment() {
  return sort_experiment(
      {.name = "radix-sort",
       .summary =
           "stable sort of whole numbers of 32 or 64 bits, a counting sort for each digit; keys "
           "are generated, or those of an input file",
       .run = run_radix_sort},
      {radix_of_keys, distribution_of_keys});
}

}  // namespace lockstep
