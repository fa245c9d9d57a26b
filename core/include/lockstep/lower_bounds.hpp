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

/// What a problem asks of any program that solves it, in words and links. What is 0 bounds nothing.
struct traffic_requirement {
  std::uint64_t taken_in = 0;  ///< words that some processor has to take in
  std::uint64_t sent = 0;      ///< words that some processor has to send
  std::uint64_t moved = 0;     ///< words to be taken in by all processors together
  /// The sum over words of the links between where they are and where they are needed, where each
  /// is needed at one place, and no two can be made one on the way.
  std::uint64_t word_links = 0;
  /// Words that have to get from one half of the processors to the other, however they are halved.
  std::uint64_t crossing = 0;
  /// Most links between two processors of which one needs something of the other.
  int distance = 0;
  /// Most processors, itself included, of which one needs something, or that need something of one.
  std::uint64_t joined = 0;
};
using demand = traffic_requirement;  ///< its former name

/// Every processor has m words for every other, each word for itself.
/// Errors: those of `topology::diameter`.
[[nodiscard]] traffic_requirement complete_exchange(topology const& network, std::uint64_t words);

/// Processor i has `words[i * p + j]` words for processor j; what stays does not count.
/// Precondition: words.size() = p * p.
[[nodiscard]] traffic_requirement relation_between(topology const& network,
                                                   std::vector<std::uint64_t> const& words);

/// No run has less of a figure.
struct lower_bound {
  std::string figure;
  std::string formula;  ///< "diameter", "5184 words between halves, over 24 links"
  std::uint64_t value = 0;
  std::string source;

  friend bool operator==(lower_bound const&, lower_bound const&) = default;
};

/// What bounds the figures of every program on that machine, the strongest first for each figure:
///
/// - steps: the distance, with neighbour switching; and ceil(log(joined)) to the base of a
///   processor's ports + 1;
/// - hops: the distance;
/// - words: what a processor takes in, or without queues sends, over its ports; what crosses
/// between
///   halves, over the bisection width; word_links over what ports, or links, carry in a step;
/// - volume: all words moved, with neighbour switching over each link.
///
/// Links bound words only where none carries two messages in a step: on a strict machine, or with
/// neighbour switching. With ports for each pass only distance and volume bound anything. Words
/// that a processor sends bound nothing where it sends them into pipelined rounds of others, which
/// pay for what their members send and take in.
/// **Source** Counting rules 2 to 5; bisection: Thompson 1979.
[[nodiscard]] std::vector<lower_bound> lower_bounds(topology const& network,
                                                    machine_options const& options,
                                                    traffic_requirement const& of);

/// The same for the schedule of a run: what it did without (queues, shared links, pipelined rounds)
/// makes bounds hold that need not hold for others.
/// Errors: invalid_argument for a record that no machine made.
[[nodiscard]] std::vector<lower_bound> lower_bounds(run_record const& run,
                                                    traffic_requirement const& of);

/// The strongest for that figure, or nullptr.
[[nodiscard]] lower_bound const* strongest(std::vector<lower_bound> const& bounds,
                                           std::string_view figure);

/// Whether the counts are no less than that: if not, the bound or the program is wrong.
/// Errors: invalid_argument for no figure of counts.
[[nodiscard]] bool holds(lower_bound const& bound, counts const& measured);

}  // namespace lockstep
