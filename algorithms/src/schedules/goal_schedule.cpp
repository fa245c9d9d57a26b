#include <lockstep/algorithms/schedules/goal_schedule.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <source_location>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/detail/message_rules.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/topology.hpp>

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

  [[nodiscard]] goal_arrival take(goal_operation const& wanted,
                                  std::source_location where = std::source_location::current()) {
    detail::library_frame const frame(m_me, where);
    auto& from = m_from[{wanted.peer, wanted.pass}];
    if (auto const kept = from.kept.find(wanted.tag); kept != from.kept.end()) {
      auto const found = kept->second.front();
      kept->second.pop_front();
      if (kept->second.empty()) from.kept.erase(kept);
      check_size(wanted, found);
      return found;
    }
    for (;;) {
      auto const came = next_of(wanted, from.taken++);
      auto const tag = send_of(came).tag;
      if (tag != wanted.tag) {
        from.kept[tag].push_back(came);
        continue;
      }
      check_size(wanted, came);
      return came;
    }
  }

  /// Errors: invalid_argument where something was taken in and not asked for.
  void check_all_wanted() const {
    for (auto const& [peer, from] : m_from)
      for (auto const& [tag, messages] : from.kept)
        throw invalid_argument(fmt::format(
            "the send{} from rank {} to {} with tag {} has no receive: it came before another that "
            "has one; receive it, or leave it out",
            place_of(send_of(messages.front())), peer.first, m_me.rank(), tag));
  }

 private:
  struct channel {
    std::size_t taken = 0;
    std::map<std::uint64_t, std::deque<goal_arrival>> kept{};  ///< by tag
  };

  [[nodiscard]] goal_operation const& send_of(goal_arrival const& of) const {
    return m_schedule.operations_of(of.from)[of.send];
  }

  /// Receives the next message of that rank, whichever it is. Where it has sent all, nothing
  /// comes, and the machine names those that wait.
  [[nodiscard]] goal_arrival next_of(goal_operation const& wanted, std::size_t number,
                                     std::source_location where = std::source_location::current()) {
    detail::library_frame const frame(m_me, where);
    auto const words = m_me.receive<std::uint64_t>(wanted.peer);
    return {wanted.peer,
            words.empty() ? m_schedule.sends(wanted.peer, m_me.rank(), wanted.pass)[number]
                          : static_cast<std::size_t>(words.front()),
            words.size()};
  }

  void check_size(goal_operation const& wanted, goal_arrival const& came) const {
    auto const& sent = send_of(came);
    if (sent.amount > wanted.amount)
      throw invalid_argument(fmt::format(
          "the receive{} of {} bytes from rank {} with tag {} gets {}, which the send{} has: a "
          "message is at most as long as its receive allows",
          place_of(wanted), wanted.amount, wanted.peer, wanted.tag, sent.amount, place_of(sent)));
  }

  processor& m_me;
  goal_schedule const& m_schedule;
  std::map<std::pair<int, int>, channel> m_from;  ///< by rank and pass
};

/// A processor that does the operations of its rank.
class player {
 public:
  player(processor& me, goal_schedule const& schedule, std::uint64_t word_bytes, std::size_t* doing)
      : m_me(me),
        m_schedule(schedule),
        m_mine(schedule.operations_of(me.rank())),
        m_word_bytes(word_bytes),
        m_doing(doing),
        m_has_ways(!schedule.of_machine() ||
                   schedule.of_machine()->network == me.topology().spec()),
        m_has_passes(detail::message_rules_of(me).ports == ports::per_pass),
        m_messages(me, schedule) {}

  [[nodiscard]] goal_arrivals play() {
    m_me.show("operations", std::uint64_t{0});
    go_on();
    m_messages.check_all_wanted();
    return std::move(m_got);
  }

 private:
  /// Does the operations up to the end of the pipelined rounds that it is in, or all.
  void go_on() {
    while (m_next < m_mine.size()) {
      if (m_doing != nullptr) *m_doing = m_next;
      auto const& one = m_mine[m_next++];
      if (one.what == kind::end_pipelined) return;
      run(one);
      m_me.show("operations", std::uint64_t{m_next});
    }
  }

  void run(goal_operation const& one,
           std::source_location where = std::source_location::current()) {
    detail::library_frame const frame(m_me, where);
    switch (one.what) {
      case kind::send:
        return in_channel_of(one, [&] { send(one); });
      case kind::receive:
        return in_channel_of(one, [&] { m_got.push_back(m_messages.take(one)); });
      case kind::calculate:
        if (one.amount > 0) m_me.work(one.amount);
        return;
      case kind::idle:
        return m_me.idle(one.amount);
      case kind::barrier:
        return part_of(one).barrier();
      case kind::phase:
        return begin_phase(one);
      case kind::begin_pipelined:
        return part_of(one).pipelined([this] { go_on(); });
      case kind::end_pipelined:
        return;
      case kind::rearrange:
        return m_me.rearrange(one.amount);
    }
  }

