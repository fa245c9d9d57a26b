#include "papers/jaja_ryu/measured_block.hpp"

#include <utility>

#include <fmt/format.h>

#include <lockstep/topologies/parse.hpp>

#include "harness/stages.hpp"
#include "papers/measured_algorithm.hpp"

namespace lockstep {

std::string machine_of_paper::text() const {
  return fmt::format("p = {}, tau = {}, m = {}", p, tau, m);
}

std::string machine_of_paper::text(std::string const& letter, std::int64_t size) const {
  return fmt::format("{}, {} = {}", text(), letter, size);
}

claimed_cells machine_of_paper::cells(std::map<std::string, double, std::less<>> others) const {
  auto const latency = static_cast<double>(tau);
  auto const packet = static_cast<double>(m);
  others.merge(std::map<std::string, double, std::less<>>{
      {"p", p}, {"tau", latency}, {"m", packet}, {"k", latency / packet + 1}});
  return claimed_cells(std::move(others));
}

std::vector<machine_of_paper> machines_of_paper(int most_processors) {
  std::vector<machine_of_paper> machines;
  for (int const p : {2, 9, 64, 100, 512})
    if (p <= most_processors)
      for (auto const& [tau, m] :
           {std::pair<std::int64_t, std::int64_t>{1, 1}, {16, 8}, {1024, 16}})
        machines.push_back({p, tau, m});
  return machines;
}

measured_block measured_on(machine_of_paper const& on, std::string const& name,
                           std::map<std::string, parameter_value> given) {
  auto const* const known = find_experiment(name);
  if (known == nullptr) throw own_mistake("there is no algorithm " + name);
  begin_run("making the input of " + name);
  given["tau"] = on.tau;
  given["packet"] = on.m;
  return {known->run({.network = parse(crossbar_of(on.p)),
                      .options = {.strict = true, .packet = static_cast<std::uint64_t>(on.m)},
                      .parameters = parameters_for(*known, given)}),
          static_cast<std::uint64_t>(on.tau)};
}

paper_row row_of_claims(std::string input, std::string name, measured_block const& run,
                        std::vector<claimed_figure> const& columns, int erratum_number) {
  return row_of_claims(std::move(input), std::move(name), run.result, "JaJa and Ryu 1994",
                       erratum_number, columns);
}

}  // namespace lockstep
