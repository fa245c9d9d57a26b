#include "routing/h_relation_request.hpp"

#include <array>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/memory.hpp>

#include "harness/parameters.hpp"
#include "harness/require_crossbar.hpp"
#include "routing/pairwise_bounds.hpp"

namespace lockstep {

namespace {

constexpr std::int64_t most_elements = 0x7fffffff;

/// Elements at their sources, on their way and where they go; bins, and blocks in their worst case.
void require_memory(experiment_request const& asked, std::uint64_t elements) {
  constexpr std::uint64_t bytes_of_an_element = 160;
  constexpr std::uint64_t bytes_of_a_bin = 160;
  auto const p = static_cast<std::uint64_t>(asked.network->size());
  auto const each = elements / p * bytes_of_an_element + p * bytes_of_a_bin;
  if (auto const available = available_memory(); each > available / p)
    throw out_of_memory(fmt::format(
        "{} has {} processors, and {} elements with their bins need {} MiB on each, and {} MiB are "
        "available: take a smaller machine or a smaller n",
        asked.network->spec(), p, elements, each >> 20U, available >> 20U));
  machine(asked.network, asked.options).require_memory(each);
}

[[nodiscard]] std::uint64_t size_parameter(experiment_request const& asked,
                                           std::string const& name) {
  return static_cast<std::uint64_t>(whole_number(asked, name, 0, 0, most_elements));
}

}  // namespace

std::vector<parameter> h_relation_parameters() {
  return {
      {"n", "elements on all processors together", std::int64_t{4096}},
      {"h",
       "most elements for a processor, of family, ramp, g-group and general (0: ceil(n/p)); of the "
       "other patterns a bound (0: what they have), for which padded blocks are made",
       std::int64_t{0}},
      {"pattern",
       "family, ramp, g-group, tight, lcg, skew, all-to-one, permutation, general or orth",
       std::string("family")},
      {"g", "of g-group: processors in a group (0: the largest power of 2 up to sqrt(h p^2/n))",
       std::int64_t{0}},
      {"t", "of g-group: processors to which a group sends (0: g n/(h p))", std::int64_t{0}},
      {"h1", "most elements of a processor, of general (0: ceil(n/p)); else a bound, as h",
       std::int64_t{0}},
  };
}

asked_h_relation h_relation_from(experiment_request const& asked) {
  require_crossbar(asked);
  constexpr std::array all{h_pattern::family,     h_pattern::ramp,        h_pattern::g_group,
                           h_pattern::tight,      h_pattern::lcg,         h_pattern::skew,
                           h_pattern::all_to_one, h_pattern::permutation, h_pattern::general,
                           h_pattern::orth};
  auto const pattern = choice(asked, "pattern", all);
  h_relation_size size{
      .processors = asked.network->size(),
      .elements = static_cast<std::uint64_t>(whole_number(asked, "n", 4096, 0, most_elements)),
      .received = size_parameter(asked, "h"),
      .sent = size_parameter(asked, "h1"),
      .group = size_parameter(asked, "g"),
      .targets = size_parameter(asked, "t")};
  require_memory(asked, size.elements);
  return {pattern, generated_h_relation(pattern, size)};
}

std::vector<lower_bound> bounds_of(run_record const& run, h_relation_input const& input) {
  if (input.size.processors > max_processors_for_pairwise_bounds) return {};
  return lower_bounds(run, relation_between(*run.network(), elements_between(input)));
}

machine strict_machine(experiment_request const& asked) {
  require_one_port(asked);
  auto options = asked.options;
  options.strict = true;
  return machine(asked.network, options);
}

std::map<std::string, parameter_value> parameters_used(experiment_request const& asked,
                                                       asked_h_relation const& made) {
  auto used = asked.parameters;
  auto const set = [&](std::string const& name, std::uint64_t value) {
    used[name] = static_cast<std::int64_t>(value);
  };
  set("n", made.input.size.elements);
  set("h", made.input.size.received);
  set("h1", made.input.size.sent);
  set("g", made.input.size.group);
  set("t", made.input.size.targets);
  used["pattern"] = std::string(name_of(made.pattern));
  return used;
}

std::vector<labelled> labelled_elements(h_relation_input const& input, int rank) {
  auto const& homes = input.destinations[static_cast<std::size_t>(rank)];
  std::vector<labelled> elements(homes.size());
  for (std::size_t i = 0; i < homes.size(); ++i)
    elements[i] = {homes[i], rank, static_cast<std::uint32_t>(i)};
  return elements;
}

}  // namespace lockstep
