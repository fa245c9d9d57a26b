#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

hypercube const& required_hypercube(topology const& network, std::string_view what) {
  if (auto const* const cube = dynamic_cast<hypercube const*>(&network)) return *cube;
  throw invalid_argument(fmt::format(
      "{}: {} is no hypercube; hypercube:4, or a subcube of one, would do", what, network.spec()));
}

}  // namespace lockstep::detail
