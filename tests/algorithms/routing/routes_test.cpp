#include <lockstep/algorithms/routing/routes.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "routing/hypercube_routing.hpp"

using lockstep::hypercube;
using lockstep::machine;
using lockstep::machine_options;
using lockstep::ports;
using lockstep::processor;
using lockstep::route;
using lockstep::routed;

/// A record that counts as three words.
struct wide_record {
  std::int32_t value = 0;

  friend bool operator==(wide_record const&, wide_record const&) = default;
};
template <>
inline constexpr std::uint64_t lockstep::words_of<wide_record> = 3;

namespace {

constexpr std::array all_routes{route::concentration, route::inverse_concentration,
                                route::monotone};

/// The records of one instance: the i-th goes from the i-th source to the i-th destination.
struct instance {
  std::vector<int> from;
  std::vector<int> to;
};

std::vector<int> some_ranks(int p, int count, std::mt19937& random) {
  std::vector<int> some;
  auto const all = ranks_below(p);
  std::sample(all.begin(), all.end(), std::back_inserter(some), count, random);
  return some;
}

/// An instance that the route allows; those of an inverse concentration start at either end.
instance random_instance(route which, int p, int count, std::mt19937& random) {
  instance made{some_ranks(p, count, random), some_ranks(p, count, random)};
  if (which == route::concentration) made.to = ranks_below(count);
  if (which == route::inverse_concentration) {
    made.from = ranks_below(count);
    if (random() % 2 == 0)
      for (auto& rank : made.from) rank = p - 1 - rank;
  }
  return made;
}

/// k instances with no records, one record, as many as there are processors, and any number.
std::vector<instance> random_instances(route which, int p, int k, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<instance> made;
  for (int j = 0; j < k; ++j) {
    std::array const counts{static_cast<int>(random() % (static_cast<unsigned>(p) + 1)), 0, 1, p};
    made.push_back(random_instance(which, p, counts[index(j) % 4], random));
  }
  return made;
}

/// What tells a record of one instance of one subcube from all others.
std::int32_t tag(int j, int source, int subcube = 0) {
  return static_cast<std::int32_t>(subcube * 1'000'000 + j * 2000 + source);
}

using values = std::vector<std::optional<std::int32_t>>;

std::vector<routed<std::int32_t>> records_of(std::vector<instance> const& all, int rank,
                                             int subcube = 0) {
  std::vector<routed<std::int32_t>> records(all.size());
  for (std::size_t j = 0; j < all.size(); ++j)
    for (std::size_t i = 0; i < all[j].from.size(); ++i)
      if (all[j].from[i] == rank)
        records[j] = {tag(static_cast<int>(j), rank, subcube), all[j].to[i]};
  return records;
}

values expected_at(std::vector<instance> const& all, int rank, int subcube = 0) {
  values expected(all.size());
  for (std::size_t j = 0; j < all.size(); ++j)
    for (std::size_t i = 0; i < all[j].to.size(); ++i)
      if (all[j].to[i] == rank) expected[j] = tag(static_cast<int>(j), all[j].from[i], subcube);
  return expected;
}

template <class T>
std::vector<std::optional<T>> go(processor& me, route which, std::vector<routed<T>> const& mine) {
  std::span<routed<T> const> const records(mine);
  switch (which) {
    case route::concentration:
      return lockstep::concentrate(me, records);
    case route::inverse_concentration:
      return lockstep::inverse_concentrate(me, records);
    case route::monotone:
      break;
  }
  return lockstep::monotone_route(me, records);
}

std::string shown(route which, int d, std::size_t k) {
  return std::string(name_of(which)) + ", d = " + std::to_string(d) + ", k = " + std::to_string(k);
}

/// Routes all instances, and compares where each record is.
lockstep::counts routed_counts(route which, int d, std::vector<instance> const& instances,
                               machine_options const& options = all_ports_strict) {
  machine const on{hypercube{d}, options};
  auto const run =
      on.run([&](processor& me) { return go(me, which, records_of(instances, me.rank())); });
  INFO(shown(which, d, instances.size()));
  int misplaced = 0;
  for (int rank = 0; rank < on.size(); ++rank)
    if (run.results()[index(rank)] != expected_at(instances, rank)) ++misplaced;
  CHECK(misplaced == 0);
  CHECK(run.counts().volume == run.counts().messages);
  return run.counts();
}

/// The same, and compares the counts with the claims.
lockstep::counts checked(route which, int d, std::vector<instance> const& instances,
                         machine_options const& options = all_ports_strict) {
  auto const counts = routed_counts(which, d, instances, options);
  check_claims(lockstep::route_claims(hypercube{d}, which, instances.size()), counts);
  return counts;
}

/// Routes records of one instance between these processors of hypercube:3.
std::string refusal_of_records(route which, instance const& one, machine_options const& options) {
  return refusal_on(machine{hypercube{3}, options}, [&](processor& me) {
    static_cast<void>(go(me, which, records_of({instance{}, one}, me.rank())));
  });
}

}  // namespace

