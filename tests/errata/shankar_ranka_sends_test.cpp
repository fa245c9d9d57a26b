#include <algorithm>
#include <cstdint>
#include <vector>

#include <lockstep/algorithms/random_access/monotone_schedule.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"

// What Shankar and Ranka 1997 print of monotone sends (section 6 and Figure 11), and the same put
// right.

using lockstep::machine;
using lockstep::monotone_schedule;
using lockstep::processor;
using lockstep::scheduled_message;
using lockstep::sender_and_receiver;

namespace {

/// Words of a processor's last message to a segment that began before (preceding), of its first to
/// one that goes on (succeeding), and of the others (full).
struct segment_words {
  std::int64_t preceding = 0;
  std::int64_t succeeding = 0;
  std::int64_t full = 0;
};

/// When a message takes an in-port, and until when.
struct port_use {
  std::int64_t from = 0;
  std::int64_t until = 0;
};

/// How many find the in-port taken.
int taken_before(std::vector<port_use> uses) {
  std::ranges::sort(uses, {}, &port_use::from);
  int taken = 0;
  std::int64_t free_at = 0;
  for (auto const& use : uses) {
    taken += static_cast<int>(use.from < free_at);
    free_at = std::max(free_at, use.from) + use.until - use.from;
  }
  return taken;
}

/// Figure 11's wait before the preceding segment of processors with one message each to processor
/// 0, a word each. `counts_startups`: whether the scan has messages besides words.
std::vector<port_use> sends_to_0(int p, std::int64_t tau, bool counts_startups) {
  std::vector<port_use> uses;
  for (int rank = 1; rank < p; ++rank) {
    std::int64_t const before = rank - 1;  // words and messages of the segment before
    auto const start = before + (counts_startups ? before * tau : 0);
    uses.push_back({start, start + tau + 1});
  }
  return uses;
}

/// The rest of a wait: r_prec less what was sent.
std::int64_t printed_wait(std::int64_t words_before, segment_words const& own) {
  return words_before - own.succeeding - own.full;
}

/// Sends in these steps on a machine of three; the longest time that a message waited.
std::uint64_t queued_with(std::vector<scheduled_message> const& all) {
  auto const run = machine(lockstep::crossbar{3}).run([&](processor& me) {
    auto const start = me.now();
    for (auto const& message : all) {
      if (message.from != me.rank() || message.step == 0) continue;
      auto const due = start + message.step - 1;
      if (me.now() < due) me.idle(due - me.now());
      me.send(message.to, 1);
    }
    int sum = 0;
    for (auto const& message : all)
      if (message.to == me.rank() && message.step > 0) sum += me.receive_value<int>(message.from);
    return sum;
  });
  return run.counts().queued;
}

}  // namespace

TEST_CASE("Shankar Ranka 4: the figure has other letters than the text", "[errata]") {
  // A processor begins a segment with 5 words, which it sends first, and has 3 in full segments.
  // The text calls these beta and gamma, the figure gamma and beta; the scan takes gamma. The next
  // processor has 4 words of the segment, and waits for what the scan says.
  segment_words const first{0, 5, 3};
  auto const sends = [&](std::int64_t gamma) {
    auto const wait = printed_wait(gamma, {4, 0, 0});
    return std::vector<port_use>{{0, first.succeeding}, {wait, wait + 4}};
  };
  CHECK(taken_before(sends(first.full)) == 1);        // by the letters of the text
  CHECK(taken_before(sends(first.succeeding)) == 0);  // by those of the figure
}

TEST_CASE("Shankar Ranka 5: a wait may be negative, and leaves start-ups out", "[errata]") {
  // Before: 2 words of the segment; sent meanwhile: 5 and 3.
  CHECK(printed_wait(2, {1, 5, 3}) == -6);
  // P(i) = i div p: seven messages for processor 0.
  CHECK(taken_before(sends_to_0(8, 10, false)) == 6);
  CHECK(taken_before(sends_to_0(8, 10, true)) == 0);
  std::vector<sender_and_receiver> messages;
  for (int rank = 0; rank < 8; ++rank) messages.push_back({rank, 0});
  CHECK(monotone_schedule(messages).steps() == 7);
}

TEST_CASE("Shankar Ranka 6: shifts by one are misled by an empty processor", "[errata]") {
  // P = 0 3 4 | 5 5 5 | 5 6 7: P_0 keeps 0, 3, 4, P_1 nothing, P_2 5, 6, 7.
  std::vector<sender_and_receiver> const messages{{0, 0}, {0, 1}, {2, 1}, {2, 2}};
  // To its neighbours P_1 has nothing for processor 1, so both segments look full: sent at once.
  std::vector<scheduled_message> const by_shifts{{0, 1, 1}, {2, 1, 1}};
  CHECK(queued_with(by_shifts) == 1);
  monotone_schedule const by_scans(messages);
  CHECK(by_scans.steps() == 2);
  CHECK(queued_with(by_scans.messages()) == 0);
}
