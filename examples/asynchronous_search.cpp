// Breadth-first search of a network by itself: each processor learns how far it is from processor 0, by
// messages to neighbours alone, and nobody waits for a round. A processor passes on each distance that
// is less than what it knew, so it may have to correct itself; that it is over, processor 0 learns as Dijkstra
// and Scholten 1980 do it: every message is answered, the one that woke a processor when all of its own are.
//
// Distances go to all neighbours: 2m messages on a network of m links where none is corrected. That is so
// on a tree, which has one way to each processor. Elsewhere a processor may correct itself as often as there
// are distances, n - 1 times (Lynch 1996, section 15.4: at most O(n m) messages). Answers are as many, and
// 2m messages more tell all that it is over.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include <lockstep/lockstep.hpp>

using lockstep::processor;

constexpr int nobody = -1;

struct message {
  enum class kind { distance, answer, over } what;
  int distance = 0;
};

struct found {
  int distance;
  int improvements;  // times that it became nearer
};

/// Searches. Each processor tells what it found.
found search(processor& me) {
  auto const neighbours = me.topology().neighbours(me.rank());
  auto const tell_all = [&](message const& one) {
    for (auto const& neighbour : neighbours) me.send(neighbour.rank, one);
  };
  found mine{me.size(), 0};
  std::size_t unanswered = 0;
  auto const reach = [&](int distance) {
    mine = {distance, mine.improvements + 1};
    tell_all({message::kind::distance, distance + 1});
    unanswered += neighbours.size();
  };
  bool const is_first = me.rank() == 0;
  int waker = nobody;  // whose message is answered last
  if (is_first) reach(0);
  while (!is_first || unanswered > 0) {
    auto const [from, came] = me.receive_any<message>();
    auto const& one = came.front();
    if (one.what == message::kind::over) {
      tell_all(one);
      for (std::size_t others = 1; others < neighbours.size(); ++others)
        static_cast<void>(me.receive_any<message>());
      return mine;
    }
    if (one.what == message::kind::answer) --unanswered;
    if (one.what == message::kind::distance) {
      if (is_first || waker != nobody)
        me.send(from, message{message::kind::answer});
      else
        waker = from;
      if (one.distance < mine.distance) reach(one.distance);
    }
    if (waker != nobody && unanswered == 0) {
      me.send(waker, message{message::kind::answer});
      waker = nobody;
    }
  }
  tell_all({message::kind::over});
  for (std::size_t each = 0; each < neighbours.size(); ++each)
    static_cast<void>(me.receive_any<message>());
  return mine;
}

/// The distances from processor 0, found on one processor.
std::vector<int> distances_in(lockstep::topology const& network) {
  std::vector<int> distances(static_cast<std::size_t>(network.size()), network.size());
  std::vector<int> queue{0};
  distances[0] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at)
    for (auto const& next : network.neighbours(queue[at])) {
      auto& distance = distances[static_cast<std::size_t>(next.rank)];
      if (distance < network.size()) continue;
      distance = distances[static_cast<std::size_t>(queue[at])] + 1;
      queue.push_back(next.rank);
    }
  return distances;
}

/// Searches that network. Result: whether distances are right, and messages as many as claimed.
bool searches(std::string const& name) {
  auto const network = lockstep::parse(name);
  auto const run = lockstep::machine(network).run(search);
  int const size = network->size();
  auto const expected = distances_in(*network);
  bool right = true;
  std::uint64_t told = 0, ends = 0, improvements = 0, most_improvements = 0;
  for (int rank = 0; rank < size; ++rank) {
    auto const& one = run.results()[static_cast<std::size_t>(rank)];
    auto const degree = network->neighbours(rank).size();
    right = right && one.distance == expected[static_cast<std::size_t>(rank)];
    auto const times = static_cast<std::uint64_t>(one.improvements);
    told += times * degree;
    ends += degree;
    improvements += times;
    most_improvements = std::max(most_improvements, times);
  }
  auto const n = static_cast<std::uint64_t>(size);
  bool const is_tree = ends == 2 * (n - 1);
  std::cout << name << ": " << run.counts().messages << " messages, " << told << " of distances; "
            << improvements - n << " corrections, choices " << run.choices() << '\n';
  return right && run.counts().messages == 2 * told + ends && most_improvements < n &&
         (!is_tree || told == ends);
}

int main() {
  bool right = true;
  for (auto const* const name : {"tree:4", "mesh:16", "torus:16", "hypercube:6", "torus:8x8",
                                 "shuffle-exchange:5", "graph:0-1,1-2,2-3,3-0,0-2"})
    right = searches(name) && right;
  return right ? 0 : 1;
}

// prints: tree:4: 84 messages, 28 of distances; 0 corrections, choices 31
// prints: mesh:16: 90 messages, 30 of distances; 0 corrections, choices 21
// prints: torus:16: 104 messages, 36 of distances; 2 corrections, choices 34
// prints: hypercube:6: 1152 messages, 384 of distances; 0 corrections, choices 970
// prints: torus:8x8: 832 messages, 288 of distances; 8 corrections, choices 673
// prints: shuffle-exchange:5: 312 messages, 110 of distances; 6 corrections, choices 216
// prints: graph:0-1,1-2,2-3,3-0,0-2: 30 messages, 10 of distances; 0 corrections, choices 20
