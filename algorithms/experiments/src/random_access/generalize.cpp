#include <lockstep/algorithms/random_access/generalize.hpp>

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

/// The values that a loop over the elements copies, and the messages that bring them there.
struct copied_values {
  explicit copied_values(access_input const& input) : at(input.layout.elements()) {
    auto const& layout = input.layout;
    std::size_t next = 0;
    for (std::size_t i = 0; i < input.pointers.size(); ++i) {
      auto const last = input.pointers[i];
      if (last == no_pointer || last < next) continue;
      messages.push_back({layout.owner(i), layout.owner(next)});
      for (; next <= last; ++next) {
        at[next] = numbered_value(i);
        needed.push_back({layout.owner(i), i, layout.owner(next)});
      }
    }
  }

  std::vector<std::optional<std::int64_t>> at;
  std::vector<sender_and_receiver> messages;
  std::vector<needed_value> needed;
};

[[nodiscard]] experiment_result run_generalize(arguments const& given) {
  constexpr double bytes_of_element = 112;
  access_input const input(given, access_pattern::monotonic, bytes_of_element);
  auto const& layout = input.layout;
  copied_values const expected(input);
  auto const values = numbered_values(layout.elements());
  machine_needs const needs{.strict = strictness::always, .one_port = true};
  auto result = run_and_check(given, needs, [&](processor& me) {
    auto const copies =
        generalize(me, layout, input.of(me.rank()), block_of(std::span(values), layout, me.rank()));
    return std::ranges::equal(copies, block_of(std::span(expected.at), layout, me.rank()));
  });
  record_input(result, input);
  int const p = given.processors();
  auto const q = most_messages(expected.messages, p);
  add_sends(result, q);
  if (given.request().options.packet == 1)
    result.claims = generalize_claims(p, layout.elements(), q);
  result.bounds = lower_bounds(result.record, traffic_of(expected.needed, p, 1));
  return result;
}

}  // namespace

experiment generalize_experiment() {
  return {.name = "generalize",
          .summary = "value i goes to all addresses from one sorted pointer to the next",
          .topologies = "crossbar",
          .source = shankar_ranka_1997,
          .examples = {"crossbar:8", "crossbar:4", "crossbar:13", "crossbar:16"},
          .parameters = {number_of_elements, lost_pointers},
          .run = run_generalize};
}

}  // namespace lockstep
