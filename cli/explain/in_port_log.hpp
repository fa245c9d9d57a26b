#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/observer.hpp>

#include "commands/selection.hpp"

namespace lockstep::cli {

/// The messages that one processor took in during a run.
struct in_port_tally {
  std::uint64_t words = 0;
  std::uint64_t messages = 0;    ///< all but empty ones
  std::uint64_t busy_steps = 0;  ///< steps in which a message came in, empty ones included
  std::uint64_t last_busy = 0;   ///< the last of them

  friend bool operator==(in_port_tally const&, in_port_tally const&) = default;
};

/// Watches the messages that come in: adds them up for each processor, over the whole run, and
/// keeps the messages of some processors in some steps.
class in_port_log : public observer {
 public:
  /// `steps`: those whose messages are kept; `ranks`: the processors whose messages are kept, each
  /// of 0 .. processors-1, or none for all of them; `most`: the largest number of messages to keep.
  in_port_log(int processors, step_range steps, std::vector<int> const& ranks, std::size_t most);

  void message(message_record const& seen) override;
  /// Ends the run, which would have no chart. Errors: incomplete_trace.
  void cut_off(std::string const& why) override;

  /// One entry for each processor, in rank order.
  [[nodiscard]] std::vector<in_port_tally> const& tallies() const noexcept { return m_tallies; }
  /// In the order (step, receiver, sender).
  [[nodiscard]] std::vector<message_record> const& kept() const noexcept { return m_kept; }
  /// The steps whose messages are all kept, as far as they were asked for: fewer than asked for
  /// where they were too many. Nothing is kept of other steps.
  [[nodiscard]] step_range steps() const noexcept { return m_steps; }
  /// Whether they were too many.
  [[nodiscard]] bool is_full() const noexcept { return m_is_full; }

 private:
  void add_up(message_record const& seen);
  void keep(message_record const& seen);

  step_range m_steps;
  std::size_t m_most;
  bool m_is_full = false;
  std::vector<in_port_tally> m_tallies;
  std::vector<bool> m_is_watched;
  std::vector<message_record> m_kept;
};

}  // namespace lockstep::cli
