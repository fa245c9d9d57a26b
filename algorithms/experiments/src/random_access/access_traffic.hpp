#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/random_access/monotone_schedule.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/lower_bounds.hpp>

#include "harness/harness.hpp"

namespace lockstep {

/// A value that lies on one processor and is needed on another, or on the same.
struct needed_value {
  int at = 0;
  std::size_t index = 0;  ///< tells it from other values
  int by = 0;

  friend auto operator<=>(needed_value const&, needed_value const&) = default;
};

/// Computes the traffic of any program that brings values, of that many words each, where they are
/// needed. A value that a processor needs several times comes once.
[[nodiscard]] traffic_requirement traffic_of(std::vector<needed_value> needed, int processors,
                                             std::uint64_t words);

/// Counts q: the most messages that a processor sends or receives where all that goes from one to
/// another goes in one message.
[[nodiscard]] std::uint64_t most_messages(std::vector<sender_and_receiver> elements,
                                          int processors);

/// Adds up a number of all phases of that name, or, for an empty name, of all phases.
[[nodiscard]] std::int64_t sum_in(run_record const& run, std::string_view phase,
                                  std::uint64_t phase_record::*number);

/// Adds the start-ups and the words of all phases of these names, as NAME_startups and NAME_words.
void add_sums(experiment_result& result, std::string const& name,
              std::initializer_list<std::string_view> phases);

/// The needs of a random access: its rounds are steps, and keep out of each other's way.
[[nodiscard]] machine_needs needs_of_access();

/// Adds the figures q, and those of the phase "sends": sends_steps and sends_port_words.
void add_sends(experiment_result& result, std::uint64_t q);

}  // namespace lockstep