  /// Sends or receives in the pass of an operation; where passes have no ports, with that tag.
  template <class Act>
  void in_channel_of(goal_operation const& one, Act const& act) {
    if (!m_has_passes) {
      auto const tag = m_me.tagged(one.pass);
      return act();
    }
    if (one.pass != m_pass) m_me.pass(m_pass = one.pass);
    act();
  }
  /// A message has the place of its send in each word.
  void send(goal_operation const& one,
            std::source_location where = std::source_location::current()) {
    detail::library_frame const frame(m_me, where);
    auto const words = one.amount / m_word_bytes + (one.amount % m_word_bytes > 0 ? 1 : 0);
    bool const has_way = m_has_ways && one.way.offset != 0;
    destination const to = has_way ? destination(one.way) : destination(one.peer);
    m_me.send(to, std::vector<std::uint64_t>(words, std::uint64_t{m_next - 1}));
  }
  /// Names what follows, which only the whole machine can.
  void begin_phase(goal_operation const& one) {
    auto& part = part_of(one);
    if (&part == &m_me)
      m_me.phase(m_schedule.phases()[one.amount]);
    else
      part.barrier();
  }

  /// Finds the processors that an operation is of: the machine, or a subset.
  [[nodiscard]] processor& part_of(goal_operation const& one) {
    if (one.peer < 0 && m_schedule.ranks() == m_me.size()) return m_me;
    auto& found = m_parts[one.peer];
    if (found == nullptr) {
      std::vector<int> members;
      if (one.peer >= 0)
        members = m_schedule.subsets()[static_cast<std::size_t>(one.peer)];
      else
        for (int rank = 0; rank < m_schedule.ranks(); ++rank) members.push_back(rank);
      found = std::unique_ptr<processor>(new processor(m_me.subset(members)));
    }
    return *found;
  }

  processor& m_me;
  goal_schedule const& m_schedule;
  std::span<goal_operation const> m_mine;
  std::uint64_t m_word_bytes;
  std::size_t* m_doing;
  bool m_has_ways;  ///< whether the network is the one that the ways of messages are of
  bool m_has_passes;
  incoming m_messages;
  goal_arrivals m_got;
  std::size_t m_next = 0;
  int m_pass = 0;
  std::map<int, std::unique_ptr<processor>> m_parts;  ///< by subset; -1: all ranks
};

}  // namespace

goal_schedule::goal_schedule(std::vector<std::vector<goal_operation>> ranks,
                             std::source_location where)
    : m_ranks(std::move(ranks)) {
  detail::errors_at(where, [&] { check(); });
}

goal_schedule goal_schedule::read(std::istream& in, std::string const& file,
                                  std::source_location where) {
  auto text = detail::errors_at(where, [&] { return detail::read_goal_text(in, file); });
  goal_schedule made;
  made.m_ranks = std::move(text.ranks);
  made.m_subsets = std::move(text.subsets);
  made.m_phases = std::move(text.phases);
  made.m_exceptions = std::move(text.exceptions);
  made.m_machine = std::move(text.machine);
  made.m_order = text.order;
  detail::errors_at(where, [&] { made.check(); });
  return made;
}

std::optional<goal_machine> goal_schedule::read_machine(std::istream& in, std::string const& file,
                                                        std::source_location where) {
  return detail::errors_at(where, [&] { return detail::read_goal_machine(in, file); });
}

void goal_schedule::check() {
  if (m_ranks.empty()) throw invalid_argument("a schedule of no rank: give it one or more");
  for (int rank = 0; auto const& operations : m_ranks) {
    bool pipelined = false;
    for (std::size_t at = 0; at < operations.size(); ++at) {
      auto const& one = operations[at];
      check(rank, one);
      if (one.what == kind::send) m_sends[{one.peer, rank, one.pass}].push_back(at);
      bool const begins = one.what == kind::begin_pipelined;
      if (!begins && one.what != kind::end_pipelined) continue;
      if (begins == pipelined)
        throw invalid_argument(fmt::format(
            "pipelined rounds of rank {} of a schedule that {}: let each begin, and end before the "
            "next",
            rank, begins ? "begin in others" : "have not begun"));
      pipelined = begins;
    }
    if (pipelined)
      throw invalid_argument(fmt::format(
          "pipelined rounds of rank {} of a schedule that do not end: let them end", rank));
    ++rank;
  }
}

void goal_schedule::check(int rank, goal_operation const& one) const {
  bool const moves = one.what == kind::send || one.what == kind::receive;
  if (moves && (one.peer < 0 || one.peer >= ranks() || one.peer == rank))
    throw invalid_argument(
        fmt::format("rank {} of a schedule has a message with rank {}: ranks are 0 to {}, without "
                    "its own",
                    rank, one.peer, ranks() - 1));
  if (!moves && (one.peer < -1 || one.peer >= static_cast<int>(m_subsets.size())))
    throw invalid_argument(fmt::format(
        "rank {} of a schedule has an operation of subset {}: there are {}; -1 is for all ranks",
        rank, one.peer, m_subsets.size()));
  if (one.what == kind::phase && one.amount >= m_phases.size())
    throw invalid_argument(fmt::format("rank {} of a schedule begins phase {}: there are {}", rank,
                                       one.amount, m_phases.size()));
}

