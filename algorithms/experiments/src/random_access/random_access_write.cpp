#include <lockstep/algorithms/random_access/random_access_write.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/claim_list.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"
#include "random_access/access_input.hpp"
#include "random_access/access_traffic.hpp"
#include "random_access/reason_of_prices.hpp"
#include "random_access/written_operator.hpp"

namespace lockstep {

namespace {

/// Operators under the names that they have on the command line.
enum class written_operator : std::uint8_t { add, first, concat };

constexpr choice_parameter operator_of_write{
    "operator",
    "add, first (the value of the lowest index) or concat (a hash of all in their order); the "
    "hybrids need add, which commutes",
    std::array{named_choice{"add", written_operator::add},
               named_choice{"first", written_operator::first},
               named_choice{"concat", written_operator::concat}}};
constexpr choice_parameter variant_of_write{
    "variant",
    "arbitrary (two stages by buckets), hybrid (only where a bucket has many elements; "
    "hybrid-plain: without regard to the others), limited (as the sizes of messages call for), "
    "monotonic (for pointers in order) or auto (the cheapest of local, complete exchange, "
    "transportation, arbitrary and, with add, hybrid, by what each costs at most)",
    std::array{named_choice{"arbitrary", access_variant::arbitrary},
               named_choice{"hybrid", access_variant::hybrid},
               named_choice{"hybrid-plain", access_variant::hybrid_plain},
               named_choice{"limited", access_variant::limited},
               named_choice{"monotonic", access_variant::monotonic},
               named_choice{"auto", access_variant::automatic}}};
constexpr choice_parameter way_of_stage_1{
    "stage-1", "how elements go to their buckets: transportation or direct",
    std::array{named_choice{"transportation", transportation_route::two_stages},
               named_choice{"direct", transportation_route::direct}}};
constexpr choice_parameter way_of_stage_2{
    "stage-2",
    "how buckets go to their owners: sends (q steps), linear (p - 1 rounds) or transportation",
    std::array{named_choice{"sends", bucket_route::sends},
               named_choice{"linear", bucket_route::linear},
               named_choice{"transportation", bucket_route::transportation}}};
constexpr integer_parameter price_of_startup{
    "tau", "price of a start-up in words, by which auto chooses", 1000, 0, 1'000'000'000'000};

/// The values that elements write, D(i) = i + 1, and the operator on them.
struct added {
  using value = std::uint64_t;
  static value of(std::size_t i) { return i + 1; }
  std::plus<value> plus{};  // modulo 2^64
};
struct first_kept {
  using value = std::uint64_t;
  static value of(std::size_t i) { return i + 1; }
  copy_operator<value> plus{};
};
struct concatenated {
  using value = operand_sequence;
  static value of(std::size_t i) { return sequence_of(i + 1); }
  concatenate plus{};
};

/// What is written to each address, one element after another.
template <class Written>
[[nodiscard]] std::vector<extended<typename Written::value>> written_in_order(
    access_input const& input) {
  using value = typename Written::value;
  Written const written;
  std::vector<extended<value>> cells(input.layout.elements());
  for (std::size_t i = 0; i < input.pointers.size(); ++i) {
    if (input.pointers[i] == no_pointer) continue;
    auto& cell = cells[input.pointers[i]];
    cell = cell.is_there ? written.plus(cell.value, Written::of(i)) : Written::of(i);
  }
  return cells;
}

/// Words that any program has to move: one into an owner for each address that others write to,
/// and one out of a processor for each address elsewhere. `only_first`: the operator needs no more
/// than the first element of each address.
[[nodiscard]] traffic_requirement write_requirement(access_input const& input, bool only_first) {
  auto const p = static_cast<std::size_t>(input.layout.processors());
  std::vector<std::uint64_t> in(p);
  std::vector<std::uint64_t> out(p);
  std::vector<int> last_writer(input.layout.elements(), -1);
  std::vector<bool> is_taken_in(input.layout.elements());
  traffic_requirement needed;
  for (std::size_t i = 0; i < input.pointers.size(); ++i) {
    auto const address = input.pointers[i];
    if (address == no_pointer) continue;
    auto const from = input.layout.owner(i);
    auto const to = input.layout.owner(address);
    if (last_writer[address] == from || (only_first && last_writer[address] >= 0)) continue;
    last_writer[address] = from;
    if (from == to) continue;
    ++out[static_cast<std::size_t>(from)];
    needed.distance = 1;
    if (is_taken_in[address]) continue;
    is_taken_in[address] = true;
    ++in[static_cast<std::size_t>(to)];
    ++needed.moved;
  }
  needed.taken_in = *std::ranges::max_element(in);
  needed.sent = *std::ranges::max_element(out);
  return needed;
}

/// Counts q of a monotonic write: the last element of each address is sent.
[[nodiscard]] std::uint64_t monotonic_messages(access_input const& input) {
  std::vector<int> last_writer(input.layout.elements(), -1);
  for (std::size_t i = 0; i < input.pointers.size(); ++i)
    if (input.pointers[i] != no_pointer) last_writer[input.pointers[i]] = input.layout.owner(i);
  std::vector<sender_and_receiver> messages;
  for (std::size_t address = 0; address < last_writer.size(); ++address)
    if (last_writer[address] >= 0)
      messages.push_back({last_writer[address], input.layout.owner(address)});
  return most_messages(std::move(messages), input.layout.processors());
}

/// Claims what a write costs that is not monotonic.
[[nodiscard]] std::vector<claim> write_claims(access_input const& input,
                                              random_access_options const& options,
                                              random_access_record const& record) {
  claim_list claims(
      {{{"p", input.layout.processors()},
        {"r", static_cast<double>(most_sent(input, record.choice == access_choice::hybrid))}}});
  claims.add(random_access_write_claims(input.layout, options, record));
  bool const is_by_buckets =
      record.choice == access_choice::arbitrary || record.choice == access_choice::hybrid;
  if (!is_by_buckets || options.stage_1 != transportation_route::two_stages) return claims;
  claims.from("lockstep, of Shankar and Ranka 1997, section 2");
  return claims.equal("dealt_words", "r - ceil(r/p)");
}

/// Adds what is known of the run: words of stage 1 are those of the phases "stage 1" and "stage 2",
/// the two of a transportation, and words of stage 2 those of the phases "sends".
void add_figures(experiment_result& result, random_access_record const& record,
                 random_access_options const& options) {
  auto const& run = result.record;
  auto& figures = result.figures;
  figures["choice"] = std::string(name_of(record.choice));
  figures["buckets_full"] = static_cast<std::int64_t>(record.full_buckets);
  figures["buckets_partial"] = static_cast<std::int64_t>(record.partial_buckets);
  figures["largest_bucket"] = static_cast<std::int64_t>(record.largest_bucket);
  figures["q"] = static_cast<std::int64_t>(record.stage_2_steps);
  figures["combine_words"] = sum_in(run, "combine bucket hits", &phase_record::words);
  figures["scan_words"] = sum_in(run, "scan bucket hits", &phase_record::words);
  figures["segmented_scan_words"] = sum_in(run, "segmented scan", &phase_record::words);
  figures["one_to_one_words"] = sum_in(run, "one to one", &phase_record::words);
  figures["dealt_words"] = sum_in(run, "stage 1", &phase_record::words);
  figures["sends_steps"] = sum_in(run, "sends", &phase_record::steps);
  figures["stage_1_words"] =
      sum_in(run, "stage 1", &phase_record::words) + sum_in(run, "stage 2", &phase_record::words);
  figures["stage_2_words"] = sum_in(run, "sends", &phase_record::words);
  figures["stage_2_port_words"] = sum_in(run, "sends", &phase_record::port_words);
  figures["port_words"] = sum_in(run, "", &phase_record::port_words);
  if (!record.prices.empty())
    figures["reason"] = reason_for(record.prices, &access_price::choice, options.startup_words);
}

template <class Written>
[[nodiscard]] experiment_result run_write(arguments const& given,
                                          random_access_options const& options) {
  using value = typename Written::value;
  detail::require_variant(options, is_commutative<decltype(Written::plus)>);
  constexpr double bytes_of_element = 12 * sizeof(detail::access_entry<value>);
  access_input const input(given, given[pattern_of_pointers], bytes_of_element);
  require_memory_of_buckets(given, input.layout);
  auto const expected = written_in_order<Written>(input);
  std::vector<random_access_record> records(static_cast<std::size_t>(given.processors()));
  machine_needs const needs{.strict = strictness::always, .one_port = true};
  auto result = run_and_check(given, needs, [&](processor& me) {
    auto const first = input.layout.first_of(me.rank());
    auto const pointers = input.of(me.rank());
    std::vector<value> values;
    for (std::size_t i = 0; i < pointers.size(); ++i) values.push_back(Written::of(first + i));
    auto const written = combined_writes(me, input.layout, pointers, std::span<value const>(values),
                                         Written().plus, options);
    records[static_cast<std::size_t>(me.rank())] = written.record;
    return std::ranges::equal(
        written.cells, std::span(expected).subspan(first, written.cells.size()),
        [](extended<value> const& a, extended<value> const& b) {
          return a.is_there == b.is_there && (!a.is_there || a.value == b.value);
        });
  });
  result.correct = result.correct && std::ranges::count(records, records.front()) ==
                                         static_cast<std::ptrdiff_t>(records.size());
  record_input(result, input);
  add_figures(result, records.front(), options);
  result.figures["r"] = most_sent(input, records.front().choice == access_choice::hybrid);
  auto const q = monotonic_messages(input);
  bool const is_monotonic = options.variant == access_variant::monotonic;
  if (is_monotonic) add_sends(result, q);
  if (given.request().options.packet == 1)
    result.claims = is_monotonic
                        ? monotonic_write_claims(given.processors(), input.layout.elements(), q)
                        : write_claims(input, options, records.front());
  bool const only_first = std::same_as<Written, first_kept>;
  result.bounds = lower_bounds(result.record, write_requirement(input, only_first));
  return result;
}

[[nodiscard]] experiment_result run_random_access_write(arguments const& given) {
  random_access_options const options{.variant = given[variant_of_write],
                                      .stage_1 = given[way_of_stage_1],
                                      .stage_2 = given[way_of_stage_2],
                                      .startup_words = given[price_of_startup]};
  switch (given[operator_of_write]) {
    case written_operator::add:
      return run_write<added>(given, options);
    case written_operator::first:
      return run_write<first_kept>(given, options);
    case written_operator::concat:
      return run_write<concatenated>(given, options);
  }
  return {};
}

}  // namespace

experiment random_access_write_experiment() {
  return {.name = "random-access-write",
          .summary = "elements write to any addresses of an array, however many to the same one",
          .topologies = "crossbar",
          .source = shankar_ranka_1997,
          .examples = {"crossbar:16", "crossbar:4", "crossbar:7", "crossbar:8"},
          .parameters = {number_of_elements, number_of_buckets, pattern_of_pointers, lost_pointers,
                         variant_of_write, operator_of_write, way_of_stage_1, way_of_stage_2,
                         price_of_startup},
          .run = run_random_access_write};
}

}  // namespace lockstep
