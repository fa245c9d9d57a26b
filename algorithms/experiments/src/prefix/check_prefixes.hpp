#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>

#include "prefix/named_operator.hpp"

namespace lockstep {

/// Whether these are, bit for bit, the prefixes of the values that one gets by combining one after
/// another. For an exclusive kind the operator must have an identity.
template <class Number>
[[nodiscard]] bool are_prefixes(std::span<Number const> prefixes, std::span<Number const> values,
                                named_operator<Number> const& plus, prefix_kind kind) {
  detail::block_in_order<Number> const found(prefixes, is_forward(kind));
  detail::block_in_order<Number> const rows(values, is_forward(kind));
  auto const wider = with_identity<Number>(plus);
  detail::directed const in_order(wider, kind);
  auto sum = plus.identity;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto const next = in_order(sum, rows[i]);
    auto const& expected = is_inclusive(kind) ? next : sum;
    if (std::bit_cast<std::uint64_t>(expected.value) != std::bit_cast<std::uint64_t>(found[i]))
      return false;
    sum = next;
  }
  return true;
}

/// Whether these are the sums of the values but for rounding: in another order of additions sums in
/// double precision come out otherwise, but never further away than a bound that is known.
[[nodiscard]] bool are_rounded_sums(std::span<double const> prefixes,
                                    std::span<double const> values, prefix_kind kind);

}  // namespace lockstep
