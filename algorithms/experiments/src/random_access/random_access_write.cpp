#include <lockstep/algorithms/random_access/random_access_write.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/claim_list.hpp>

#include "files/csv_file.hpp"
#include "files/field_texts.hpp"
#include "files/number_parser.hpp"
#include "files/write_result.hpp"
#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"
#include "random_access/access_files.hpp"
#include "random_access/access_input.hpp"
#include "random_access/access_traffic.hpp"
#include "random_access/numbered_values.hpp"
#include "random_access/reason_of_prices.hpp"
#include "random_access/sequential_writes.hpp"
#include "random_access/shared_parameters.hpp"
#include "random_access/written_operator.hpp"

namespace lockstep {

namespace {

constexpr std::size_t concatenation = 5;  // behind the indices of `operator_at`
constexpr std::size_t same_value = 6;

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
    std::array{named_choice{"arbitrary", access_variant::arbitrary},
               named_choice{"hybrid", access_variant::hybrid},
               named_choice{"hybrid-plain", access_variant::hybrid_plain},
               named_choice{"limited", access_variant::limited},
               named_choice{"monotonic", access_variant::monotonic},
               named_choice{"one-all-gather", access_variant::one_all_gather},
               named_choice{"auto", access_variant::automatic}}};
constexpr choice_parameter way_of_stage_1{
    "stage-1", "how elements go to their buckets: transportation or direct", routes_by_name};
constexpr choice_parameter way_of_stage_2{
    "stage-2",
    "how buckets go to their owners: sends (q steps), linear (p - 1 rounds) or transportation",
    std::array{named_choice{"sends", bucket_route::sends},
               named_choice{"linear", bucket_route::linear},
               named_choice{"transportation", bucket_route::transportation}}};

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

/// Elements, the values that they write, and what stands there before.
template <class Value>
struct write_problem {
  access_input input;
  std::vector<Value> values;
  write_operator<Value> by;
  std::vector<Value> before{};  ///< of each address; nothing stands there where it is empty
};

/// Words that any program has to move: one into an owner for each address that others write to,
/// and one out of a processor for each address elsewhere. `kept`: where the operator needs no more
/// than one element of each address.
[[nodiscard]] traffic_requirement write_requirement(access_input const& input, kept_operand kept) {
  auto const p = static_cast<std::size_t>(input.layout.processors());
  std::vector<std::uint64_t> in(p);
  std::vector<std::uint64_t> out(p);
  std::vector<int> last_writer(input.layout.elements(), -1);
  std::vector<bool> is_taken_in(input.layout.elements());
  traffic_requirement needed;
  auto const all = input.pointers.size();
  for (std::size_t step = 0; step < all; ++step) {
    auto const i = kept == kept_operand::last ? all - 1 - step : step;
    auto const address = input.pointers[i];
    if (address == no_pointer) continue;
    auto const from = input.elements.owner(i);
    auto const to = input.layout.owner(address);
    if (last_writer[address] == from || (kept != kept_operand::all && last_writer[address] >= 0))
      continue;
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
    if (input.pointers[i] != no_pointer) last_writer[input.pointers[i]] = input.elements.owner(i);
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

/// Claims what the variant costs. `q`: most messages of a processor in a monotonic write.
[[nodiscard]] std::vector<claim> claims_of_variant(access_input const& input,
                                                   random_access_options const& options,
                                                   random_access_record const& record,
                                                   std::uint64_t q) {
  auto const of_way = [&](monotonic_way way) {
    return monotonic_write_claims(input.layout.processors(), input.layout.elements(), q, way);
  };
  if (options.variant == access_variant::monotonic) return of_way(monotonic_way::scans);
  if (options.variant == access_variant::one_all_gather)
    return of_way(monotonic_way::one_all_gather);
  return write_claims(input, options, record);
}

/// Adds the figures of the run: words of stage 1 are those of the phases "stage 1" and "stage 2",
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

/// Claims and bounds of a run, as far as they are for such an input.
template <class Value>
void compare_with_claims(experiment_result& result, arguments const& given,
                         random_access_options const& options, write_problem<Value> const& problem,
                         random_access_record const& record) {
  auto const& input = problem.input;
  auto const q = monotonic_messages(input);
  if (record.choice == access_choice::monotonic) add_sends(result, q);
  result.figures["r"] = most_sent(input, record.choice == access_choice::hybrid);
  if (given.request().options.packet == 1 && input.keeps_bounds())
    result.claims = claims_of_variant(input, options, record, q);
  if (problem.before.empty())
    result.bounds = lower_bounds(result.record, write_requirement(input, problem.by.kept));
}

/// A result, and what stands in the array then.
template <class Value>
struct run_of_writes {
  experiment_result result;
  std::vector<Value> array;
};

/// Writes on the machine, and compares the array with what a loop over the elements makes.
template <class Value>
[[nodiscard]] run_of_writes<Value> run_write(arguments const& given,
                                             random_access_options const& options,
                                             write_problem<Value> const& problem) {
  auto const& input = problem.input;
  require_memory_of_buckets(given, input.layout);
  sequential_writes<Value> const expected(input.layout.elements(), input.pointers, problem.values,
                                          problem.by, problem.before);
  std::vector<Value> array(input.layout.elements());
  std::vector<random_access_record> records(static_cast<std::size_t>(given.processors()));
  machine_needs const needs{.strict = strictness::always, .one_port = true};
  auto result = run_and_check(given, needs, [&](processor& me) {
    auto const values = block_of(std::span<Value const>(problem.values), input.elements, me.rank());
    auto written =
        combined_writes(me, input.layout, input.of(me.rank()), values, problem.by.plus, options);
    records[static_cast<std::size_t>(me.rank())] = written.record;
    auto const first = input.layout.first_of(me.rank());
    extended_operator<Value, decltype(problem.by.plus)> const plus{problem.by.plus};
    bool are_right = true;
    for (std::size_t i = 0; i < written.cells.size(); ++i) {
      auto& cell = written.cells[i];
      if (!problem.before.empty()) cell = plus(problem.before[first + i], cell);
      array[first + i] = cell.value;
      are_right = are_right && expected.is_right(first + i, cell);
    }
    require_written<Value>(first, written.cells);
    return are_right;
  });
  result.correct = result.correct && std::ranges::count(records, records.front()) ==
                                         static_cast<std::ptrdiff_t>(records.size());
  record_input(result, input);
  add_figures(result, records.front(), options);
  compare_with_claims(result, given, options, problem, records.front());
  return {std::move(result), std::move(array)};
}

template <class Value>
constexpr double bytes_of_write = 4.2 * sizeof(detail::access_entry<Value>);

/// Generates what elements write: D(i) = i + 1, made a value by `value_of`.
template <class Value, class ValueOf>
[[nodiscard]] run_of_writes<Value> run_generated(arguments const& given,
                                                 random_access_options const& options,
                                                 write_operator<Value> by,
                                                 ValueOf const& value_of) {
  access_input input(given, given[pattern_of_pointers], bytes_of_write<Value>);
  std::vector<Value> values;
  values.reserve(input.pointers.size());
  for (std::size_t i = 0; i < input.pointers.size(); ++i) values.push_back(value_of(i + 1));
  return run_write<Value>(given, options, {std::move(input), std::move(values), by});
}

/// How an array stands in a file before the run, and where the run changes it.
struct array_before {
  field_texts written{};  ///< nothing without such a file
  std::vector<bool> is_changed{};
};

/// Writes an array as columns "index" and "value", where an output file is asked for.
template <class Number, class Value>
void write_array(asked_output& out, run_of_writes<Value>& done, array_before const& before = {}) {
  out.take(done.result, done.array.size(), [&](std::ostream& file) {
    auto const numbers = numbers_of<Number>(done.array);
    write_csv_array<Number>(file, numbers, before.written, before.is_changed);
  });
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

/// Writes the pairs of the files, numbers of that type.
/// Errors: bad_input, also for sums that do not fit; those of the run.
template <class Number, class Value>
[[nodiscard]] experiment_result run_files(arguments const& given,
                                          random_access_options const& options,
                                          write_operator<Value> const& by, files_of_write files) {
  auto const file = given.request().input->string();
  auto const values = numbers_as<Number>(files.pairs.values, file);
  auto const before = numbers_as<Number>(files.before, given[initial_array]);
  auto const n = files.pairs.elements;
  write_problem<Value> const problem{
      .input = {given, std::move(files.pairs.indices), n, bytes_of_write<Value>},
      .values = {values.begin(), values.end()},
      .by = by,
      .before = {before.begin(), before.end()}};
  auto const& indices = problem.input.pointers;
  if (by.is_addition) require_sums_fit(added_pairs<Number>{file, n, indices, values, before});
  array_before const old{std::move(files.written_before), marked(indices, n)};
  asked_output out(given);
  auto done = run_write(given, options, problem);
  if constexpr (std::same_as<Value, double>)
    if (by.is_addition) require_no_overflow(file, done.array);
  done.result.figures["rows"] = static_cast<std::int64_t>(values.size());
  write_array<Number>(out, done, old);
  return std::move(done.result);
}

/// Writes the pairs of the files by the operator of that index. Errors: bad_input; those of the
/// run.
template <class Number>
[[nodiscard]] experiment_result run_files_by(arguments const& given,
                                             random_access_options const& options,
                                             std::size_t index, files_of_write files) {
  if (index == same_value)
    return run_files<Number>(given, options, agreeing_operator<Number>(), std::move(files));
  return run_files<Number>(given, options, write_operator_at<Number>(index), std::move(files));
}

/// Writes the generated data, to the output file if there is one. Errors: those of the run.
template <class Value>
[[nodiscard]] experiment_result run_numbers(arguments const& given,
                                            random_access_options const& options,
                                            write_operator<Value> const& by) {
  asked_output out(given);
  auto done = run_generated<Value>(given, options, by,
                                   [](std::size_t i) { return Value(numbered_value(i - 1)); });
  write_array<std::int64_t>(out, done);
  return std::move(done.result);
}

/// Reads and writes files. Errors: invalid_argument for `concat`; bad_input; those of the run.
[[nodiscard]] experiment_result run_with_files(arguments const& given,
                                               random_access_options const& options,
                                               std::size_t index) {
  if (index == concatenation)
    throw invalid_argument(
        "concat is for generated values without files; take --operator add, min, max, first, last "
        "or same");
  if (!given.request().input) {
    if (!given[initial_array].empty()) throw invalid_argument("--array needs --input FILE");
    if (index == same_value) return run_numbers(given, options, agreeing_operator<std::int64_t>());
    return run_numbers(given, options, write_operator_at<std::int64_t>(index));
  }
  require_crossbar(given);
  auto files = files_from(given);
  auto const are_whole = [](number_vector const& numbers) {
    return std::holds_alternative<std::vector<std::int64_t>>(numbers);
  };
  if (are_whole(files.pairs.values) && are_whole(files.before))
    return run_files_by<std::int64_t>(given, options, index, std::move(files));
  return run_files_by<double>(given, options, index, std::move(files));
}

[[nodiscard]] experiment_result run_random_access_write(arguments const& given) {
  auto const index = given[operator_of_write];
  random_access_options const options{.variant = given[variant_of_write],
                                      .stage_1 = given[way_of_stage_1],
                                      .stage_2 = given[way_of_stage_2],
                                      .commutes = index <= 2 || index == same_value,
                                      .startup_words = given[startup_price]};
  detail::require_variant(options, options.commutes);
  bool const has_files = given.request().input || given.request().output;
  if (index != concatenation || has_files || !given[initial_array].empty())
    return run_with_files(given, options, index);
  return run_generated<operand_sequence>(given, options, concatenating_operator(), sequence_of)
      .result;
}

}  // namespace

experiment random_access_write_experiment() {
  return {
      .name = "random-access-write",
      .summary =
          "elements write to any addresses of an array, however many to the same one; with an "
          "input file (CSV, columns \"index\" and \"value\") its rows do, and the output file has "
          "all of the array",
      .topologies = "crossbar",
      .source = shankar_ranka_1997,
      .examples = {"crossbar:16", "crossbar:4", "crossbar:7", "crossbar:8"},
      .parameters = {elements_of_array, number_of_buckets, pattern_of_pointers, lost_pointers,
                     variant_of_write, operator_of_write, way_of_stage_1, way_of_stage_2,
                     startup_price, initial_array},
      .takes_files = true,
      .run = run_random_access_write};
}

}  // namespace lockstep
