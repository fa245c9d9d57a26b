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
#include "complaint_of.hpp"
#include "index.hpp"
#include "prefix/check_prefixes.hpp"

using lockstep::are_prefixes;
using lockstep::are_rounded_sums;
using lockstep::named_operator;
using lockstep::operator_at;
using lockstep::prefix_kind;
using lockstep::require_sums_fit;

namespace {

constexpr auto most = std::numeric_limits<std::int64_t>::max();
constexpr auto least = std::numeric_limits<std::int64_t>::min();

enum operators : std::uint8_t {
  add,
  least_of,
  greatest_of,
  first_of
};  // as `operator_at` has them

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
  int const n = static_cast<int>(values.size());
  for (int i = 0; i < n; ++i) {
    auto const [first, last] = covered_by(kind, i, n);
    for (int added = 0; added <= last - first; ++added)
      sums[index(i)] += values[index(lockstep::is_forward(kind) ? last - added : first + added)];
  }
  return sums;
}

/// Whether each prefix fits into 64 bits, added up by halves.
bool all_prefixes_fit(std::vector<std::int64_t> const& numbers, prefix_kind kind) {
  bool all = true;
  int const n = static_cast<int>(numbers.size());
  for (int i = 0; i < n; ++i) {
    std::int64_t low = 0;
    std::int64_t high = 0;
    for (auto [next, last] = covered_by(kind, i, n); next <= last; ++next) {
      low += numbers[index(next)] & 0xFFFFFFFF;
      high += numbers[index(next)] >> 32U;
    }
    high += low >> 32U;
    all = all && high == static_cast<std::int32_t>(high);
  }
  return all;
}

template <class Number>
std::string complaint_about(std::vector<Number> const& numbers, prefix_kind kind) {
  return reference::complaint_of([&] { require_sums_fit<Number>(numbers, kind, "f"); });
}

using whole = std::vector<std::int64_t>;
using reals = std::vector<double>;
constexpr auto infinite = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("prefixes are compared bit for bit", "[check_prefixes]") {
  std::vector<std::int64_t> const values{3, -1, 4, 1, -5};
  for (auto const kind : all_prefix_kinds) {
    auto prefixes = scanned(values, kind, std::int64_t{0}, std::plus<std::int64_t>{});
    CHECK(are_prefixes<std::int64_t>(prefixes, values, operator_at<std::int64_t>(add), kind));
    for (auto& each : prefixes) {
      ++each;
      CHECK_FALSE(
          are_prefixes<std::int64_t>(prefixes, values, operator_at<std::int64_t>(add), kind));
      --each;
    }
  }
  auto const are_least = [&](reals const& prefixes, reals const& of, prefix_kind kind) {
    return are_prefixes<double>(prefixes, of, operator_at<double>(least_of), kind);
  };
  CHECK(are_least({2.0, -0.0}, {2.0, -0.0}, prefix_kind::inclusive));
  CHECK_FALSE(are_least({2.0, 0.0}, {2.0, -0.0}, prefix_kind::inclusive));
  CHECK(are_least({infinite, 2.0}, {2.0, 1.0}, prefix_kind::exclusive));
}

TEST_CASE("operators without identity and operands in order", "[check_prefixes]") {
  auto const are_firsts = [](whole const& prefixes, whole const& of, prefix_kind kind) {
    return are_prefixes<std::int64_t>(prefixes, of, operator_at<std::int64_t>(first_of), kind);
  };
  CHECK(are_firsts({7, 7, 7}, {7, 8, 9}, prefix_kind::inclusive));
  CHECK(are_firsts({7, 8, 9}, {7, 8, 9}, prefix_kind::backward));
  CHECK_FALSE(are_firsts({7, 8, 9}, {7, 8, 9}, prefix_kind::inclusive));
  CHECK_FALSE(are_firsts({9, 9, 9}, {7, 8, 9}, prefix_kind::backward));
  CHECK(are_firsts({}, {}, prefix_kind::backward));
}

TEST_CASE("an interval begins anew", "[check_prefixes]") {
  std::vector<bool> const begins{false, false, true, false, true};
  auto const are = [](whole const& prefixes, std::vector<bool> const& where) {
    return are_prefixes<std::int64_t>(prefixes, whole{3, 1, 4, 1, 5},
                                      operator_at<std::int64_t>(add), prefix_kind::inclusive,
                                      where);
  };
  CHECK(are({3, 4, 4, 5, 5}, begins));
  CHECK_FALSE(are({3, 4, 4, 5, 5}, std::vector<bool>(5)));
  CHECK_FALSE(are({3, 4, 8, 9, 14}, begins));
  CHECK(are({3, 4, 8, 9, 14}, std::vector<bool>(5)));
  CHECK(are({3, 4, 8, 9, 14}, {}));
}

