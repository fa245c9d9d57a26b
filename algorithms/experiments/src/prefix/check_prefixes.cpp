#include "prefix/check_prefixes.hpp"

#include <cmath>
#include <limits>

namespace lockstep {

namespace {

/// gamma_k = k u / (1 - k u): k roundings, each by a factor 1 + e with |e| <= u, the unit roundoff
/// of that type, make a factor 1 + g with |g| <= gamma_k.
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, lemma 3.1.
template <class Number>
[[nodiscard]] long double gamma(std::size_t roundings) {
  auto const all = static_cast<long double>(roundings) *
                   (static_cast<long double>(std::numeric_limits<Number>::epsilon()) / 2);
  return all / (1 - all);
}

}  // namespace

/// The sum of k numbers, in any order of additions, is off by gamma_(k-1) sum |x_i| at most, and
/// so, with its own unit roundoff, is the reference in extended precision: they lie no further
/// apart than both bounds together. sum |x_i| is a rounded sum as well, which three more roundings
/// of this precision for each row make up for, the bound's own included.
bool are_rounded_sums(std::span<double const> prefixes, std::span<double const> values,
                      prefix_kind kind) {
  detail::block_in_order<double> const found(prefixes, is_forward(kind));
  detail::block_in_order<double> const rows(values, is_forward(kind));
  long double sum = 0;
  long double absolute = 0;
  auto const is_near = [&](double prefix, std::size_t added) {
    auto const additions = added == 0 ? 0 : added - 1;
    auto const bound = (gamma<double>(additions) + gamma<long double>(4 * additions)) * absolute;
    return std::abs(static_cast<long double>(prefix) - sum) <= bound;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!is_inclusive(kind) && !is_near(found[i], i)) return false;
    sum += rows[i];
    absolute += std::abs(static_cast<long double>(rows[i]));
    if (is_inclusive(kind) && !is_near(found[i], i + 1)) return false;
  }
  return true;
}

}  // namespace lockstep
