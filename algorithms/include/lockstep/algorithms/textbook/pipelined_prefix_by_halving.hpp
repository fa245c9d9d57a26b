#pragma once

#include <concepts>
#include <cstddef>
#include <source_location>
#include <span>
#include <type_traits>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/algorithms/textbook/detail/halved_prefixes.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::textbook {

/// Computes k prefixes at once, by halving and doubling. Called by all processors of a hypercube
/// (or a subcube).
///
/// Upward, dimension by dimension, two partners deal the prefixes that they have out to each other;
/// prefix j ends at the processors whose ranks have the bits of j. Downward each learns what comes
/// before its subcube.
///
/// `x`: this processor's values, one for each prefix; as many on every processor.
/// Result: this processor's prefixes, in the same order.
/// Errors: invalid_argument on another topology; those of the machine.
///
/// **Cost** the counts of `lockstep::pipelined_prefix` with `pipelined_scheme::halving`;
/// with one port as with all; strict.
///
/// **Source** the bound is that of Mayr and Plaxton 1989, section 2.2, whose own construction does
/// not keep it with one port; the scheme is lockstep's.
template <payload_element T, associative_operator<T> Operator>
  requires(!std::same_as<T, bool>)
[[nodiscard]] std::vector<T> pipelined_prefix_by_halving(
    processor& me, monoid<T, Operator> const& plus,
    std::span<std::type_identity_t<T> const> x,
    prefix_kind kind = prefix_kind::inclusive,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  parts::directed const in_order(plus, kind);
  parts::halved_prefixes const prefixes(me, x.size());
  auto const d = prefixes.dimensions();
  parts::show_values(me, "values", x);

  // Upward: s becomes the sums of the subcube of dimensions 0 to i, half[i]
  // this processor's part of them, and part[i] its partner's.
  std::vector<T> s(x.begin(), x.end());
  std::vector<std::vector<T>> half(d);
  std::vector<std::vector<T>> part(d);
  for (std::size_t i = 0; i < d; ++i) {
    auto const [partner, is_after, kept, given, steps] =
        prefixes.in_dimension(i, in_order.is_forward());
    half[i] = parts::values_at(kept, s);
    auto const out = parts::values_at(given, s);
    part[i] = parts::exchange_words<T>(me, partner, out, kept.size(), steps);
    for (std::size_t n = 0; n < kept.size(); ++n)
      s[kept[n]] = is_after ? in_order(part[i][n], half[i][n])
                            : in_order(half[i][n], part[i][n]);
    if (me.is_shown())
      parts::show_values(me, "sums", parts::values_at(kept, s));
  }

  // Downward: before[j] becomes the combination before that subcube.
  std::vector<T> before(x.size(), in_order.identity());
  for (auto i = d; i-- > 0;) {
    auto const [partner, is_after, kept, given, steps] =
        prefixes.in_dimension(i, in_order.is_forward());
    auto give = parts::values_at(kept, before);
    for (std::size_t n = 0; n < kept.size(); ++n)
      if (is_after)
        before[kept[n]] = in_order(give[n], part[i][n]);
      else
        give[n] = in_order(give[n], half[i][n]);
    auto const came =
        parts::exchange_words<T>(me, partner, give, given.size(), steps);
    for (std::size_t n = 0; n < given.size(); ++n) before[given[n]] = came[n];
    parts::show_values(me, "sums before", came);
  }
  for (std::size_t j = 0; j < x.size(); ++j)
    s[j] = in_order.is_inclusive() ? in_order(before[j], x[j]) : before[j];
  parts::show_values(me, "prefixes", s);
  return s;
}

}  // namespace lockstep::textbook
