#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "files/number_parser.hpp"

using lockstep::number_parser;
using lockstep::number_vector;

namespace {

/// What becomes of these texts; all must be numbers.
number_vector list_of(std::vector<std::string> const& texts) {
  number_parser list("f", "less");
  for (auto const& text : texts) {
    INFO(text);
    CHECK(list.take(text, 1));
  }
  return std::move(list).finish();
}

using whole = std::vector<std::int64_t>;
using real = std::vector<double>;

std::uint64_t ten_mebibytes() { return 10U << 20U; }

}  // namespace

TEST_CASE("a list of numbers is whole as long as all of them are", "[number_parser][sanitize]") {
  CHECK(list_of({}) == number_vector(whole{}));
  CHECK(list_of({"1", "-2", "+3", "0"}) == number_vector(whole{1, -2, 3, 0}));
  CHECK(list_of({"-9223372036854775808", "9223372036854775807"}) ==
        number_vector(whole{std::numeric_limits<std::int64_t>::min(),
                            std::numeric_limits<std::int64_t>::max()}));
  CHECK(list_of({"1", "9223372036854775808"}) == number_vector(real{1, 0x1p63}));
  CHECK(list_of({"1", "2.5", "3"}) == number_vector(real{1, 2.5, 3}));
  CHECK(std::signbit(std::get<real>(list_of({"1", "-0"}))[1]));
}

TEST_CASE("whole numbers that double precision lacks are not rounded",
          "[number_parser][sanitize]") {
  auto const complaint = [](std::vector<std::string> const& texts) -> std::string {
    number_parser list("f", "less");
    try {
      for (std::uint64_t line = 1; auto const& text : texts)
        if (!list.take(text, line++)) return "not a number";
    } catch (lockstep::bad_input const& bad) {
      return bad.what();
    }
    return "nothing";
  };
  auto const refusal = [](std::string const& place, std::string const& number) {
    return place + ": " + number +
           " would be rounded: numbers that are not all whole and of 64 bits are read in double "
           "precision, which has no such number; write \".0\" behind it to have it rounded";
  };
  CHECK(complaint({"1", "9007199254740993", "2", "0.5"}) == refusal("f:2", "9007199254740993"));
  CHECK(complaint({"1", "-9007199254740993", "9007199254740995", "1e2"}) ==
        refusal("f:2", "-9007199254740993"));
  CHECK(complaint({"0.5", "7", "9007199254740993"}) == refusal("f:3", "\"9007199254740993\""));
  CHECK(complaint({"9007199254740993", "-0"}) == refusal("f:1", "9007199254740993"));
  CHECK(complaint({"1", "18446744073709551617"}) == refusal("f:2", "\"18446744073709551617\""));
  CHECK(complaint({"9223372036854775807", "9223372036854775808"}) ==
        refusal("f:1", "9223372036854775807"));
  CHECK(complaint({"0.5", "+00100000000000000000000001"}) ==
        refusal("f:2", "\"+00100000000000000000000...\""));
  for (auto const* const number :
       {"9007199254740992", "-9007199254740994", "-9223372036854775808", "18446744073709551616",
        "10000000000000000000000", "9007199254740993.0", "9007199254740993e0",
        "000000000000000007"}) {
    INFO(number);
    CHECK(complaint({"0.5", number}) == "nothing");
    CHECK(complaint({number, "0.5"}) == "nothing");
  }
  CHECK(complaint({"9007199254740993", "9223372036854775807"}) == "nothing");
}

TEST_CASE("double precision has the whole numbers of 53 bits, and multiples of powers of two",
          "[number_parser]") {
  constexpr auto two_to_53 = std::int64_t{1} << 53U;
  for (auto const number :
       {std::int64_t{0}, two_to_53, -two_to_53, two_to_53 + 2, std::int64_t{1} << 62U,
        std::numeric_limits<std::int64_t>::min(), (two_to_53 - 1) << 10U})
    CHECK(lockstep::is_exact_in_double(number));
  for (auto const number :
       {two_to_53 + 1, -two_to_53 - 1, 2 * two_to_53 + 2, std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min() + 1})
    CHECK_FALSE(lockstep::is_exact_in_double(number));
}

TEST_CASE("what is not a finite number is not taken", "[number_parser]") {
  number_parser list("f", "less");
  CHECK(list.take("7", 1));
  for (auto const* const text : {"", " ", "x", "1 ", " 1", "1x", "0x1", "1,0", "nan", "inf",
                                 "1e999", "1e-999", "+", "-", "+-1", "--1", "1e"}) {
    INFO('"' << text << '"');
    CHECK_FALSE(list.take(text, 2));
  }
  CHECK(list.take("8", 3));
  auto const taken = std::move(list).finish();
  CHECK(taken == number_vector(whole{7, 8}));
}

TEST_CASE("more numbers than there is memory for are refused", "[number_parser]") {
  for (auto const* const number : {"3", "0.5"}) {
    number_parser list("a/file", "half of it", ten_mebibytes);
    auto const fill = [&] {
      for (std::uint64_t line = 1; line <= 10'000'000; ++line) (void)list.take(number, line);
    };
    CHECK_THROWS_WITH(fill(),
                      "a/file:1048577: more numbers than there is memory for (10 MiB available); "
                      "give half of it");
  }
}

TEST_CASE("where there is no memory for whole numbers a second time, they stay whole",
          "[number_parser]") {
  static bool is_full = false;
  number_parser list("f", "less", [] { return is_full ? 0 : ten_mebibytes(); });
  for (std::uint64_t line = 1; line <= 200'000; ++line) CHECK(list.take("3", line));
  is_full = true;
  CHECK_THROWS_WITH(list.take("0.5", 200'001),
                    "f:200001: more numbers than there is memory for (0 MiB available); give less");
  auto const taken = std::move(list).finish();
  CHECK((taken == number_vector(whole(200'000, 3))));
}
