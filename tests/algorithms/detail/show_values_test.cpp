#include <lockstep/algorithms/detail/show_values.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/routing/routes.hpp>
#include <lockstep/algorithms/sorting/detail/listed.hpp>
#include <lockstep/algorithms/sorting/detail/padded_columns.hpp>
#include <lockstep/algorithms/sorting/detail/tagged.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "algorithms/shown_at.hpp"
#include "catch.hpp"

using lockstep::extended;
using lockstep::routed;
using lockstep::shown_value;

namespace {

template <class Values>
shown_value shown_values(Values const& values) {
  reference::call_log log;
  (void)lockstep::machine{lockstep::crossbar{1}}.run(
      [&](lockstep::processor& me) { lockstep::detail::show_values(me, "it", values); }, log);
  return log.shows.at(0).value;
}

template <class Number>
shown_value numbers(std::vector<Number> const& of) {
  return lockstep::shown_numbers(of);
}
using integers = std::vector<std::int64_t>;

struct person {
  int key = 0;
  int value = 0;
};
struct nameless {
  std::array<char, 3> letters{};
};

}  // namespace

TEST_CASE("elements are shown by their numbers, keys or values") {
  CHECK(shown_values(std::vector<short>{3, -1}) == numbers(integers{3, -1}));
  CHECK(shown_values(std::vector<bool>{true}) == numbers(std::vector<std::uint64_t>{1}));
  CHECK(shown_values(std::vector<person>{{7, 1}, {8, 2}}) == numbers(integers{7, 8}));
  CHECK(shown_values(std::vector<std::complex<double>>{{3, -4}}) == numbers(std::vector{5.0}));
  CHECK(shown_values(std::vector<int>{}) == numbers(integers{}));
}

TEST_CASE(
    "elements are shown through what the algorithms wrap them in, and empty places are left out") {
  using lockstep::detail::addressed;
  using lockstep::detail::element_of_column;
  using lockstep::detail::listed;
  auto const no_place = lockstep::detail::place_of_padding;
  CHECK(shown_values(std::vector<extended<int>>{{}, 4}) == numbers(integers{4}));
  CHECK(shown_values(std::vector<std::optional<person>>{person{9, 0}, {}}) == numbers(integers{9}));
  CHECK(shown_values(std::vector<routed<routed<int>>>{{{5, 1}, 0}, {{6, 1}, -1}}) ==
        numbers(integers{5}));
  CHECK(shown_values(std::vector<listed<int>>{{.value = 2}, {.value = 3, .is_padding = true}}) ==
        numbers(integers{2}));
  CHECK(shown_values(std::vector<element_of_column<person>>{{{1, 0}, 0}, {{2, 0}, no_place}}) ==
        numbers(integers{1}));
  CHECK(shown_values(std::vector<addressed<int>>{{{11, 0, 0}, 1}}) == numbers(integers{11}));
}

TEST_CASE("elements without numbers are counted") {
  CHECK(shown_values(std::vector<nameless>(3)) == shown_value(std::string("3 elements")));
  CHECK(shown_values(std::vector<std::optional<nameless>>(2)) ==
        shown_value(std::string("2 elements")));
}

TEST_CASE("a set of ranks is shown as intervals") {
  using reference::intervals;
  CHECK(lockstep::detail::intervals_of({true, true, false, true}) == intervals{{0, 1}, {3, 3}});
  CHECK(lockstep::detail::intervals_of({}).empty());
}