TEST_CASE("only sums in double precision are right but for rounding", "[check_prefixes]") {
  auto const sum = operator_at<double>(add);
  auto other = sum;
  other.is_addition = false;
  auto const are = [](named_operator<double> const& by, double last) {
    return are_prefixes<double>(reals{1e16, 1e16, last}, reals{1e16, 1, -1e16}, by,
                                prefix_kind::inclusive);
  };
  for (double const last : {0, 1}) CHECK(are(sum, last));
  CHECK(are(other, 0));
  CHECK_FALSE(are(other, 1));
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
  auto const is_sum = [](double prefix, double of, prefix_kind kind) {
    return are_rounded_sums(reals{prefix}, reals{of}, kind);
  };
  CHECK(is_sum(0.1, 0.1, prefix_kind::inclusive));
  CHECK_FALSE(is_sum(std::nextafter(0.1, 1.0), 0.1, prefix_kind::backward));
  CHECK_FALSE(is_sum(std::nextafter(1.0, 0.0), 1.0, prefix_kind::inclusive));
  CHECK(is_sum(0.0, 0.1, prefix_kind::exclusive));
  CHECK_FALSE(is_sum(0.1, 0.1, prefix_kind::backward_exclusive));
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
  auto const [numbers, kind, rows] = GENERATE(table<whole, prefix_kind, std::string>({
      {{1, most, -5, least, least}, prefix_kind::inclusive, "rows 1 to 2"},
      {{1, most, -5, least, least}, prefix_kind::exclusive, "rows 1 to 2"},
      {{1, most, -5, least, least}, prefix_kind::backward, "rows 4 to 5"},
      {{1, most, -5, least, least}, prefix_kind::backward_exclusive, "rows 4 to 5"},
      {{5, most}, prefix_kind::inclusive, "rows 1 to 2"},
  }));
  CHECK(complaint_about(numbers, kind) ==
        "f: " + rows +
            " have a sum that does not fit into 64 bits; write the numbers with \".0\" behind "
            "them, and all are added in double precision");
  CHECK(complaint_about(whole{5, most}, prefix_kind::exclusive) == "nothing");
}

TEST_CASE("sums that leave double precision are found in time, and no others", "[check_prefixes]") {
  constexpr auto largest = std::numeric_limits<double>::max();
  reals const numbers{1, 1e308, -1e308, 1};
  reals const too_many{1, 1e308, 1e308, -1e308, -1e308, -1e308};
  auto const [of, kind, rows] = GENERATE_REF(table<reals, prefix_kind, std::string>({
      {numbers, prefix_kind::inclusive, ""},
      {numbers, prefix_kind::exclusive, ""},
      {numbers, prefix_kind::backward, ""},
      {numbers, prefix_kind::backward_exclusive, ""},
      {too_many, prefix_kind::inclusive, "rows 1 to 3"},
      {too_many, prefix_kind::exclusive, "rows 1 to 3"},
      {too_many, prefix_kind::backward, "rows 5 to 6"},
      {too_many, prefix_kind::backward_exclusive, "rows 5 to 6"},
      {{1e308, 1e308}, prefix_kind::exclusive, ""},
      {{largest}, prefix_kind::inclusive, ""},
      {{largest, -0x1p970}, prefix_kind::inclusive, ""},
      {{largest, 0x1p969}, prefix_kind::inclusive, ""},
      {{largest, 0x1p970}, prefix_kind::inclusive, "rows 1 to 2"},
      {{}, prefix_kind::exclusive, ""},
  }));
  CHECK(complaint_about(of, kind) ==
        (rows.empty() ? "nothing"
                      : "f: " + rows +
                            " have a sum that is more than double precision holds (1.8e+308); give "
                            "smaller numbers"));
}

TEST_CASE("sums that overflowed on the way are found by their prefixes", "[check_prefixes]") {
  constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
  auto const complaint = [](reals const& prefixes, prefix_kind kind) {
    return reference::complaint_of([&] { lockstep::require_no_overflow(prefixes, kind, "f"); });
  };
  auto const [prefixes, kind, rows] = GENERATE_REF(table<reals, prefix_kind, std::string>({
      {{1, 2, infinite, nan}, prefix_kind::inclusive, "rows 1 to 3"},
      {{1, 2, nan}, prefix_kind::exclusive, "rows 1 to 2"},
      {{-infinite, 2, 3, 4}, prefix_kind::backward, "rows 1 to 4"},
      {{nan, 2, 3}, prefix_kind::backward_exclusive, "rows 2 to 3"},
  }));
  CHECK(complaint(prefixes, kind) ==
        "f: " + rows +
            " have a sum that fits, and some of them, which are added on the way, one that is more "
            "than double precision holds (1.8e+308); give smaller numbers");
  CHECK(complaint({1, -2e307}, prefix_kind::inclusive) == "nothing");
}
