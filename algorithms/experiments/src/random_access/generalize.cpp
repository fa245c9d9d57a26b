#include <lockstep/algorithms/random_access/generalize.hpp>

#include <cstdint>
#include <span>
#include <vector>

#include "harness/experiment_list.hpp"
#include "harness/sources.hpp"
#include "random_access/number_access.hpp"
#include "random_access/read_problem.hpp"

namespace lockstep {

template std::vector<std::optional<std::uint64_t>> generalize(processor&, bucket_layout const&,
                                                              std::span<std::size_t const>,
                                                              std::span<std::uint64_t const>,
                                                              std::source_location);

namespace {

/// The element that each address gets: the first whose pointer is not before it.
[[nodiscard]] std::vector<std::size_t> copied_elements(access_input const& input) {
  std::vector<std::size_t> copied;
  for (std::size_t i = 0; i < input.pointers.size(); ++i)
    if (auto const last = input.pointers[i]; last != no_pointer && last >= copied.size())
      copied.resize(last + 1, i);
  copied.resize(input.layout.elements(), no_pointer);
  return copied;
}

[[nodiscard]] experiment_result run_generalize(arguments const& given) {
  constexpr double bytes_of_element = 112;
  access_input const input(given, access_pattern::monotonic, bytes_of_element);
  auto const& layout = input.layout;
  return solve_in_order(given, {layout, layout, copied_elements(input)}, generalize_claims, 3,
                        [&](processor& me, std::vector<std::uint64_t> const& values) {
                          return generalize(me, layout, input.of(me.rank()), std::span(values));
                        });
}

}  // namespace

experiment generalize_experiment() {
  return {.name = "generalize",
          .summary = "value i goes to all addresses from one sorted pointer to the next",
          .topologies = "crossbar, hypercube, torus, mesh",
          .source = shankar_ranka_1997,
          .examples = {"crossbar:8", "crossbar:4", "crossbar:13", "crossbar:16", "hypercube:4",
                       "mesh:4x4", "torus:3x5"},
          .parameters = {number_of_elements, lost_pointers},
          .run = run_generalize};
}

}  // namespace lockstep
