#include <lockstep/algorithms/random_access/monotone_sends.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "random_access/access_samples.hpp"

using lockstep::monotone_schedule;
using lockstep::monotone_sends;
using lockstep::scheduled_message;
using lockstep::sender_and_receiver;

namespace {

using message_list = std::vector<sender_and_receiver>;
using lists = std::vector<std::vector<int>>;  ///< destinations of each processor

lists lists_of(message_list const& messages, int p) {
  lists of_each(static_cast<std::size_t>(p));
  for (auto const& [from, to] : messages) of_each[static_cast<std::size_t>(from)].push_back(to);
  return of_each;
}

/// The most messages that a processor sends or receives.
std::uint64_t most_at_a_port(message_list const& messages, int p) {
  std::vector<std::pair<int, int>> pairs;
  for (auto const& [from, to] : messages) pairs.emplace_back(from, to);
  return most_partners(pairs, p);
}

/// Calls `visit` with every list of messages with senders and destinations that do not decrease.
void for_each_list(int p, message_list& messages,
                   std::function<void(message_list const&)> const& visit) {
  visit(messages);
  auto const last = messages.empty() ? sender_and_receiver{0, -1} : messages.back();
  for (int from = last.from; from < p; ++from)
    for (int to = std::max(last.to, 0); to < p; ++to) {
      if (from == last.from && to == last.to) continue;
      messages.push_back({from, to});
      for_each_list(p, messages, visit);
      messages.pop_back();
    }
}

message_list random_list(int p, std::uint32_t seed) {
  std::mt19937 random(seed);
  auto const below = [&](int bound) { return std::uniform_int_distribution(0, bound - 1)(random); };
  message_list messages;
  int from = 0;
  int to = below(p);
  auto const most_forward = 1 + below(4);
  auto const most_up = 1 + below(4);
  while (from < p && to < p) {
    messages.push_back({from, to});
    auto const forward = below(2) * below(most_forward + 1);
    auto const up = below(2) * below(most_up + 1);
    from += forward + (forward == 0 && up == 0 ? 1 : 0);
    to += up;
  }
  return messages;
}

/// Whether no processor has two messages in a step, and all are sent in q steps.
bool keeps_the_rules(std::vector<scheduled_message> const& messages, std::uint64_t q) {
  std::set<std::pair<int, std::uint64_t>> out;
  std::set<std::pair<int, std::uint64_t>> in;
  std::uint64_t last = 0;
  for (auto const& [from, to, step] : messages) {
    if ((from == to) != (step == 0)) return false;
    if (from == to) continue;
    if (!out.emplace(from, step).second || !in.emplace(to, step).second) return false;
    last = std::max(last, step);
  }
  return last == q;
}

using messages = std::vector<lockstep::addressed_elements<int>>;

/// Each message has as many elements as `size` says, which tell where it comes from and goes.
messages messages_of(int rank, std::vector<int> const& to, int size) {
  messages made;
  for (auto const destination : to)
    made.push_back({destination, std::vector(static_cast<std::size_t>(size + destination % 3),
                                             100 * rank + destination)});
  return made;
}

/// A plain loop over the senders; those without elements are left out.
messages arrivals(lists const& of_each, int rank, int size) {
  messages arrived;
  for (int from = 0; auto const& to : of_each) {
    for (auto const& [destination, elements] : messages_of(from, to, size))
      if (destination == rank && !elements.empty()) arrived.push_back({from, elements});
    ++from;
  }
  return arrived;
}

void check_arrived(std::vector<messages> const& results, lists const& of_each, int size) {
  for (int rank = 0; auto arrived : results) {
    std::erase_if(arrived, [](auto const& one) { return one.elements.empty(); });
    auto const expected = arrivals(of_each, rank, size);
    CHECK(std::ranges::equal(arrived, expected, [](auto const& a, auto const& b) {
      return a.rank == b.rank && a.elements == b.elements;
    }));
    ++rank;
  }
}

/// Sends what the list has, by its schedule or without knowing more than the own destinations, and compares
/// with the loop. Result: the run.
auto checked_sends(message_list const& list, int p, int size, bool is_known,
                   lockstep::engine engine = lockstep::engine::fibers) {
  auto const of_each = lists_of(list, p);
  auto run = strict_crossbar_of(p, engine).run([&](processor& me) {
    auto mine = messages_of(me.rank(), of_each[static_cast<std::size_t>(me.rank())], size);
    return is_known ? monotone_sends(me, std::move(mine), monotone_schedule(list))
                    : monotone_sends(me, std::move(mine));
  });
  check_arrived(run.results(), of_each, size);
  return run;
}

/// Sends both ways, and compares the costs with the page's.
void check_sends(message_list const& list, int p, int size,
                 lockstep::engine engine = lockstep::engine::fibers) {
  auto const q = most_at_a_port(list, p);
  auto const known = checked_sends(list, p, size, true, engine);
  CHECK(known.counts().rounds == q);
  auto const unknown = checked_sends(list, p, size, false, engine);
  REQUIRE(unknown.phases().size() == 2);
  auto const& destinations = unknown.phases()[0];
  auto const& sends = unknown.phases()[1];
  CHECK(destinations.name == "destinations");
  CHECK(destinations.startups == 3 * logarithm_of(p));
  CHECK(destinations.words == 2 * logarithm_of(p) + 2 * static_cast<std::uint64_t>(p - 1));
  CHECK(sends.name == "sends");
  if (size == 0) return;
  CHECK(known.counts().startups == q);
  CHECK(sends.startups == q);
  CHECK(sends.steps == q);
}

}  // namespace

