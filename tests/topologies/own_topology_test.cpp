#include <string>
#include <utility>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/topology.hpp>

#include "../catch.hpp"
#include "brute_force.hpp"
#include "message_of.hpp"

namespace {

/// A topology of one's own: a ring whose processors also reach the one opposite.
class chordal_ring : public lockstep::topology {
 public:
  explicit chordal_ring(int processors) : m_size(processors) {}

  int size() const override { return m_size; }
  std::string spec() const override { return "ring with chords"; }
  std::vector<lockstep::neighbour> neighbours(int rank) const override {
    return {{(rank + m_size - 1) % m_size, "left"},
            {(rank + 1) % m_size, "right"},
            {(rank + m_size / 2) % m_size, "chord"}};
  }

 private:
  int m_size;
};

/// A network in which only processor 0 has neighbours.
class faulty : public lockstep::topology {
 public:
  faulty(int processors, std::vector<int> ends) : m_size(processors), m_ends(std::move(ends)) {}

  int size() const override { return m_size; }
  std::string spec() const override { return "faulty"; }
  std::vector<lockstep::neighbour> neighbours(int rank) const override {
    std::vector<lockstep::neighbour> joined;
    if (rank == 0)
      for (int const end : m_ends) joined.push_back({end, "wire"});
    return joined;
  }

 private:
  int m_size;
  std::vector<int> m_ends;
};

/// A ring of 6 that can be gone along, and routes all messages upwards.
class one_way_ring : public chordal_ring {
 public:
  one_way_ring() : chordal_ring(6) {}
  using chordal_ring::route;
  std::vector<int> route(int from, int to) const override {
    std::vector<int> passed;
    while (from != to) passed.push_back(from = (from + 1) % 6);
    return passed;
  }
  int end_of(int from, lockstep::along way) const override {
    return (from + way.offset % 6 + 6) % 6;
  }
};

/// Says that it has more links than it has.
class boastful_ring : public chordal_ring {
 public:
  using chordal_ring::chordal_ring;
  lockstep::link_number links() const override { return 1'000'000; }
};

/// Made from a ring with chords, and joined in another way.
class bare_ring : public chordal_ring {
 public:
  explicit bare_ring(chordal_ring const& with_chords) : chordal_ring(with_chords) {}
  std::vector<lockstep::neighbour> neighbours(int rank) const override {
    return {{(rank + 1) % size(), "right"}};
  }
};

}  // namespace

TEST_CASE("a topology of one's own needs size, neighbours and a name", "[topology]") {
  for (int p = 6; p <= 60; p += 6) {
    chordal_ring const ring{p};
    INFO(p << " processors");
    REQUIRE(brute_force::contradiction(ring) == "");
  }
  chordal_ring const ring{8};
  CHECK(ring.default_switching() == lockstep::switching::cut_through);
  CHECK(ring.bisection_width() == std::nullopt);
  CHECK(ring.coordinates(5) == std::vector{5});
  CHECK(ring.members(5, lockstep::dimensions(std::vector<int>{})) == std::vector{5});
  CHECK(ring.part(std::vector{5, 1, 2})->spec() == "crossbar:3");
  CHECK(ring.part(std::vector{5, 1, 2})->hops(0, 2) == 1);
}

TEST_CASE("a topology without dimensions refuses ways along them", "[topology]") {
  chordal_ring const ring{8};
  auto const go = [&] { return ring.end_of(0, lockstep::along{0, 1}); };
  CHECK(contains(message_of<lockstep::invalid_argument>(go), "ring with chords has no dimensions"));
  CHECK_THROWS_AS(ring.route(0, lockstep::along{0, 1}), lockstep::invalid_argument);
  CHECK_THROWS_AS(ring.members(0, lockstep::dimensions{0}), lockstep::invalid_argument);
  CHECK_THROWS_AS(ring.end_of(8, lockstep::along{0, 1}), lockstep::invalid_rank);
  CHECK_THROWS_AS(ring.coordinates(8), lockstep::invalid_rank);
  CHECK_THROWS_AS(ring.rank_at(std::vector{8}), lockstep::invalid_argument);
  CHECK_THROWS_AS(ring.rank_at(std::vector{1, 1}), lockstep::invalid_argument);
  CHECK_THROWS_AS(ring.route(0, 8), lockstep::invalid_rank);
  CHECK_THROWS_AS(ring.part(std::vector<int>{}), lockstep::invalid_argument);
  CHECK_THROWS_AS(ring.part(std::vector{8}), lockstep::invalid_rank);
  CHECK_THROWS_AS(ring.link_at(24), lockstep::invalid_argument);
  CHECK_THROWS_AS(ring.link_at(-1), lockstep::invalid_argument);
}

TEST_CASE("impossible neighbours are refused", "[topology]") {
  auto const refusal = [](faulty const& network) {
    return message_of<lockstep::invalid_topology>([&] { return network.links(); });
  };
  CHECK(contains(refusal({3, {1, 3}}), "processor 0 cannot have processor 3 as its neighbour"));
  CHECK(contains(refusal({3, {-1}}), "processor 0 cannot have processor -1 as its neighbour"));
  CHECK(
      contains(refusal({3, {0}}),
               "processor 0 cannot have processor 0 as its neighbour, which is itself; leave that "
               "loop out"));
  CHECK(contains(refusal({3, {1, 2, 1}}), "processor 0 has processor 1 as its neighbour twice"));
  CHECK(contains(refusal({0, {}}), "faulty has 0 processors"));
  CHECK(refusal({3, {2, 1}}) == "no error");

  faulty const again{3, {3}};  // each call is refused, not the first alone
  CHECK_THROWS_AS(again.links(), lockstep::invalid_topology);
  CHECK_THROWS_AS(again.number_of({0, 1}), lockstep::invalid_topology);
}

TEST_CASE("the last link is that of the highest number", "[topology]") {
  boastful_ring const ring{8};
  CHECK(ring.link_at(23) == lockstep::link{7, 6});
  CHECK_THROWS_AS(ring.link_at(24), lockstep::invalid_argument);
  CHECK_THROWS_AS(ring.link_at(999'999), lockstep::invalid_argument);
}

TEST_CASE("hops and links follow a topology's own routes", "[topology]") {
  one_way_ring const ring;
  CHECK(ring.hops(1, 0) == 5);
  std::vector<lockstep::link_number> links;
  ring.append_links(4, 0, links);
  CHECK(links == std::vector{ring.number_of({4, 5}), ring.number_of({5, 0})});
  CHECK(ring.route(4, lockstep::along{0, 3}) == std::vector{5, 0, 1});
  CHECK(ring.route(4, lockstep::along{0, -2}) == std::vector{3, 2});
  CHECK(ring.route(4, lockstep::along{0, 0}).empty());
}

TEST_CASE("a copied topology answers for itself", "[topology]") {
  chordal_ring ring{8};
  CHECK(ring.links() == 24);
  chordal_ring copy{ring};
  CHECK(copy.links() == 24);
  copy = chordal_ring{10};
  CHECK(copy.links() == 30);
  CHECK(ring.links() == 24);
  CHECK(copy.route(0, 4).size() == 2);
  CHECK(bare_ring{ring}.links() == 8);
}
