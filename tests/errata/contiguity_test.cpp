#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <span>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "index.hpp"
#include "simulation.hpp"

// Section 2: blocks that are not contiguous have to be rearranged before they are sent. 3.2.3 and
// 4.2 count one rearrangement for each phase but the first, whatever n is.

using namespace as_printed;

namespace {

/// Pieces of an array that the marked places make.
int pieces(std::vector<bool> const& marked) {
  int found = 0;
  for (std::size_t i = 0; i < marked.size(); ++i)
    if (marked[i] && (i == 0 || !marked[i - 1])) ++found;
  return found;
}

/// Orders of the 2^steps segments of an array, by whether they are sent in each of the steps, in
/// which every step's half is one piece.
int contiguous_orders(int steps) {
  std::vector<int> order(index(1 << steps));
  std::iota(order.begin(), order.end(), 0);
  int found = 0;
  do {
    int contiguous = 0;
    for (int step = 0; step < steps; ++step) {
      std::vector<bool> sent;
      for (int const segment : order) sent.push_back((segment >> step & 1) != 0);
      if (pieces(sent) == 1) ++contiguous;
    }
    if (contiguous == steps) ++found;
  } while (std::ranges::next_permutation(order).found);
  return found;
}

/// Where a node sends in one of the exchange steps after the ring phases.
using exchange_step = std::function<along(node const&)>;
std::vector<exchange_step> exchange_steps(network const& on) {
  auto const rules = rules_of(on);
  std::vector<exchange_step> all;
  for (auto const& line : {rules.distance_2, rules.distance_1})
    for (int step = 1; line && step <= static_cast<int>(on.sizes.size()); ++step)
      all.emplace_back([line, step](node const& x) { return line(x, step); });
  return all;
}

/// Whether a block has to leave x in this step.
bool leaves(network const& on, node const& x, exchange_step const& next, block const& one) {
  auto const sent = next(x);
  auto const d = index(sent.dimension);
  int const bit = std::abs(sent.offset);
  return ((x[d] ^ on.at(one.destination)[d]) & bit) != 0;
}

/// Orders an array for some steps by a Gray code: the last two steps' halves are one piece each.
void order_for(network const& on, node const& x, std::span<exchange_step const> steps,
               block_list& array) {
  auto const place = [&](block const& one) {
    unsigned code = 0;
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (leaves(on, x, steps[i], one)) code |= 1U << i;
    for (unsigned shift = 1; shift < 32; shift *= 2) code ^= code >> shift;
    return code;
  };
  std::ranges::stable_sort(array, {}, place);
}

struct exchanged {
  block_list array;
  int most_pieces = 0;  ///< of a message
};

/// Sends what leaves x; what comes in takes its places.
void exchange(lockstep::processor& me, network const& on, exchange_step const& next,
              exchanged& mine) {
  auto const x = on.at(me.rank());
  std::vector<bool> sent;
  for (auto const& one : mine.array) sent.push_back(leaves(on, x, next, one));
  mine.most_pieces = std::max(mine.most_pieces, pieces(sent));
  block_list piece;
  for (std::size_t i = 0; i < sent.size(); ++i)
    if (sent[i]) piece.push_back(mine.array[i]);
  int const partner = on.rank_of(moved(x, next(x)));
  me.send(partner, piece);
  me.receive_into(partner, piece);
  auto came = piece.begin();
  for (std::size_t i = 0; i < sent.size(); ++i)
    if (sent[i]) mine.array[i] = *came++;
}

/// Runs the exchange steps, and rearranges before every `steps_for_one_order` of them.
lockstep::run_of<exchanged> run_exchanges(network const& on, std::size_t steps_for_one_order) {
  auto const all = exchange_steps(on);
  return on.machine({.strict = true}).run([&](lockstep::processor& me) {
    exchanged mine;
    for (int rank = 0; rank < me.size(); ++rank) mine.array.push_back({me.rank(), rank});
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i % steps_for_one_order == 0) {
        auto const count = std::min(steps_for_one_order, all.size() - i);
        order_for(on, on.at(me.rank()), std::span(all).subspan(i, count), mine.array);
        me.rearrange(mine.array.size());
      }
      exchange(me, on, all[i], mine);
    }
    return mine;
  });
}