TEST_CASE("a monotone schedule has q steps, and no two messages at a port, for all lists of 6",
          "[random_access]") {
  std::vector<std::size_t> const numbers_of_lists{1, 2, 12, 104, 1'008, 10'272, 107'712};
  for (int p = 1; p <= 6; ++p) {
    std::size_t wrong = 0;
    std::size_t seen = 0;
    message_list none;
    for_each_list(p, none, [&](message_list const& list) {
      monotone_schedule const schedule(list);
      auto const q = most_at_a_port(list, p);
      bool const right = schedule.steps() == q && keeps_the_rules(schedule.messages(), q) &&
                         keeps_the_rules(schedule.reversed().messages(), q);
      if (!right) ++wrong;
      ++seen;
    });
    CHECK(wrong == 0);
    CHECK(seen == numbers_of_lists[static_cast<std::size_t>(p)]);
  }
}

TEST_CASE("a monotone schedule has q steps, and no two messages at a port, for random lists",
          "[random_access]") {
  for (std::uint32_t seed = 1; seed <= 2000; ++seed) {
    int const p = 6 + static_cast<int>(seed % 60);
    auto const list = random_list(p, seed);
    INFO("seed " << seed << ", p = " << p);
    monotone_schedule const schedule(list);
    CHECK(schedule.steps() == most_at_a_port(list, p));
    CHECK(keeps_the_rules(schedule.messages(), most_at_a_port(list, p)));
    for (int rank = 0; rank < p; ++rank) {
      auto const received = schedule.received_by(rank);
      CHECK(std::ranges::is_sorted(received, {}, &scheduled_message::from));
    }
  }
}

TEST_CASE("monotone sends keep step on a strict machine, for all lists of 3", "[random_access]") {
  for (int p = 1; p <= 3; ++p) {
    message_list none;
    for_each_list(p, none, [&](message_list const& list) { check_sends(list, p, 1); });
  }
}

TEST_CASE("monotone sends keep step on a strict machine, for random lists", "[random_access]") {
  int const p = GENERATE(4, 5, 7, 8, 11, 16, 17);
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    auto const list = random_list(p, seed);
    INFO("seed " << seed << ", p = " << p);
    for (int const size : {0, 3}) check_sends(list, p, size);
  }
}

TEST_CASE("monotone sends count alike on both engines", "[random_access][threads][sanitize]") {
  for (auto const engine : {lockstep::engine::fibers, lockstep::engine::threads})
    check_sends(random_list(9, 5), 9, 2, engine);
}

