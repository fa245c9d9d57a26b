#include <lockstep/algorithms/random_access/random_access_write.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/random_access/network_claims.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "choices.hpp"
#include "files/csv_file.hpp"
#include "files/field_texts.hpp"
#include "files/number_parser.hpp"
#include "harness/experiment_list.hpp"
#include "harness/solve.hpp"
#include "harness/sources.hpp"
#include "network_kind.hpp"
#include "random_access/access_files.hpp"
#include "random_access/bucket_figures.hpp"
#include "random_access/number_access.hpp"
#include "random_access/option_names.hpp"
#include "random_access/shared_parameters.hpp"
#include "random_access/write_problem.hpp"

namespace lockstep {

template written_block<std::int64_t> combined_writes(processor&, bucket_layout const&,
                                                     std::span<std::size_t const> const&,
                                                     std::span<std::int64_t const>,
                                                     number_operator const&,
                                                     random_access_options const&,
                                                     std::source_location);

namespace {

constexpr choice_parameter operator_of_write{
    "operator",
    "add, first (the value of the lowest index), min, max, last, same (all of an index have to be "
    "equal), or concat (a hash of all in their order, of generated values); the hybrids need add, "
    "min, max or same, which commute",
    std::array{named_choice{"add", std::size_t{0}}, named_choice{"first", std::size_t{3}},
               named_choice{"concat", concatenation}, named_choice{"min", std::size_t{1}},
               named_choice{"max", std::size_t{2}}, named_choice{"last", std::size_t{4}},
               named_choice{"same", same_value}}};
constexpr choice_parameter variant_of_write{
    "variant",
    "arbitrary (two stages by buckets), hybrid (only where a bucket has many elements; "
    "hybrid-plain: without regard to the others), limited (as the sizes of messages call for), "
    "monotonic (for pointers in order), one-all-gather (monotonic in fewer start-ups and more "
    "words) or auto (the cheapest of local, complete exchange, "
    "transportation, arbitrary, with an operator that commutes hybrid, and for pointers in order "
    "monotonic, by what each costs at most)",
    choices_of(detail::access_variant_names)};
constexpr choice_parameter way_of_stage_1{
    "stage-1", "how elements go to their buckets: transportation or direct", routes_by_name};
constexpr choice_parameter way_of_stage_2{
    "stage-2",
    "how buckets go to their owners: sends (q steps; on a crossbar alone, on other networks "
    "transportation in their place), linear (p - 1 rounds) or transportation",
    choices_of(detail::bucket_route_names)};

constexpr auto elements_of_array = [] {
  auto made = number_of_elements;
  made.help =
      "elements, and addresses, on all processors together; 32 in the figures; with an input file "
      "the addresses alone, or nothing for its largest index + 1";
  made.of_generated_input = false;
  made.told_by_input = true;
  return made;
}();
constexpr text_parameter initial_array{
    "array",
    "FILE with what stands in the array before the pairs of an input file are written: a column "
    "value; without, an index that does not occur has 0"};

/// Counts q of a monotonic write: the last element of each address is sent.
[[nodiscard]] std::uint64_t monotonic_messages(access_input const& input) {
  auto const last_writer = written_in_turn(
      sequential_cells<int>(input.layout.elements()), input.pointers,
      [&](std::size_t i) { return input.elements.owner(i); },
      [](int /*earlier*/, int later) { return later; });
  std::vector<sender_and_receiver> messages;
  for (std::size_t address = 0; address < last_writer.size(); ++address)
    if (last_writer[address])
      messages.push_back({*last_writer[address], input.layout.owner(address)});
  return most_messages(std::move(messages), input.layout.processors());
}

/// Claims what the variant costs. `q`: most messages of a processor in a monotonic write; `r`: most elements
/// that one sends.
[[nodiscard]] std::vector<claim> claims_of_variant(access_input const& input,
                                                   random_access_options const& options,
                                                   random_access_record const& record,
                                                   std::uint64_t q, std::int64_t r) {
  auto const& layout = input.layout;
  if (options.variant == access_variant::monotonic ||
      options.variant == access_variant::one_all_gather)
    return monotonic_write_claims(layout.processors(), layout.elements(), q,
                                  detail::way_of(options.variant));
  auto const claims = random_access_write_claims(layout, options, record);
  bool const is_by_buckets =
      record.choice == access_choice::arbitrary || record.choice == access_choice::hybrid;
  if (!is_by_buckets || options.stage_1 != transportation_route::two_stages) return claims;
  return with_dealt_words(claims, layout.processors(), 1, r, "r - ceil(r/p)");
}

/// Claims what the variant costs on another network than a crossbar.
[[nodiscard]] std::vector<claim> claims_on_network(topology const& network,
                                                   access_input const& input,
                                                   random_access_options const& options,
                                                   random_access_record const& record) {
  if (options.variant == access_variant::monotonic)
    return network_monotone_claims(network, input.layout.elements(), 3);
  return network_write_claims(network, input.layout, options, record);
}

/// Adds figures and claims of a run, as far as they are for such an input.
void compare_with_claims(experiment_result& result, arguments const& given,
                         random_access_options const& options, access_input const& input,
                         random_access_record const& record) {
  add_bucket_figures(result, record, &random_access_record::choice, &access_price::choice,
                     options.startup_words);
  auto& figures = result.figures;
  figures["segmented_scan_words"] = sum_in(result.record, "segmented scan", &phase_record::words);
  figures["stage_2_port_words"] = sum_in(result.record, "sends", &phase_record::port_words);
  auto const q = monotonic_messages(input);
  if (record.choice == access_choice::monotonic) add_sends(result, q);
  auto const r = most_sent(input, record.choice == access_choice::hybrid);
  figures["r"] = r;
  bool const is_claimed = given.request().options.packet == 1 && input.keeps_bounds();
  if (is<crossbar>(given.network())) {
    if (is_claimed) result.claims = claims_of_variant(input, options, record, q, r);
    return;
  }
  result.parameters[std::string(way_of_stage_2.name)] = std::string(name_of(options.stage_2));
  add_sums(result, "stages", {"stage 1", "stage 2", "sends"});
  add_sums(result, "sends", {"sends"});
  if (is_claimed) result.claims = claims_on_network(given.network(), input, options, record);
}

/// Writes a processor's elements, and combines them with what stands there before.
template <class Value>
[[nodiscard]] std::vector<extended<Value>> written_cells(processor& me, bucket_layout const& layout,
                                                         write_part<Value> const& part,
                                                         Value (*plus)(Value, Value),
                                                         random_access_options const& options,
                                                         random_access_record& record) {
  auto written = combined_writes(me, layout, part.pointers, part.values, plus, options);
  record = std::move(written.record);
  extended_operator<Value, Value (*)(Value, Value)> const wider{plus};
  for (std::size_t i = 0; i < part.before.size(); ++i)
    written.cells[i] = wider(part.before[i], written.cells[i]);
  return std::move(written.cells);
}

/// The same for values on which all elements of an address have to agree.
/// Errors: invalid_argument for an address on whose value they do not.
template <class Number>
[[nodiscard]] std::vector<extended<Number>> agreed_cells(processor& me, bucket_layout const& layout,
                                                         write_part<Number> const& part,
                                                         random_access_options const& options,
                                                         random_access_record& record) {
  auto const pack = [](std::span<Number const> numbers) {
    std::vector<two_words> all(numbers.size());
    std::ranges::transform(numbers, all.begin(), packed<Number>);
    return all;
  };
  auto const values = pack(part.values);
  auto const before = pack(part.before);
  auto const written = written_cells<two_words>(me, layout, {part.pointers, values, before},
                                                agreement_of<Number>, options, record);
  std::vector<extended<agreed_value<Number>>> agreed(written.size());
  std::vector<extended<Number>> cells(written.size());
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (written[i].is_there) {
      agreed[i] = unpacked<Number>(written[i].value);
      cells[i] = agreed[i].value.value;
    }
  require_agreement<Number>(layout.first_of(me.rank()), agreed);
  return cells;
}

/// Solves the problem by a random access write.
template <class Number>
[[nodiscard]] experiment_result run_write(arguments const& given,
                                          random_access_options const& options,
                                          write_problem<Number> const& problem) {
  auto const& layout = problem.input.layout;
  require_memory_of_buckets(given, layout);
  records_of_access<random_access_record> records(given);
  auto result =
      solve(given, needs_of_access(), problem, [&](processor& me, write_part<Number> const& part) {
        if constexpr (!std::same_as<Number, two_words>)
          if (problem.by.requires_agreement)
            return agreed_cells(me, layout, part, options, records.of(me));
        return written_cells(me, layout, part, problem.by.plus, options, records.of(me));
      });
  result.correct = result.correct && records.are_the_same();
  compare_with_claims(result, given, options, problem.input, records.first());
  return result;
}

/// Computes the bytes that an element takes.
template <class Number>
[[nodiscard]] double bytes_of_write(write_operator<Number> const& by) {
  return 4.2 * static_cast<double>(by.requires_agreement ? sizeof(detail::access_entry<two_words>)
                                                         : sizeof(detail::access_entry<Number>));
}

/// Generates what elements write: D(i) = i + 1, made a value by `value_of`.
template <class Number>
[[nodiscard]] write_problem<Number> generated_writes(arguments const& given,
                                                     write_operator<Number> const& by,
                                                     Number (*value_of)(std::uint64_t)) {
  access_input input(given, given[pattern_of_pointers], bytes_of_write(by));
  std::vector<Number> values;
  values.reserve(input.pointers.size());
  for (std::size_t i = 0; i < input.pointers.size(); ++i) values.push_back(value_of(i + 1));
  return {std::move(input), std::move(values), by};
}

/// The pairs of an input file, and what stands in the array before.
struct files_of_write {
  index_value_pairs pairs;
  number_vector before{};
  field_texts written_before{};
};

/// Reads the files that are asked for. Errors: bad_input.
[[nodiscard]] files_of_write files_from(arguments const& given) {
  auto n = given.has(elements_of_array.name) ? std::optional<std::size_t>(given[elements_of_array])
                                             : std::nullopt;
  files_of_write read;
  if (auto const array = given[initial_array]; !array.empty()) {
    auto column = read_csv_column(array, "value");
    read.before = std::move(column.values);
    read.written_before = std::move(column.written);
    auto const rows = std::visit([](auto const& all) { return all.size(); }, read.before);
    if (rows == 0) throw bad_input(fmt::format("{}: has no rows; give an array of some", array));
    if (n && *n != rows)
      throw bad_input(
          fmt::format("{}: has {} rows, and --n is {}; leave out --n", array, rows, *n));
    n = rows;
  }
  read.pairs = read_pairs(*given.request().input, n);
  return read;
}

/// Converts the numbers of a file into that type.
/// Errors: bad_input, with the row, for a whole number that double precision would round.
template <class Number>
[[nodiscard]] std::vector<Number> numbers_as(number_vector const& numbers,
                                             std::string const& file) {
  return std::visit(
      [&]<class Read>(std::vector<Read> const& all) {
        if constexpr (std::floating_point<Number> && std::integral<Read>)
          if (auto const rounded = std::ranges::find_if_not(all, is_exact_in_double);
              rounded != all.end())
            throw bad_input(fmt::format("{}: row {}: {}", file, rounded - all.begin() + 1,
                                        why_not_rounded(std::to_string(*rounded))));
        std::vector<Number> made(all.size());
        std::ranges::transform(all, made.begin(),
                               [](auto each) { return static_cast<Number>(each); });
        return made;
      },
      numbers);
}

/// Marks the addresses that pointers have.
[[nodiscard]] std::vector<bool> marked(std::span<std::size_t const> pointers, std::size_t n) {
  std::vector<bool> marks(n);
  for (auto const pointer : pointers) marks[pointer] = true;
  return marks;
}

/// Makes the problem of the files, with numbers of that type.
/// Errors: bad_input, also for sums that do not fit; those of access_input.
template <class Number>
[[nodiscard]] write_problem<Number> writes_of_files(arguments const& given, std::size_t index,
                                                    files_of_write files) {
  auto const file = given.request().input->string();
  auto const by = write_operator_at<Number>(index);
  auto values = numbers_as<Number>(files.pairs.values, file);
  auto before = numbers_as<Number>(files.before, given[initial_array]);
  auto const n = files.pairs.elements;
  access_input input(given, std::move(files.pairs.indices), n, bytes_of_write(by));
  auto is_changed = marked(input.pointers, n);
  write_problem<Number> made{std::move(input),
                             std::move(values),
                             by,
                             std::move(before),
                             file,
                             std::move(files.written_before),
                             std::move(is_changed)};
  if (by.is_addition) made.require_sums_fit();
  return made;
}

/// Writes the numbers of the files that are asked for. Errors: bad_input; those of the run.
[[nodiscard]] experiment_result run_files(arguments const& given,
                                          random_access_options const& options, std::size_t index) {
  require_rounds_of_all(given);
  auto files = files_from(given);
  auto const rows = static_cast<std::int64_t>(files.pairs.indices.size());
  auto const are_whole = [](number_vector const& numbers) {
    return std::holds_alternative<std::vector<std::int64_t>>(numbers);
  };
  auto result =
      are_whole(files.pairs.values) && are_whole(files.before)
          ? run_write(given, options, writes_of_files<std::int64_t>(given, index, std::move(files)))
          : run_write(given, options, writes_of_files<double>(given, index, std::move(files)));
  result.figures["rows"] = rows;
  return result;
}

/// Finds the way of buckets: sends are for a crossbar.
[[nodiscard]] bucket_route way_of_buckets(arguments const& given) {
  auto const asked = given[way_of_stage_2];
  bool const has_sends = is<crossbar>(given.network());
  return asked == bucket_route::sends && !has_sends ? bucket_route::transportation : asked;
}

/// Requires a variant that the network has. Errors: invalid_argument.
void require_variant_of_network(arguments const& given, random_access_options const& options) {
  if (is<crossbar>(given.network())) return;
  if (options.variant == access_variant::automatic ||
      options.variant == access_variant::one_all_gather)
    throw invalid_argument(fmt::format(
        "variant {} is for a crossbar, whose costs it knows; take arbitrary, hybrid, limited or "
        "monotonic",
        name_of(options.variant)));
}

[[nodiscard]] experiment_result run_random_access_write(arguments const& given) {
  auto const index = given[operator_of_write];
  random_access_options const options{.variant = given[variant_of_write],
                                      .stage_1 = given[way_of_stage_1],
                                      .stage_2 = way_of_buckets(given),
                                      .commutes = index <= 2 || index == same_value,
                                      .startup_words = given[startup_price]};
  detail::require_variant(options, options.commutes);
  require_variant_of_network(given, options);
  auto const& files = given.request();
  bool const has_array = !given[initial_array].empty();
  if (index == concatenation && (files.input || files.output || has_array))
    throw invalid_argument(
        "concat is for generated values without files; take --operator add, min, max, first, last "
        "or same");
  if (files.input) return run_files(given, options, index);
  if (has_array) throw invalid_argument("--array needs --input FILE");
  if (index == concatenation)
    return run_write(given, options,
                     generated_writes<two_words>(given, {concatenation_of}, sequence_of));
  return run_write(
      given, options,
      generated_writes<std::int64_t>(given, write_operator_at<std::int64_t>(index),
                                     [](std::uint64_t i) { return static_cast<std::int64_t>(i); }));
}

}  // namespace

experiment random_access_write_experiment() {
  return {
      .name = "random-access-write",
      .summary =
          "elements write to any addresses of an array, however many to the same one; with an "
          "input file (CSV, columns \"index\" and \"value\") its rows do, and the output file has "
          "all of the array",
      .topologies = "crossbar, hypercube, torus, mesh",
      .source = shankar_ranka_1997,
      .examples = {"crossbar:16", "crossbar:4", "crossbar:7", "crossbar:8", "hypercube:4",
                   "mesh:4x4", "torus:3x5"},
      .parameters = {elements_of_array, number_of_buckets, pattern_of_pointers, lost_pointers,
                     variant_of_write, operator_of_write, way_of_stage_1, way_of_stage_2,
                     startup_price, initial_array},
      .takes_files = true,
      .run = run_random_access_write};
}

}  // namespace lockstep
