#pragma once

#include <compare>
#include <cstdint>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// Which processor sends a message to which.
struct sender_and_receiver {
  int from = 0;
  int to = 0;

  friend auto operator<=>(sender_and_receiver const&, sender_and_receiver const&) = default;
};

/// A message and the step in which it is sent, from 1; 0 if sender and receiver are one processor.
struct scheduled_message {
  int from = 0;
  int to = 0;
  std::uint64_t step = 0;

  friend bool operator==(scheduled_message const&, scheduled_message const&) = default;
};

/// The steps of messages whose destinations are non-decreasing over the ranks of their senders: q
/// steps, the most messages that a processor sends or receives, without two at one in-port.
///
/// Senders of one destination make a segment. The first of several sends at once. Then a processor
/// sends to destinations that are its own alone, in order. The message of a segment that begins at
/// a lower rank is its last, and not before step c + 1, where c messages come before it in its
/// segment. What a processor sends to itself is not a message.
///
/// **Source** Shankar and Ranka 1997, section 6 and Figure 11, mended: start-ups of the messages
/// before are waited for, processors without messages do not end a segment, and one inside of a
/// segment sends to it once.
class monotone_schedule {
 public:
  /// `messages`: all of the machine, in the order of senders, of each in that of destinations;
  /// those of a processor to itself included.
  /// Errors: invalid_argument where destinations decrease, or a message stands there twice.
  explicit monotone_schedule(std::span<sender_and_receiver const> messages,
                             std::source_location where = std::source_location::current());

  /// All messages, in the order in which they were given.
  [[nodiscard]] std::vector<scheduled_message> const& messages() const { return m_messages; }
  /// q.
  [[nodiscard]] std::uint64_t steps() const { return m_steps; }
  /// Makes the schedule of an answer to each message, in the opposite order of steps.
  [[nodiscard]] monotone_schedule reversed() const;

  /// Lists the messages that a processor sends, and those that it receives, in the order of steps.
  [[nodiscard]] std::vector<scheduled_message> sent_by(int rank) const;
  [[nodiscard]] std::vector<scheduled_message> received_by(int rank) const;

 private:
  monotone_schedule() = default;

  std::vector<scheduled_message> m_messages;
  std::uint64_t m_steps = 0;
};

}  // namespace lockstep
