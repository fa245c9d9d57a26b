#include <lockstep/algorithms/random_access/concentrate_elements.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "harness/experiment_list.hpp"
#include "harness/sources.hpp"
#include "random_access/read_problem.hpp"

namespace lockstep {

namespace {

constexpr integer_parameter elements_left_out{
    "dots", "per cent of the elements, or of the addresses, that are left out", 50, 0, 100, true};

/// The addresses that are not left out.
[[nodiscard]] std::vector<std::size_t> places_from(arguments const& given,
                                                   bucket_layout const& layout) {
  auto const apart = generated_pointers(access_pattern::one_hot, layout, given.seed(),
                                        static_cast<int>(given[elements_left_out]));
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < apart.size(); ++i)
    if (apart[i] != no_pointer) places.push_back(i);
  return places;
}

/// Lays out n addresses. Errors: invalid_argument; out_of_memory.
[[nodiscard]] bucket_layout layout_for(arguments const& given, double bytes_of_element) {
  require_rounds_of_all(given);
  auto const n = given[number_of_elements];
  require_memory(given,
                 {.bytes_each = bytes_of_element * static_cast<double>(n) / given.processors(),
                  .held = "elements on their way",
                  .remedy = "a smaller n"});
  return {n, given.processors()};
}

[[nodiscard]] experiment_result run_concentrate(arguments const& given) {
  auto const layout = layout_for(given, 71);
  auto const places = places_from(given, layout);
  return solve_in_order(given, {layout, layout, places}, concentrate_elements_claims, 2,
                        [&](processor& me, std::vector<std::uint64_t> const& block) {
                          auto const first = layout.first_of(me.rank());
                          std::vector<std::uint64_t> mine;
                          for (auto next = std::ranges::lower_bound(places, first);
                               next != places.end() && *next < first + block.size(); ++next)
                            mine.push_back(block[*next - first]);
                          return concentrate_elements(me, layout,
                                                      std::span<std::uint64_t const>(mine));
                        });
}

[[nodiscard]] experiment_result run_distribute(arguments const& given) {
  auto const layout = layout_for(given, 100);
  auto const places = places_from(given, layout);
  std::vector<std::size_t> elements(layout.elements(), no_pointer);  // that places get
  for (std::size_t i = 0; i < places.size(); ++i) elements[places[i]] = i;
  auto pointers = places;
  pointers.resize(layout.elements(), no_pointer);
  return solve_in_order(given, {layout, layout, std::move(elements)}, distribute_elements_claims, 1,
                        [&](processor& me, std::vector<std::uint64_t> const& values) {
                          auto const mine = std::span<std::size_t const>(pointers).subspan(
                              layout.first_of(me.rank()), values.size());
                          return distribute_elements(me, layout, mine, std::span(values));
                        });
}

[[nodiscard]] experiment one_to_one_experiment(std::string name, std::string summary,
                                               experiment_result (*run)(arguments const& given)) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .topologies = "crossbar, hypercube, torus, mesh",
          .source = after_shankar_ranka_1997,
          .examples = {"crossbar:8", "crossbar:4", "crossbar:13", "crossbar:16", "hypercube:4",
                       "mesh:4x4", "torus:3x5"},
          .parameters = {number_of_elements, elements_left_out},
          .run = run};
}

}  // namespace

experiment concentrate_elements_experiment() {
  return one_to_one_experiment("concentrate-elements",
                               "elements that lie apart come together at the first addresses",
                               run_concentrate);
}

experiment distribute_elements_experiment() {
  return one_to_one_experiment(
      "distribute-elements", "elements of the first addresses go apart, in order", run_distribute);
}

}  // namespace lockstep
