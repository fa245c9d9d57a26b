#include <lockstep/algorithms/sorting/generated_keys.hpp>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/algorithms/nas_random.hpp>
#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/detail/enumerator_names.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

using generated_key = std::int32_t;

[[nodiscard]] generated_key random_key(nas_random& numbers) {
  return static_cast<generated_key>(numbers.next() >> 15U);
}

[[nodiscard]] generated_key small_entropy_key(nas_random& numbers) {
  auto bits = random_key(numbers);
  for (int more = 0; more < 4; ++more) bits &= random_key(numbers);
  return bits;
}

[[nodiscard]] generated_key nas_key(nas_random& numbers) {
  std::uint64_t sum = 0;
  for (int number = 0; number < 4; ++number) sum += numbers.next();
  return static_cast<generated_key>(sum >> 29U);
}

[[nodiscard]] std::vector<generated_key> cyclic_keys(std::uint64_t elements, int processors,
                                                     value_block block) {
  std::vector<generated_key> keys;
  keys.reserve(block.count);
  auto const p = static_cast<std::size_t>(processors);
  for (auto number = block.first; keys.size() < block.count; ++number) {
    int const rank = rank_of_even_block(elements, processors, number);
    auto const place = number - even_block(elements, processors, rank).first;
    keys.push_back(static_cast<generated_key>(static_cast<std::size_t>(rank) + place * p));
  }
  return keys;
}

/// Makes those of a block. `numbers_each`: that `make` draws for a key.
template <class Make>
[[nodiscard]] std::vector<generated_key> keys_made_by(Make const& make, std::uint64_t numbers_each,
                                                      value_block block) {
  nas_random numbers(numbers_each * block.first);
  std::vector<generated_key> keys(block.count);
  std::ranges::generate(keys, [&] { return make(numbers); });
  return keys;
}

void require_at_most(std::uint64_t elements, std::uint64_t most) {
  if (elements > most)
    throw invalid_argument(fmt::format("generated_keys: {} keys; take at most {}", elements, most));
}

}  // namespace

std::string_view name_of(key_distribution distribution) {
  return detail::shown_name("key_distribution", distribution,
                            {{key_distribution::random, "R", "random"},
                             {key_distribution::small_entropy, "S", "small_entropy"},
                             {key_distribution::cyclic, "C", "cyclic"},
                             {key_distribution::nas, "N", "nas"}});
}

std::vector<std::int32_t> generated_keys(key_distribution distribution, std::uint64_t elements,
                                         int processors, value_block block,
                                         std::source_location where) {
  return detail::errors_at(where, [&] {
    static_cast<void>(name_of(distribution));
    detail::require_processors("generated_keys", processors);
    require_at_most(elements, std::uint64_t{1} << 40U);
    if (block.first > elements || block.count > elements - block.first)
      throw invalid_argument(
          fmt::format("generated_keys: a block of {} keys from number {} on is not among {}",
                      block.count, block.first, elements));
    switch (distribution) {
      case key_distribution::random:
        return keys_made_by(random_key, 1, block);
      case key_distribution::small_entropy:
        return keys_made_by(small_entropy_key, 5, block);
      case key_distribution::nas:
        return keys_made_by(nas_key, 4, block);
      case key_distribution::cyclic:
        break;
    }
    if (elements > std::numeric_limits<generated_key>::max())
      throw invalid_argument(fmt::format(
          "generated_keys: {} cyclic keys, which are positions, do not fit into 31 bits; "
          "take at most {}",
          elements, std::numeric_limits<generated_key>::max()));
    return cyclic_keys(elements, processors, block);
  });
}

std::vector<std::int32_t> generated_keys(key_distribution distribution, std::uint64_t elements,
                                         int processors, std::source_location where) {
  return detail::errors_at(where, [&] {
    require_at_most(elements, std::numeric_limits<std::uint32_t>::max());
    return generated_keys(distribution, elements, processors, {0, elements});
  });
}

}  // namespace lockstep
