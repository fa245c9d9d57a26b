#include <lockstep/shown.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <new>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <string>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "core/call_log.hpp"
#include "core/machines.hpp"

using lockstep::block_label;
using lockstep::matrix_view;
using lockstep::processor;
using lockstep::rank_interval;
using lockstep::shown_matrix;
using lockstep::shown_number;
using lockstep::shown_numbers;
using lockstep::shown_value;

namespace {

template <class T>
concept can_be_shown = requires(processor& me, T const& value) { me.show("x", value); };

/// What the processors of a machine of one processor show, by name.
template <class Program>
std::vector<lockstep::shown_record> shown_by(Program const& program) {
  reference::call_log log;
  (void)lockstep::machine{lockstep::crossbar{1}}.run(program, log);
  return log.shows;
}

template <class Value>
shown_value shown_as(Value const& value) {
  return shown_by([&](processor& me) { me.show("it", value); }).at(0).value;
}

}  // namespace

TEST_CASE("show keeps numbers in the type that holds them") {
  CHECK(shown_as(-3) == shown_value(shown_number(std::int64_t{-3})));
  CHECK(shown_as(~std::uint64_t{0}) == shown_value(shown_number(~std::uint64_t{0})));
  CHECK(shown_as(0.25F) == shown_value(shown_number(0.25)));
  CHECK(shown_as(true) == shown_value(shown_number(std::uint64_t{1})));
}

TEST_CASE("show keeps ranges, texts, labels and matrices") {
  CHECK(shown_as(std::deque<short>{1, -2}) ==
        shown_value(shown_numbers(std::vector<std::int64_t>{1, -2})));
  CHECK(shown_as(std::vector<bool>{true, false}) ==
        shown_value(shown_numbers(std::vector<std::uint64_t>{1, 0})));
  CHECK(shown_as(std::vector<double>{}) == shown_value(shown_numbers(std::vector<double>{})));
  CHECK(shown_as("two words") == shown_value(std::string("two words")));
  CHECK(shown_as(std::string("text")) == shown_value(std::string("text")));
  CHECK(shown_as(block_label{3, 5}) == shown_value(std::vector{block_label{3, 5}}));
  CHECK(shown_as(std::vector{block_label{3, 5}, block_label{}}) ==
        shown_value(std::vector{block_label{3, 5}, block_label{-1, -1}}));
  CHECK(shown_as(std::vector{rank_interval{0, 3}}) ==
        shown_value(std::vector{rank_interval{0, 3}}));
  std::vector<int> const numbers{1, 2, 3, 4, 5, 6};
  CHECK(shown_as(matrix_view{3, numbers}) ==
        shown_value(shown_matrix{3, shown_numbers(std::vector<std::int64_t>{1, 2, 3, 4, 5, 6})}));
}

TEST_CASE("show takes views that can be gone through once, and nothing else") {
  auto const shown = shown_by([](processor& me) {
    me.show("even", std::views::iota(0, 6) | std::views::filter([](int i) { return i % 2 == 0; }));
  });
  CHECK(shown.at(0).value == shown_value(shown_numbers(std::vector<std::int64_t>{0, 2, 4})));
  STATIC_REQUIRE(can_be_shown<std::vector<int>>);
  STATIC_REQUIRE_FALSE(can_be_shown<std::vector<std::string>>);
  STATIC_REQUIRE_FALSE(can_be_shown<int*>);
  STATIC_REQUIRE_FALSE(can_be_shown<std::vector<std::vector<int>>>);
}

TEST_CASE("show takes no range without an end, nor whole numbers of more than 64 bits") {
  STATIC_REQUIRE(can_be_shown<decltype(std::views::iota(0, 3))>);
  STATIC_REQUIRE_FALSE(can_be_shown<decltype(std::views::iota(0))>);
  STATIC_REQUIRE(can_be_shown<long double>);
  __extension__ using wide = __int128;
  STATIC_REQUIRE_FALSE(can_be_shown<wide>);
  STATIC_REQUIRE_FALSE(can_be_shown<std::vector<wide>>);
}

