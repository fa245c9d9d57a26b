#include <lockstep/experiments/own_algorithm.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/claim_list.hpp>
#include <lockstep/problem_instance.hpp>

#include "files/write_result.hpp"
#include "harness/harness.hpp"
#include "harness/stages.hpp"

namespace lockstep::detail {

namespace {

[[nodiscard]] std::optional<double> number_of(parameter_value const& value) {
  if (auto const* const whole = std::get_if<std::int64_t>(&value))
    return static_cast<double>(*whole);
  if (auto const* const real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

/// The network and the numbers of a request, for formulas.
[[nodiscard]] problem_instance instance_of(arguments const& given) {
  problem_instance at{.network = given.request().network};
  for (auto const& [name, value] : given.request().parameters)
    if (auto const number = number_of(value)) at.parameters[name] = *number;
  at.parameters["p"] = given.processors();
  return at;
}

/// Puts the request's values into claims that are functions of them.
[[nodiscard]] std::vector<claim> evaluated(std::vector<claim> claims, arguments const& given) {
  auto const at = instance_of(given);
  for (auto& one : claims) {
    one.value = one.value(at);
    for (auto& condition : one.where) condition.is_met = condition.is_met(at);
  }
  return claims;
}

/// Names the kinds of networks: "torus, mesh".
[[nodiscard]] std::string kinds_of(std::vector<std::string> const& networks) {
  std::vector<std::string> kinds;
  for (auto const& network : networks) {
    auto kind = network.substr(0, network.find(':'));
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(std::move(kind));
  }
  return fmt::format("{}", fmt::join(kinds, ", "));
}

}  // namespace

std::vector<claim> claims_from(std::string const& formulas, arguments const& given) {
  claim_list claims;
  for (auto const& [name, value] : instance_of(given).parameters) claims.with(name, value);
  try {
    return claims.table(formulas);
  } catch (invalid_argument const& problem) {
    throw invalid_argument(fmt::format(
        "formulas: {}; letters are p and the parameters that are numbers", problem.message()));
  }
}

void require_servable(std::function<std::string(topology const&)> const& unsupported,
                      std::vector<parameter> const& parameters, arguments const& given) {
  for (auto const& one : parameters) {
    if (std::holds_alternative<std::int64_t>(one.fallback))
      (void)given[integer_parameter{
          .name = one.name,
          .help = one.help,
          .fallback = std::get<std::int64_t>(one.fallback),
          .least = one.least.value_or(0),
          .most = one.most.value_or(std::numeric_limits<std::int64_t>::max())}];
  }
  if (unsupported)
    if (auto const reason = unsupported(given.network()); !reason.empty())
      throw invalid_argument(reason);
  std::error_code unknown;
  if (auto const& input = given.request().input; input && !std::filesystem::exists(*input, unknown))
    throw bad_input(fmt::format("{}: there is no such file", input->string()));
}

experiment_result run_prepared(arguments const& given, prepared_program const& of) {
  asked_output out(given);
  auto const claims = evaluated(of.claims(), given);
  for (auto const& one : claims)
    if (!one.model) (void)metric_value({}, one.figure);  // one that there is not is refused now
  machine_needs const needs{
      .bytes_each = static_cast<double>(of.bytes_each),
      .held = of.bytes_each == 0 ? "" : fmt::format("{} bytes on each", of.bytes_each),
      .remedy = "smaller input",
      .own_stacks = true};
  auto record = run_on_machine(given, needs, [&](machine const& on) {
    expect_steps(claims);
    return of.run(on, given.request().observers);
  });
  auto result = result_of(given, std::move(record), true);
  result.claims = claims;
  result.checked = static_cast<bool>(of.difference);
  if (result.checked) result.difference = of.difference();
  result.correct = result.checked && result.difference.empty();
  if (result.correct && of.traffic) result.bounds = lower_bounds(result.record, of.traffic());
  if (of.write) out.take(result, 0, [&](std::ostream& file) { of.write(file); });
  return result;
}

experiment completed(experiment of) {
  if (of.topologies.empty())
    of.topologies = of.examples.empty() ? "any network" : kinds_of(of.examples);
  if (of.examples.empty()) of.examples.emplace_back("crossbar:8");
  if (of.teaching.on.empty()) of.teaching.on = of.examples.front();
  return of;
}

}  // namespace lockstep::detail
