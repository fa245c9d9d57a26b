#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>
#include <lockstep/options.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// One operation of a rank of a GOAL schedule. Those from `idle` on are of this machine: GOAL has them as
/// comments (goal_trace).
struct goal_operation {
  enum class kind : std::uint8_t {
    send,
    receive,
    calculate,
    idle,
    barrier,
    phase,
    begin_pipelined,
    end_pipelined,
    rearrange
  };

  kind what = kind::calculate;
  /// The rank that it sends to or receives from; of a barrier, or an end of pipelined rounds, -1 for all
  /// ranks, or an index into `goal_schedule::subsets`.
  int peer = -1;
  /// Bytes of the message, operations, idle steps, words that are rearranged, or of a phase the index of
  /// its name.
  std::uint64_t amount = 0;
  std::uint64_t tag = 0;   ///< messages from one rank to another match by it
  std::uint64_t line = 0;  ///< of the file; 0 without one
  along way{};             ///< that a send takes; offset 0: that of the network
  int pass = 0;            ///< on machines with ports per pass

  friend bool operator==(goal_operation const&, goal_operation const&) = default;
};

/// The origin of the order of a schedule's ranks.
struct goal_order {
  int partly_ordered = 0;  ///< ranks in which the order of the file decided between operations
  int overtaken = 0;  ///< ranks in which that would have been a circle, so that others went first

  friend bool operator==(goal_order const&, goal_order const&) = default;
};

/// The machine of the run that a schedule is of.
struct goal_machine {
  std::string network{};      ///< as `topology::spec` gives it
  machine_options options{};  ///< its ports, switching, packet and bytes of a word
};

/// A schedule of messages and local work in GOAL, the text format of LogGOPSim's tools:
///
///   num_ranks 2
///   rank 0 {
///   l1: send 8b to 1 tag 7
///   l2: calc 100
///   l2 requires l1
///   }
///   rank 1 {
///   l1: recv 8b from 0 tag 7
///   }
///
/// A rank's operations run one after the other, as far as `requires` and `irequires` leave it open in the
/// order of the file. Where all ranks would then wait for messages in a circle, each of them does first the
/// first of its sends or calculations that may run, or, without any, the first of its receives whose
/// message has been sent; `order` counts these ranks. `cpu` and `nic` are read, and say nothing here: a
/// processor does one operation at a time. Comments begin with two slashes, or stand between slashes and
/// stars. Those that begin with "// lockstep:" are read: they say what GOAL has no word for
/// (goal_trace).
///
/// The k-th send from one rank to another with a tag and the k-th receive there of that rank and tag
/// belong together.
class goal_schedule {
 public:
  /// Makes one of the operations of each rank, in order.
  /// Errors: invalid_argument for peers other than other ranks, barriers but of all ranks, pipelined
  /// rounds that do not end or are nested, and for an empty list of ranks.
  explicit goal_schedule(std::vector<std::vector<goal_operation>> ranks,
                         std::source_location where = std::source_location::current());

  /// Reads one. `file`: its name, for messages.
  /// Errors: invalid_argument, with the line: text that is not GOAL, ranks and labels that do not
  /// exist or do twice, messages to the rank itself, operations that wait for each other.
  [[nodiscard]] static goal_schedule read(
      std::istream& in, std::string const& file,
      std::source_location where = std::source_location::current());

  /// Reads the machine alone, which stands before the ranks; none where the file names none. Errors: the
  /// same.
  [[nodiscard]] static std::optional<goal_machine> read_machine(
      std::istream& in, std::string const& file,
      std::source_location where = std::source_location::current());

