#include "routing/h_relation_run.hpp"

#include <array>

#include <fmt/format.h>

#include "routing/pairwise_bounds.hpp"

namespace lockstep {

namespace {

constexpr std::int64_t most_elements = 0x7fffffff;

constexpr integer_parameter all_elements{"n", "elements on all processors together", 4096, 0,
                                         most_elements};
constexpr integer_parameter most_received{
    "h",
    "most elements for a processor, of family, ramp, g-group and general (0: ceil(n/p)); of the "
    "other patterns a bound (0: what they have), for which padded blocks are made",
    0, 0, most_elements};
constexpr integer_parameter most_sent{
    "h1", "most elements of a processor, of general (0: ceil(n/p)); else a bound, as h", 0, 0,
    most_elements};
constexpr integer_parameter group_size{
    "g", "of g-group: processors in a group (0: the largest power of 2 up to sqrt(h p^2/n))", 0, 0,
    most_elements};
constexpr integer_parameter group_targets{
    "t", "of g-group: processors to which a group sends (0: g n/(h p))", 0, 0, most_elements};
constexpr choice_parameter pattern_choice{
    "pattern", "family, ramp, g-group, tight, lcg, skew, all-to-one, permutation, general or orth",
    std::array{named_choice{"family", h_pattern::family}, named_choice{"ramp", h_pattern::ramp},
               named_choice{"g-group", h_pattern::g_group}, named_choice{"tight", h_pattern::tight},
               named_choice{"lcg", h_pattern::lcg}, named_choice{"skew", h_pattern::skew},
               named_choice{"all-to-one", h_pattern::all_to_one},
               named_choice{"permutation", h_pattern::permutation},
               named_choice{"general", h_pattern::general}, named_choice{"orth", h_pattern::orth}}};

/// Generates the input if there is memory for elements at their sources, on their way and where
/// they go, for bins, and for blocks in their worst case.
[[nodiscard]] h_relation_input input_from(arguments const& given, machine_needs const& needs,
                                          h_relation_memory const& taken) {
  require_crossbar(given);
  require_options(given, needs);
  auto const n = given[all_elements];
  auto const p = static_cast<std::uint64_t>(given.processors());
  h_relation_size const size{.processors = given.processors(),
                             .elements = n,
                             .received = given[most_received],
                             .sent = given[most_sent],
                             .group = given[group_size],
                             .targets = given[group_targets]};
  auto const each = n / p * taken.element + p * taken.bin;
  require_memory(given, {.bytes_each = static_cast<double>(each),
                         .held = fmt::format("{} elements with their bins", n),
                         .remedy = "a smaller n"});
  return generated_h_relation(given[pattern_choice], size);
}

}  // namespace

h_relation_run::h_relation_run(arguments const& asked, h_relation_memory const& taken)
    : given(asked),
      pattern(given[pattern_choice]),
      input(input_from(given, needs, taken)),
      packet(given.request().options.packet) {}

std::vector<labelled> h_relation_run::elements_of(int rank) const {
  std::vector<labelled> elements;
  for (int const home : input.destinations[static_cast<std::size_t>(rank)])
    elements.push_back({home, rank, static_cast<std::uint32_t>(elements.size())});
  return elements;
}

std::vector<std::vector<labelled>> h_relation_run::arrivals() const {
  std::vector<std::vector<labelled>> at(input.destinations.size());
  for (int rank = 0; rank < given.processors(); ++rank)
    for (auto const& element : elements_of(rank))
      at[static_cast<std::size_t>(element.home)].push_back(element);
  return at;
}

claim_list h_relation_run::claims() const {
  return claim_list({{{"p", given.processors()},
                      {"n", static_cast<double>(input.size.elements)},
                      {"h1", static_cast<double>(input.limits.sent)},
                      {"h2", static_cast<double>(input.limits.received)}}});
}

void h_relation_run::claim_in(claim_list& claims, std::string_view table) const {
  claims.table(fmt::format(fmt::runtime(table), own_limits()));
}

std::string h_relation_run::own_limits() const {
  auto const& [sent, received] = input.limits;
  if (sent == input.size.sent && received == input.size.received) return {};
  return fmt::format(", with h1 = {}, h2 = {} of this input", sent, received);
}

experiment_result h_relation_run::completed(experiment_result result) const {
  auto const& size = input.size;
  for (auto const& [parameter, used] : {std::pair(all_elements, size.elements),
                                        {most_received, size.received},
                                        {most_sent, size.sent},
                                        {group_size, size.group},
                                        {group_targets, size.targets}})
    result.parameters[std::string(parameter.name)] = static_cast<std::int64_t>(used);
  result.parameters["pattern"] = std::string(name_of(pattern));
  if (given.processors() <= max_processors_for_pairwise_bounds)
    result.bounds =
        lower_bounds(result.record, relation_between(given.network(), elements_between(input)));
  return result;
}

experiment h_relation_experiment_of(experiment of, std::vector<parameter> const& own) {
  of.topologies = "crossbar";
  of.examples = {"crossbar:16", "crossbar:4", "crossbar:8", "crossbar:32"};
  of.parameters = {all_elements, most_received, pattern_choice,
                   group_size,   group_targets, most_sent};
  of.parameters.insert(of.parameters.end(), own.begin(), own.end());
  return of;
}

}  // namespace lockstep