TEST_CASE("of a longer range show keeps as many elements as it may, and one more") {
  auto const kept = [](auto&& values, std::size_t most) {
    return lockstep::detail::kept_range(values, most);
  };
  auto const first_three = shown_numbers(std::vector<std::int64_t>{0, 1, 2});
  CHECK(kept(std::views::iota(0, 3), 2) == first_three);
  CHECK(kept(std::views::iota(0, 3), 3) == first_three);
  int looked_at = 0;
  auto const endless = std::views::iota(0) | std::views::transform([&](int i) {
                         ++looked_at;
                         return i;
                       }) |
                       std::views::take_while([](int) { return true; });
  CHECK(kept(endless, 2) == first_three);
  CHECK(looked_at < 10);
  CHECK(kept(std::vector(5, block_label{1, 2}), 3) == std::vector(4, block_label{1, 2}));
}

TEST_CASE("a text ends with its array, and a null pointer is an empty text") {
  char const unended[3] = {'a', 'b', 'c'};
  char const padded[8] = "ab";
  char const* const none = nullptr;
  auto const shown = shown_by([&](processor& me) {
    me.show("unended", unended);
    me.show("padded", padded);
    me.show("null", none);
    me.show("nullptr", nullptr);
    me.show("string", std::string("a\0b", 3));
  });
  std::vector<shown_value> values;
  for (auto const& one : shown) values.push_back(one.value);
  CHECK(values == std::vector<shown_value>{std::string("abc"), std::string("ab"), std::string(),
                                           std::string(), std::string("a\0b", 3)});
}

TEST_CASE("show refuses a matrix that is not of whole rows, where it is kept") {
  auto const refused = [](auto const& matrix) {
    auto const program = [&](processor& me) {
      me.idle(2);
      me.show("it", matrix);
    };
    CHECK_NOTHROW(lockstep::machine{lockstep::crossbar{1}}.run(program));
    try {
      shown_by(program);
    } catch (lockstep::invalid_argument const& error) {
      CHECK(error.rank() == 0);
      CHECK(error.step() == 3);
      return error.message();
    }
    return std::string("not refused");
  };
  std::vector<int> const numbers{1, 2, 3};
  std::string const rule =
      " columns: a matrix is of whole rows; give matrix_view 1 column or more, and numbers that "
      "they divide";
  CHECK(refused(matrix_view{2, numbers}) == "show of a matrix of 3 numbers in 2" + rule);
  CHECK(refused(matrix_view{0, numbers}) == "show of a matrix of 3 numbers in 0" + rule);
  CHECK(refused(matrix_view{-1, numbers}) == "show of a matrix of 3 numbers in 0" + rule);
  CHECK(refused(matrix_view{0, std::vector<int>{}}) == "show of a matrix of 0 numbers in 0" + rule);
  CHECK(shown_as(matrix_view{4, std::vector<int>{}}) ==
        shown_value(shown_matrix{4, shown_numbers(std::vector<std::int64_t>{})}));
}

TEST_CASE("a value that there is no memory to keep ends the run with out_of_memory") {
  auto const too_much = std::views::iota(0, 3) | std::views::transform([](int i) -> int {
                          if (i == 2) throw std::bad_alloc();
                          return i;
                        });
  CHECK_THROWS_AS(shown_by([&](processor& me) { me.show("it", too_much); }),
                  lockstep::out_of_memory);
}

TEST_CASE("without an observer that wants calls nothing is shown, nor looked at") {
  struct plain : lockstep::observer {
  } watching;
  lockstep::machine const two{lockstep::crossbar{2}};
  auto const program = [](processor& me) {
    int looked_at = 0;
    auto const counted = std::views::iota(0, 3) | std::views::transform([&](int i) {
                           ++looked_at;
                           return i;
                         });
    me.show("numbers", counted);
    return looked_at + (me.is_shown() ? 100 : 0);
  };
  CHECK(two.run(program).results() == std::vector{0, 0});
  CHECK(two.run(program, watching).results() == std::vector{0, 0});
  reference::call_log log;
  CHECK(two.run(program, log).results() == std::vector{103, 103});
  CHECK(log.shows.size() == 2);
}

