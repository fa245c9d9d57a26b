#include "papers/measured_algorithm.hpp"

#include <cstdint>

#include <lockstep/topologies/parse.hpp>

#include "harness/stages.hpp"

namespace lockstep {

broken_invariant own_mistake(std::string const& what) {
  return {what + ": this is a mistake of lockstep; please report it", incident{}};
}

broken_invariant wrong_result(std::string const& of) {
  return own_mistake(of + " gave a wrong result");
}

std::map<std::string, parameter_value> parameters_for(
    experiment const& known, std::map<std::string, parameter_value> const& given) {
  std::map<std::string, parameter_value> all{{"seed", std::int64_t{1}}};
  for (auto const& one : known.parameters) all[one.name] = one.fallback;
  for (auto const& [name, value] : given) all[name] = value;
  return all;
}

experiment_result measured_algorithm(std::string const& name, std::string const& network,
                                     std::map<std::string, parameter_value> const& given) {
  begin_run("making the input of " + name);
  return run_of_algorithm(name, network, given);
}

experiment_result run_of_algorithm(std::string const& name, std::string const& network,
                                   std::map<std::string, parameter_value> const& given) {
  auto const* const known = find_experiment(name);
  if (known == nullptr) throw own_mistake("there is no algorithm " + name);
  return known->run({.network = parse(network),
                     .options = {.strict = true},
                     .parameters = parameters_for(*known, given)});
}

}  // namespace lockstep
