#include "papers/told_run.hpp"

#include <cstdint>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"

using lockstep::processor;
using lockstep::told_run;

namespace {

/// Two phases, "first" of which comes again, with something to show in each.
void program(processor& me) {
  int const other = 1 - me.rank();
  me.show("before", std::vector<int>{7});
  me.phase("first");
  me.show("x", std::vector<int>{me.rank(), 1});
  static_cast<void>(me.exchange(other, me.rank()));
  me.show("x", std::vector<int>{me.rank(), 2});
  me.phase("second");
  me.show("blocks", lockstep::block_label{me.rank(), other});
  me.send(other, std::vector<int>());
  static_cast<void>(me.receive<int>(other));
  me.phase("first");
  me.show("x", std::vector<int>{me.rank(), 3});
}

}  // namespace

TEST_CASE("what processors show is found by rank, phase and name", "[papers]") {
  using numbers = std::vector<std::uint64_t>;
  told_run told;
  lockstep::machine const on(lockstep::crossbar{2});
  on.run(program, told);
  CHECK(told.first_numbers(1, "first", "x") == numbers{1, 1});
  CHECK(told.last_numbers(1, "first", "x") == numbers{1, 3});
  CHECK(told.last_numbers(0, "first", "x") == numbers{0, 3});
  CHECK(told.last_numbers(0, "", "before") == numbers{7});
  CHECK(told.last_blocks(1, "second", "blocks") == std::vector<lockstep::block_label>{{1, 0}});
  CHECK_THROWS_AS(told.last_numbers(0, "first", "before"), lockstep::broken_invariant);
  CHECK_THROWS_AS(told.last_numbers(0, "second", "x"), lockstep::broken_invariant);
  CHECK_THROWS_AS(told.last_blocks(2, "second", "blocks"), lockstep::broken_invariant);
}

TEST_CASE("messages without elements are left out", "[papers]") {
  told_run told;
  lockstep::machine const on(lockstep::crossbar{2});
  on.run(program, told);
  REQUIRE(told.phases().size() == 3);
  CHECK(told.phases().front().name == "first");
  CHECK(told.phases().front().volume == 2);
  CHECK(told.messages_in("first").size() == 2);
  CHECK(told.messages_in("first").front().words == 1);
  CHECK(told.messages_in("second").empty());
}

TEST_CASE("local work is told by phase, and by what comes before it there", "[papers]") {
  told_run told;
  lockstep::machine const on(lockstep::crossbar{2});
  on.run(
      [](processor& me) {
        me.work(10 + me.rank());
        me.phase("first");
        me.work(3);
        me.work(1);
        static_cast<void>(me.exchange(1 - me.rank(), me.rank()));
        me.work(5 * (1 - me.rank()));
        me.work(2);
        me.phase("second");
        me.work(100);
      },
      told);
  CHECK(told.most_operations_in({""}) == 11);
  CHECK(told.most_operations_in({"first"}) == 11);
  CHECK(told.most_operations_in({"", "second"}) == 111);
  CHECK(told.most_operations_in({"third"}) == 0);
  CHECK(told.most_operations_first_in("first") == 3);
  CHECK(told.most_operations_after_messages("first") == 5);
  CHECK(told.most_operations_after_messages("second") == 0);
}
