#include <lockstep/algorithms/routing/detail/required_dimension.hpp>
#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

hypercube const& required_hypercube(topology const& network, std::string_view what,
                                    std::source_location where) {
  if (auto const* const cube = dynamic_cast<hypercube const*>(&network)) return *cube;
  throw invalid_argument(
      fmt::format("{}: {} is not a hypercube; take hypercube:4, for example, or a subcube of one",
                  what, network.spec()),
      where);
}

int required_dimension(int d, std::string_view what, std::source_location where) {
  if (d >= 0 && d <= hypercube::most_dimensions) return d;
  throw invalid_argument(
      fmt::format("{}: d = {} is not in 0 to {}, the dimensions of a hypercube; take one of these",
                  what, d, hypercube::most_dimensions),
      where);
}

}  // namespace lockstep::detail
