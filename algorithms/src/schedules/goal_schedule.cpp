#include <lockstep/algorithms/schedules/goal_schedule.hpp>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/library_call.hpp>

#include "goal_reader.hpp"

namespace lockstep {

namespace {

using kind = goal_operation::kind;

std::string place_of(goal_operation const& of) {
  return of.line == 0 ? "" : fmt::format(" of line {}", of.line);
}

/// The receives of one processor, with the messages that have come before they were asked for.
class incoming {
 public:
  incoming(processor& me, goal_schedule const& schedule) : m_me(me), m_schedule(schedule) {}

  [[nodiscard]] goal_arrival take(goal_operation const& wanted) {
    auto& from = m_from[wanted.peer];
    auto kept = std::ranges::find(from.kept, wanted.tag, &arrived_message::tag);
    if (kept != from.kept.end()) {
      auto const found = kept->arrival;
      from.kept.erase(kept);
      check_size(wanted, found);
      return found;
    }
    auto came = next_of(wanted.peer, from.taken++);
    for (; came.tag != wanted.tag; came = next_of(wanted.peer, from.taken++))
      from.kept.push_back(came);
    check_size(wanted, came.arrival);
    return came.arrival;
  }

  /// Errors: invalid_argument where something was taken in and not asked for.
  void check_all_wanted() const {
    for (auto const& [peer, from] : m_from)
      for (auto const& one : from.kept)
        throw invalid_argument(fmt::format(
            "the send{} from rank {} to {} with tag {} has no receive: it came before another that "
            "has one; receive it, or leave it out",
            place_of(send_of(one.arrival)), peer, m_me.rank(), one.tag));
  }

 private:
  struct arrived_message {
    std::uint64_t tag;
    goal_arrival arrival;
  };
  struct channel {
    std::size_t taken = 0;
    std::deque<arrived_message> kept{};
  };

  [[nodiscard]] goal_operation const& send_of(goal_arrival const& of) const {
    return m_schedule.operations_of(of.from)[of.send];
  }

  /// Receives the next message of that rank, whichever it is. Where it has sent all, nothing
  /// comes, and the machine names those that wait.
  [[nodiscard]] arrived_message next_of(int peer, std::size_t number) {
    auto const words = m_me.receive<std::uint64_t>(peer);
    auto const sends = m_schedule.sends(peer, m_me.rank());
    goal_arrival came{peer, words.empty() ? sends[number] : static_cast<std::size_t>(words.front()),
                      words.size()};
    return {send_of(came).tag, came};
  }

  void check_size(goal_operation const& wanted, goal_arrival const& came) const {
    auto const& sent = send_of(came);
    if (sent.amount > wanted.amount)
      throw invalid_argument(fmt::format(
          "the receive{} of {} bytes from rank {} gets {}, which the send{} has: a message is at "
          "most as long as its receive allows",
          place_of(wanted), wanted.amount, wanted.peer, sent.amount, place_of(sent)));
  }

  processor& m_me;
  goal_schedule const& m_schedule;
  std::map<int, channel> m_from;
};

}  // namespace

goal_schedule::goal_schedule(std::vector<std::vector<goal_operation>> ranks)
    : m_ranks(std::move(ranks)) {
  if (m_ranks.empty()) throw invalid_argument("a schedule of no rank: give it one or more");
  for (int rank = 0; auto const& operations : m_ranks) {
    for (std::size_t at = 0; at < operations.size(); ++at) {
      auto const& one = operations[at];
      if (one.what == kind::calculate) continue;
      if (one.peer < 0 || one.peer >= this->ranks() || one.peer == rank)
        throw invalid_argument(fmt::format(
            "rank {} of a schedule has a message with rank {}: ranks are 0 to {}, without "
            "its own",
            rank, one.peer, this->ranks() - 1));
      if (one.what == kind::send) m_sends[{rank, one.peer}].push_back(at);
    }
    ++rank;
  }
}

goal_schedule goal_schedule::read(std::istream& in, std::string const& file) {
  auto text = detail::read_goal_text(in, file);
  goal_schedule made(std::move(text.ranks));
  made.m_partly_ordered = text.partly_ordered;
  return made;
}

std::span<std::size_t const> goal_schedule::sends(int from, int to) const {
  auto const found = m_sends.find({from, to});
  if (found == m_sends.end()) return {};
  return found->second;
}

std::vector<std::optional<std::size_t>> goal_schedule::sends_for(int rank) const {
  std::map<std::pair<int, std::uint64_t>, std::deque<std::size_t>> left;
  for (auto const& [ends, sent] : m_sends)
    if (ends.second == rank)
      for (auto const at : sent)
        left[{ends.first, operations_of(ends.first)[at].tag}].push_back(at);
  std::vector<std::optional<std::size_t>> found;
  for (auto const& one : operations_of(rank)) {
    if (one.what != kind::receive) continue;
    auto& of_tag = left[{one.peer, one.tag}];
    if (of_tag.empty()) {
      found.emplace_back();
    } else {
      found.emplace_back(of_tag.front());
      of_tag.pop_front();
    }
  }
  return found;
}

goal_arrivals play(processor& me, goal_schedule const& schedule, std::uint64_t word_bytes,
                   std::source_location where) {
  library_call const call(me, where);
  if (me.size() != schedule.ranks())
    throw invalid_argument(
        fmt::format("a schedule of {} ranks on {} processors: take a network of as "
                    "many",
                    schedule.ranks(), me.size()));
  if (word_bytes == 0) throw invalid_argument("words of 0 bytes: a word has 1 byte or more");
  goal_arrivals got;
  incoming messages(me, schedule);
  auto const mine = schedule.operations_of(me.rank());
  me.show("operations", std::uint64_t{0});
  for (std::size_t at = 0; at < mine.size(); ++at) {
    auto const& one = mine[at];
    auto const words = one.amount / word_bytes + (one.amount % word_bytes > 0 ? 1 : 0);
    if (one.what == kind::send)
      me.send(one.peer, std::vector<std::uint64_t>(words, std::uint64_t{at}));
    else if (one.what == kind::receive)
      got.push_back(messages.take(one));
    else
      me.work(one.amount);
    me.show("operations", std::uint64_t{at + 1});
  }
  messages.check_all_wanted();
  return got;
}

}  // namespace lockstep
