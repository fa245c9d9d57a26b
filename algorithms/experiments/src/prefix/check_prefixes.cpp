#include "prefix/check_prefixes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {

namespace {

template <class Number>
using limits = std::numeric_limits<Number>;

/// gamma_k = k u / (1 - k u): k roundings, each by a factor 1 + e with |e| <= u, the unit roundoff
/// of that type, make a factor 1 + g with |g| <= gamma_k.
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, lemma 3.1.
template <class Number>
[[nodiscard]] long double gamma(std::size_t roundings) {
  auto const all = static_cast<long double>(roundings) *
                   (static_cast<long double>(limits<Number>::epsilon()) / 2);
  return all / (1 - all);
}

/// The number of rows that are added: the sum of all is not a prefix of the exclusive kinds.
[[nodiscard]] std::size_t rows_added(std::size_t rows, prefix_kind kind) {
  return is_inclusive(kind) || rows == 0 ? rows : rows - 1;
}

/// Requires `fits(row)` of the rows that are added, from the end at which the prefix begins.
/// Errors: bad_input, which names the rows up to the first that does not, and says what they do.
template <class Number, class Fits>
void require_rows_fit(std::span<Number const> values, prefix_kind kind, std::string const& file,
                      std::string const& excess, Fits fits) {
  auto const n = values.size();
  detail::block_in_order<Number> const rows(values, is_forward(kind));
  for (std::size_t i = 0; i < rows_added(n, kind); ++i)
    if (!fits(rows[i]))
      throw bad_input(fmt::format("{}: rows {} to {} have {}", file, is_forward(kind) ? 1 : n - i,
                                  is_forward(kind) ? i + 1 : n, excess));
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

void require_sums_fit(std::span<std::int64_t const> values, prefix_kind kind,
                      std::string const& file) {
  require_rows_fit(values, kind, file,
                   "a sum that does not fit into 64 bits; write one of the numbers as 1.0, say, "
                   "and all are added in double precision",
                   [sum = std::int64_t{0}](std::int64_t row) mutable {
                     using whole = limits<std::int64_t>;
                     if (row > 0 ? sum > whole::max() - row : sum < whole::min() - row)
                       return false;
                     sum += row;
                     return true;
                   });
}

void require_sums_fit(std::span<double const> values, prefix_kind kind, std::string const& file) {
  auto const additions = std::max<std::size_t>(rows_added(values.size(), kind), 1) - 1;
  // Each addition, here and on the machine, makes a sum larger by a factor 1 + epsilon / 2 at most.
  auto const most = static_cast<long double>(limits<double>::max()) /
                    (1 + 2 * static_cast<long double>(limits<double>::epsilon()) *
                             static_cast<long double>(additions));
  require_rows_fit(values, kind, file,
                   fmt::format("absolute values that add up to more than double precision holds "
                               "({:.2g}); give smaller numbers",
                               limits<double>::max()),
                   [most, sum = 0.0L](double row) mutable {
                     sum += std::abs(static_cast<long double>(row));
                     return sum <= most;
                   });
}

}  // namespace lockstep
