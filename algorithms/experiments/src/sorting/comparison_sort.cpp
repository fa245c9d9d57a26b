#include "sorting/comparison_sort.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/block_prefix.hpp>

namespace lockstep {

sort_promises promises_of_comparing(arguments const& given, bytes_of_keys const& bytes,
                                    std::uint64_t packet) {
  auto const needs = [given, bytes](std::uint64_t keys) -> machine_needs {
    auto const p = static_cast<std::uint64_t>(given.processors());
    auto const in_small = std::min(keys / p * bytes.in_small, p * bytes.most_small);
    return {.bytes_each = bytes_of_block(given, keys, bytes.each) + static_cast<double>(in_small),
            .held = fmt::format("{} keys", keys),
            .remedy = "fewer keys"};
  };
  return {.taken = keys_taken::numbers, .packet = packet, .needs = needs};
}

experiment comparison_sort_experiment(experiment of, std::vector<parameter> const& own) {
  of.topologies = "crossbar";
  if (of.examples.empty()) of.examples = {"crossbar:16", "crossbar:4", "crossbar:8", "crossbar:32"};
  of.parameters = {number_of_keys, distribution_of_keys};
  of.parameters.insert(of.parameters.end(), own.begin(), own.end());
  std::ranges::move(parameters_of_files(keys_taken::numbers), std::back_inserter(of.parameters));
  of.parameters.insert(of.parameters.end(), {latency, packet_size});
  of.takes_files = true;
  return of;
}

}  // namespace lockstep
