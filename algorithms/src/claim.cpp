#include <lockstep/algorithms/claim.hpp>

#include <optional>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

std::string_view symbol(relation bound) {
  switch (bound) {
    case relation::equal:
      return "=";
    case relation::at_most:
      return "<=";
    case relation::order:
      return "order";
  }
  throw invalid_argument(fmt::format("{} is no relation", static_cast<int>(bound)));
}

std::uint64_t figure_of(counts const& measured, std::string_view name) {
  std::optional<std::uint64_t> found;
  for_each_figure(measured, [&](std::string_view figure, std::uint64_t value) {
    if (figure == name) found = value;
  });
  if (!found) throw invalid_argument(fmt::format("\"{}\" is no figure of counts", name));
  return *found;
}

bool holds(claim const& claimed, counts const& measured) {
  return holds(claimed, static_cast<double>(figure_of(measured, claimed.figure)));
}

bool holds(claim const& claimed, double measured) {
  switch (claimed.bound) {
    case relation::equal:
      return measured == claimed.value;
    case relation::at_most:
      return measured <= claimed.value;
    case relation::order:
      return true;
  }
  throw invalid_argument(fmt::format("{} is no relation", static_cast<int>(claimed.bound)));
}

}  // namespace lockstep