TEST_CASE("the route of the documentation's example", "[routing][sanitize]") {
  lockstep::machine cube{lockstep::hypercube{3}};
  auto run = cube.run([](lockstep::processor& me) {
    std::vector<lockstep::routed<char>> mine(1);
    if (me.rank() == 3) mine[0] = {'a', 0};
    if (me.rank() == 4) mine[0] = {'b', 1};
    if (me.rank() == 6) mine[0] = {'c', 2};
    return lockstep::concentrate(me, std::span<lockstep::routed<char> const>(mine))[0];
  });
  using record = std::optional<char>;
  CHECK(run.results() == std::vector<record>{'a', 'b', 'c', {}, {}, {}, {}, {}});
  CHECK(run.counts().steps == 3);
}

TEST_CASE("k routes on hypercubes of all sizes, in lock step", "[routing]") {
  for (auto const which : all_routes)
    for (int d = 0; d <= 10; ++d)
      for (int const k : {0, 1, 2, 3, 7, 64}) {
        auto const seed = static_cast<unsigned>(1000 * d + k);
        auto const counts = checked(which, d, random_instances(which, 1 << d, k, seed));
        bool const any = d > 0 && k > 0;
        auto const steps = static_cast<std::uint64_t>(any ? k + d - 1 : 0);
        INFO(shown(which, d, index(k)));
        CHECK(counts.steps == (which == route::monotone ? 3 * steps : steps));
        CHECK(counts.queued == 0);
      }
}

TEST_CASE("a single route does on one port, in lock step", "[routing]") {
  for (auto const which : all_routes)
    for (int d = 0; d <= 10; ++d)
      for (unsigned seed = 0; seed < 4; ++seed) {
        std::mt19937 random(seed);
        int const p = 1 << d;
        auto const count = static_cast<int>(random() % (static_cast<unsigned>(p) + 1));
        auto const counts =
            checked(which, d, {random_instance(which, p, count, random)}, one_port_strict);
        CHECK(counts.steps == index(which == route::monotone ? 3 * d : d));
      }
}

TEST_CASE("on one port k routes take turns, in lock step", "[routing]") {
  for (auto const which : {route::concentration, route::inverse_concentration})
    for (int d = 0; d <= 6; ++d)
      for (int const k : {2, 5, 9})
        CHECK(
            routed_counts(which, d, random_instances(which, 1 << d, k, 3), one_port_strict).steps ==
            index(k * d));
}

TEST_CASE("every set of sources and every set of destinations of 8 processors", "[routing]") {
  std::vector<instance> concentrations;
  std::vector<instance> inverse_concentrations;
  std::vector<std::vector<int>> sets;
  for (unsigned members = 0; members < 256; ++members) {
    auto set = members_of(members);
    auto const low_ranks = ranks_below(static_cast<int>(set.size()));
    auto high_ranks = low_ranks;
    for (auto& rank : high_ranks) rank = 7 - rank;
    concentrations.push_back({set, low_ranks});
    inverse_concentrations.push_back({low_ranks, set});
    inverse_concentrations.push_back({high_ranks, set});
    sets.push_back(std::move(set));
  }
  std::vector<instance> monotone_routes;
  for (auto const& from : sets)
    for (auto const& to : sets)
      if (from.size() == to.size()) monotone_routes.push_back({from, to});
  CHECK(monotone_routes.size() == 12870);  // 16 over 8
  checked(route::concentration, 3, concentrations);
  checked(route::inverse_concentration, 3, inverse_concentrations);
  checked(route::monotone, 3, monotone_routes);
}

