// A task farm: a master hands out tasks, and gives each worker the next one when its result comes in,
// in whatever order that is. The program measures no order of its own: it takes as many steps as list
// scheduling says, in which a task goes to the worker that is free first.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/lockstep.hpp>

using step = std::uint64_t;

/// Hands out tasks, given by the steps that they take, and an empty message when there are no more.
void run_master(lockstep::processor& me, std::span<int const> tasks) {
  std::size_t next = 0;
  auto const hand_out = [&](int worker) { me.send(worker, tasks.subspan(next++, 1)); };
  int busy = 0;
  while (busy + 1 < me.size() && next < tasks.size()) hand_out(++busy);
  for (; busy > 0; --busy) {
    auto const [worker, result] = me.receive_any<int>();
    if (next < tasks.size()) hand_out(worker), ++busy;
  }
  for (int worker = 1; worker < me.size(); ++worker) me.send(worker, std::vector<int>());
}

void run_worker(lockstep::processor& me) {
  for (auto task = me.receive<int>(0); !task.empty(); task = me.receive<int>(0)) {
    me.idle(static_cast<step>(task.front()));
    me.send(0, task.front());
  }
}

/// The step in which the last result comes in, by list scheduling on that many workers. The master
/// sends a task in a step, and takes in a result in a step; of several results the lowest worker's.
step list_schedule(std::span<int const> tasks, int workers) {
  std::set<std::pair<step, int>> results;  // the step and the sender of each
  step now = 1, last_out = 0, last_in = 0;
  std::size_t next = 0;
  auto const hand_out = [&](int worker) {
    if (last_out == now) ++now;
    last_out = now;
    results.insert({now + 1 + static_cast<step>(tasks[next++]), worker});
  };
  for (int worker = 1; worker <= workers && next < tasks.size(); ++worker) hand_out(worker);
  while (!results.empty()) {
    auto const place = [&](auto const& of) {
      return std::pair(std::max(of.first, last_in + 1), of.second);
    };
    auto const first = std::ranges::min_element(results, {}, place);
    int const worker = first->second;
    last_in = place(*first).first;
    now = std::max(now, last_in + 1);
    results.erase(first);
    if (next < tasks.size()) hand_out(worker);
  }
  return last_in;
}

int main() {
  bool all_as_claimed = true;
  for (int const processors : {2, 5, 17}) {
    std::vector<int> tasks(100);
    for (std::size_t task = 0; task < tasks.size(); ++task)
      tasks[task] = static_cast<int>(task * task % 97);
    auto const run =
        lockstep::machine{lockstep::crossbar{processors}}.run([&](lockstep::processor& me) {
          if (me.rank() == 0) return run_master(me, tasks);
          run_worker(me);
        });
    auto const claimed = list_schedule(tasks, processors - 1);
    all_as_claimed = all_as_claimed && run.counts().steps == claimed;
    std::cout << processors - 1 << " workers: " << run.counts().steps << " steps, list scheduling "
              << claimed << ", choices " << run.choices() << '\n';
  }
  return all_as_claimed ? 0 : 1;
}

// prints: 1 workers: 4861 steps, list scheduling 4861, choices 0
// prints: 4 workers: 1222 steps, list scheduling 1222, choices 99
// prints: 16 workers: 349 steps, list scheduling 349, choices 99
