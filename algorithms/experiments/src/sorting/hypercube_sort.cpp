#include "sorting/hypercube_sort.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "harness/sources.hpp"

namespace lockstep {

sort_promises promises_of_merging(arguments const& given,
                                  std::function<std::uint64_t(std::uint64_t keys)> k_of,
                                  std::size_t outgrown) {
  constexpr std::uint64_t bytes_of_a_key = 112;
  constexpr double bytes_in_sets = 1200;  // in its set, others, on its way, and merged
  auto const needs = [=, k_of = std::move(k_of)](std::uint64_t keys) -> machine_needs {
    auto const k = k_of(keys);
    return {.bytes_each = bytes_of_block(given, keys, bytes_of_a_key) +
                          static_cast<double>(k) * bytes_in_sets,
            .waiting = 6800,
            .outgrown = outgrown,
            .held = fmt::format("{} keys in sets of {}", keys, k),
            .remedy = "fewer keys"};
  };
  return {.taken = keys_taken::numbers, .one_port = false, .needs = needs};
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
