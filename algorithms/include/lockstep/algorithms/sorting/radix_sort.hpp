#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <source_location>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/bin_bounds.hpp>
#include <lockstep/algorithms/sorting/detail/counting_pass.hpp>
#include <lockstep/algorithms/sorting/key_bits.hpp>
#include <lockstep/algorithms/sorting/radix.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Options of radix sort.
struct radix_options {
  std::uint64_t radix = 1024;  ///< R, a power of two, 2 to 2^24; `radix_for` knows a good one
  block_rule blocks = block_rule::real;
  int bits = 0;  ///< b, the lowest bits of keys, which alone have digits; 0: all
};

/// Sorts records by a whole number, signed or not; those with the same key stay in order: that of
/// processors, and within one that of its records. Sorts by one digit after the other, from the
/// least significant, as `counting_sort`. Called by all processors of a crossbar.
///
/// `records`: those of this processor, any number, default constructible. `key(record)`: its key, a
/// member or a function; the record itself by default. `options`: the same on all processors.
/// Shows: "keys".
/// Result: this processor's block of the sorted records: n/p of them, one more on each of the first
/// n mod p processors.
/// Errors: invalid_argument for a radix that is not a power of two or out of its range, or bits that
/// keys have not; those of `counting_sort`.
///
/// **Cost** on a crossbar, one-port, for keys of b bits: that of ceil(b/r) counting sorts of range
/// R = 2^r, with their local work; strict. With padded blocks the counts depend on n, p, b and R only, but
/// for `work`.
///
/// **Source** Bader, Helman and JaJa 1996, section 5 and Appendix C.
///
/// **Example**
/// ```
/// struct person { int age; int home; };
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<person> people{{40 - me.rank(), 0}, {-me.rank(), 1}};
///   return lockstep::radix_sort(me, people, &person::age, {.radix = 256});
/// });
/// run.results()[0][0].age;  // -3
/// run.counts().rounds;      // 48
/// ```
template <payload_element T, class Key = std::identity>
  requires std::default_initializable<T> && radix_key<key_of<Key, T>>
[[nodiscard]] std::vector<T> radix_sort(
    processor& me, std::vector<T> records, Key const& key = {}, radix_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  auto const bits = detail::digit_bits(options.radix);
  auto const lowest_bits = options.radix - 1;
  int const all_bits = detail::sorted_bits(options.bits, key_bits<key_of<Key, T>>);
  detail::counting_passes<T> passes(me, std::move(records), options.blocks,
                                    (all_bits + bits - 1) / bits);
  for (int shift = 0; shift < all_bits; shift += bits)
    passes.sort_by(
        [&key, shift, lowest_bits](T const& record) {
          return std::uint64_t{ordered_bits(std::invoke(key, record))} >> shift & lowest_bits;
        },
        options.radix);
  return std::move(passes).finish();
}

}  // namespace lockstep