  [[nodiscard]] int ranks() const { return static_cast<int>(m_ranks.size()); }
  [[nodiscard]] std::span<goal_operation const> operations_of(int rank) const {
    return m_ranks[static_cast<std::size_t>(rank)];
  }
  /// Counts the ranks in which the order of the file decided between operations.
  [[nodiscard]] int partly_ordered() const { return m_order.partly_ordered; }
  [[nodiscard]] goal_order const& order() const { return m_order; }
  /// Lists the members of the subsets whose barriers are in it.
  [[nodiscard]] std::vector<std::vector<int>> const& subsets() const { return m_subsets; }
  [[nodiscard]] std::vector<std::string> const& phases() const { return m_phases; }
  /// Lists what the file says that it lacks of the run which it is of (goal_trace).
  [[nodiscard]] std::vector<std::string> const& exceptions() const { return m_exceptions; }
  /// Gives the machine of the run that the file is of, where it names one (goal_trace).
  [[nodiscard]] std::optional<goal_machine> const& of_machine() const { return m_machine; }
  /// Says where a run of it stops: which receives wait for ever, or else which sends nobody receives,
  /// the first four, with their lines and tags. Empty where it comes to its end.
  [[nodiscard]] std::string unmatched() const;
  /// Lists the sends from one rank to another in a pass, in order, as indices into operations_of(from).
  [[nodiscard]] std::span<std::size_t const> sends(int from, int to, int pass = 0) const;
  /// Finds for each receive of a rank, in order, the send that belongs to it, as an index into the
  /// sender's operations; none where no send does.
  [[nodiscard]] std::vector<std::optional<std::size_t>> sends_for(int rank) const;

 private:
  goal_schedule() = default;
  /// Checks all operations, and lists the sends.
  void check();
  void check(int rank, goal_operation const& one) const;

  std::vector<std::vector<goal_operation>> m_ranks;
  /// The ends of a channel, in an order in which those of a receiver are together.
  struct channel_ends {
    int to;
    int from;
    int pass;

    friend auto operator<=>(channel_ends const&, channel_ends const&) = default;
  };

  std::map<channel_ends, std::vector<std::size_t>> m_sends;
  std::vector<std::vector<int>> m_subsets;
  std::vector<std::string> m_phases;
  std::vector<std::string> m_exceptions;
  goal_order m_order;
  std::optional<goal_machine> m_machine;
};

/// A message that a receive of a schedule has got.
struct goal_arrival {
  int from = -1;
  std::size_t send = 0;     ///< index into the sender's operations
  std::uint64_t words = 0;  ///< that came in

  friend bool operator==(goal_arrival const&, goal_arrival const&) = default;
};

/// The messages that a processor's receives have got, in order.
using goal_arrivals = std::vector<goal_arrival>;

/// Plays a schedule: this processor does the operations of its rank, and none if the schedule has fewer
/// ranks. Called by all processors. A
/// message has ceil(bytes / `word_bytes`) words, with its send's number in each; `calc n` is local work
/// of n operations. A receive takes in earlier messages of that rank with other tags, and keeps them
/// for the receives that ask for it.
///
/// Shows: how many of its "operations" it has done.
/// Result: what each receive got, in order.
/// Errors: invalid_argument for a machine of fewer processors, and for a message that is longer
/// than its receive allows, or that was taken in and not asked for, with the lines of the file; those of `send` and
/// `receive`: a receive without its send is a deadlock, and a send without its receive is left over
/// (`goal_schedule::unmatched` names both by their lines).
///
/// **Cost** that of the messages, in the order of the operations.
///
/// **Source** Hoefler, Siebert and Lumsdaine 2009, Group Operation Assembly Language.
///
/// **Example**
/// ```
/// std::ifstream file("schedule.goal");
/// auto const schedule = lockstep::goal_schedule::read(file, "schedule.goal");
/// lockstep::machine torus{lockstep::torus{8, 8}};
/// auto run = torus.run([&](lockstep::processor& me) { return lockstep::play(me, schedule); });
/// ```
[[nodiscard]] goal_arrivals play(processor& me, goal_schedule const& schedule,
                                 std::uint64_t word_bytes = sizeof(std::uint64_t),
                                 std::source_location where = std::source_location::current());

/// The same, and keeps in `doing[rank]` the operation of each rank that its processor is at, as an index into
/// `operations_of(rank)`, for reports of errors. `doing`: an element for each rank of the schedule.
/// Errors: invalid_argument for fewer; those of the other.
[[nodiscard]] goal_arrivals play(processor& me, goal_schedule const& schedule,
                                 std::uint64_t word_bytes, std::span<std::size_t> doing,
                                 std::source_location where = std::source_location::current());

}  // namespace lockstep
