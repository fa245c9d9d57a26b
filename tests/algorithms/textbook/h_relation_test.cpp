#include <lockstep/algorithms/textbook/h_relation.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/algorithms/routing/h_relation.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"
#include "routing/h_relation_samples.hpp"

using lockstep::machine;
using lockstep::processor;
namespace textbook = lockstep::textbook;

namespace {

/// Compares the textbook form with a plain loop, up to the order of arrival, and with the fast
/// form, in everything.
void check_against_fast_form(parcels const& all, lockstep::machine_options const& options = {}) {
  auto const run = run_routing(
      all,
      [](processor& me, auto mine) {
        return textbook::h_relation(me, std::vector(mine.begin(), mine.end()), &parcel::home);
      },
      options);
  auto const fast = run_routing(
      all,
      [](processor& me, auto mine) {
        return lockstep::h_relation(me, mine, &parcel::home).elements;
      },
      options);
  CHECK(run.results() == fast.results());
  CHECK(run.counts() == fast.counts());
  CHECK(run.phases().size() == fast.phases().size());
  CHECK(sorted(run.results()) == sorted(lockstep::by_destination(all)));
}

}  // namespace

TEST_CASE("textbook: h_relation is that of the fast form") {
  int const p = GENERATE(1, 2, 3, 4, 5, 7, 8, 16, 33);
  for (auto const& all : sampled_parcels(p, 3 * p)) check_against_fast_form(all);
}

TEST_CASE("textbook: h_relation on both engines", "[sanitize][threads]") {
  for (auto const engine : {lockstep::engine::fibers, lockstep::engine::threads})
    check_against_fast_form(random_parcels(6, 9, 1), {.engine = engine});
}

TEST_CASE("textbook: h_relation arrives by intermediate, not by source") {
  // Processor 0 deals its elements 0, 1 for 0 out to bins 0, 1, processor 1 to bins 1, 0.
  machine const on(lockstep::crossbar{2}, {.strict = true});
  auto const run = on.run([](processor& me) {
    std::vector<parcel> const mine{{0, me.rank(), 0}, {0, me.rank(), 1}};
    return textbook::h_relation(me, mine, &parcel::home);
  });
  CHECK(run.results()[0] == std::vector<parcel>{{0, 0, 0}, {0, 1, 1}, {0, 0, 1}, {0, 1, 0}});
}

TEST_CASE("textbook: lists of any lengths are transposed") {
  machine const on(lockstep::crossbar{3}, {.strict = true});
  auto const run = on.run([](processor& me) {
    textbook::lists<int> out(3);
    for (int to = 0; to < 3; ++to) out[index(to)].assign(index(to), 10 * me.rank() + to);
    return textbook::transpose_lists(me, out);
  });
  CHECK(run.results()[0] == textbook::lists<int>{{}, {}, {}});
  CHECK(run.results()[1] == textbook::lists<int>{{1}, {11}, {21}});
  CHECK(run.results()[2] == textbook::lists<int>{{2, 2}, {12, 12}, {22, 22}});
  CHECK(run.counts().startups == 1);
  CHECK(run.counts().words == 4);  // that processor 2 receives
}

TEST_CASE("textbook: h_relation refuses a destination that is not a rank") {
  machine const on(lockstep::crossbar{3});
  auto const refused = [&](int home) {
    return refusal_of<lockstep::invalid_argument>(on, [home](processor& me) {
      return textbook::h_relation(me, std::vector<parcel>{{home, 0, 0}}, &parcel::home);
    });
  };
  CHECK_THAT(refused(3), has_text("processors 0 to 2 only"));
  CHECK_THAT(refused(-1), has_text("processors 0 to 2 only"));
}

TEST_CASE("textbook: transpose_lists refuses other numbers of lists than of processors") {
  machine const on(lockstep::crossbar{3});
  auto const refused = [&](std::size_t lists) {
    return refusal_of<lockstep::invalid_argument>(on, [lists](processor& me) {
      return textbook::transpose_lists(me, textbook::lists<int>(lists)).size();
    });
  };
  CHECK_THAT(refused(2), has_text("2 lists for 3 processors; pass one for each"));
  CHECK_THAT(refused(4), has_text("4 lists for 3 processors"));
}
