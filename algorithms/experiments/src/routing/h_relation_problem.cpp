#include "routing/h_relation_problem.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/detail/bins.hpp>

#include "choices.hpp"
#include "routing/option_names.hpp"
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
    choices_of(detail::h_pattern_names)};

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

/// Whether these are the elements expected, from at most p processors in between, from each of
/// which they come by source and in the source's order.
[[nodiscard]] bool are_expected_in_parts(std::vector<labelled> arrived,
                                         std::span<labelled const> expected, std::size_t p) {
  std::size_t parts = 1;
  for (std::size_t i = 1; i < arrived.size(); ++i)
    if (arrived[i] < arrived[i - 1]) ++parts;
  std::ranges::sort(arrived);
  return parts <= p && std::ranges::equal(arrived, expected);
}

[[nodiscard]] bool are_expected_in_any_order(std::vector<labelled> arrived,
                                             std::span<labelled const> expected) {
  std::ranges::sort(arrived);
  return std::ranges::equal(arrived, expected);
}

/// `expected`: in that order, or by source where the order is not fixed.
[[nodiscard]] bool are_as_promised(arrival_order order, std::vector<labelled> const& arrived,
                                   std::vector<labelled> const& expected, std::size_t p) {
  if (order == arrival_order::in_parts) return are_expected_in_parts(arrived, expected, p);
  if (order == arrival_order::any) return are_expected_in_any_order(arrived, expected);
  return arrived == expected;
}

}  // namespace

labelled_elements by_destination(labelled_elements const& elements) {
  labelled_elements arrived(elements.size());
  for (auto const& of_one : elements)
    for (auto const& element : of_one)
      arrived[static_cast<std::size_t>(element.home)].push_back(element);
  return arrived;
}

std::vector<int> intermediates_of(std::span<labelled const> arrived, int p) {
  std::vector<int> through;
  through.reserve(arrived.size());
  for (std::size_t i = 0; i < arrived.size(); ++i) {
    bool const is_first = i == 0 || arrived[i].source != arrived[i - 1].source;
    through.push_back((is_first ? arrived[i].source + arrived[i].home : through.back() + 1) % p);
  }
  return through;
}

h_relation_problem::h_relation_problem(arguments const& asked, arrival_order in_order,
                                       h_relation_memory const& taken)
    : given(asked),
      pattern(given[pattern_choice]),
      input(input_from(given, needs, taken)),
      packet(given.request().options.packet),
      m_order(in_order) {}

std::vector<labelled> h_relation_problem::elements_of(int rank) const {
  std::vector<labelled> elements;
  for (int const home : input.destinations[static_cast<std::size_t>(rank)])
    elements.push_back({home, rank, static_cast<std::uint32_t>(elements.size())});
  return elements;
}

labelled_elements h_relation_problem::arrivals() const {
  labelled_elements elements;
  for (int rank = 0; rank < given.processors(); ++rank) elements.push_back(elements_of(rank));
  return by_destination(elements);
}

std::uint64_t h_relation_problem::offset_of(labelled const& element) const {
  return input.offsets[static_cast<std::size_t>(element.source)][element.number];
}

void h_relation_problem::put_in_order(std::vector<labelled>& arrived) const {
  if (m_order != arrival_order::by_bin) return;
  if (!input.offsets.empty()) {
    std::ranges::sort(arrived, {}, [&](labelled const& element) { return offset_of(element); });
    return;
  }
  detail::bins<labelled> bins(input.destinations.size());
  auto const through = intermediates_of(arrived, given.processors());
  for (std::size_t i = 0; i < arrived.size(); ++i)
    bins[static_cast<std::size_t>(through[i])].push_back(arrived[i]);
  arrived = detail::joined(bins);
}

bool h_relation_problem::is_solved_by(labelled_elements const& found) const {
  auto expected = arrivals();
  if (found.size() != expected.size()) return false;
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    put_in_order(expected[rank]);
    bool const is_right = are_as_promised(m_order, found[rank], expected[rank], found.size());
    if (!is_right) return false;
  }
  return true;
}

traffic_requirement h_relation_problem::least_traffic(labelled_elements const& found) const {
  if (found.size() > static_cast<std::size_t>(max_processors_for_pairwise_bounds)) return {};
  return relation_between(given.network(), elements_between(input));
}

claim_list h_relation_problem::claims() const {
  return claim_list({{{"p", given.processors()},
                      {"n", static_cast<double>(input.size.elements)},
                      {"h1", static_cast<double>(input.limits.sent)},
                      {"h2", static_cast<double>(input.limits.received)}}});
}

void h_relation_problem::claim_in(claim_list& claims, std::string_view table) const {
  claims.table(fmt::format(fmt::runtime(table), own_limits()));
}

std::string h_relation_problem::own_limits() const {
  auto const& [sent, received] = input.limits;
  if (sent == input.size.sent && received == input.size.received) return {};
  return fmt::format(", with h1 = {}, h2 = {} of this input", sent, received);
}

void h_relation_problem::add_size_to(experiment_result& result) const {
  auto const& size = input.size;
  for (auto const& [parameter, used] : {std::pair(all_elements, size.elements),
                                        {most_received, size.received},
                                        {most_sent, size.sent},
                                        {group_size, size.group},
                                        {group_targets, size.targets}})
    result.parameters[std::string(parameter.name)] = static_cast<std::int64_t>(used);
  result.parameters["pattern"] = std::string(name_of(pattern));
}

experiment h_relation_experiment_of(std::string name, std::string summary, std::string source,
                                    experiment_result (*run)(arguments const& given),
                                    std::vector<parameter> const& own) {
  experiment made{.name = std::move(name),
                  .summary = std::move(summary),
                  .topologies = "crossbar",
                  .source = std::move(source),
                  .examples = {"crossbar:16", "crossbar:4", "crossbar:8", "crossbar:32"},
                  .parameters = {all_elements, most_received, pattern_choice, group_size,
                                 group_targets, most_sent},
                  .run = run};
  made.parameters.insert(made.parameters.end(), own.begin(), own.end());
  return made;
}

}  // namespace lockstep
