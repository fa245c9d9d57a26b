#include "sorting/comparison_sort.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/block_prefix.hpp>

namespace lockstep {

void require_memory_to_compare(arguments const& given, std::uint64_t keys,
                               bytes_of_keys const& bytes) {
  auto const p = static_cast<std::uint64_t>(given.processors());
  require_memory_to_sort(given, keys, bytes.each,
                         std::min(keys / p * bytes.in_small, p * bytes.most_small),
                         {.held = fmt::format("{} keys", keys), .remedy = "fewer keys"});
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
