// When is a computation over that nobody oversees? Processors work when a message comes, and work makes
// further messages; when all are idle and no message is under way, no more will come. Dijkstra and Scholten
// 1980: each message is answered by a signal, at once if its receiver is already part of a tree of wakers,
// else when the receiver has done its work and all its own messages are answered. The first processor's last
// answer says that it is over.
//
// Signals are as many as messages, which is the least in the worst case (Chandy and Misra 1986).
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <random>
#include <utility>
#include <vector>

#include <lockstep/lockstep.hpp>

using lockstep::processor;

constexpr int nobody = -1;

enum class kind { task, signal, over };

struct message {
  kind what;
  int size = 0;  // of a task: how many tasks it leads to, in all
};

/// How many tasks there are in all.
int tasks_of(int processors) { return 40 * processors; }

/// A processor's part of a computation.
struct part {
  std::uint64_t tasks_sent = 0;
  std::uint64_t last_task = 0;  // when it had done its last, in steps
  std::uint64_t told = 0;       // when it knew that all was over
};

/// Sends tasks about at random, each for some steps, until they have come to nothing.
part compute(processor& me, unsigned seed) {
  std::mt19937 random(seed + static_cast<unsigned>(me.rank()));
  auto const below = [&](int end) {
    return static_cast<int>(random() % static_cast<unsigned>(end));
  };
  part mine;
  std::uint64_t unanswered = 0;
  auto const work = [&](int size) {
    me.idle(1 + static_cast<std::uint64_t>(below(4)));
    while (size > 0) {
      int const next = 1 + below(size);
      int const to = (me.rank() + 1 + below(me.size() - 1)) % me.size();
      me.send(to, message{kind::task, next - 1});
      ++mine.tasks_sent;
      ++unanswered;
      size -= next;
    }
    mine.last_task = me.now();
  };
  bool const is_first = me.rank() == 0;
  int waker = nobody;
  if (is_first) work(tasks_of(me.size()));
  while (!is_first || unanswered > 0) {
    auto const [from, came] = me.receive_any<message>();
    auto const& one = came.front();
    if (one.what == kind::over) {
      mine.told = me.now();
      return mine;
    }
    if (one.what == kind::signal) --unanswered;
    if (one.what == kind::task) {
      bool const is_in_tree = is_first || waker != nobody;
      if (!is_in_tree) waker = from;
      work(one.size);
      if (is_in_tree) me.send(from, message{kind::signal});
    }
    if (waker != nobody && unanswered == 0) {
      me.send(waker, message{kind::signal});
      waker = nobody;
    }
  }
  mine.told = me.now();
  for (int to = 1; to < me.size(); ++to) me.send(to, message{kind::over});
  return mine;
}

/// Runs it. Result: whether nobody was told too early, and signals are as many as messages.
bool detects(int size, unsigned seed) {
  auto const run = lockstep::machine(lockstep::crossbar{size}).run([&](processor& me) {
    return compute(me, seed);
  });
  std::uint64_t tasks = 0, last = 0;
  for (auto const& one : run.results()) {
    tasks += one.tasks_sent;
    last = std::max(last, one.last_task);
  }
  bool right = true;
  for (auto const& one : run.results()) right = right && one.told >= last;
  auto const ends = static_cast<std::uint64_t>(size) - 1;
  auto const signals = run.counts().messages - tasks - ends;
  std::cout << size << " processors: " << tasks << " tasks, " << signals
            << " signals; the last was done by step " << last << ", known in step "
            << run.results().front().told << '\n';
  return right && signals == tasks && tasks == static_cast<std::uint64_t>(tasks_of(size));
}

int main() {
  bool right = true;
  for (unsigned const seed : {1U, 2U}) right = detects(4, seed) && right;
  for (int const size : {2, 16, 64}) right = detects(size, 3) && right;
  return right ? 0 : 1;
}

// prints: 4 processors: 160 tasks, 160 signals; the last was done by step 161, known in step 164
// prints: 4 processors: 160 tasks, 160 signals; the last was done by step 152, known in step 155
// prints: 2 processors: 80 tasks, 80 signals; the last was done by step 144, known in step 146
// prints: 16 processors: 640 tasks, 640 signals; the last was done by step 195, known in step 200
// prints: 64 processors: 2560 tasks, 2560 signals; the last was done by step 218, known in step 222
