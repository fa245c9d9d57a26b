#include "engine/counting/section.hpp"

#include <algorithm>
#include <atomic>

#include "engine/cluster/process_team.hpp"
#include "engine/messages/message.hpp"

namespace lockstep::detail {

namespace {

/// Workers that have lists of their own: all of the fibers engine, but not thousands of threads.
constexpr std::size_t most_lists = most_workers;

}  // namespace

void section::open(std::size_t of_workers) {
  auto const size = static_cast<std::size_t>(members->size());
  workers = of_workers;
  received.assign(size, 0);
  sent.assign(lists(), std::vector<std::uint64_t>(size, 0));
  sent_from_outside.resize(lists());
  if (lists() < workers) outside_guard = std::make_unique<std::mutex>();
}

std::size_t section::bytes() const {
  return sizeof(section) +
         static_cast<std::size_t>(members->size()) * sizeof(std::uint64_t) * (1 + lists());
}

void section::count(std::size_t worker, int from, int to, std::uint64_t words) {
  if (words == 0 || received.empty()) return;
  if (auto const member = members->in_group(to); member >= 0)
    received[static_cast<std::size_t>(member)] += words;
  auto const sender = members->in_group(from);
  if (lists() < workers) return count_shared(sender, from, words);
  if (sender < 0)
    sent_from_outside[worker][from] += words;
  else
    sent[worker][static_cast<std::size_t>(sender)] += words;
}

/// Counts what `sender` has sent (-1: the processor `from`, not a member), where other workers
/// count at the same time.
void section::count_shared(int sender, int from, std::uint64_t words) {
  if (sender >= 0) {
    std::atomic_ref(sent.front()[static_cast<std::size_t>(sender)])
        .fetch_add(words, std::memory_order_relaxed);
    return;
  }
  std::scoped_lock const lock(*outside_guard);
  sent_from_outside.front()[from] += words;
}

std::size_t section::lists() const { return workers <= most_lists ? workers : 1; }

std::uint64_t section::sent_by(std::size_t member) const {
  std::uint64_t total = 0;
  for (auto const& by_member : sent) total += by_member[member];
  return total;
}

void section::join() {
  if (team == nullptr || joined || received.empty()) return;
  joined = true;
  received = team->sum(received);
  std::vector<std::uint64_t> sent_here(received.size(), 0);
  for (std::size_t member = 0; member < sent_here.size(); ++member)
    sent_here[member] = sent_by(member);
  sent.assign(1, team->sum(sent_here));
  struct from_outside {
    int rank;
    std::uint64_t words;
  };
  std::vector<from_outside> here;
  for (auto const& by_rank : sent_from_outside)
    for (auto const& [rank, words] : by_rank) here.push_back({rank, words});
  byte_writer mine;
  mine.put_all(std::span<from_outside const>(here));
  sent_from_outside.assign(1, {});
  for (auto const& said : team->gather(topic::sums, std::move(mine)))
    for (auto const& [rank, words] : process_team::read(topic::sums, said).get_all<from_outside>())
      sent_from_outside.front()[rank] += words;
}

void section::sum_up() {
  join();
  for (std::size_t member = 0; member < received.size(); ++member)
    port_words = std::max({port_words, received[member], sent_by(member)});
  received = {};
  sent = {};
}

}  // namespace lockstep::detail
