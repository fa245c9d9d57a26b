// Labels (docs/counting-rules.md, rule 15): names without a barrier, and what counts under them; notes.

#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lockstep/json.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/call_log.hpp"
#include "core/usual_names.hpp"

using namespace usual_names;
using lockstep::label_record;

namespace {

/// "name: first step, steps, words, volume, messages, hops, operations", the names inside indented.
std::vector<std::string> lines_of(std::vector<label_record> const& labels) {
  std::vector<std::string> lines;
  std::vector<std::size_t> depths;
  for (auto const& one : labels) {
    depths.push_back(one.inside == lockstep::no_label ? 0 : depths[one.inside] + 1);
    auto line = std::string(depths.back(), '>') + one.name + fmt::format(": {}", one.first_step);
    for_each_figure(one, [&](std::string_view /*name*/, std::uint64_t value) {
      line += fmt::format(" {}", value);
    });
    lines.push_back(std::move(line));
  }
  return lines;
}

using lines = std::vector<std::string>;

}  // namespace

TEST_CASE("what processors take in and work counts under their labels", "[sanitize][threads]") {
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    auto const run = machine(hypercube{2}, reference::on(choice)).run([](processor& me) {
      me.label("low");
      static_cast<void>(me.exchange(me.rank() ^ 1, std::vector<long>(3)));
      me.work(5);
      me.label("high");
      static_cast<void>(me.exchange(me.rank() ^ 2, 1L));
      me.work(1);
      me.label("");
      static_cast<void>(me.exchange(me.rank() ^ 1, 1L));
    });
    CHECK(lines_of(run.labels()) == lines{"low: 1 1 3 12 4 1 20", "high: 2 1 1 4 4 1 4"});
    CHECK(run.counts().steps == 3);
    CHECK(run.counts().barriers == 2);
    CHECK(run.makespan() == 3);  // a label takes no step and no barrier
  }
}

TEST_CASE("a message counts under its receiver's label, in the step in which it comes in") {
  auto const run = machine(crossbar{2}).run([](processor& me) {
    if (me.rank() == 0) {
      me.label("sends");
      me.send(1, std::vector<long>(4));
      me.send(1, std::vector<long>(2));
      me.send(1, std::vector<long>());  // empty messages count in no figure
    } else {
      me.label("first");
      static_cast<void>(me.receive<long>(0));
      me.label("rest");
      static_cast<void>(me.receive<long>(0));
      static_cast<void>(me.receive<long>(0));
    }
  });
  CHECK(lines_of(run.labels()) ==
        lines{"first: 1 1 4 4 1 1 0", "sends: 1 0 0 0 0 0 0", "rest: 2 1 2 2 1 1 0"});
}

TEST_CASE("labels nest, and those around them count what is inside", "[sanitize][threads]") {
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    auto const run = machine(crossbar{4}, reference::on(choice)).run([](processor& me) {
      int const partner = me.rank() ^ 1;
      me.label("outermost");
      int const came = me.label("columns", [&] {
        static_cast<void>(me.exchange(partner, 1L));  // under columns alone
        me.label("skew");
        me.label("deep", [&] { static_cast<void>(me.exchange(partner, 1L)); });
        static_cast<void>(me.exchange(partner, std::vector<long>(2)));  // under skew again
        me.label("turn");
        static_cast<void>(me.exchange(partner, 1L));
        return me.rank();
      });
      static_cast<void>(me.exchange(partner, 1L));  // under outermost
      return came;
    });
    CHECK(lines_of(run.labels()) == lines{"outermost: 1 5 6 24 20 5 0", ">columns: 1 4 5 20 16 4 0",
                                          ">>skew: 2 2 3 12 8 2 0", ">>>deep: 2 1 1 4 4 1 0",
                                          ">>turn: 4 1 1 4 4 1 0"});
    CHECK(run.results() == std::vector{0, 1, 2, 3});
  }
}