TEST_CASE("routes in all subcubes at the same time", "[routing][sanitize]") {
  using lockstep::dimensions;
  for (auto const which : all_routes)
    for (auto const& varying :
         {dimensions{0, 1, 2}, dimensions{3, 4, 5}, dimensions{1, 3, 4}, dimensions{2}}) {
      machine const on{hypercube{6}, all_ports_strict};
      int const d = static_cast<int>(varying.list.size());
      int const k = 5;
      // Subcubes are told apart by their first member.
      auto const first_of = [&](int rank) { return on.topology().members(rank, varying).front(); };
      std::vector<std::vector<instance>> instances;
      for (unsigned subcube = 0; subcube < 64; ++subcube)
        instances.push_back(random_instances(which, 1 << d, k, 77 + subcube));
      auto const run = on.run([&](processor& me) {
        int const subcube = first_of(me.rank());
        auto part = me.subset(varying);
        return go(part, which, records_of(instances[index(subcube)], part.rank(), subcube));
      });
      INFO(shown(which, d, index(k)));
      for (int rank = 0; rank < 64; ++rank) {
        int const subcube = first_of(rank);
        auto const members = on.topology().members(rank, varying);
        auto const place = static_cast<int>(std::ranges::find(members, rank) - members.begin());
        CHECK(run.results()[index(rank)] == expected_at(instances[index(subcube)], place, subcube));
      }
      auto const steps = static_cast<std::uint64_t>(k + d - 1);
      CHECK(run.counts().steps == (which == route::monotone ? 3 * steps : steps));
    }
}

TEST_CASE("routes cost the same on every engine", "[routing][threads][sanitize]") {
  for (auto const which : all_routes) {
    auto const instances = random_instances(which, 32, 7, 5);
    auto const counts = checked(which, 5, instances);
    for (auto const& options : on_all_engines(all_ports_strict))
      CHECK(checked(which, 5, instances, options) == counts);
  }
}

TEST_CASE("a record counts as many words as its type says", "[routing][sanitize]") {
  for (auto const which : all_routes) {
    machine const on{hypercube{3}, all_ports_strict};
    auto const run = on.run([&](processor& me) {
      std::vector<routed<wide_record>> mine(2);
      mine[1] = {wide_record{me.rank()}, me.rank()};
      return go(me, which, mine);
    });
    for (int rank = 0; rank < 8; ++rank) {
      CHECK_FALSE(run.results()[index(rank)][0]);
      CHECK(run.results()[index(rank)][1]->value == rank);
    }
    std::uint64_t const messages = 48;  // kdp
    CHECK(run.counts().volume == (which == route::monotone ? 7 : 3) * messages);
  }
}

TEST_CASE("records that meet are refused, with the rule", "[routing][sanitize]") {
  for (auto const& options : on_all_engines(all_ports_strict)) {
    CHECK(
        refusal_of_records(route::concentration, {{2, 3}, {1, 1}}, options) ==
        "concentration: two records of instance 1, for processors 1 and 1, meet in processor 3: a "
        "concentration takes records to processors 0, 1, 2, ... in processor order; give each its "
        "rank among those of its instance");
    CHECK_THAT(refusal_of_records(route::concentration, {{2, 3}, {0, 2}}, options),
               has_text("for processors 0 and 2, meet in processor 2: a concentration"));
    CHECK(refusal_of_records(route::inverse_concentration, {{0, 4}, {5, 4}}, options) ==
          "inverse concentration: two records of instance 1, for processors 4 and 5, meet in "
          "processor 4: an inverse concentration takes records from processors 0, 1, 2, ..., or p "
          "- 1, "
          "p - 2, ..., to destinations that increase in this order; concentrate them first");
    CHECK(
        refusal_of_records(route::monotone, {{1, 2, 3}, {5, 0, 4}}, options) ==
        "monotone route: two records of instance 1, for processors 5 and 4, meet in processor 4: a "
        "monotone route takes records to destinations that increase from processor to processor; "
        "sort them for others");
  }
}

TEST_CASE("destinations that are not processors are refused", "[routing][sanitize]") {
  for (auto const which : all_routes) {
    CHECK(refusal_of_records(which, {{0}, {8}}, all_ports_strict) ==
          std::string(name_of(which)) +
              ": destination 8 of a record of instance 1 is not a rank; hypercube:3 has "
              "processors 0 to 7");
    CHECK_THAT(refusal_of_records(which, {{5}, {-2}}, all_ports_strict),
               has_text("destination -2"));
  }
}

TEST_CASE("there are no routes on other networks", "[routing]") {
  machine const on{lockstep::crossbar{4}, {.ports = ports::all}};
  for (auto const which : all_routes) {
    auto const refused =
        std::string(name_of(which)) +
        ": crossbar:4 is not a hypercube; take hypercube:4, for example, or a subcube of one";
    CHECK(refusal_on(on, [&](processor& me) {
            static_cast<void>(go(me, which, records_of({instance{}}, me.rank())));
          }) == refused);
    CHECK_THROWS_WITH(lockstep::route_claims(on.topology(), which, 1), has_text(refused));
  }
}
