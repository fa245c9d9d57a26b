#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <lockstep/lower_bounds.hpp>

namespace lockstep {

/// A record that goes from one processor of a hypercube to another.
struct routed_pair_of_ranks {
  unsigned from = 0;
  unsigned to = 0;
};

/// The processors of a hypercube that have `ones` ones in their ranks, and the records that have to come
/// into them, or go out of them, since a link changes one bit.
struct hypercube_layer {
  int ones = 0;
  std::uint64_t processors = 0;
  std::uint64_t records = 0;  ///< into the layer, or out of it, whichever are more

  /// The words of some processor's in-port, or out-port, where each has one.
  [[nodiscard]] std::uint64_t least_words() const {
    return (records + processors - 1) / processors;
  }
};

/// Finds what each layer has to let through, from no ones to d.
[[nodiscard]] inline std::vector<hypercube_layer> hypercube_layers(
    int d, std::vector<routed_pair_of_ranks> const& records) {
  auto const layers = static_cast<std::size_t>(d) + 1;
  // How many more records go in, or out, from each layer on: a record counts in a run of layers.
  std::vector<std::int64_t> in(layers + 1);
  std::vector<std::int64_t> out(layers + 1);
  for (auto const& [from, to] : records) {
    auto const a = static_cast<std::size_t>(std::popcount(from));
    auto const b = static_cast<std::size_t>(std::popcount(to));
    if (a == b) continue;
    // Upwards it comes into layers a+1 .. b and goes out of a .. b-1; downwards into b .. a-1 and out
    // of b+1 .. a.
    ++in[a < b ? a + 1 : b];
    --in[a < b ? b + 1 : a];
    ++out[a < b ? a : b + 1];
    --out[a < b ? b : a + 1];
  }
  std::vector<hypercube_layer> all;
  std::int64_t into = 0;
  std::int64_t out_of = 0;
  std::uint64_t processors = 1;  // d over ones
  for (std::size_t ones = 0; ones < layers; ++ones) {
    into += in[ones];
    out_of += out[ones];
    all.push_back({.ones = static_cast<int>(ones),
                   .processors = processors,
                   .records = static_cast<std::uint64_t>(std::max(into, out_of))});
    processors = processors * (static_cast<std::uint64_t>(d) - ones) / (ones + 1);
  }
  return all;
}

/// Makes the lower bounds on words of one port, between neighbours: of the layer that lets through
/// least, and of the links that all records have to go over together.
[[nodiscard]] inline std::vector<lower_bound> one_port_bounds(
    int d, std::vector<routed_pair_of_ranks> const& records) {
  std::uint64_t links = 0;
  for (auto const& [from, to] : records)
    links += static_cast<std::uint64_t>(std::popcount(from ^ to));
  if (links == 0) return {};
  auto const processors = std::uint64_t{1} << static_cast<unsigned>(d);
  std::vector<lower_bound> bounds{
      {.figure = "words",
       .formula = fmt::format("{} words times links, {} ports", links, processors),
       .value = (links + processors - 1) / processors,
       .source = "lockstep",
       .reason = bound_reason::links}};
  auto const layers = hypercube_layers(d, records);
  auto const& least = *std::ranges::max_element(layers, {}, [](hypercube_layer const& each) {
    return static_cast<double>(each.records) / static_cast<double>(each.processors);
  });
  if (least.least_words() > 0)
    bounds.push_back({.figure = "words",
                      .formula = fmt::format("{} records through {} processors with {} ones",
                                             least.records, least.processors, least.ones),
                      .value = least.least_words(),
                      .source = "lockstep, after Mayr and Plaxton 1989, 4",
                      .reason = bound_reason::in_port});
  return bounds;
}

}  // namespace lockstep
