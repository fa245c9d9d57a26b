#include <lockstep/claim.hpp>

#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/detail/enumerator_names.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

std::string_view symbol(comparison bound) {
  return detail::shown_name("relation", bound,
                            {{comparison::equal, "=", "equal"},
                             {comparison::at_most, "<=", "at_most"},
                             {comparison::order, "order"},
                             {comparison::about, "about"}});
}

std::uint64_t metric_value(counts const& measured, std::string_view name) {
  std::optional<std::uint64_t> found;
  for_each_figure(measured, [&](std::string_view figure, std::uint64_t value) {
    if (figure == name) found = value;
  });
  if (found) return *found;
  std::vector<std::string_view> known;
  for_each_figure(measured,
                  [&](std::string_view figure, std::uint64_t) { known.push_back(figure); });
  throw invalid_argument(
      fmt::format("\"{}\" is not a metric of counts; they are {}", name, fmt::join(known, ", ")));
}

double measured_for(claim const& claimed, counts const& measured, problem_instance const& at) {
  if (claimed.model)
    return claimed.model->time(measured, at.network == nullptr ? 1 : at.network->size());
  return static_cast<double>(metric_value(measured, claimed.figure));
}

bool holds(claim const& claimed, double measured, problem_instance const& at) {
  static_cast<void>(symbol(claimed.bound));  // refuses any other number
  switch (claimed.bound) {
    case comparison::equal:
      return measured == claimed.value(at);
    case comparison::at_most:
      return measured <= claimed.value(at);
    case comparison::order:
    case comparison::about:
      break;
  }
  return true;
}

bool holds(claim const& claimed, counts const& measured, problem_instance const& at) {
  return holds(claimed, measured_for(claimed, measured, at), at);
}

std::optional<double> constant_of(claim const& claimed, double measured,
                                  problem_instance const& at) {
  double const value = claimed.value(at);
  if (value == 0 && measured == 0) return std::nullopt;
  return measured / value;
}

}  // namespace lockstep
