#include <lockstep/algorithms/random_access/concentrate_elements.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"
#include "random_access/access_input.hpp"
#include "random_access/access_traffic.hpp"
#include "random_access/numbered_values.hpp"

namespace lockstep {

namespace {

constexpr integer_parameter elements_left_out{
    "dots", "per cent of the elements, or of the addresses, that are left out", 50, 0, 100, true};

/// An element that goes from one place to another.
struct moved_element {
  std::size_t from = 0;
  std::size_t to = 0;
};

/// Elements that lie apart, and the same side by side, in the same order.
struct one_to_one {
  one_to_one(arguments const& given, double bytes_of_element)
      : layout(checked_layout(given, bytes_of_element)),
        apart(generated_pointers(access_pattern::one_hot, layout, given.seed(),
                                 static_cast<int>(given[elements_left_out]))) {
    for (std::size_t i = 0; i < apart.size(); ++i)
      if (apart[i] != no_pointer) places.push_back(i);
  }

  /// Moves of each: from its own place, or to it.
  [[nodiscard]] std::vector<moved_element> moves(bool concentrates) const {
    std::vector<moved_element> moved;
    for (std::size_t i = 0; i < places.size(); ++i)
      moved.push_back(concentrates ? moved_element{places[i], i} : moved_element{i, places[i]});
    return moved;
  }

  bucket_layout layout;
  std::vector<std::size_t> apart;     ///< no_pointer for those that are left out
  std::vector<std::size_t> places{};  ///< of the others

 private:
  /// Errors: invalid_argument; out_of_memory.
  [[nodiscard]] static bucket_layout checked_layout(arguments const& given,
                                                    double bytes_of_element) {
    require_crossbar(given);
    auto const n = given[number_of_elements];
    require_memory(given,
                   {.bytes_each = bytes_of_element * static_cast<double>(n) / given.processors(),
                    .held = "elements on their way",
                    .remedy = "a smaller n"});
    return {n, given.processors()};
  }
};

/// A program of a processor that says whether its elements are right.
template <class Program>
[[nodiscard]] experiment_result run_moves(arguments const& given, one_to_one const& input,
                                          std::vector<moved_element> const& moves,
                                          Program const& program) {
  machine_needs const needs{.strict = strictness::always, .one_port = true};
  auto result = run_and_check(given, needs, program);
  std::vector<sender_and_receiver> messages;
  std::vector<needed_value> needed;
  for (auto const& [from, to] : moves) {
    messages.push_back({input.layout.owner(from), input.layout.owner(to)});
    needed.push_back({input.layout.owner(from), from, input.layout.owner(to)});
  }
  auto const q = most_messages(std::move(messages), given.processors());
  add_sends(result, q);
  result.bounds = lower_bounds(result.record, traffic_of(needed, given.processors(), 1));
  return result;
}

[[nodiscard]] std::uint64_t messages_in(experiment_result const& result) {
  return static_cast<std::uint64_t>(std::get<std::int64_t>(result.figures.at("q")));
}

[[nodiscard]] experiment_result run_concentrate(arguments const& given) {
  one_to_one const input(given, 71);
  auto const& layout = input.layout;
  std::vector<std::int64_t> all;
  all.reserve(input.places.size());
  for (auto const place : input.places) all.push_back(numbered_value(place));
  auto const count_before = [&](std::size_t place) {
    return static_cast<std::size_t>(std::ranges::lower_bound(input.places, place) -
                                    input.places.begin());
  };
  auto result = run_moves(given, input, input.moves(true), [&](processor& me) -> bool {
    auto const first = count_before(layout.first_of(me.rank()));
    auto const last = count_before(layout.first_of(me.rank() + 1));
    auto const mine = std::span(std::as_const(all)).subspan(first, last - first);
    auto const begin = std::min(layout.first_of(me.rank()), all.size());
    auto const end = std::min(layout.first_of(me.rank() + 1), all.size());
    return std::ranges::equal(concentrate_elements(me, layout, mine),
                              std::span(all).subspan(begin, end - begin));
  });
  if (given.request().options.packet == 1)
    result.claims =
        concentrate_elements_claims(given.processors(), layout.elements(), messages_in(result));
  return result;
}

[[nodiscard]] experiment_result run_distribute(arguments const& given) {
  one_to_one const input(given, 100);
  auto const& layout = input.layout;
  std::vector<std::size_t> pointers(layout.elements(), no_pointer);
  std::ranges::copy(input.places, pointers.begin());
  auto const values = numbered_values(layout.elements());
  std::vector<std::optional<std::int64_t>> expected(layout.elements());
  for (std::size_t i = 0; i < input.places.size(); ++i)
    expected[input.places[i]] = numbered_value(i);
  auto result = run_moves(given, input, input.moves(false), [&](processor& me) -> bool {
    auto const rank = me.rank();
    auto const distributed =
        distribute_elements(me, layout, block_of(std::span(std::as_const(pointers)), layout, rank),
                            block_of(std::span(values), layout, rank));
    return std::ranges::equal(distributed, block_of(std::span(expected), layout, rank));
  });
  if (given.request().options.packet == 1)
    result.claims =
        distribute_elements_claims(given.processors(), layout.elements(), messages_in(result));
  return result;
}

[[nodiscard]] experiment one_to_one_experiment(experiment of) {
  of.topologies = "crossbar";
  of.source = shankar_ranka_1997;
  of.examples = {"crossbar:8", "crossbar:4", "crossbar:13", "crossbar:16"};
  of.parameters = {number_of_elements, elements_left_out};
  return of;
}

}  // namespace

experiment concentrate_elements_experiment() {
  return one_to_one_experiment(
      {.name = "concentrate-elements",
       .summary = "elements that lie apart come together at the first addresses",
       .run = run_concentrate});
}

experiment distribute_elements_experiment() {
  return one_to_one_experiment({.name = "distribute-elements",
                                .summary = "elements of the first addresses go apart, in order",
                                .run = run_distribute});
}

}  // namespace lockstep
