#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/options.hpp>
#include <lockstep/run.hpp>
#include <lockstep/topology.hpp>

#include "in_port_log.hpp"
#include "sender_marks.hpp"
#include "steady_state.hpp"

namespace lockstep::cli {

/// Number of processors that are shown of a network that has more.
inline constexpr std::size_t processors_shown_of_many = 32;

/// Messages that came in from one side, in the steps that are shown, without empty ones.
struct sender_share {
  sender_mark mark;
  std::uint64_t messages = 0;
  std::uint64_t words = 0;
};

/// One processor's in-port over the steps that are shown.
struct in_port_row {
  int rank = 0;
  std::string label{};                      ///< its rank, and where it stands in the network
  in_port_tally tally{};                    ///< of the whole run
  std::vector<sender_share> shares{};       ///< in the order in which they first sent
  std::vector<std::vector<int>> senders{};  ///< for each step
  std::string cells{};                 ///< for each step a sender's symbol, or one of those below
  std::vector<std::uint64_t> words{};  ///< that came in, for each step
};

/// The steps of a phase, as far as the chart shows them.
struct phase_columns {
  std::string name;
  step_range steps{};

  friend bool operator==(phase_columns const&, phase_columns const&) = default;
};

/// No message, an empty one, and more than nine, or several where digits stand for senders.
inline constexpr char idle_cell = '.';
inline constexpr char empty_cell = '_';
inline constexpr char several_cell = '+';

/// Least number of steps that bring in what a processor takes in, in any order.
struct port_bound {
  std::uint64_t steps = 0;
  std::size_t links = 0;  ///< all ports: the links that bring it in
  int pass = 0;           ///< a port for each pass: the pass with most messages

  friend bool operator==(port_bound const&, port_bound const&) = default;
};

/// The in-port through which most messages came. Of several the one in the middle, because at a
/// network's rim some of what comes in may be of no use, such as the identity that comes before the
/// first processor.
struct busiest_in_port {
  std::size_t row = 0;                   ///< index into the chart's rows
  std::vector<int> as_busy{};            ///< the other ranks with as many messages
  step_range unbroken{};                 ///< its longest time without a pause
  std::optional<steady_state> steady{};  ///< in that time
  port_bound bound{};
};

/// A chart of the messages that came in through in-ports, step by step.
struct in_port_chart {
  lockstep::ports with = ports::one;
  int processors = 0;
  std::string label_note{};             ///< what a reader of the labels has to know, or nothing
  bool are_chosen = false;              ///< whether the processors to show were named
  std::uint64_t steps = 0;              ///< of the whole run: the last in which a message came in
  step_range shown{};                   ///< empty where `first` is larger than `last`
  bool is_cut_short = false;            ///< whether more was asked for than can be kept
  std::vector<sender_mark> legend{};    ///< in the order in which they first sent
  std::vector<in_port_row> rows{};      ///< in rank order
  std::vector<phase_columns> phases{};  ///< in the order in which they began
  std::optional<busiest_in_port> busiest{};  ///< nothing where no message came
};

/// Draws the run that was logged. `ranks`: the processors to show, in rank order, those whose
/// messages were kept; where it is empty, all, or of a large network those with most messages.
[[nodiscard]] in_port_chart chart_of(in_port_log const& log, topology const& network,
                                     lockstep::ports with, std::vector<int> const& ranks);

/// Lists the phases of a run in which messages came in, in those steps.
[[nodiscard]] std::vector<phase_columns> phases_in(run_record const& record, step_range shown);

}  // namespace lockstep::cli
