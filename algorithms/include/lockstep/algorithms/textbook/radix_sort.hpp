#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <source_location>
#include <vector>

#include <lockstep/algorithms/sorting/key_bits.hpp>
#include <lockstep/algorithms/sorting/radix.hpp>
#include <lockstep/algorithms/textbook/counting_sort.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::textbook {

/// Sorts records by a whole number, signed or not, stably: ceil(b/r) counting sorts by digits of r
/// bits, from the least significant. Called by all processors of a crossbar.
///
/// `records`: those of this processor, any number, default constructible. `key(record)`: its key, a
/// member or a function. `radix`: R = 2^r, 2 to 2^24. `bits`: b, the lowest bits of keys, which
/// alone have digits; 0: all.
/// Result: this processor's block of the sorted records: n/p of them, one more on each of the first
/// n mod p processors.
/// Errors: invalid_argument for another radix, or bits that keys have not; those of `counting_sort`.
///
/// **Cost** the counts of `lockstep::radix_sort` with blocks of their real size.
///
/// **Source** Bader, Helman and JaJa 1996, section 4.2.
template <payload_element T, class Key = std::identity>
  requires std::default_initializable<T> && radix_key<key_of<Key, T>>
[[nodiscard]] std::vector<T> radix_sort(
    processor& me, std::vector<T> records, Key const& key = {},
    std::uint64_t radix = 1024, int bits = 0,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  int const r = parts::digit_bits(radix);
  int const b = parts::sorted_bits(bits, key_bits<key_of<Key, T>>);
  for (int shift = 0; shift < b; shift += r) {
    auto const digit = [&](T const& record) {
      return std::uint64_t{ordered_bits(std::invoke(key, record))} >> shift &
             (radix - 1);
    };
    records = textbook::counting_sort(me, records, digit, radix);
  }
  return records;
}

}  // namespace lockstep::textbook
