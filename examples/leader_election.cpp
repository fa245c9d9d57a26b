// Leader election on a ring where each processor knows its own identifier and its two neighbours alone. The
// largest identifier is elected; then a message goes round that says so, n more.
//
// One way round (Chang and Roberts 1979) it takes 2n - 1 messages if the identifiers grow along the
// ring, n (n + 1) / 2 if they fall, and n (1 + 1/2 + ... + 1/n) on average of all orders. Both ways round
// (Hirschberg and Sinclair 1980) it takes at most 8n (1 + ceil(log2 n)).
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>

#include <lockstep/lockstep.hpp>

using lockstep::machine, lockstep::processor, lockstep::torus;
using identifiers = std::vector<int>;

struct message {
  enum class kind { candidate, reply, elected } what;
  int identifier;
  int hops_left = 0;
};

/// Sends an identifier ahead, and those that are larger. The one that comes back has passed all others.
int elect_one_way(processor& me, int mine) {
  int const ahead = (me.rank() + 1) % me.size();
  me.send(ahead, message{message::kind::candidate, mine});
  for (;;) {
    auto const seen = me.receive_any<message>().values.front();
    if (seen.what == message::kind::elected) {
      if (seen.identifier != mine) me.send(ahead, seen);
      return seen.identifier;
    }
    if (seen.identifier > mine) me.send(ahead, seen);
    if (seen.identifier == mine) me.send(ahead, message{message::kind::elected, mine});
  }
}

/// Sends an identifier 1, 2, 4, ... processors far both ways, as long as both of the farthest reply: all
/// on the way have smaller ones. In a network that delays messages without limit, replies may still be
/// under way at the end; here the run would end in an error.
int elect_both_ways(processor& me, int mine) {
  int const left = (me.rank() + me.size() - 1) % me.size();
  int const right = (me.rank() + 1) % me.size();
  int reach = 1, replies = 0, rounds = 0;
  auto const go_out = [&] {
    me.send(left, message{message::kind::candidate, mine, reach});
    me.send(right, message{message::kind::candidate, mine, reach});
  };
  go_out();
  for (;;) {
    auto const [from, came] = me.receive_any<message>();
    auto seen = came.front();
    int const onward = from == left ? right : left;
    if (seen.what == message::kind::elected) {
      if (seen.identifier != mine) me.send(onward, seen);
      return seen.identifier;
    }
    if (seen.identifier == mine) {
      if (seen.what == message::kind::reply && ++replies % 2 == 0) reach *= 2, go_out();
      // Both have come round.
      if (seen.what == message::kind::candidate && ++rounds == 2)
        me.send(right, message{message::kind::elected, mine});
    } else if (seen.what == message::kind::reply) {
      me.send(onward, seen);
    } else if (seen.identifier > mine) {
      if (--seen.hops_left > 0)
        me.send(onward, seen);
      else
        me.send(from, message{message::kind::reply, seen.identifier});
    }
  }
}

struct election {
  bool right;              ///< every processor knows the largest identifier
  std::uint64_t messages;  ///< without the n that announce it
  std::uint64_t choices;
};

template <class Elect>
election run_election(Elect const& elect, identifiers const& of) {
  auto const run = machine{torus{static_cast<int>(of.size())}}.run(
      [&](processor& me) { return elect(me, of[static_cast<std::size_t>(me.rank())]); });
  auto const largest = std::ranges::max(of);
  return {std::ranges::all_of(run.results(), [&](int one) { return one == largest; }),
          run.counts().messages - of.size(), run.choices()};
}

bool elects_one_way() {
  constexpr int size = 64;
  identifiers order(size);
  std::iota(order.begin(), order.end(), 1);
  auto const best = run_election(elect_one_way, order);
  std::ranges::reverse(order);
  auto const worst = run_election(elect_one_way, order);
  std::cout << "one way, " << size << " processors: " << best.messages << " to " << worst.messages
            << " messages, choices " << best.choices + worst.choices << '\n';
  return best.right && worst.right && best.messages == 2 * size - 1 &&
         worst.messages == size * (size + 1) / 2 && best.choices + worst.choices == 0;
}

bool elects_one_way_in_all_orders() {
  constexpr std::uint64_t size = 6, orders = 720;
  identifiers order(size);
  std::iota(order.begin(), order.end(), 1);
  std::uint64_t messages = 0, claimed = 0;
  bool right = true;
  do {
    auto const one = run_election(elect_one_way, order);
    right = right && one.right && one.choices == 0;
    messages += one.messages;
  } while (std::ranges::next_permutation(order).found);
  for (std::uint64_t divisor = 1; divisor <= size; ++divisor) claimed += orders * size / divisor;
  std::cout << "one way, " << size << " processors: " << messages << " messages in all " << orders
            << " orders, claimed " << claimed << '\n';
  return right && messages == claimed;
}

bool elects_both_ways() {
  bool right = true;
  for (int const size : {3, 10, 64, 200}) {
    identifiers order(static_cast<std::size_t>(size));
    std::iota(order.begin(), order.end(), 1);
    std::mt19937 random(20);
    std::uint64_t most = 0;
    for (int times = 0; times < 10; ++times) {
      for (std::size_t left = order.size(); left > 1; --left)
        std::swap(order[left - 1], order[random() % left]);
      auto const one = run_election(elect_both_ways, order);
      right = right && one.right;
      most = std::max(most, one.messages);
    }
    auto const n = static_cast<unsigned>(size);
    auto const bound = 8 * n * (1 + static_cast<unsigned>(std::bit_width(n - 1)));
    std::cout << "both ways, " << size << " processors: at most " << most << " messages of "
              << bound << '\n';
    right = right && most <= bound;
  }
  return right;
}

int main() {
  bool const one_way = elects_one_way();
  bool const all_orders = elects_one_way_in_all_orders();
  bool const both_ways = elects_both_ways();
  return one_way && all_orders && both_ways ? 0 : 1;
}

// prints: one way, 64 processors: 127 to 2080 messages, choices 0
// prints: one way, 6 processors: 10584 messages in all 720 orders, claimed 10584
// prints: both ways, 3 processors: at most 23 messages of 72
// prints: both ways, 10 processors: at most 150 messages of 400
// prints: both ways, 64 processors: at most 1308 messages of 3584
// prints: both ways, 200 processors: at most 5333 messages of 14400