std::span<std::size_t const> goal_schedule::sends(int from, int to, int pass) const {
  auto const found = m_sends.find({to, from, pass});
  if (found == m_sends.end()) return {};
  return found->second;
}

std::vector<std::optional<std::size_t>> goal_schedule::sends_for(int rank) const {
  std::map<std::pair<int, std::uint64_t>, std::deque<std::size_t>> left;
  for (auto channel = m_sends.lower_bound({rank, -1, -1});
       channel != m_sends.end() && channel->first.to == rank; ++channel)
    for (auto const at : channel->second)
      left[{channel->first.from, operations_of(channel->first.from)[at].tag}].push_back(at);
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

namespace {

/// Runs a schedule without steps, to see where it ends.
class dry_run {
 public:
  explicit dry_run(goal_schedule const& of)
      : m_schedule(of), m_next(static_cast<std::size_t>(of.ranks())) {
    for (int rank = 0; rank < of.ranks(); ++rank) go_on(rank);
    while (!m_ready.empty()) {
      auto const rank = m_ready.back();
      m_ready.pop_back();
      go_on(rank);
    }
  }

  /// Says which receives wait for ever, or which sends nobody receives.
  [[nodiscard]] std::string unmatched() const {
    std::vector<std::string> said;
    for (int rank = 0; rank < m_schedule.ranks(); ++rank) {
      auto const at = m_next[static_cast<std::size_t>(rank)];
      auto const mine = m_schedule.operations_of(rank);
      if (at < mine.size())
        said.push_back(fmt::format("rank {} waits for a message from rank {} with tag {}{}", rank,
                                   mine[at].peer, mine[at].tag, in_line(mine[at])));
    }
    if (!said.empty()) return listed("nobody can go on: ", said);
    for (auto const& [channel, waiting] : m_sent)
      for (auto const* const one : waiting)
        said.push_back(fmt::format("the send from rank {} to {} with tag {}{}",
                                   std::get<0>(channel), std::get<1>(channel), std::get<2>(channel),
                                   in_line(*one)));
    return said.empty() ? "" : listed("there is no receive for ", said);
  }

 private:
  using ends = std::tuple<int, int, std::uint64_t>;

  [[nodiscard]] static std::string in_line(goal_operation const& of) {
    return of.line == 0 ? "" : fmt::format(" (line {})", of.line);
  }
  [[nodiscard]] static std::string listed(std::string text, std::vector<std::string> const& all) {
    constexpr std::size_t most = 4;
    for (std::size_t at = 0; at < std::min(most, all.size()); ++at)
      text += (at == 0 ? "" : "; ") + all[at];
    if (all.size() > most) text += fmt::format("; and {} more", all.size() - most);
    return text;
  }

  void go_on(int rank) {
    auto const mine = m_schedule.operations_of(rank);
    for (auto& at = m_next[static_cast<std::size_t>(rank)]; at < mine.size(); ++at) {
      auto const& one = mine[at];
      if (one.what == kind::send) {
        ends const key(rank, one.peer, one.tag);
        m_sent[key].push_back(&one);
        if (m_awaited.erase(key) > 0) m_ready.push_back(one.peer);
      } else if (one.what == kind::receive) {
        ends const key(one.peer, rank, one.tag);
        auto const found = m_sent.find(key);
        if (found == m_sent.end() || found->second.empty()) {
          m_awaited.insert(key);
          return;
        }
        found->second.pop_front();
      }
    }
  }

  goal_schedule const& m_schedule;
  std::vector<std::size_t> m_next;
  std::map<ends, std::deque<goal_operation const*>> m_sent;
  std::set<ends> m_awaited;
  std::vector<int> m_ready;
};

}  // namespace

std::string goal_schedule::unmatched() const { return dry_run(*this).unmatched(); }

namespace {

goal_arrivals play_to(processor& me, goal_schedule const& schedule, std::uint64_t word_bytes,
                      std::size_t* doing) {
  if (me.size() < schedule.ranks())
    throw invalid_argument(
        fmt::format("a schedule of {} ranks on {} processors: take a network of as many or more",
                    schedule.ranks(), me.size()));
  if (word_bytes == 0) throw invalid_argument("words of 0 bytes: a word has 1 byte or more");
  if (me.rank() >= schedule.ranks()) return {};
  return player(me, schedule, word_bytes, doing).play();
}

}  // namespace

goal_arrivals play(processor& me, goal_schedule const& schedule, std::uint64_t word_bytes,
                   std::source_location where) {
  library_call const call(me, where);
  return play_to(me, schedule, word_bytes, nullptr);
}

goal_arrivals play(processor& me, goal_schedule const& schedule, std::uint64_t word_bytes,
                   std::span<std::size_t> doing, std::source_location where) {
  library_call const call(me, where);
  if (doing.size() < static_cast<std::size_t>(schedule.ranks()))
    throw invalid_argument(fmt::format("places for {} of {} ranks: give one for each", doing.size(),
                                       schedule.ranks()));
  auto const rank = static_cast<std::size_t>(me.rank());
  return play_to(me, schedule, word_bytes, rank < doing.size() ? &doing[rank] : nullptr);
}

}  // namespace lockstep