TEST_CASE("a label inside ends with its body, also by an exception") {
  auto const run = machine(crossbar{2}).run([](processor& me) {
    me.label("around");
    try {
      me.label("inside", [] { throw std::runtime_error("out of the body"); });
    } catch (std::runtime_error const&) {
    }
    static_cast<void>(me.exchange(1 - me.rank(), 1L));
    std::vector<int> held{7};
    int& inside = me.label("gives a reference", [&]() -> int& { return held.front(); });
    inside = 8;
    return held.front();
  });
  CHECK(lines_of(run.labels()) == lines{"around: 1 1 1 2 2 1 0", ">inside: 1 0 0 0 0 0 0",
                                        ">gives a reference: 2 0 0 0 0 0 0"});
  CHECK(run.results() == std::vector{8, 8});
}

TEST_CASE("a processor has one label, whichever part of the machine it is given through") {
  auto const run = machine(lockstep::torus{3, 3}).run([](processor& me) {
    auto row = me.row();
    row.label("rows");
    static_cast<void>(me.shift(lockstep::along{0, 1}, 1L));
    me.label("columns");
    auto column = me.column();
    static_cast<void>(column.exchange((column.rank() + 1) % 3, 2L, (column.rank() + 2) % 3));
  });
  CHECK(lines_of(run.labels()) == lines{"rows: 1 1 1 9 9 1 0", "columns: 2 1 1 9 9 1 0"});
}

TEST_CASE("steps in which some processors have another label count in both") {
  auto const run = machine(crossbar{4}).run([](processor& me) {
    me.label(me.rank() < 2 ? "few" : "many");
    for (int times = 0; times < 2; ++times)
      static_cast<void>(me.exchange(
          me.rank() ^ 1, std::vector<long>(static_cast<std::size_t>(me.rank() < 2 ? 1 : 5))));
  });
  CHECK(lines_of(run.labels()) == lines{"few: 1 2 2 4 4 2 0", "many: 1 2 10 20 4 2 0"});
  CHECK(run.counts().words == 10);
}

TEST_CASE(
    "rounds that are pipelined count step by step under labels, supersteps and one-sided too") {
  auto const run = machine(crossbar{2}).run([](processor& me) {
    me.label("pipelined");
    me.pipelined([&] {
      for (int round = 0; round < 3; ++round) static_cast<void>(me.exchange(1 - me.rank(), 1L));
    });
    me.label("mail");
    me.post(1 - me.rank(), std::vector<long>(2));
    static_cast<void>(me.deliver<long>());
    me.label("one-sided");
    std::vector<long> mine(4);
    if (me.rank() == 0)
      static_cast<void>(me.read(1, 0, 4, mine));
    else
      me.serve(mine);
  });
  CHECK(lines_of(run.labels()) ==
        lines{"pipelined: 1 3 3 6 6 3 0", "mail: 4 1 2 4 2 1 0", "one-sided: 5 1 4 4 1 1 0"});
}

TEST_CASE("labels over many steps are summed up as the steps are over", "[threads]") {
  constexpr std::uint64_t rounds = 30'000;
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    auto const run = machine(crossbar{2}, reference::on(choice)).run([](processor& me) {
      for (std::uint64_t round = 0; round < rounds; ++round) {
        me.label(round % 3 == 0 ? "third" : "other");
        static_cast<void>(me.exchange(1 - me.rank(), 1L));
      }
    });
    REQUIRE(run.labels().size() == 2);
    CHECK(run.labels()[0].steps == rounds / 3);
    CHECK(run.labels()[0].volume == 2 * rounds / 3);
    CHECK(run.labels()[1].steps == 2 * rounds / 3);
    CHECK(run.labels()[1].first_step == 2);
  }
}

TEST_CASE("runs without labels have none, and a failed run's are not missed") {
  auto const plain = machine(crossbar{2}).run([](processor& me) {
    static_cast<void>(me.exchange(1 - me.rank(), 1L));
  });
  CHECK(plain.labels().empty());
  CHECK(plain.label_table().empty());
  CHECK_THROWS_AS(machine(crossbar{2}).run([](processor& me) {
    me.label("fails");
    static_cast<void>(me.receive_value<int>(1 - me.rank()));
  }),
                  lockstep::deadlock);
}

