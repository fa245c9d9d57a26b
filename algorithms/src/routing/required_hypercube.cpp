#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

hypercube const& required_hypercube(topology const& network, std::string_view what) {
  if (auto const* const cube = dynamic_cast<hypercube const*>(&network)) return *cube;
  throw invalid_argument(
      fmt::format("{}: {} is not a hypercube; take hypercube:4, for example, or a subcube of one",
                  what, network.spec()));
}

}  // namespace lockstep::detail
