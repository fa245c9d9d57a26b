// Windows: one-sided access to memory that is named once.

#include <array>
#include <numeric>
#include <span>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/machines.hpp"

using lockstep::crossbar;
using lockstep::machine;
using lockstep::processor;

namespace {

template <class Window, class Value>
concept can_write = requires(Window const window, Value const value) { window.write(0, 0, value); };

}  // namespace

// Memory that is const is read and served only.
static_assert(can_write<lockstep::window<int>, int>);
static_assert(!can_write<lockstep::window<int const>, int>);
// A value of another type is refused, not converted.
static_assert(!can_write<lockstep::window<int>, double>);

TEST_CASE("a window reads, writes and takes part as the calls of the processor do",
          "[sanitize][threads]") {
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    auto const on = reference::on(choice);
    auto const by_window = machine(crossbar{4}, on).run([](processor& me) {
      std::vector<int> part(8);
      std::iota(part.begin(), part.end(), 10 * me.rank());
      auto const table = me.window(part);
      std::vector<int> result;
      // A round in which 1, 2 and 3 read from 0.
      if (me.rank() > 0)
        result = table.read(0, static_cast<std::size_t>(me.rank()), 2);
      else
        table.sync();
      // A round in which each writes to the next, one value or a range.
      int const next = (me.rank() + 1) % 4;
      if (me.rank() % 2 == 0)
        table.write(next, 7, -me.rank());
      else
        table.write(next, 6, std::array{me.rank(), -me.rank()});
      result.push_back(part[6]);
      result.push_back(part[7]);
      // A round in which all read one value of the last.
      if (me.rank() == 3)
        table.sync();
      else
        result.push_back(table.read(3, 0));
      return result;
    });
    CHECK(by_window.results() ==
          std::vector<std::vector<int>>{
              {3, -3, 30}, {1, 2, 16, 0, 30}, {2, 3, 1, -1, 30}, {3, 4, 36, -2}});
    auto const by_hand = machine(crossbar{4}, on).run([](processor& me) {
      std::vector<int> part(8);
      if (me.rank() > 0)
        static_cast<void>(me.read(0, static_cast<std::size_t>(me.rank()), 2, part));
      else
        me.serve(part);
      int const next = (me.rank() + 1) % 4;
      if (me.rank() % 2 == 0)
        me.write(next, 7, std::array{-me.rank()}, part);
      else
        me.write(next, 6, std::array{me.rank(), -me.rank()}, part);
      if (me.rank() == 3)
        me.serve(part);
      else
        static_cast<void>(me.read(3, 0, 1, part));
    });
    CHECK(by_window.counts() == by_hand.counts());
    CHECK(by_window.steps() == by_hand.steps());
  }
}

TEST_CASE("a window through a subset has the subset's ranks, and const memory is read only") {
  auto const run = machine(crossbar{4}).run([](processor& me) {
    auto odd = me.subset(std::vector<int>{me.rank() % 2, me.rank() % 2 + 2});
    std::array<long, 2> const mine{me.rank(), 100};
    auto const table = odd.window(mine);
    static_assert(std::is_same_v<decltype(table.memory()), std::span<long const>>);
    return table.read(1 - odd.rank(), 0);
  });
  CHECK(run.results() == std::vector<long>{2, 3, 0, 1});
  CHECK_THROWS_AS(machine(crossbar{2}).run([](processor& me) {
    std::vector<int> const given{1};
    std::vector<int> own{1};
    if (me.rank() == 0)
      me.window(own).write(1, 0, 2);
    else
      me.window(given).sync();
  }),
                  lockstep::invalid_argument);
}

TEST_CASE("a window outlives the subset through which it was made") {
  auto const window_of_row = [](processor& me, std::vector<int>& part) {
    auto row = me.row();
    return row.window(part);
  };
  auto const run = machine(lockstep::torus{3, 3}).run([&](processor& me) {
    std::vector<int> part{me.rank()};
    auto const table = window_of_row(me, part);
    auto const column = me.column().window(part);
    int const next = (me.rank() % 3 + 1) % 3;
    int const of_next = table.read(next, 0);
    return 10 * of_next + column.read((me.rank() / 3 + 1) % 3, 0);
  });
  CHECK(run.results() == std::vector<int>{13, 24, 5, 46, 57, 38, 70, 81, 62});
}

TEST_CASE("errors of a window name the line of its call") {
  try {
    machine(crossbar{2}).run([](processor& me) {
      std::vector<int> part(2);
      auto const table = me.window(std::span(part));
      if (me.rank() == 0)
        static_cast<void>(table.read(1, 2, 1));
      else
        table.sync();
    });
    FAIL("an element outside of the owner's memory is refused");
  } catch (lockstep::size_mismatch const& refused) {
    CHECK(std::string(refused.where().file_name()).ends_with("window_test.cpp"));
  }
}
