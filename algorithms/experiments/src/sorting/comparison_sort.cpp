#include "sorting/comparison_sort.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/block_prefix.hpp>

#include "even_blocks.hpp"

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

std::uint64_t work_of_phases(run_record const& of, std::string_view beginning) {
  std::uint64_t work = 0;
  for (auto const& phase : of.phases())
    if (phase.name.starts_with(beginning)) work += phase.work;
  return work;
}

claim_list order_of_comparisons(bdm_machine const& on, std::uint64_t n, std::string_view place) {
  claim_list claims({{{"p", on.p}, {"n", static_cast<double>(n)}}});
  claims.from(fmt::format("JaJa and Ryu 1994, {}", place));
  if (n > 1)
    claims.compare("work", comparison::order, "n log2 n/p").where(detail::even_blocks(n, on.p));
  return claims;
}

void add_claims(experiment_result& result, std::vector<claim> const& more) {
  result.claims.insert(result.claims.end(), more.begin(), more.end());
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
