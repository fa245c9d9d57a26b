#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/lower_bounds.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/torus.hpp>
#include <lockstep/traces/dot_trace.hpp>

#include "catch.hpp"
#include "core/machines.hpp"
#include "liar.hpp"

namespace {

using lockstep::along;
using a_link = lockstep::link;
using lockstep::link_number;
using lockstep::machine;
using lockstep::machine_options;
using lockstep::neighbour;
using lockstep::processor;
using reference::ask_everything;
using reference::liar;
using reference::lies;

/// On 3 x 4 processors the route from 3 to 9 is 3 -> 11 -> 8 -> 9.
constexpr int sender = 3;
constexpr int receiver = 9;
lockstep::torus const truth{{3, 4}};

[[nodiscard]] liar lying(lies const& told) { return liar({3, 4}, told); }

/// What is wrong of that route, and right of others.
[[nodiscard]] auto route_is(std::vector<int> const& wrong) {
  return [=](int from, int to) {
    return from == sender && to == receiver ? wrong : truth.route(from, to);
  };
}
[[nodiscard]] auto hops_are(int wrong) {
  return [=](int from, int to) {
    return from == sender && to == receiver ? wrong : truth.hops(from, to);
  };
}
[[nodiscard]] auto links_are(std::vector<link_number> const& wrong) {
  return [=](int from, int to, std::vector<link_number>& links) {
    if (from == sender && to == receiver)
      links = wrong;
    else
      truth.append_links(from, to, links);
  };
}

void send_that_way(processor& me) {
  me.idle();
  if (me.rank() == sender) me.send(receiver, 42);
  if (me.rank() == receiver) (void)me.receive_value<int>(sender);
}
void send_along(processor& me) {
  me.idle();
  if (me.rank() == sender) me.send(along{1, 2}, 42);
  if (me.rank() == 1) (void)me.receive_value<int>(sender);
}

/// What ends the run, as one line; "no error".
[[nodiscard]] std::string end_of_run(machine const& on, void (*program)(processor&)) {
  try {
    on.run(program);
  } catch (lockstep::error const& thrown) {
    return reference::kind_of(thrown) + " of " + std::to_string(thrown.rank()) + " in " +
           std::to_string(thrown.step()) + ": " + thrown.message();
  }
  return "no error";
}

/// The same on every engine, strict or not, with ports of every kind.
[[nodiscard]] std::string end_everywhere(lies const& told, void (*program)(processor&),
                                         machine_options options = {}) {
  std::optional<std::string> first;
  for (auto const& engine : reference::all_engines())
    for (bool const strict : {false, true})
      for (auto const each :
           {lockstep::ports::one, lockstep::ports::all, lockstep::ports::per_pass}) {
        options.strict = strict;
        options.ports = each;
        auto const found =
            end_of_run(machine(lying(told), reference::on(engine, options)), program);
        if (first.has_value() && found != *first) return "differs: " + *first + " / " + found;
        first = found;
      }
  return *first;
}

/// What the machine's constructor says.
[[nodiscard]] std::string refusal_of(lies const& told, machine_options const& options = {}) {
  try {
    machine const made(lying(told), options);
  } catch (lockstep::invalid_topology const& thrown) {
    return thrown.message();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a route that lies is found at its first use", "[core][topology][sanitize]") {
  auto const of = [](lies const& told) { return end_everywhere(told, send_that_way); };
  std::string const at = "invalid_topology of 3 in 2: liar: ";
  CHECK(of({}) == "no error");

  CHECK(of({.route = route_is({})}) ==
        at + "route(3, 9) says nothing: it has to name the processors that a message comes to, and "
             "end with processor 9");
  CHECK(of({.route = route_is({11, 8})}) ==
        at + "route(3, 9) says 11, 8: it has to name the processors that a message comes to, and "
             "end with processor 9");
  CHECK(of({.route = route_is({9})}) ==
        at + "route(3, 9) says 9, but there is no link from processor 3 to processor 9; a route "
             "follows links");
  CHECK(of({.route = route_is({3, 11, 8, 9})}) ==
        at +
            "route(3, 9) says 3, 11, 8, 9, but there is no link from processor 3 to processor 3; a "
            "route follows links");
  CHECK(of({.route = route_is({11, 12, 9})}) ==
        at + "route(3, 9) says 11, 12, 9: processors are 0 to 11");
  CHECK(of({.route = route_is({11, -1, 9})}) ==
        at + "route(3, 9) says 11, -1, 9: processors are 0 to 11");
  CHECK(of({.route = route_is({11, 3, 11, 8, 9})}) ==
        at + "route(3, 9) says 11, 3, 11, 8, 9, and so takes a link twice; a route takes each link "
             "once");
  CHECK(of({.hops = hops_are(2)}) ==
        at + "hops(3, 9) says 2, but route(3, 9) says 11, 8, 9, which are 3 links; let both agree");
  for (int const wrong : {0, -1, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()})
    CHECK_THAT(of({.hops = hops_are(wrong)}),
               has_text(at + "hops(3, 9) says " + std::to_string(wrong) + ", but route(3, 9)"));
  CHECK(of({.always_one_link = [] { return true; }}) ==
        at + "always_one_link() says true, but route(3, 9) says 11, 8, 9, which are 3 links; let "
             "both agree");
}

TEST_CASE("numbers of links that lie write nowhere", "[core][topology][sanitize]") {
  auto const of = [](std::vector<link_number> const& wrong) {
    return end_everywhere({.append_links = links_are(wrong)}, send_that_way);
  };
  std::string const at = "invalid_topology of 3 in 2: liar: append_links(3, 9) gives ";
  std::vector<link_number> right;
  truth.append_links(sender, receiver, right);
  CHECK(of(right) == "no error");
  CHECK(of({right[2], right[0], right[1]}) == "no error");  // in any order

  CHECK(of({100'000'000}) == at + "the link 100000000: the 48 links have the numbers 0 to 47");
  CHECK(of({48}) == at + "the link 48: the 48 links have the numbers 0 to 47");
  CHECK(of({-1}) == at + "the link -1: the 48 links have the numbers 0 to 47");
  CHECK_THAT(of({}), has_text(at + "the links nothing, but the route, 11, 8, 9, takes the links "));
  CHECK_THAT(of({right[0], right[1]}), has_text(", but the route, 11, 8, 9, takes the links "));
  CHECK_THAT(of({right[0], right[1], right[1]}), has_text(" twice; a route takes each link once"));
  CHECK_THAT(of({right[0], right[1], right[2] ^ 1}), has_text(at + "the links "));
}

TEST_CASE("ways along a dimension that lie are found at their first use",
          "[core][topology][sanitize]") {
  auto const of = [](lies const& told) { return end_everywhere(told, send_along); };
  auto const way_is = [](std::vector<int> const& wrong) {
    return lies{.way = [=](int from, along way) {
      return from == sender && way.offset == 2 ? wrong : truth.route(from, way);
    }};
  };
  auto const end_is = [](int wrong) {
    return lies{.end_of = [=](int from, along way) {
      return from == sender && way.offset == 2 ? wrong : truth.end_of(from, way);
    }};
  };
  std::string const at = "invalid_topology of 3 in 2: liar: ";
  CHECK(of({}) == "no error");
  CHECK(of(end_is(12)) == at + "end_of(3, {1, 2}) says 12: processors are 0 to 11");
  CHECK(of(end_is(-7)) == at + "end_of(3, {1, 2}) says -7: processors are 0 to 11");
  CHECK(of(end_is(2)) == at + "route(3, {1, 2}) says 0, 1: it has to name the processors that a "
                              "message comes to, and end with processor 2");
  CHECK(of(way_is({0, 12})) == at + "route(3, {1, 2}) says 0, 12: processors are 0 to 11");
  CHECK(of(way_is({1})) ==
        at + "route(3, {1, 2}) says 1: a way of 2 links names as many processors");
  CHECK(of(way_is({5, 1})) == at +
                                  "route(3, {1, 2}) says 5, 1, but there is no link from processor "
                                  "3 to processor 5; a route follows links");
}

TEST_CASE("a way along a ninth dimension is refused", "[core][topology]") {
  lies const more_dimensions{.end_of =
                                 [](int from, along way) {
                                   return truth.end_of(from, {way.dimension - 8, way.offset});
                                 },
                             .way =
                                 [](int from, along way) {
                                   return truth.route(from, along{way.dimension - 8, way.offset});
                                 }};
  auto const go = [](processor& me) {
    if (me.rank() == sender) me.send(along{9, 2}, 42);
    if (me.rank() == 1) (void)me.receive_value<int>(sender);
  };
  CHECK(end_everywhere(more_dimensions, go) ==
        "invalid_argument of 3 in 1: liar: a way along dimension 9: messages go along dimensions 0 "
        "to 7; send to a rank instead");
}

TEST_CASE("links that contradict each other are found at creation", "[core][topology][sanitize]") {
  auto const number = truth.number_of({3, 11});
  auto const of_link = [](auto wrong) {
    return [=](a_link which) { return which == a_link{3, 11} ? wrong : truth.number_of(which); };
  };
  CHECK(refusal_of({}) == "no error");
  CHECK(refusal_of({.links = [] { return 47; }}) ==
        "liar: links() says 47, but `neighbours` names 48 links in all; let both agree");
  CHECK(refusal_of({.links = [] { return -1; }}) ==
        "liar: links() says -1: 12 processors have 0 to 132 links");
  CHECK(refusal_of({.links = [] { return link_number{1} << 60; }}) ==
        "liar: links() says 1152921504606846976: 12 processors have 0 to 132 links");
  CHECK(refusal_of({.number_of = of_link(link_number{48})}) ==
        "liar: number_of({3, 11}) says 48: the 48 links have the numbers 0 to 47, and -1 stands "
        "for no link");
  CHECK(refusal_of({.number_of = of_link(link_number{-2})}) ==
        "liar: number_of({3, 11}) says -2: the 48 links have the numbers 0 to 47, and -1 stands "
        "for no link");
  CHECK(refusal_of({.number_of = of_link(number ^ 1)}) ==
        "liar: number_of({3, 11}) says " + std::to_string(number ^ 1) + ", but link_at(" +
            std::to_string(number ^ 1) + ") says {3, 7}; let both agree");
  CHECK(refusal_of({.number_of = of_link(link_number{-1}),
                    .adjacent =
                        [](int from, int to) {
                          return truth.adjacent(from, to) && !(from == 3 && to == 11);
                        }}) ==
        "liar: neighbours(3) names processor 11, but number_of({3, 11}) says that there is no such "
        "link; let both agree");
  CHECK(refusal_of({.link_at =
                        [](link_number) {
                          return a_link{12, 0};
                        }}) == "liar: link_at(" + std::to_string(truth.number_of({0, 1})) +
                                   ") says {12, 0}: processors are 0 to 11");
  CHECK(refusal_of({.adjacent =
                        [](int from, int to) {
                          return truth.adjacent(from, to) && !(from == 3 && to == 11);
                        }}) == "liar: adjacent(3, 11) says false, but number_of({3, 11}) says " +
                                   std::to_string(number) + "; let both agree");
}

TEST_CASE("neighbours, size and switching that cannot be are found at creation",
          "[core][topology][sanitize]") {
  auto const of_processor_3 = [](std::vector<neighbour> const& wrong) {
    return lies{.neighbours = [=](int rank) { return rank == 3 ? wrong : truth.neighbours(rank); }};
  };
  CHECK(refusal_of(of_processor_3({{3, "loop"}})) ==
        "liar: processor 3 cannot have processor 3 as its neighbour, which is itself; leave that "
        "loop out, since no processor sends to itself");
  CHECK_THAT(refusal_of(of_processor_3({{12, "beyond"}})),
             has_text("liar: processor 3 cannot have processor 12 as its neighbour"));
  CHECK_THAT(refusal_of(of_processor_3({{2, "one"}, {2, "other"}})),
             has_text("liar: processor 3 has processor 2 as its neighbour twice"));
  for (int const size : {0, -1})
    CHECK(refusal_of({.size = [=] { return size; }}) ==
          "liar has " + std::to_string(size) + " processors: a machine has one at least");
  lies const no_switching{.default_switching = [] { return lockstep::switching{9}; }};
  CHECK(refusal_of(no_switching) ==
        "liar: default_switching() says 9: give switching::neighbour or switching::cut_through");
  CHECK(refusal_of(no_switching, {.switching = lockstep::switching::cut_through}) == "no error");
}

TEST_CASE("with neighbour switching links are all that counts", "[core][topology][sanitize]") {
  using lockstep::switching;
  lies const adjacent_to_all{.adjacent = [](int, int) { return true; }};
  auto const told =
      end_everywhere(adjacent_to_all, send_that_way, {.switching = switching::neighbour});
  // Both ends find it, the sender first.
  CHECK(told ==
        "invalid_topology of 3 in 2: liar: adjacent(3, 9) says true, but number_of({3, 9}) "
        "says -1; let both agree");

  // A route round about is not taken.
  lies const detour{
      .route =
          [](int from, int to) {
            return from == 3 && to == 11 ? std::vector{7, 11} : truth.route(from, to);
          },
      .hops = [](int from, int to) { return from == 3 && to == 11 ? 2 : truth.hops(from, to); }};
  for (auto const& engine : reference::all_engines())
    for (auto const each :
         {lockstep::ports::one, lockstep::ports::all, lockstep::ports::per_pass}) {
      machine const on(lying(detour),
                       reference::on(engine, {.ports = each, .switching = switching::neighbour}));
      auto const run = on.run([](processor& me) {
        if (me.rank() == 3) me.send(11, 42);
        if (me.rank() == 11) (void)me.receive_value<int>(3);
      });
      CHECK(run.counts().hops == 1);
      CHECK(run.counts().contention == 1);
    }
}

TEST_CASE("parts that lie are found when they are made", "[core][topology][sanitize]") {
  auto const by_row = [](processor& me) {
    auto row = me.subset(lockstep::dimensions{1});
    row.barrier();
  };
  auto const of = [&](lies const& told) { return end_everywhere(told, by_row); };
  auto const members_are = [](std::vector<int> const& wrong) {
    return lies{.members = [=](int rank, lockstep::dimensions const& varying) {
      return rank == 0 ? wrong : truth.members(rank, varying);
    }};
  };
  std::string const at = "invalid_topology of 0 in 1: liar: ";
  std::string const rule =
      ": it has to name processors of 0 to 11 in rank order, processor 0 among them";
  CHECK(of({}) == "no error");
  CHECK(of(members_are({})) == at + "members(0, {1}) says nothing" + rule);
  CHECK(of(members_are({1, 2, 3})) == at + "members(0, {1}) says 1, 2, 3" + rule);
  CHECK(of(members_are({0, 12})) == at + "members(0, {1}) says 0, 12" + rule);
  CHECK(of(members_are({-3, 0})) == at + "members(0, {1}) says -3, 0" + rule);
  CHECK(of(members_are({0, 2, 1, 3})) == at + "members(0, {1}) says 0, 2, 1, 3" + rule);
  CHECK(of(members_are({0, 0, 1})) == at + "members(0, {1}) says 0, 0, 1" + rule);
  CHECK(
      of(members_are({0, 1})) ==
      "invalid_topology of 1 in 1: liar: members(1, {1}) says 0, 1, 2, 3, but members(0, ...) says "
      "something else; let members of one part agree");
  CHECK(of({.part = [](std::span<int const>) { return nullptr; }}) ==
        at + "part(0, 1, 2, 3) gives no topology; give one, such as topology::part");
  CHECK(of({.part = [](std::span<int const>) {
          return std::make_shared<lockstep::crossbar>(5);
        }}) == at + "part(0, 1, 2, 3) gives crossbar:5 with 5 processors, for 4 members");
}

TEST_CASE("exceptions of an own topology are nested in an error that names the function",
          "[core][topology][sanitize]") {
  auto const nested_in = [](auto const& call) -> std::string {
    try {
      call();
    } catch (lockstep::invalid_topology const& thrown) {
      try {
        std::rethrow_if_nested(thrown);
      } catch (std::out_of_range const& nested) {
        return thrown.message() + " / " + nested.what() + " of " + std::to_string(thrown.rank());
      }
      return thrown.message();
    }
    return "no error";
  };
  std::string const end =
      " threw \"no such row\", which is nested; let it answer for all processors"
      " / no such row of ";
  for (auto const& engine : reference::all_engines()) {
    auto const of = [&](lies const& told) {
      return nested_in([&] { machine(lying(told), reference::on(engine)).run(send_that_way); });
    };
    CHECK(of({.neighbours = [](int) -> std::vector<neighbour> {
            throw std::out_of_range("no such row");
          }}) == "liar: neighbours(0)" + end + "-1");
    CHECK(of({.size = []() -> int { throw std::out_of_range("no such row"); }}) ==
          "liar: size()" + end + "-1");
    CHECK(of({.spec = []() -> std::string { throw std::out_of_range("no such row"); }}) ==
          "a topology: spec()" + end + "-1");
    CHECK(of({.hops = [](int, int) -> int { throw std::out_of_range("no such row"); }}) ==
          "liar: hops(3, 9)" + end + "3");
    CHECK(of({.route = [](int, int) -> std::vector<int> {
            throw std::out_of_range("no such row");
          }}) == "liar: route(3, 9)" + end + "3");
    CHECK(of({.append_links = [](int, int, auto&) { throw std::out_of_range("no such row"); }}) ==
          "liar: append_links(3, 9)" + end + "3");
    // Its own error keeps its words.
    CHECK(of({.hops = [](int, int) -> int { throw lockstep::invalid_argument("closed today"); }}) ==
          "closed today");
  }
}

TEST_CASE("of several lies the least step and rank is reported", "[core][topology][sanitize]") {
  lies const of_several{.hops = [](int from, int to) {
    return from == 2 || from == 5 || from == 7 ? 9 : truth.hops(from, to);
  }};
  auto const program = [](processor& me) {
    if (me.rank() == 2) me.idle(4);
    me.send((me.rank() + 7) % 12, me.rank());
    (void)me.receive_value<int>((me.rank() + 5) % 12);
  };
  for (auto const& engine : reference::all_engines())
    for (int repeated = 0; repeated < 20; ++repeated)
      CHECK_THAT(end_of_run(machine(lying(of_several), reference::on(engine)), program),
                 has_text("invalid_topology of 5 in 1: liar: hops(5, 0) says 9"));
}

TEST_CASE("a route is looked at once on a machine", "[core][topology]") {
  std::atomic<int> asked = 0;
  machine const on(lying({.hops = [&](int from, int to) {
    ++asked;
    return truth.hops(from, to);
  }}));
  auto const program = [](processor& me) {
    for (int round = 0; round < 50; ++round)
      for (int const shift : {7, 3})
        (void)me.exchange((me.rank() + shift) % 12, round, (me.rank() + 12 - shift) % 12);
  };
  on.run(program);
  CHECK(asked == 24);
  auto const copy = on;
  copy.run(program);
  CHECK(asked == 24);
}

TEST_CASE("an own topology that answers as a torus does is counted as the torus",
          "[core][topology][sanitize][threads]") {
  for (auto const& engine : reference::all_engines())
    for (auto const each :
         {lockstep::ports::one, lockstep::ports::all, lockstep::ports::per_pass}) {
      auto const options = reference::on(engine, {.ports = each});
      auto const own = machine(lying({}), options).run(ask_everything);
      auto const built_in = machine(truth, options).run(ask_everything);
      CHECK(own.counts() == built_in.counts());
      CHECK(own.table() == built_in.table());
      CHECK(own.network()->spec() == "liar");
    }
  machine const on(lying({}));
  CHECK(dynamic_cast<liar const*>(&on.topology()) != nullptr);
  on.run([](processor& me) {
    if (dynamic_cast<liar const*>(&me.topology()) == nullptr) throw std::logic_error("another");
  });
}

TEST_CASE("ranks and links asked of a topology outside a run are checked",
          "[core][topology][sanitize]") {
  auto const far_off = lying({.link_at =
                                  [](link_number) {
                                    return a_link{0, 1 << 30};
                                  },
                              .route = route_is({11, 1 << 30, 9})});
  CHECK_THROWS_WITH(lockstep::links_of(far_off, {.from = sender, .to = receiver, .hops = 3}),
                    "liar: the route from processor 3 to processor 9 goes to processor 1073741824, "
                    "which does not exist");
  CHECK_THROWS_AS(lockstep::lower_bounds(far_off, {.ports = lockstep::ports::all}, {.taken_in = 1}),
                  lockstep::invalid_rank);

  auto const refusal = [](std::vector<lockstep::layout_point> const& places) {
    std::ostringstream out;
    try {
      lockstep::dot_trace(out, machine(lying({.layout = [=] { return places; }})));
    } catch (lockstep::invalid_topology const& wrong) {
      return std::string(wrong.what());
    }
    return std::string("no error");
  };
  auto places = truth.layout();
  CHECK(refusal(places) == "no error");
  CHECK(refusal({places.begin(), places.end() - 1}) ==
        "liar: layout() gives 11 places for 12 processors; give one for each, in rank order");
  places[5] = places[3];
  CHECK(refusal(places) ==
        "liar: layout() places processors 3 and 5 at the same point; give each a place of its own");
  places[2].y = std::numeric_limits<double>::infinity();
  CHECK(refusal(places) ==
        "liar: layout() places processor 2 at (2, inf); give finite coordinates");
}

namespace {

/// One exchange between two processors far from processor 0.
void talk_far_off(processor& me) {
  if (me.rank() == 39'998) me.send(39'999, 42);
  if (me.rank() == 39'999) (void)me.receive_value<int>(39'998);
}

}  // namespace

TEST_CASE("of a large topology links are looked at when they are used", "[core][topology]") {
  lockstep::torus const large{{200, 200}};
  lies const far_off{.number_of = [&](a_link which) {
    return which.from == 39'998 ? 160'000 : large.number_of(which);
  }};
  machine const on(liar({200, 200}, far_off));
  CHECK(end_of_run(on, talk_far_off) ==
        "invalid_topology of 39998 in 1: liar: number_of({39998, 39999}) says 160000: the 160000 "
        "links have the numbers 0 to 159999, and -1 stands for no link");
}