TEST_CASE("what is shown belongs to the step after which the processor holds it, on each engine",
          "[threads]") {
  auto const program = [](processor& me) {
    int sum = me.rank();
    me.show("sum", sum);
    for (int dimension = 0; dimension < 3; ++dimension) {
      sum += me.exchange(me.rank() ^ (1 << dimension), sum);
      me.show("sum", sum);
    }
    me.idle(2);
    me.show("end", "done");
    return sum;
  };
  for (auto const& engine : reference::all_engines()) {
    CAPTURE(engine);
    lockstep::machine const cube{lockstep::hypercube{3}, reference::on(engine)};
    reference::call_log log;
    auto const watched = cube.run(program, log);
    CHECK(watched.counts() == cube.run(program).counts());
    CHECK(log.counts == watched.counts());
    REQUIRE(log.shows.size() == 8 * 5);
    for (std::size_t at = 0; at < log.shows.size(); ++at) {
      auto const& one = log.shows[at];
      CHECK(one.rank == static_cast<int>(at / 5));
      CHECK(one.step == (at % 5 == 4 ? 5 : at % 5));
      CHECK(one.name == (at % 5 == 4 ? "end" : "sum"));
      CHECK(one.where.line() > 0);
    }
    CHECK(log.shows[3].value == shown_value(shown_number(std::int64_t{28})));
  }
}

TEST_CASE("show works in subsets and in pipelined rounds, and names ranks of the machine") {
  lockstep::machine const cube{lockstep::hypercube{2}};
  reference::call_log log;
  auto const program = [](processor& me) {
    auto half = me.subset(lockstep::dimensions{0});
    half.show("here", half.rank());
    me.pipelined([&] {
      (void)half.exchange(1 - half.rank(), 1);
      half.show("inside", half.is_shown() ? 1 : 0);
    });
  };
  auto const watched = cube.run(program, log);
  CHECK(watched.counts() == cube.run(program).counts());
  REQUIRE(log.shows.size() == 8);
  for (std::size_t at = 0; at < 8; ++at) {
    CHECK(log.shows[at].rank == static_cast<int>(at / 2));
    CHECK(log.shows[at].step == at % 2);
  }
  CHECK(log.shows[6].value == shown_value(shown_number(std::int64_t{1})));
}

TEST_CASE("while an exception unwinds the processor nothing is shown") {
  struct shows_at_the_end {
    processor& me;
    ~shows_at_the_end() { me.show("end", 1); }
  };
  lockstep::machine const two{lockstep::crossbar{2}};
  reference::call_log log;
  CHECK_THROWS_AS(two.run(
                      [](processor& me) {
                        shows_at_the_end const guard{me};
                        me.show("begin", 0);
                        if (me.rank() == 1) throw std::runtime_error("enough");
                      },
                      log),
                  lockstep::processor_failed);
  std::vector<std::string> of_failed;
  for (auto const& one : log.shows)
    if (one.rank == 1) of_failed.push_back(one.name);
  CHECK(of_failed == std::vector<std::string>{"begin"});
  CHECK(log.ends == 1);
}

TEST_CASE("what is shown after a send holds after the step of that send") {
  reference::call_log log;
  (void)lockstep::machine{lockstep::crossbar{2}}.run(
      [](processor& me) {
        me.show("left", 2);
        for (int left = 1; left >= 0; --left) {
          if (me.rank() == 0) me.send(1, left);
          if (me.rank() == 1) (void)me.receive_value<int>(0);
          me.show("left", left);
        }
      },
      log);
  std::vector<std::uint64_t> steps;
  for (auto const& one : log.shows) steps.push_back(one.step);
  CHECK(steps == std::vector<std::uint64_t>{0, 1, 2, 0, 1, 2});
}

TEST_CASE("after an error what was shown in later steps is left out, the same on each engine",
          "[threads]") {
  for (auto const& engine : reference::all_engines()) {
    CAPTURE(engine);
    reference::call_log log;
    lockstep::machine const four{lockstep::crossbar{4}, reference::on(engine)};
    CHECK_THROWS_AS(four.run(
                        [](processor& me) {
                          for (int step = 0; step < 50; ++step) {
                            me.show("step", step);
                            me.send((me.rank() + 1) % 4, step);
                            if (me.rank() == 2 && step == 7) me.send(2, 0);
                            (void)me.receive_value<int>((me.rank() + 3) % 4);
                          }
                        },
                        log),
                    lockstep::invalid_rank);
    std::vector<std::uint64_t> shown(4, 0);
    for (auto const& one : log.shows) ++shown[static_cast<std::size_t>(one.rank)];
    // Processor 2 stops in step 9, its failed send. What is shown after that step is left out.
    CHECK(shown == std::vector<std::uint64_t>{9, 9, 8, 9});
  }
}
