#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/counts.hpp>
#include <lockstep/options.hpp>
#include <lockstep/run.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// The traffic that every program for the problem needs. A field of 0 gives no bound.
struct traffic_requirement {
  std::uint64_t taken_in = 0;  ///< words that one of the processors has to take in
  std::uint64_t sent = 0;      ///< words that one of the processors has to send
  std::uint64_t moved = 0;     ///< words to be taken in by all processors together
  /// The sum over words of the links between where they are and where they are needed, if each is
  /// needed at one place and no two can be combined on the way.
  std::uint64_t word_links = 0;
  /// Words that have to get from one half of the processors to the other, however they are halved.
  std::uint64_t crossing = 0;
  /// The largest distance, in links, between two processors one of which needs something of the
  /// other.
  int distance = 0;
  /// The largest number of processors, itself included, that one processor needs something of, or
  /// that need something of one processor.
  std::uint64_t joined = 0;
};
using demand = traffic_requirement;  ///< its former name

/// Computes the traffic of a complete exchange: every processor has `words` words for every other.
/// Errors: those of `topology::diameter`; invalid_argument where the traffic has 2^64 words or
/// more.
[[nodiscard]] traffic_requirement complete_exchange(topology const& network, std::uint64_t words);

/// Computes the traffic of a problem in which processor i has `words[i * p + j]` words for
/// processor j. Words that stay do not count.
/// Errors: invalid_argument unless words.size() is p * p, and where the traffic has 2^64 words or
/// more.
[[nodiscard]] traffic_requirement relation_between(topology const& network,
                                                   std::vector<std::uint64_t> const& words);

/// The part of a machine that makes a lower bound.
enum class bound_reason : std::uint8_t {
  distance,   ///< the way between two processors
  spreading,  ///< the ports, by which the number of processors that know something grows
  in_port,    ///< of the processor that takes in most
  out_port,   ///< of the processor that sends most
  halves,     ///< the links between two halves of the processors
  links,      ///< all links, or all ports, together
  moved       ///< no part: the words themselves
};

/// A lower bound on one figure of every run.
struct lower_bound {
  std::string figure;
  std::string formula;  ///< "diameter", "5184 words between halves, over 24 links"
  std::uint64_t value = 0;
  std::string source;
  bound_reason reason = bound_reason::moved;

  friend bool operator==(lower_bound const&, lower_bound const&) = default;
};

/// Computes lower bounds on the figures of every program on that machine, the strongest first for
/// each figure:
///
/// - steps: the distance, with neighbour switching; and ceil(log(joined)) to the base of a
///   processor's ports + 1;
/// - hops: the distance;
/// - words: what a processor takes in, or without queues sends, over its ports; what crosses
///   between halves, over the bisection width; word_links over what ports, or links, carry in a
///   step;
/// - volume: all words moved, with neighbour switching over each link.
/// Words and volume are rounded up to whole packets, in which they are counted.
/// Links bound words only where none carries two messages in a step: on a strict machine, or with
/// neighbour switching. With ports for each pass only distance and volume give bounds. Words that
/// a processor sends give no bound if they go into pipelined rounds of others, which pay for what
/// their members send and take in.
/// **Source** Counting rules 2 to 5; bisection: Thompson 1979.
[[nodiscard]] std::vector<lower_bound> lower_bounds(topology const& network,
                                                    machine_options const& options,
                                                    traffic_requirement const& of);

/// Computes them for the schedule of a run. Where it had no queues, shared links or pipelined
/// rounds, bounds hold that need not hold for other schedules.
/// Errors: invalid_argument for a record that was not made by a machine.
[[nodiscard]] std::vector<lower_bound> lower_bounds(run_record const& run,
                                                    traffic_requirement const& of);

/// Finds the strongest for that figure, or nullptr.
[[nodiscard]] lower_bound const* strongest(std::vector<lower_bound> const& bounds,
                                           std::string_view figure);

/// Whether the counts reach the bound; if not, the bound or the program is wrong.
/// Errors: invalid_argument for a name that is not a figure of counts.
[[nodiscard]] bool holds(lower_bound const& bound, counts const& measured);

}  // namespace lockstep
