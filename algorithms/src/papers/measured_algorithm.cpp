#include "papers/measured_algorithm.hpp"

#include <cstdint>
#include <stdexcept>

#include <lockstep/topologies/parse.hpp>

namespace lockstep {

std::map<std::string, named_value> parameters_for(algorithm const& known,
                                                  std::map<std::string, named_value> const& given) {
  std::map<std::string, named_value> all{{"seed", std::int64_t{1}}};
  for (auto const& one : known.parameters) all[one.name] = one.fallback;
  for (auto const& [name, value] : given) all[name] = value;
  return all;
}

outcome measured_algorithm(std::string const& name, std::string const& network,
                           std::map<std::string, named_value> const& given) {
  auto const* const known = find_algorithm(name);
  if (known == nullptr) throw std::logic_error("there is no algorithm " + name);
  return known->run({.network = parse(network),
                     .options = {.strict = true},
                     .parameters = parameters_for(*known, given)});
}

}  // namespace lockstep
