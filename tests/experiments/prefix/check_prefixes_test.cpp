#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <lockstep/experiments/registry.hpp>

#include "algorithms/prefix/prefix_samples.hpp"
#include "catch.hpp"
#include "prefix/check_prefixes.hpp"

using lockstep::are_prefixes;
using lockstep::are_rounded_sums;
using lockstep::named_operator;
using lockstep::prefix_kind;
using lockstep::require_sums_fit;

namespace {

constexpr auto most = std::numeric_limits<std::int64_t>::max();
constexpr auto least = std::numeric_limits<std::int64_t>::min();

named_operator<std::int64_t> added() {
  return {"add", std::int64_t{0}, [](std::int64_t a, std::int64_t b) { return a + b; }, true};
}

std::vector<double> random_reals(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, 1000);
  std::vector<double> numbers(count);
  for (auto& each : numbers) each = normal(random);
  return numbers;
}

/// Each prefix added up from its last number to its first.
std::vector<double> sums_from_the_other_end(std::vector<double> const& values, prefix_kind kind) {
  std::vector<double> sums(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    bool const with_own = lockstep::is_inclusive(kind);
    if (lockstep::is_forward(kind))
      for (auto j = i + (with_own ? 1 : 0); j-- > 0;) sums[i] += values[j];
    else
      for (auto j = i + (with_own ? 0 : 1); j < values.size(); ++j) sums[i] += values[j];
  }
  return sums;
}

/// Whether the sum fits into 64 bits, by halves.
bool fits(std::vector<std::int64_t> const& numbers, std::size_t first, std::size_t last) {
  std::int64_t low = 0;
  std::int64_t high = 0;
  for (auto i = first; i < last; ++i) {
    low += numbers[i] & 0xFFFFFFFF;
    high += numbers[i] >> 32U;
  }
  high += low >> 32U;
  return high >= std::numeric_limits<std::int32_t>::min() &&
         high <= std::numeric_limits<std::int32_t>::max();
}

bool all_prefixes_fit(std::vector<std::int64_t> const& numbers, prefix_kind kind) {
  std::size_t const own = lockstep::is_inclusive(kind) ? 1 : 0;
  bool all = true;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    all = all && (lockstep::is_forward(kind) ? fits(numbers, 0, i + own)
                                             : fits(numbers, i + 1 - own, numbers.size()));
  return all;
}

