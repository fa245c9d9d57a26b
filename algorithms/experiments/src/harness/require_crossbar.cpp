#include "harness/require_crossbar.hpp"

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "network_kind.hpp"

namespace lockstep {

void require_crossbar(experiment_request const& asked) {
  if (!is<crossbar>(*asked.network))
    throw invalid_argument(fmt::format(
        "{} is no crossbar, on which alone everybody can talk to everybody; crossbar:{} would do",
        asked.network->spec(), asked.network->size()));
}

void require_one_port(experiment_request const& asked) {
  if (asked.options.ports == ports::all)
    throw invalid_argument(
        "its rounds are steps of a machine with one port; leave out --ports all");
}

}  // namespace lockstep
