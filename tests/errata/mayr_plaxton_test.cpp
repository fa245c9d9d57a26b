#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include <lockstep/algorithms/prefix/embedding.hpp>
#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>

#include "catch.hpp"

// What Mayr and Plaxton 1989 print in sections 1 and 2, and the same put right.

using lockstep::machine;
using lockstep::monoid;
using lockstep::prefix;
using lockstep::processor;

namespace {

monoid<int, std::plus<>> const add{0, {}};

/// 1, 2, ..., p times a factor.
std::vector<int> sums_of_ranks(int size, int factor = 1) {
  std::vector<int> sums;
  sums.reserve(static_cast<std::size_t>(size));
  for (int rank = 0; rank < size; ++rank) sums.push_back(factor * rank * (rank + 1) / 2);
  return sums;
}

/// Words that came in at each processor, by sender.
class in_port_words : public lockstep::observer {
 public:
  void message(lockstep::message_record const& seen) override {
    m_words[{seen.to, seen.from}] += seen.words;
  }
  [[nodiscard]] std::uint64_t words(int to, int from) const { return m_words.at({to, from}); }

 private:
  std::map<std::pair<int, int>, std::uint64_t> m_words;
};

/// Section 2.3, lines (1) to (16), with what happens at the fixed points of the shuffle, and in the
/// last round, left to the caller.
struct printed_on_shuffle_exchange {
  bool fixed_points_send = true;
  bool last_move_of_y = true;

  int operator()(processor& me, lockstep::shuffle_exchange const& network) const {
    int x = me.rank();
    int y = x;
    auto const unshuffle = network.unshuffle(me.rank());
    auto const shuffle = network.shuffle(me.rank());
    for (int round = 0; round < network.dimension(); ++round) {
      int const received = me.exchange(network.exchange(me.rank()), y);
      if (me.rank() % 2 == 0) {
        y = y + received;
      } else {
        x = received + x;
        y = received + y;
      }
      bool const moves_y = last_move_of_y || round + 1 < network.dimension();
      if (unshuffle || fixed_points_send) {
        me.send(unshuffle.value_or(me.rank()), x);
        x = me.receive_value<int>(shuffle.value_or(me.rank()));
        if (!moves_y) continue;
        me.send(unshuffle.value_or(me.rank()), y);
        y = me.receive_value<int>(shuffle.value_or(me.rank()));
      } else {
        me.idle(moves_y ? 2 : 1);
      }
    }
    return x;
  }
};

lockstep::run_of<int> run_printed(int d, printed_on_shuffle_exchange const& program) {
  machine const on{lockstep::shuffle_exchange{d}};
  return on.run([&](processor& me) {
    return program(me, dynamic_cast<lockstep::shuffle_exchange const&>(me.topology()));
  });
}

}  // namespace

TEST_CASE("Mayr and Plaxton 1: three words come in at an inner node for each prefix", "[errata]") {
  lockstep::binary_tree const tree{4};
  lockstep::prefix_schedule const schedule(tree, lockstep::pipelined_scheme::lagged);
  for (std::uint64_t const k : {8U, 40U}) {
    in_port_words seen;
    auto const run = machine{tree}.run(
        [&](processor& me) {
          std::vector<int> const mine(k, me.rank());
          return lockstep::pipelined_prefix(me, add, std::span<int const>(mine), schedule);
        },
        seen);
    // Node 5 takes in x_4, x_6 and what lies before: none of them can be had from the others.
    CHECK(seen.words(5, 4) == k);
    CHECK(seen.words(5, 6) == k);
    CHECK(seen.words(5, 3) == k);
    CHECK(run.counts().steps >= 3 * k);
    CHECK(run.counts().steps > 2 * k + 15);  // 4 log 15 = 15.6
  }
}

TEST_CASE("Mayr and Plaxton 2: the printed program pipelines nothing on a tree", "[errata]") {
  for (int d = 2; d <= 6; ++d)
    for (int const k : {1, 2, 8}) {
      machine const tree{lockstep::binary_tree{d}};
      auto const run = tree.run([&](processor& me) {
        int sum = 0;
        for (int i = 0; i < k; ++i) sum += prefix(me, add, me.rank());
        return sum;
      });
      CHECK(run.results() == sums_of_ranks(tree.size(), k));
      CHECK(run.counts().steps == static_cast<std::uint64_t>((d - 1) * (3 * k + 1)));
    }
}