template <class Number>
std::string complaint_about(std::vector<Number> const& numbers, prefix_kind kind) {
  try {
    require_sums_fit<Number>(numbers, kind, "f");
  } catch (lockstep::bad_input const& bad) {
    return bad.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("prefixes are compared bit for bit", "[check_prefixes]") {
  std::vector<std::int64_t> const values{3, -1, 4, 1, -5};
  for (auto const kind : all_prefix_kinds) {
    auto prefixes = scanned(values, kind, std::int64_t{0}, std::plus<std::int64_t>{});
    CHECK(are_prefixes<std::int64_t>(prefixes, values, added(), kind));
    for (auto& each : prefixes) {
      ++each;
      CHECK_FALSE(are_prefixes<std::int64_t>(prefixes, values, added(), kind));
      --each;
    }
  }
  named_operator<double> const smaller{"min", std::numeric_limits<double>::infinity(),
                                       [](double a, double b) { return std::min(a, b); }};
  CHECK(are_prefixes<double>(std::vector{2.0, -0.0}, std::vector{2.0, -0.0}, smaller,
                             prefix_kind::inclusive));
  CHECK_FALSE(are_prefixes<double>(std::vector{2.0, 0.0}, std::vector{2.0, -0.0}, smaller,
                                   prefix_kind::inclusive));
  CHECK(are_prefixes<double>(std::vector{std::numeric_limits<double>::infinity(), 2.0},
                             std::vector{2.0, 1.0}, smaller, prefix_kind::exclusive));
}

TEST_CASE("operators without identity and operands in order", "[check_prefixes]") {
  named_operator<std::int64_t> const first{
      "first", {}, [](std::int64_t a, std::int64_t) { return a; }};
  std::vector<std::int64_t> const values{7, 8, 9};
  using whole = std::vector<std::int64_t>;
  CHECK(are_prefixes<std::int64_t>(whole{7, 7, 7}, values, first, prefix_kind::inclusive));
  CHECK(are_prefixes<std::int64_t>(whole{7, 8, 9}, values, first, prefix_kind::backward));
  CHECK_FALSE(are_prefixes<std::int64_t>(whole{7, 8, 9}, values, first, prefix_kind::inclusive));
  CHECK_FALSE(are_prefixes<std::int64_t>(whole{9, 9, 9}, values, first, prefix_kind::backward));
  CHECK(are_prefixes<std::int64_t>(whole{}, whole{}, first, prefix_kind::backward));
}

TEST_CASE("an interval begins anew", "[check_prefixes]") {
  using whole = std::vector<std::int64_t>;
  whole const values{3, 1, 4, 1, 5};
  std::vector<bool> const begins{false, false, true, false, true};
  auto const are = [&](whole const& prefixes, std::vector<bool> const& where) {
    return are_prefixes<std::int64_t>(prefixes, values, added(), prefix_kind::inclusive, where);
  };
  CHECK(are({3, 4, 4, 5, 5}, begins));
  CHECK_FALSE(are({3, 4, 4, 5, 5}, std::vector<bool>(5)));
  CHECK_FALSE(are({3, 4, 8, 9, 14}, begins));
  CHECK(are({3, 4, 8, 9, 14}, std::vector<bool>(5)));
  CHECK(are({3, 4, 8, 9, 14}, {}));
}

TEST_CASE("only sums in double precision are right but for rounding", "[check_prefixes]") {
  auto const plus = [](double a, double b) { return a + b; };
  named_operator<double> const sum{"add", 0.0, plus, true};
  named_operator<double> const other{"other", 0.0, plus};
  std::vector<double> const values{1e16, 1, -1e16};
  std::vector<double> const in_order{1e16, 1e16, 0};
  std::vector<double> const otherwise{1e16, 1e16, 1};
  auto const kind = prefix_kind::inclusive;
  CHECK(are_prefixes<double>(in_order, values, sum, kind));
  CHECK(are_prefixes<double>(otherwise, values, sum, kind));
  CHECK(are_prefixes<double>(in_order, values, other, kind));
  CHECK_FALSE(are_prefixes<double>(otherwise, values, other, kind));
}

TEST_CASE("sums in another order of additions are right but for rounding", "[check_prefixes]") {
  auto const values = random_reals(1000, 47);
  for (auto const kind : all_prefix_kinds) {
    auto const one = scanned(values, kind, 0.0, std::plus<double>{});
    auto const other = sums_from_the_other_end(values, kind);
    INFO("kind " << static_cast<int>(kind));
    CHECK(one != other);
    CHECK(are_rounded_sums(one, values, kind));
    CHECK(are_rounded_sums(other, values, kind));
  }
  std::vector<double> const cancelling{1e16, 1, -1e16};
  CHECK(are_rounded_sums(std::vector{1e16, 1e16, 0.0}, cancelling, prefix_kind::inclusive));
  CHECK(are_rounded_sums(std::vector{1e16, 1e16, 1.0}, cancelling, prefix_kind::inclusive));
}

TEST_CASE("sums that are off by more than rounding are wrong", "[check_prefixes]") {
  auto const values = random_reals(1000, 53);
  double absolute = 0;
  for (auto const each : values) absolute += std::abs(each);
  double const bound = 999 * 0x1p-53 * absolute;
  for (auto const kind : all_prefix_kinds) {
    INFO("kind " << static_cast<int>(kind));
    auto const right = scanned(values, kind, 0.0, std::plus<double>{});
    auto const last = lockstep::is_forward(kind) ? right.size() - 1 : 0;
    for (double const sign : {-1, 1}) {
      auto sums = right;
      sums[last] += sign * 1.5 * bound;
      CHECK_FALSE(are_rounded_sums(sums, values, kind));
      sums[last] = right[last] + sign * 0.5 * bound;
      CHECK(are_rounded_sums(sums, values, kind));
    }
    for (auto const place : {0, 1, 500, 998, 999}) {
      auto sums = right;
      sums[static_cast<std::size_t>(place)] += 1e-6;
      CHECK_FALSE(are_rounded_sums(sums, values, kind));
      sums[static_cast<std::size_t>(place)] = std::numeric_limits<double>::quiet_NaN();
      CHECK_FALSE(are_rounded_sums(sums, values, kind));
    }
  }
}

TEST_CASE("a single number is its own sum, to the last bit", "[check_prefixes]") {
  std::vector<double> const one{0.1};
  CHECK(are_rounded_sums(one, one, prefix_kind::inclusive));
  CHECK_FALSE(are_rounded_sums(std::vector{std::nextafter(0.1, 1.0)}, one, prefix_kind::backward));
  CHECK_FALSE(are_rounded_sums(std::vector{std::nextafter(1.0, 0.0)}, std::vector{1.0},
                               prefix_kind::inclusive));
  CHECK(are_rounded_sums(std::vector{0.0}, one, prefix_kind::exclusive));
  CHECK_FALSE(are_rounded_sums(one, one, prefix_kind::backward_exclusive));
  CHECK(are_rounded_sums({}, {}, prefix_kind::inclusive));
}

TEST_CASE("sums of whole numbers that do not fit are found in time", "[check_prefixes][sanitize]") {
  std::vector<std::int64_t> const extremes{least, least + 1, least / 2,    -1,       0,
                                           1,     most / 2,  most / 2 + 1, most - 1, most};
  constexpr unsigned seed = 59;
  std::mt19937 random(seed);
  int refused = 0;
  int accepted = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::int64_t> numbers(random() % 6);
    for (auto& each : numbers) each = extremes[random() % extremes.size()];
    for (auto const kind : all_prefix_kinds) {
      INFO("seed " << seed << ", round " << round << ", kind " << static_cast<int>(kind));
      bool const is_refused = complaint_about(numbers, kind) != "nothing";
      CHECK(is_refused == !all_prefixes_fit(numbers, kind));
      ++(is_refused ? refused : accepted);
    }
  }
  CHECK(refused > 1000);
  CHECK(accepted > 1000);
}

TEST_CASE("the rows whose sum does not fit are named", "[check_prefixes]") {
  auto const complaint = [](std::string const& rows) {
    return "f: " + rows +
           " have a sum that does not fit into 64 bits; write the numbers with \".0\" behind them, "
           "and "
           "all are added in double precision";
  };
  std::vector<std::int64_t> const numbers{1, most, -5, least, least};
  CHECK(complaint_about(numbers, prefix_kind::inclusive) == complaint("rows 1 to 2"));
  CHECK(complaint_about(numbers, prefix_kind::exclusive) == complaint("rows 1 to 2"));
  CHECK(complaint_about(numbers, prefix_kind::backward) == complaint("rows 4 to 5"));
  CHECK(complaint_about(numbers, prefix_kind::backward_exclusive) == complaint("rows 4 to 5"));
  std::vector<std::int64_t> const in_the_last{5, most};
  CHECK(complaint_about(in_the_last, prefix_kind::inclusive) == complaint("rows 1 to 2"));
  CHECK(complaint_about(in_the_last, prefix_kind::exclusive) == "nothing");
}

TEST_CASE("sums that leave double precision are found in time, and no others", "[check_prefixes]") {
  auto const complaint = [](std::string const& rows) {
    return "f: " + rows +
           " have a sum that is more than double precision holds (1.8e+308); give smaller numbers";
  };
  std::vector<double> const numbers{1, 1e308, -1e308, 1};
  for (auto const kind : all_prefix_kinds) CHECK(complaint_about(numbers, kind) == "nothing");
  std::vector<double> const too_many{1, 1e308, 1e308, -1e308, -1e308, -1e308};
  CHECK(complaint_about(too_many, prefix_kind::inclusive) == complaint("rows 1 to 3"));
  CHECK(complaint_about(too_many, prefix_kind::exclusive) == complaint("rows 1 to 3"));
  CHECK(complaint_about(too_many, prefix_kind::backward) == complaint("rows 5 to 6"));
  CHECK(complaint_about(too_many, prefix_kind::backward_exclusive) == complaint("rows 5 to 6"));
  CHECK(complaint_about(std::vector{1e308, 1e308}, prefix_kind::exclusive) == "nothing");
  constexpr auto largest = std::numeric_limits<double>::max();
  CHECK(complaint_about(std::vector{largest}, prefix_kind::inclusive) == "nothing");
  CHECK(complaint_about(std::vector{largest, -0x1p970}, prefix_kind::inclusive) == "nothing");
  CHECK(complaint_about(std::vector{largest, 0x1p969}, prefix_kind::inclusive) == "nothing");
  CHECK(complaint_about(std::vector{largest, 0x1p970}, prefix_kind::inclusive) ==
        complaint("rows 1 to 2"));
  CHECK(complaint_about(std::vector<double>{}, prefix_kind::exclusive) == "nothing");
}

TEST_CASE("sums that overflowed on the way are found by their prefixes", "[check_prefixes]") {
  auto const complaint_of = [](std::vector<double> const& prefixes,
                               prefix_kind kind) -> std::string {
    try {
      lockstep::require_no_overflow(prefixes, kind, "f");
    } catch (lockstep::bad_input const& bad) {
      return bad.what();
    }
    return "nothing";
  };
  auto const complaint = [](std::string const& rows) {
    return "f: " + rows +
           " have a sum that fits, and some of them, which are added on the way, one that is more "
           "than double precision holds (1.8e+308); give smaller numbers";
  };
  constexpr auto infinite = std::numeric_limits<double>::infinity();
  constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(complaint_of({1, -2e307}, prefix_kind::inclusive) == "nothing");
  CHECK(complaint_of({1, 2, infinite, nan}, prefix_kind::inclusive) == complaint("rows 1 to 3"));
  CHECK(complaint_of({1, 2, nan}, prefix_kind::exclusive) == complaint("rows 1 to 2"));
  CHECK(complaint_of({-infinite, 2, 3, 4}, prefix_kind::backward) == complaint("rows 1 to 4"));
  CHECK(complaint_of({nan, 2, 3}, prefix_kind::backward_exclusive) == complaint("rows 2 to 3"));
}