TEST_CASE("labels in tables and JSON") {
  auto const run = machine(crossbar{2}).run([](processor& me) {
    me.label("outer", [&] {
      me.label("inner");
      me.work(2);
      static_cast<void>(me.exchange(1 - me.rank(), std::vector<long>(3)));
    });
  });
  CHECK(run.label_table() ==
        "label    steps  words  volume  messages  hops  operations\n"
        "outer        1      3       6         2     1           4\n"
        "  inner      1      3       6         2     1           4\n");
  nlohmann::ordered_json const json = run;
  CHECK(
      json["labels"].dump() ==
      R"([{"name":"outer","first_step":1,"steps":1,"words":3,"volume":6,"messages":2,"hops":1,)"
      R"("operations":4},{"name":"inner","inside":0,"first_step":1,"steps":1,"words":3,"volume":6,)"
      R"("messages":2,"hops":1,"operations":4}])");
  nlohmann::ordered_json const without = machine(crossbar{2}).run([](processor&) {});
  CHECK(!without.contains("labels"));
}

TEST_CASE(
    "observers that want calls are told of labels at the first call under them, and of notes") {
  machine const pair{crossbar{2}};
  reference::call_log log;
  pair.run(
      [](processor& me) {
        if (me.rank() == 0) {
          me.label("around", [&] {
            me.label("begins");
            me.label("sends");
            me.note("has what the other lacks");
            me.send(1, 1L);
          });
          me.idle();
        } else {
          static_cast<void>(me.receive_value<long>(0));
          me.note("is done");
        }
      },
      log);
  std::vector<std::string> told;
  for (auto const& [made, text] : log.texts)
    told.push_back(fmt::format("{} {} {} {}", made.rank,
                               made.kind == lockstep::call_kind::note ? "note" : "label",
                               made.begin, text));
  CHECK(told == std::vector<std::string>{
                    "0 label 1 around", "0 label 1 around > begins", "0 label 1 around > sends",
                    "0 note 1 has what the other lacks", "0 label 1 ", "1 note 2 is done"});
  CHECK(log.counts.steps == 1);
}

TEST_CASE("a label or a note while an exception unwinds the processor does nothing") {
  struct labels_at_its_end {
    processor& me;
    ~labels_at_its_end() {
      me.label("too late");
      me.note("too late");
    }
  };
  reference::call_log log;
  CHECK_THROWS_AS(machine(crossbar{2})
                      .run(
                          [](processor& me) {
                            labels_at_its_end const last{me};
                            throw std::runtime_error("the program's own");
                          },
                          log),
                  lockstep::processor_failed);
  CHECK(log.texts.empty());
}

TEST_CASE("labels nest as deep as the program's stack goes") {
  struct nesting {
    processor& me;
    void inside(int depth) const {
      me.label("l", [&] {
        if (depth > 1)
          inside(depth - 1);
        else
          me.work(1);
      });
    }
  };
  constexpr int depth = 100'000;
  auto const run = machine(crossbar{1}, {.stack = 100'000'000}).run([](processor& me) {
    nesting{me}.inside(depth);
  });
  REQUIRE(run.labels().size() == depth);
  CHECK(run.labels().back().operations == 1);
  CHECK(run.labels().front().operations == 1);
}

TEST_CASE("a label that only ends one changes nothing, and inside of work_of it is refused") {
  auto const run = machine(crossbar{2}).run([](processor& me) {
    me.label("");
    static_cast<void>(me.exchange(1 - me.rank(), 1L));
  });
  CHECK(run.labels().empty());
  CHECK_THROWS_AS(
      machine(crossbar{1}).run([](processor& me) { me.work_of([&] { me.label("inside"); }); }),
      lockstep::invalid_argument);
}
