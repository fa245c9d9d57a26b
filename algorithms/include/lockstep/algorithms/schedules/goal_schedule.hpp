#pragma once

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
#include <lockstep/processor.hpp>

namespace lockstep {

/// One operation of a rank of a GOAL schedule.
struct goal_operation {
  enum class kind : std::uint8_t { send, receive, calculate };

  kind what = kind::calculate;
  int peer = -1;             ///< the rank that it sends to or receives from
  std::uint64_t amount = 0;  ///< bytes of the message, or operations
  std::uint64_t tag = 0;     ///< messages from one rank to another match by it
  std::uint64_t line = 0;    ///< of the file; 0 where there is none

  friend bool operator==(goal_operation const&, goal_operation const&) = default;
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
/// order of the file, receives after the others that may run: they alone wait for other ranks. `cpu` and `nic`
/// are read, and say nothing here: a processor does one operation at a time. Comments begin with two
/// slashes, or stand between slashes and stars.
///
/// The k-th send from one rank to another with a tag and the k-th receive there of that rank and tag
/// belong together.
class goal_schedule {
 public:
  /// Makes one of the operations of each rank, in order.
  /// Errors: invalid_argument for peers other than other ranks, and for an empty list of ranks.
  explicit goal_schedule(std::vector<std::vector<goal_operation>> ranks);

  /// Reads one. `file`: its name, for messages.
  /// Errors: invalid_argument, with the line: text that is not GOAL, ranks and labels that do not
  /// exist or do twice, messages to the rank itself, operations that wait for each other.
  [[nodiscard]] static goal_schedule read(std::istream& in, std::string const& file);

  [[nodiscard]] int ranks() const { return static_cast<int>(m_ranks.size()); }
  [[nodiscard]] std::span<goal_operation const> operations_of(int rank) const {
    return m_ranks[static_cast<std::size_t>(rank)];
  }
  /// Counts the ranks in which the order of the file decided between operations.
  [[nodiscard]] int partly_ordered() const { return m_partly_ordered; }
  /// Lists the sends from one rank to another, in order, as indices into operations_of(from).
  [[nodiscard]] std::span<std::size_t const> sends(int from, int to) const;
  /// Finds for each receive of a rank, in order, the send that belongs to it, as an index into the
  /// sender's operations; none where no send does.
  [[nodiscard]] std::vector<std::optional<std::size_t>> sends_for(int rank) const;

 private:
  std::vector<std::vector<goal_operation>> m_ranks;
  std::map<std::pair<int, int>, std::vector<std::size_t>> m_sends;  ///< by sender and receiver
  int m_partly_ordered = 0;
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

/// Plays a schedule: this processor does the operations of its rank. Called by all processors. A
/// message has ceil(bytes / `word_bytes`) words, with its send's number in each; `calc n` is local work
/// of n operations. A receive takes in earlier messages of that rank with other tags, and keeps them
/// for the receives that ask for it.
///
/// Shows: how many of its "operations" it has done.
/// Result: what each receive got, in order.
/// Errors: invalid_argument for a machine of another size, and for a message that is longer
/// than its receive allows, or that was taken in and not asked for, with the lines of the file; those of `send` and
/// `receive`: a receive without its send is a deadlock, and a send without its receive is left over.
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

}  // namespace lockstep
