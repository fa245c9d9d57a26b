#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/nas_random.hpp>
#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/sorting/counting_sort.hpp>
#include <lockstep/algorithms/sorting/radix_sort.hpp>
#include <lockstep/experiments/output_file.hpp>
#include <lockstep/experiments/registry.hpp>

#include "files/write_result.hpp"
#include "harness/entries.hpp"
#include "harness/parameters.hpp"
#include "harness/require_crossbar.hpp"
#include "harness/sources.hpp"
#include "routing/pairwise_bounds.hpp"
#include "sorting/keys_to_sort.hpp"

namespace lockstep {

namespace {

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

/// The blocks one after the other, as std::stable_sort has the keys.
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

/// Keys that go from processor i to j, where a stable sort puts them, row by row.
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

/// Sorts the keys, of which each processor has its block, by `sort(me, numbered keys)`. In lock step:
/// this is what the sorts claim.
template <class Key, class Sort>
[[nodiscard]] experiment_result sort_keys(experiment_request const& asked,
                                          std::span<Key const> keys, Sort const& sort) {
  std::optional<output_file> out;
  if (asked.output) out.emplace(*asked.output);
  require_one_port(asked);
  auto options = asked.options;
  options.strict = true;
  machine const on(asked.network, options);
  auto run = on.run(
      [&](processor& me) {
        auto const [first, count] = even_block(keys.size(), me.size(), me.rank());
        return sort(me, numbered(keys.subspan(first, count), first));
      },
      asked.observers);
  bool const correct = is_sorted_stably(keys, run.results());
  experiment_result result{.record = run, .correct = correct};
  if (out && correct)
    write_result(result, [&] { write_sorted(*out, run.results(), format_from(asked)); });
  if (correct && on.size() <= max_processors_for_pairwise_bounds)
    result.bounds = lower_bounds(
        run, relation_between(*asked.network, keys_between<Key>(keys.size(), run.results())));
  result.parameters = asked.parameters;
  result.parameters["n"] = static_cast<std::int64_t>(keys.size());
  return result;
}

[[nodiscard]] block_rule blocks_from(experiment_request const& asked) {
  std::array<std::string, 2> const names{"real", "padded"};
  return choice(asked, "blocks", std::span<std::string const>(names)) == 0 ? block_rule::real
                                                                           : block_rule::bound;
}

[[nodiscard]] key_vector keys_for_radix_sort(experiment_request const& asked) {
  auto const type = type_from(asked);
  if (asked.input) return read_keys(*asked.input, format_from(asked), type);
  auto const n = keys_from(asked);
  require_memory_to_sort(asked, n, 2);
  using enum key_distribution;
  constexpr std::array all{random, small_entropy, cyclic, nas};
  return as_type(generated_keys(choice(asked, "distribution", all), n, asked.network->size()),
                 type);
}

[[nodiscard]] std::uint64_t radix_from(experiment_request const& asked, key_vector const& keys) {
  constexpr std::int64_t most = std::int64_t{1} << 24U;
  auto const given = static_cast<std::uint64_t>(whole_number(asked, "radix", 0, 0, most));
  if (given == 0) return radix_for(count_of(keys), asked.network->size(), bits_of(keys));
  static_cast<void>(radix_passes(bits_of(keys), given));
  return given;
}

[[nodiscard]] experiment_result run_radix_sort(experiment_request const& asked) {
  require_crossbar(asked);
  auto const blocks = blocks_from(asked);
  auto const all = keys_for_radix_sort(asked);
  radix_options const options{radix_from(asked, all), blocks};
  require_memory_to_sort(asked, count_of(all), options.radix);
  auto result = std::visit(
      [&]<class Key>(std::vector<Key> const& keys) {
        return sort_keys<Key>(asked, keys, [&](processor& me, std::vector<numbered_key<Key>> mine) {
          return radix_sort(me, std::move(mine), &numbered_key<Key>::key, options);
        });
      },
      all);
  auto const bits = bits_of(all);
  result.claims =
      radix_sort_claims(count_of(all), asked.network->size(), bits, options.radix, blocks);
  result.parameters["radix"] = static_cast<std::int64_t>(options.radix);
  result.figures["key_bits"] = std::int64_t{bits};
  result.figures["passes"] = std::int64_t{radix_passes(bits, options.radix)};
  return result;
}

/// Which key of the input it is: in a text, one in each line.
[[nodiscard]] std::string place_in_input(experiment_request const& asked, std::size_t i) {
  auto const file = asked.input->string();
  if (format_from(asked) == key_format::text) return fmt::format("{}:{}:", file, i + 1);
  return fmt::format("{}: its key {} is", file, i + 1);
}

/// Errors: bad_input for a key that is no digit.
void require_digits(key_vector const& all, std::uint64_t range, experiment_request const& asked) {
  std::visit(
      [&](auto const& keys) {
        for (std::size_t i = 0; i < keys.size(); ++i)
          if (std::cmp_less(keys[i], 0) || std::cmp_greater_equal(keys[i], range))
            throw bad_input(fmt::format(
                "{} {}, which is not in 0 to {}; give a larger --range, or take radix-sort",
                place_in_input(asked, i), keys[i], range - 1));
      },
      all);
}

[[nodiscard]] key_vector keys_for_counting_sort(experiment_request const& asked,
                                                std::uint64_t range) {
  auto const type = type_from(asked);
  if (asked.input) {
    auto keys = read_keys(*asked.input, format_from(asked), type);
    require_digits(keys, range, asked);
    return keys;
  }
  auto const n = keys_from(asked);
  require_memory_to_sort(asked, n, range);
  nas_random numbers;
  std::vector<std::int32_t> keys(n);
  std::ranges::generate(keys,
                        [&] { return static_cast<std::int32_t>((numbers.next() >> 15U) % range); });
  return as_type(std::move(keys), type);
}

[[nodiscard]] experiment_result run_counting_sort(experiment_request const& asked) {
  require_crossbar(asked);
  auto const blocks = blocks_from(asked);
  constexpr std::int64_t most = std::int64_t{1} << 31U;
  auto const range = static_cast<std::uint64_t>(whole_number(asked, "range", 256, 1, most));
  auto const all = keys_for_counting_sort(asked, range);
  require_memory_to_sort(asked, count_of(all), range);
  auto result = std::visit(
      [&]<class Key>(std::vector<Key> const& keys) {
        return sort_keys<Key>(asked, keys, [&](processor& me, std::vector<numbered_key<Key>> mine) {
          return counting_sort(me, std::move(mine), &numbered_key<Key>::key, range, blocks);
        });
      },
      all);
  result.claims = counting_sort_claims(count_of(all), asked.network->size(), range, blocks);
  return result;
}

[[nodiscard]] std::vector<parameter> with_common(std::vector<parameter> own) {
  own.insert(own.begin(),
             {"n", "keys that are made where there is no input file", std::int64_t{65'536}, true});
  own.push_back({"blocks", "in which bins go: real (size) or padded (worst-case size)", "real"});
  own.push_back({"format",
                 "of the files: text (a whole number in each line), or int32, uint32, int64 or "
                 "uint64, little-endian",
                 "text"});
  own.push_back({"keys",
                 "their type in a text: auto (the first of int32, int64 and uint64 that has room "
                 "for all), int32, uint32, int64 or uint64",
                 "auto"});
  return own;
}

}  // namespace

experiment counting_sort_entry() {
  return {
      .name = "counting-sort",
      .summary =
          "stable sort of keys 0 to R-1 by their counts and an h-relation in two phases; keys "
          "are made, or those of an input file",
      .topologies = "crossbar",
      .source = bader_helman_jaja_1996,
      .examples = {"crossbar:16", "crossbar:4", "crossbar:8", "crossbar:32"},
      .parameters = with_common({{"range", "R: keys are 0 to R-1", std::int64_t{256}}}),
      .takes_files = true,
      .run = run_counting_sort,
  };
}

experiment radix_sort_entry() {
  return {
      .name = "radix-sort",
      .summary =
          "stable sort of whole numbers of 32 or 64 bits, a counting sort for each digit; keys "
          "are made, or those of an input file",
      .topologies = "crossbar",
      .source = bader_helman_jaja_1996,
      .examples = {"crossbar:16", "crossbar:4", "crossbar:8", "crossbar:32"},
      .parameters = with_common(
          {{"radix", "R, a power of two; 0 takes the one that sends the fewest words",
            std::int64_t{0}},
           {"distribution", "R (random), S (small entropy), C (cyclic) or N (NAS benchmark)", "R",
            true}}),
      .takes_files = true,
      .run = run_radix_sort,
  };
}

}  // namespace lockstep