TEST_CASE("Mayr and Plaxton 3: five words come in at an inner left child for each prefix",
          "[errata]") {
  lockstep::hypercube const cube{4};
  constexpr std::uint64_t k = 8;
  auto const words_at_3 = [&](lockstep::pipelined_scheme scheme, std::vector<int> const& senders) {
    in_port_words seen;
    lockstep::prefix_schedule const schedule(cube, scheme);
    static_cast<void>(machine{cube}.run(
        [&](processor& me) {
          std::vector<int> const mine(k, me.rank());
          return lockstep::pipelined_prefix(me, add, std::span<int const>(mine), schedule);
        },
        seen));
    std::uint64_t words = 0;
    for (int const sender : senders) words += seen.words(3, sender);
    return words;
  };
  // Node 3: its left child 1, which relays for 5; its sibling 11; its parent 7.
  CHECK(words_at_3(lockstep::pipelined_scheme::inorder, {1, 11, 7}) == 5 * k);
  // Halving: fewer than two from each of the dimensions 0 .. 3 together.
  CHECK(words_at_3(lockstep::pipelined_scheme::halving, {2, 1, 7, 11}) < 2 * k);
}

TEST_CASE("Mayr and Plaxton 4: in Figure 4 the right child is the one that is linked", "[errata]") {
  int const d = 4;
  lockstep::shuffle_exchange const network{d};
  auto const tree = lockstep::embedding::lower_half(d);
  auto const linked = [&](int node) { return network.shuffle(node).value(); };
  CHECK(tree.first_child(tree.root()) == linked(tree.root()));
  CHECK_FALSE(tree.first_is_left());
  // With the linked child as the left one, as in Figure 3, the leaves come in the wrong order.
  std::vector<int> leaves;
  std::function<void(int)> const walk = [&](int node) {
    if (node < network.size() / 2) return leaves.push_back(node);
    walk(linked(node));
    walk(network.exchange(linked(node)));
  };
  walk(tree.root());
  CHECK(leaves == std::vector<int>{7, 6, 5, 4, 3, 2, 1, 0});
  // The sums of the lower half are wanted at the last processor, too: no node of the tree.
  CHECK_FALSE(tree.has(network.size() - 1));
}

TEST_CASE("Mayr and Plaxton 5: the printed program sends to its own processor", "[errata]") {
  CHECK_THROWS_AS(run_printed(4, {.fixed_points_send = true}), lockstep::invalid_rank);
  auto const run = run_printed(4, {.fixed_points_send = false});
  CHECK(run.results() == sums_of_ranks(16));
  CHECK(run.counts().steps == 12);
}

TEST_CASE("Mayr and Plaxton 5: the last move of y is of no use", "[errata]") {
  for (int d = 2; d <= 8; ++d) {
    auto const run = run_printed(d, {.fixed_points_send = false, .last_move_of_y = false});
    CHECK(run.results() == sums_of_ranks(1 << d));
    CHECK(run.counts().steps == static_cast<std::uint64_t>(3 * d - 1));
  }
}

TEST_CASE("Mayr and Plaxton 6: k prefixes on a hypercube one after another take k log p steps",
          "[errata]") {
  for (int const k : {1, 2, 8}) {
    machine const cube{lockstep::hypercube{5}};
    auto const run = cube.run([&](processor& me) {
      int sum = 0;
      for (int i = 0; i < k; ++i) sum += prefix(me, add, me.rank());
      return sum;
    });
    CHECK(run.results() == sums_of_ranks(32, k));
    CHECK(run.counts().steps == static_cast<std::uint64_t>(5 * k));
  }
}

TEST_CASE("Mayr and Plaxton 7: remark 2's products are pairs", "[errata]") {
  auto const plus = by_segments(monoid{0, std::plus<int>{}});
  lockstep::segmented<int> const x0{true, 10};
  lockstep::segmented<int> const x1{true, 11};
  CHECK(plus(x0, x1).begins);
  CHECK(plus(x0, x1).value == 11);
  CHECK(plus(x1, x0).value == 10);  // of (true, x1) and (true, x0), and not of (true, x0) alone
}

TEST_CASE("Mayr and Plaxton 7: pairs with false are an identity of Copy only if they are all one",
          "[errata]") {
  auto const copy = lockstep::with_identity<int>(lockstep::copy_operator<int>{});
  lockstep::extended<int> five;
  five.value = 5;
  lockstep::extended<int> seven;
  seven.value = 7;
  CHECK(copy(five, 9).as_optional() == 9);
  CHECK(copy(9, five).as_optional() == 9);
  CHECK(copy(five, seven).value == 7);  // and not 5, as with an identity to the right
  CHECK_FALSE(copy(five, seven).as_optional().has_value());
}
