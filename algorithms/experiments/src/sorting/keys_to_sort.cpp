#include "sorting/keys_to_sort.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include <lockstep/algorithms/sorting/detail/digit_ranks.hpp>
#include <lockstep/algorithms/sorting/key_bits.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/memory.hpp>

#include "harness/parameters.hpp"
#include "sorting/key_lines.hpp"

namespace lockstep {

namespace {

constexpr auto most_keys = std::numeric_limits<std::uint32_t>::max();

template <class Key>
[[nodiscard]] std::vector<Key> converted(std::vector<std::int32_t> const& keys) {
  return {keys.begin(), keys.end()};
}

}  // namespace

key_format format_from(experiment_request const& asked) {
  return choice(asked, "format", key_formats);
}

key_type type_from(experiment_request const& asked) {
  auto const format = format_from(asked);
  auto const type = choice(asked, "keys", key_types);
  if (format == key_format::text) return type;
  auto const of_format = static_cast<key_type>(format);
  if (type != key_type::smallest && type != of_format)
    throw invalid_argument(
        fmt::format("format {} has no keys of type {}; leave out --keys, which is for text",
                    name_of(format), name_of(type)));
  return of_format;
}

std::uint64_t keys_from(experiment_request const& asked) {
  return static_cast<std::uint64_t>(whole_number(asked, "n", 65'536, 0, most_keys));
}

key_vector as_type(std::vector<std::int32_t> keys, key_type type) {
  switch (type) {
    case key_type::uint32:
      return converted<std::uint32_t>(keys);
    case key_type::int64:
      return converted<std::int64_t>(keys);
    case key_type::uint64:
      return converted<std::uint64_t>(keys);
    default:
      return keys;
  }
}

std::uint64_t count_of(key_vector const& keys) {
  return std::visit([](auto const& all) { return std::uint64_t{all.size()}; }, keys);
}

int bits_of(key_vector const& keys) {
  return std::visit([]<class Key>(std::vector<Key> const& /*all*/) { return key_bits<Key>; }, keys);
}

void require_memory_to_sort(experiment_request const& asked, std::uint64_t keys,
                            std::uint64_t range) {
  if (keys > most_keys)
    throw invalid_argument(
        fmt::format("{} keys are more than can be numbered; take at most {}", keys, most_keys));
  constexpr std::uint64_t bytes_of_a_digit = 72;  // its counts and ranks
  constexpr std::uint64_t bytes_of_a_bin = 256;   // two, and the messages in which they go
  auto const size = asked.network->size();
  auto const p = static_cast<std::uint64_t>(size);
  auto const each = (keys / p + 1) * bytes_to_sort_a_key +
                    detail::digits_each(range, size) * p * bytes_of_a_digit + p * bytes_of_a_bin;
  if (auto const available = available_memory();
      static_cast<double>(each) * static_cast<double>(p) > static_cast<double>(available))
    throw out_of_memory(fmt::format(
        "{} keys on the {} processors of {}, counted by {} digits, need {:.0f} MiB, and {} MiB are "
        "available: take fewer keys, fewer digits or a smaller machine",
        keys, size, asked.network->spec(), range,
        static_cast<double>(each) * static_cast<double>(p) / (1U << 20U), available >> 20U));
  machine(asked.network, asked.options).require_memory(each);
}

}  // namespace lockstep
