#include "prefix/named_operator.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace lockstep {

namespace {

/// Signed numbers must not overflow; unsigned ones are modulo 2^64.
[[nodiscard]] std::int64_t sum_of(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
[[nodiscard]] double sum_of(double a, double b) { return a + b; }

/// The largest number of its type, the infinite one included.
template <class Number>
constexpr Number largest =
    std::numeric_limits<Number>::has_infinity ? std::numeric_limits<Number>::infinity()
                                              : std::numeric_limits<Number>::max();
template <class Number>
constexpr Number least =
    std::numeric_limits<Number>::has_infinity ? -std::numeric_limits<Number>::infinity()
                                              : std::numeric_limits<Number>::min();

template <class Number>
[[nodiscard]] std::vector<named_operator<Number>> operators() {
  return {
      {"add", Number{0}, [](Number a, Number b) { return sum_of(a, b); }, true},
      {"min", largest<Number>, [](Number a, Number b) { return std::min(a, b); }},
      {"max", least<Number>, [](Number a, Number b) { return std::max(a, b); }},
      {"first", {}, [](Number a, Number /*b*/) { return a; }},
      {"last", {}, [](Number /*a*/, Number b) { return b; }},
  };
}

}  // namespace

template <class Number>
named_operator<Number> operator_from(arguments const& given) {
  return operators<Number>().at(given[prefix_operator]);
}

template named_operator<std::int64_t> operator_from(arguments const&);
template named_operator<double> operator_from(arguments const&);

}  // namespace lockstep
