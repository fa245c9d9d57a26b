#include <lockstep/algorithms/schedules/goal_schedule.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <lockstep/claim_list.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/errors.hpp>

#include "files/input_file.hpp"
#include "harness/bdm_parameters.hpp"
#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/solve.hpp"
#include "routing/pairwise_bounds.hpp"

namespace lockstep {

namespace {

using kind = goal_operation::kind;

constexpr integer_parameter messages_of_a_rank{
    "messages", "messages of the schedule that is made without --input, for each processor",
    4,          0,
    100'000,    true};

/// Lists the processors to which each can send; none where it can to all.
[[nodiscard]] std::vector<std::vector<int>> reachable(arguments const& given) {
  auto const& network = given.network();
  bool const to_neighbours = given.request().options.switching.value_or(
                                 network.default_switching()) == switching::neighbour;
  std::vector<std::vector<int>> from(static_cast<std::size_t>(network.size()));
  for (int rank = 0; to_neighbours && rank < network.size(); ++rank)
    for (auto const& one : network.neighbours(rank))
      from[static_cast<std::size_t>(rank)].push_back(one.rank);
  return from;
}

/// Makes messages between random processors, one after another, so that each rank's operations in that
/// order come to an end, with local work between.
[[nodiscard]] goal_schedule made_schedule(arguments const& given) {
  constexpr std::uint64_t most_bytes = 100;
  constexpr std::uint64_t most_operations = 50;
  constexpr std::uint64_t most_tags = 3;
  std::mt19937_64 random(given.seed());
  auto const p = static_cast<std::size_t>(given.processors());
  auto const below = [&random](std::size_t most) {
    return static_cast<std::size_t>(random() % most);
  };
  auto const neighbours = reachable(given);
  std::vector<std::vector<goal_operation>> ranks(p);
  for (auto messages = p > 1 ? p * given[messages_of_a_rank] : 0; messages > 0; --messages) {
    auto const from = below(p);
    auto const& near = neighbours[from];
    auto const to = near.empty() ? (from + 1 + below(p - 1)) % p
                                 : static_cast<std::size_t>(near[below(near.size())]);
    auto const bytes = random() % most_bytes;
    auto const tag = random() % most_tags;
    if (random() % 2 == 0) ranks[from].push_back({.amount = random() % most_operations});
    ranks[from].push_back({kind::send, static_cast<int>(to), bytes, tag});
    ranks[to].push_back({kind::receive, static_cast<int>(from), bytes, tag});
  }
  return goal_schedule(std::move(ranks));
}

constexpr char const* instead_of_a_file = "name a GOAL schedule, or leave out --input";

[[nodiscard]] integer_parameter packet_of_schedule() {
  auto made = packet_size;
  made.told_by_input = true;
  return made;
}

/// Reads the machine that a file says its run was on. A pipe, which can be read once, is left alone.
/// Errors: bad_input.
[[nodiscard]] std::optional<machine_of_input> machine_told_by(std::filesystem::path const& file) {
  if (facts_of_input(file).can_be_read_once) return std::nullopt;
  input_file in(file, instead_of_a_file);
  try {
    auto const told = goal_schedule::read_machine(in, file.string());
    if (!told) return std::nullopt;
    return machine_of_input{told->network, told->options};
  } catch (invalid_argument const& refused) {
    throw bad_input(refused.message());
  }
}

/// Reads the schedule. Errors: bad_input.
[[nodiscard]] goal_schedule schedule_from(arguments const& given) {
  auto const& input = given.request().input;
  if (!input) return made_schedule(given);
  return read_input(*input, instead_of_a_file, [&](std::istream& in) {
    try {
      auto schedule = goal_schedule::read(in, input->string());
      if (schedule.ranks() > given.processors())
        throw bad_input(fmt::format(
            "{} has {} ranks, and {} has {} processors: take a network of as "
            "many or more",
            input->string(), schedule.ranks(), given.network().spec(), given.processors()));
      return schedule;
    } catch (invalid_argument const& refused) {
      throw bad_input(refused.message());
    }
  });
}

/// The problem of a schedule: each receive gets the message of the send that belongs to it.
class schedule_problem {
 public:
  using arrivals = std::vector<std::vector<goal_arrival>>;  ///< by rank

  schedule_problem(arguments const& given, goal_schedule const& schedule)
      : m_given(given), m_schedule(schedule) {}

  [[nodiscard]] goal_schedule const& part_of(processor const& /*me*/) const { return m_schedule; }

  /// Matches the sends and receives one after another.
  [[nodiscard]] bool is_solved_by(arrivals const& got) const {
    for (std::size_t rank = static_cast<std::size_t>(m_schedule.ranks()); rank < got.size(); ++rank)
      if (!got[rank].empty()) return false;
    for (int rank = 0; rank < m_schedule.ranks(); ++rank) {
      auto const sends = m_schedule.sends_for(rank);
      auto send = sends.begin();
      auto next = got[static_cast<std::size_t>(rank)].begin();
      for (auto const& one : m_schedule.operations_of(rank)) {
        if (one.what != kind::receive) continue;
        if (!*send || *next != goal_arrival{one.peer, **send,
                                            words_of(m_schedule.operations_of(one.peer)[**send])})
          return false;
        ++send;
        ++next;
      }
      if (next != got[static_cast<std::size_t>(rank)].end()) return false;
    }
    return true;
  }

  [[nodiscard]] traffic_requirement least_traffic(arrivals const& /*got*/) const {
    auto const p = static_cast<std::size_t>(m_given.processors());
    if (p > static_cast<std::size_t>(max_processors_for_pairwise_bounds)) return {};
    std::vector<std::uint64_t> between(p * p);
    for_each_send([&](int from, goal_operation const& one) {
      between[static_cast<std::size_t>(from) * p + static_cast<std::size_t>(one.peer)] +=
          words_of(one);
    });
    return relation_between(m_given.network(), between);
  }

  [[nodiscard]] std::uint64_t pieces_to_write() const {
    return static_cast<std::uint64_t>(m_schedule.ranks());
  }
  /// Writes a row for each receive: its rank, the sender, the send and its words.
  void write(std::ostream& out, arrivals const& got) const {
    out << "rank,from,send,words\n";
    for (std::size_t rank = 0; rank < got.size(); ++rank)
      for (auto const& one : got[rank])
        fmt::print(out, "{},{},{},{}\n", rank, one.from, one.send, one.words);
  }

  /// Computes the words of a message on this machine, before packets.
  [[nodiscard]] std::uint64_t words_of(goal_operation const& one) const {
    auto const bytes = m_given.request().options.word_bytes;
    return one.amount / bytes + (one.amount % bytes > 0 ? 1 : 0);
  }
  template <class Visitor>
  void for_each_send(Visitor&& visit) const {
    for (int rank = 0; rank < m_schedule.ranks(); ++rank)
      for (auto const& one : m_schedule.operations_of(rank))
        if (one.what == kind::send) visit(rank, one);
  }

 private:
  arguments const& m_given;
  goal_schedule const& m_schedule;
};

/// The sums over a schedule, the same on any machine.
struct schedule_sums {
  std::uint64_t messages = 0;  ///< with words
  std::uint64_t words = 0;     ///< in whole packets
  std::uint64_t held = 0;      ///< words that messages have
  std::uint64_t operations = 0;
};

[[nodiscard]] schedule_sums sums_of(arguments const& given, goal_schedule const& schedule,
                                    schedule_problem const& problem) {
  schedule_sums sums;
  auto const packet = packet_from(given);
  problem.for_each_send([&](int /*from*/, goal_operation const& one) {
    auto const words = problem.words_of(one);
    sums.messages += words > 0 ? 1 : 0;
    sums.held += words;
    sums.words += detail::in_whole_packets(words, packet);
  });
  for (int rank = 0; rank < schedule.ranks(); ++rank)
    for (auto const& one : schedule.operations_of(rank))
      if (one.what == kind::calculate) sums.operations += one.amount;
  return sums;
}

[[nodiscard]] std::vector<claim> claims_of(schedule_sums const& sums) {
  return claim_list(formula_letters{})
      .with("scheduled_messages", static_cast<double>(sums.messages))
      .with("scheduled_words", static_cast<double>(sums.words))
      .with("scheduled_operations", static_cast<double>(sums.operations))
      .from("the schedule")
      .equal("messages", "scheduled_messages")
      .equal("volume", "scheduled_words")
      .equal("operations", "scheduled_operations");
}

/// Throws the error again as one of the file: by its name, the line and the tag of the operation that the
/// processor was at, and what of the schedule has no counterpart.
class file_errors {
 public:
  file_errors(std::string file, goal_schedule const& schedule,
              std::vector<std::size_t> const& doing)
      : m_file(std::move(file)), m_schedule(schedule), m_doing(doing) {}

  [[noreturn]] void rethrow(error const& thrown) const {
    if (is_a<deadlock>(thrown)) throw deadlock(left_over(thrown), place_of(thrown));
    if (is_a<unreceived_message>(thrown))
      throw unreceived_message(left_over(thrown), place_of(thrown));
    if (is_a<invalid_argument>(thrown)) throw invalid_argument(with_line(thrown), place_of(thrown));
    if (is_a<not_adjacent>(thrown)) throw not_adjacent(with_line(thrown), place_of(thrown));
    if (is_a<port_conflict>(thrown)) throw port_conflict(with_line(thrown), place_of(thrown));
    if (is_a<link_contention>(thrown))
      throw link_contention(fmt::format("{}: {}", m_file, thrown.message()), place_of(thrown));
    if (is_a<step_limit>(thrown)) throw step_limit(with_line(thrown), place_of(thrown));
    if (is_a<barrier_mismatch>(thrown)) throw barrier_mismatch(with_line(thrown), place_of(thrown));
    throw;
  }

 private:
  template <class Error>
  [[nodiscard]] static bool is_a(error const& thrown) {
    return dynamic_cast<Error const*>(&thrown) != nullptr;
  }
  [[nodiscard]] static incident place_of(error const& thrown) {
    auto at = thrown.at();
    at.where = {};
    at.inside.reset();
    return at;
  }
  [[nodiscard]] std::string left_over(error const& thrown) const {
    auto const why = m_schedule.unmatched();
    return fmt::format("{}: {}", m_file,
                       why.empty() ? thrown.message()
                                   : why +
                                         ": give each send its receive, with the same tag, and "
                                         "each receive its send, in an order that can end");
  }
  [[nodiscard]] std::string with_line(error const& thrown) const {
    auto const rank = thrown.rank();
    if (rank < 0 || rank >= m_schedule.ranks())
      return fmt::format("{}: {}", m_file, thrown.message());
    auto const& one = m_schedule.operations_of(rank)[m_doing[static_cast<std::size_t>(rank)]];
    bool const moves = one.what == kind::send || one.what == kind::receive;
    return fmt::format("{}, line {}{}: {}", m_file, one.line,
                       moves ? fmt::format(", tag {}", one.tag) : "", thrown.message());
  }

  std::string m_file;
  goal_schedule const& m_schedule;
  std::vector<std::size_t> const& m_doing;
};

/// Says how the order of ranks came about where the file leaves it open, and which processors idle.
[[nodiscard]] std::string note_on(goal_schedule const& schedule, int processors) {
  auto const& [partly_ordered, overtaken] = schedule.order();
  std::string text;
  if (partly_ordered > 0)
    text = fmt::format(
        "{} of {} ranks are only partly ordered: their operations run in the order of the file "
        "that "
        "the requirements allow",
        partly_ordered, schedule.ranks());
  if (overtaken > 0)
    text += fmt::format(
        ", but for {} in which that would be a circle of receives, where other operations go first",
        overtaken);
  if (auto const idle = processors - schedule.ranks(); idle > 0)
    text += fmt::format("{}{} of {} processors have no rank, and idle", text.empty() ? "" : "; ",
                        idle, processors);
  if (auto const& lacks = schedule.exceptions(); !lacks.empty())
    text += fmt::format("{}the counts are those of the run that the file is of, except {}",
                        text.empty() ? "" : "; ", fmt::join(lacks, ", "));
  return text;
}

[[nodiscard]] experiment_result run_goal(arguments const& given) {
  auto const schedule = schedule_from(given);
  schedule_problem const problem(given, schedule);
  auto const sums = sums_of(given, schedule, problem);
  constexpr double bytes_of_a_word = 8;
  auto const p = static_cast<double>(given.processors());
  machine_needs const needs{.packet = packet_from(given),
                            .bytes_each = bytes_of_a_word * static_cast<double>(sums.held) / p,
                            .held = "the messages of the schedule",
                            .remedy = "a schedule with fewer bytes"};
  require_memory(given, needs);
  std::vector<std::size_t> doing(static_cast<std::size_t>(schedule.ranks()));
  auto const& input = given.request().input;
  auto result = [&] {
    try {
      return solve(given, needs, claims_of(sums), problem,
                   [&](processor& me, goal_schedule const& of) {
                     return play(me, of, given.request().options.word_bytes, doing);
                   });
    } catch (bad_input const&) {
      throw;
    } catch (error const& thrown) {
      if (!input) throw;
      file_errors(input->string(), schedule, doing).rethrow(thrown);
    }
  }();
  result.parameters["packet"] = static_cast<std::int64_t>(packet_from(given));
  result.note = note_on(schedule, given.processors());
  result.figures["partly_ordered_ranks"] = schedule.partly_ordered();
  result.figures["overtaken_ranks"] = schedule.order().overtaken;
  result.figures["scheduled_messages"] = static_cast<std::int64_t>(sums.messages);
  result.figures["scheduled_words"] = static_cast<std::int64_t>(sums.words);
  result.figures["scheduled_operations"] = static_cast<std::int64_t>(sums.operations);
  return result;
}

}  // namespace

experiment goal_experiment() {
  return {
      .name = "goal",
      .summary = "a schedule of messages and local work, as LogGOPSim's tools write it, is played",
      .topologies = "any network",
      .source = "Hoefler, Siebert and Lumsdaine, Group Operation Assembly Language, 2009",
      .examples = {"torus:4x4", "hypercube:3", "mesh:3x4", "crossbar:6", "tree:3", "torus:8x8",
                   "hypercube:5", "mesh:2x3x2", "crossbar:2", "shuffle-exchange:3", "tree:5"},
      .parameters = {messages_of_a_rank, packet_of_schedule()},
      .takes_files = true,
      .run = run_goal,
      .machine_told_by = machine_told_by};
}

}  // namespace lockstep