TEST_CASE("a message waits for the start-ups of those before it in its segment",
          "[random_access]") {
  // P(i) = i div p on 8 processors, erratum 5: words alone would let 6 of 7 find the in-port taken.
  message_list to_the_last;
  for (int from = 0; from < 8; ++from) to_the_last.push_back({from, 7});
  monotone_schedule const schedule(to_the_last);
  for (int from = 0; from < 7; ++from)
    CHECK(schedule.messages()[static_cast<std::size_t>(from)].step ==
          static_cast<std::uint64_t>(from) + 1);
  check_sends(to_the_last, 8, 1);
}

TEST_CASE("a processor without messages does not end a segment", "[random_access]") {
  // 3 processors, erratum 6: P0 and P2 send to P1, P1 has nothing.
  message_list const around_1{{0, 0}, {0, 1}, {2, 1}, {2, 2}};
  monotone_schedule const schedule(around_1);
  CHECK(schedule.messages()[1] == scheduled_message{0, 1, 1});
  CHECK(schedule.messages()[2] == scheduled_message{2, 1, 2});
  CHECK(schedule.steps() == 2);
  check_sends(around_1, 3, 1);
}

TEST_CASE("a processor inside of a segment sends to it once", "[random_access]") {
  message_list const inside{{0, 3}, {1, 3}, {2, 3}, {2, 4}};
  monotone_schedule const schedule(inside);
  CHECK(schedule.sent_by(1) == std::vector{scheduled_message{1, 3, 2}});
  CHECK(schedule.sent_by(2) == std::vector{scheduled_message{2, 4, 1}, scheduled_message{2, 3, 3}});
}

TEST_CASE("answers go back in the opposite order of steps", "[random_access]") {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    auto const list = random_list(11, seed);
    auto const run = strict_crossbar_of(11).run([&](processor& me) {
      auto const answers = monotone_schedule(list).reversed();
      messages mine;
      for (auto const& [from, to] : list)
        if (to == me.rank()) mine.push_back({from, std::vector{100 * from + to}});
      return monotone_sends(me, mine, answers);
    });
    INFO("seed " << seed);
    CHECK(run.counts().steps == most_at_a_port(list, 11));
    for (int rank = 0; auto const& arrived : run.results()) {
      std::vector<int> to;
      for (auto const& [from, elements] : arrived) {
        CHECK(elements == std::vector{100 * rank + from});
        to.push_back(from);
      }
      CHECK(to == lists_of(list, 11)[static_cast<std::size_t>(rank)]);
      ++rank;
    }
  }
}

TEST_CASE("monotone sends refuse what is not monotone", "[random_access]") {
  auto const refusal_of_schedule = [](message_list const& list) {
    return refusal_of_call([&] { return monotone_schedule(list); });
  };
  CHECK(refusal_of_schedule({{0, 2}, {1, 1}}) ==
        "a message from processor 1 to 1 follows one from 0 to 2: senders and destinations have to "
        "be non-decreasing, and each message stands there once");
  CHECK_THAT(refusal_of_schedule({{1, 2}, {1, 2}}), has_text("stands there once"));
  CHECK_THAT(refusal_of_schedule({{1, 0}, {0, 1}}), has_text("non-decreasing"));

  auto const refusal = [](lists const& of_each) {
    return refused_on(static_cast<int>(of_each.size()), [&](processor& me) {
      return monotone_sends(me,
                            messages_of(me.rank(), of_each[static_cast<std::size_t>(me.rank())], 1))
          .size();
    });
  };
  CHECK(refusal({{2}, {1}, {}}) ==
        "processor 1 sends to processor 1, and one of a lower rank to 2: destinations have to be "
        "non-decreasing over the ranks of their senders");
  CHECK(refusal({{0}, {2, 1}, {}}) ==
        "processor 1 has a message to processor 1 behind one to 2; give one message for each "
        "destination, in the order of ranks");
  CHECK(refusal({{3}, {}, {}}) ==
        "processor 0 has a message to processor 3; there are processors 0 to 2");
  CHECK(refused_on(2,
                   [](processor& me) {
                     message_list const one{{0, 1}};
                     return monotone_sends(me, messages{}, monotone_schedule(one)).size();
                   }) ==
        "processor 0 has messages to [], and the schedule has some from it to [1]; give one, which "
        "may be empty, for each of these");
}
