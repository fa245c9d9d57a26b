#include "papers/measured_exchange.hpp"

#include <cstdint>
#include <string>

#include <lockstep/topologies/parse.hpp>

#include "harness/stages.hpp"

namespace lockstep {

experiment_result measured_exchange(std::string const& network) {
  begin_run("making the input of all-to-all");
  return find_experiment("all-to-all")
      ->run({.network = parse(network),
             .options = {.strict = true},
             .parameters = {{"words", std::int64_t{1}},
                            {"scheme", std::string("paper")},
                            {"seed", std::int64_t{1}}}});
}

}  // namespace lockstep
