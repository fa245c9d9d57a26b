#include "sorting/hypercube_sort.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "harness/sources.hpp"

namespace lockstep {

void require_memory_to_merge(arguments const& given, std::uint64_t keys, std::uint64_t k,
                             std::size_t outgrown) {
  constexpr std::uint64_t bytes_of_a_key = 112;
  constexpr std::uint64_t bytes_in_sets = 1200;  // in its set, others, on its way, and merged
  require_memory_to_sort(given, keys, bytes_of_a_key, k * bytes_in_sets,
                         {.waiting = 6800,
                          .outgrown = outgrown,
                          .held = fmt::format("{} keys in sets of {}", keys, k),
                          .remedy = "fewer keys"});
}

experiment merging_sort_experiment(experiment of, std::vector<parameter> const& own) {
  of.topologies = "hypercube (all ports unless --ports says otherwise)";
  of.source = mayr_plaxton_1989;
  of.examples = {"hypercube:4", "hypercube:3", "hypercube:5", "hypercube:6"};
  of.parameters = own;
  of.parameters.emplace_back(distribution_of_keys);
  std::ranges::move(parameters_of_files(keys_taken::numbers), std::back_inserter(of.parameters));
  of.takes_files = true;
  of.default_ports = ports::all;
  return of;
}

}  // namespace lockstep