/// What comes of it, all blocks being where they belong.
struct experiment_result {
  std::uint64_t rearrangements;
  int most_pieces;

  friend bool operator==(experiment_result const&, experiment_result const&) = default;
};
experiment_result outcome_of(network const& on, std::size_t steps_for_one_order) {
  auto run = run_exchanges(on, steps_for_one_order);
  std::vector<block_list> held;
  int most = 0;
  for (auto const& [array, most_pieces] : run.results()) {
    held.push_back(array);
    most = std::max(most, most_pieces);
  }
  CHECK(misplaced(on, held, 1) == 0);
  return {run.counts().rearrangements, most};
}

network cube(int side, std::size_t n, bool wraps) { return {std::vector<int>(n, side), wraps}; }

template <class Network>
std::uint64_t rearrangements_on(Network const& network) {
  lockstep::machine const on{network, {.strict = true}};
  return on
      .run([](lockstep::processor& me) {
        static_cast<void>(lockstep::all_to_all(me, std::vector<int>(index(me.size()))));
      })
      .counts()
      .rearrangements;
}

/// How soon the first index of an array of three changes in the order of memory.
enum class first_index : std::uint8_t { fastest, in_the_middle, slowest };

/// Pieces of the array B[u, v, w] that B[4s..N1-1, *, *] makes.
int pieces_of_phase_1(int side, int s, first_index is) {
  std::vector<bool> sent;
  for (int slow = 0; slow < side; ++slow)
    for (int middle = 0; middle < side; ++middle)
      for (int fast = 0; fast < side; ++fast) {
        int const rest = is == first_index::fastest ? fast : middle;
        sent.push_back((is == first_index::slowest ? slow : rest) >= 4 * s);
      }
  return pieces(sent);
}

}  // namespace

TEST_CASE("erratum 8: no order of the array serves three exchange steps", "[errata]") {
  CHECK(contiguous_orders(2) == 4);  // of 24
  CHECK(contiguous_orders(3) == 0);  // of 40320
}

TEST_CASE("erratum 8: with a rearrangement for each phase messages are in pieces", "[errata]") {
  CHECK(outcome_of(cube(4, 2, true), 2) == experiment_result{2, 1});
  CHECK(outcome_of(cube(4, 3, true), 3) == experiment_result{2, 2});
  CHECK(outcome_of(cube(4, 4, true), 4) == experiment_result{2, 4});
  CHECK(outcome_of(cube(2, 2, false), 2) == experiment_result{1, 1});
  CHECK(outcome_of(cube(2, 3, false), 3) == experiment_result{1, 2});
}

TEST_CASE("erratum 8: with one for every two exchange steps messages are contiguous", "[errata]") {
  CHECK(outcome_of(cube(4, 3, true), 2) == experiment_result{3, 1});
  CHECK(outcome_of(cube(4, 4, true), 2) == experiment_result{4, 1});
  CHECK(outcome_of(cube(2, 3, false), 2) == experiment_result{2, 1});
  CHECK(rearrangements_on(lockstep::torus{{8, 8, 8}}) > 3 + 1);
  CHECK(rearrangements_on(lockstep::mesh{{4, 4, 4}}) > 3);
}

TEST_CASE("erratum 9: in column-major order Phase 1 of 3.2.1 sends many pieces", "[errata]") {
  for (int const s : {1, 2}) {
    CHECK(pieces_of_phase_1(12, s, first_index::fastest) == 144);
    CHECK(pieces_of_phase_1(12, s, first_index::in_the_middle) == 12);
    CHECK(pieces_of_phase_1(12, s, first_index::slowest) == 1);
  }
}
