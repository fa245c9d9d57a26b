#include <lockstep/claim.hpp>

#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/detail/enumerator_check.hpp>
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
  detail::throw_no_such_value("relation", static_cast<std::uint64_t>(bound),
                              {"relation::equal", "relation::at_most", "relation::order"});
}

std::uint64_t figure_of(counts const& measured, std::string_view name) {
  std::optional<std::uint64_t> found;
  for_each_figure(measured, [&](std::string_view figure, std::uint64_t value) {
    if (figure == name) found = value;
  });
  if (found) return *found;
  std::vector<std::string_view> known;
  for_each_figure(measured,
                  [&](std::string_view figure, std::uint64_t) { known.push_back(figure); });
  throw invalid_argument(
      fmt::format("\"{}\" is no figure of counts; they are {}", name, fmt::join(known, ", ")));
}

double measured_for(claim const& claimed, counts const& measured, setting const& at) {
  if (claimed.model)
    return claimed.model->time(measured, at.network == nullptr ? 1 : at.network->size());
  return static_cast<double>(figure_of(measured, claimed.figure));
}

bool holds(claim const& claimed, double measured, setting const& at) {
  static_cast<void>(symbol(claimed.bound));  // refuses any other number
  switch (claimed.bound) {
    case relation::equal:
      return measured == claimed.value(at);
    case relation::at_most:
      return measured <= claimed.value(at);
    case relation::order:
      break;
  }
  return true;
}

bool holds(claim const& claimed, counts const& measured, setting const& at) {
  return holds(claimed, measured_for(claimed, measured, at), at);
}

std::optional<double> constant_of(claim const& claimed, double measured, setting const& at) {
  double const value = claimed.value(at);
  if (value == 0 && measured == 0) return std::nullopt;
  return measured / value;
}

}  // namespace lockstep
