#include <lockstep/algorithms/random_access/random_access_read.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ios>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "files/write_result.hpp"
#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "random_access/access_files.hpp"
#include "random_access/access_input.hpp"
#include "random_access/access_traffic.hpp"
#include "random_access/reason_of_prices.hpp"
#include "random_access/shared_parameters.hpp"

namespace lockstep {

namespace {

constexpr choice_parameter variant_of_read{
    "variant",
    "1 (owners are asked for values), 2 (they send whole buckets), weighted (the same, with room "
    "for all of a bucket), hybrid (only buckets with many requests go by way of others) or auto "
    "(the cheapest by what each costs at most)",
    std::array{named_choice{"1", read_variant::requested},
               named_choice{"2", read_variant::whole_buckets},
               named_choice{"weighted", read_variant::weighted},
               named_choice{"hybrid", read_variant::hybrid},
               named_choice{"auto", read_variant::automatic}}};
constexpr integer_parameter words_of_value{
    "words", "m, words of the value at each address (with an input file: columns)", 1, 1, 1'000'000,
    true};
constexpr text_parameter indices_of_rows{
    "indices",
    "FILE with the rows of the input file that are read: a column index, or the only one"};
constexpr choice_parameter way_of_requests{
    "stage-1", "how requests go to their buckets: transportation or direct", routes_by_name};

/// A word of the value at an address: D(a) = 1000 + a, and others behind it that tell themselves
/// apart.
[[nodiscard]] std::uint64_t stored_word(std::size_t address, std::size_t word) {
  constexpr unsigned half = 32;
  return 1000 + address + (static_cast<std::uint64_t>(word) << half);
}

/// Makes the words at the addresses of a processor's block by `stored(address, word)`.
template <class Stored>
[[nodiscard]] std::vector<std::uint64_t> stored_block(bucket_layout const& layout, int rank,
                                                      std::size_t words, Stored const& stored) {
  std::vector<std::uint64_t> block;
  block.reserve(layout.size_of(rank) * words);
  for (auto address = layout.first_of(rank); address < layout.first_of(rank + 1); ++address)
    for (std::size_t word = 0; word < words; ++word) block.push_back(stored(address, word));
  return block;
}

/// Whether those are the values at the addresses of the pointers.
template <class Stored>
[[nodiscard]] bool are_values_at(std::span<std::size_t const> pointers,
                                 std::span<std::uint64_t const> values, std::size_t words,
                                 Stored const& stored) {
  if (values.size() != pointers.size() * words) return false;
  for (std::size_t i = 0; i < pointers.size(); ++i)
    for (std::size_t word = 0; word < words; ++word) {
      auto const expected = pointers[i] == no_pointer ? 0 : stored(pointers[i], word);
      if (values[i * words + word] != expected) return false;
    }
  return true;
}

/// Adds the figures of the run: words of stage 1 are those of the phases "stage 1" and "stage 2",
/// the two of a transportation, and words of stage 2 those of the phases "sends", of both ways.
void add_read_figures(experiment_result& result, random_access_read_record const& record,
                      random_access_read_options const& options) {
  auto& figures = result.figures;
  figures["choice"] = std::string(name_of(record.variant));
  figures["buckets_full"] = static_cast<std::int64_t>(record.full_buckets);
  figures["buckets_partial"] = static_cast<std::int64_t>(record.partial_buckets);
  figures["largest_bucket"] = static_cast<std::int64_t>(record.largest_bucket);
  figures["q"] = static_cast<std::int64_t>(record.stage_2_steps);
  if (!record.prices.empty())
    figures["reason"] = reason_for(record.prices, &read_price::variant, options.startup_words);
  auto const& run = result.record;
  figures["combine_words"] = sum_in(run, "combine bucket hits", &phase_record::words);
  figures["scan_words"] = sum_in(run, "scan bucket hits", &phase_record::words);
  figures["dealt_words"] = sum_in(run, "stage 1", &phase_record::words);
  figures["sends_steps"] = sum_in(run, "sends", &phase_record::steps);
  figures["stage_1_words"] =
      sum_in(run, "stage 1", &phase_record::words) + sum_in(run, "stage 2", &phase_record::words);
  figures["stage_2_words"] = sum_in(run, "sends", &phase_record::words);
  figures["one_to_one_words"] = sum_in(run, "one to one", &phase_record::words);
  figures["answer_scan_words"] = std::int64_t{0};
  for (auto const& phase : run.phases()) {  // of the last of that name
    if (phase.name == "sends")
      figures["answer_port_words"] = static_cast<std::int64_t>(phase.port_words);
    if (phase.name == "segmented scan")
      figures["answer_scan_words"] = static_cast<std::int64_t>(phase.words);
  }
  figures["port_words"] = sum_in(run, "", &phase_record::port_words);
}

/// Claims what a read costs; r, the most requests that a processor sends, is known of the input.
[[nodiscard]] std::vector<claim> read_claims(access_input const& input,
                                             random_access_read_options const& options,
                                             random_access_read_record const& record) {
  auto const r = most_sent(input, record.variant == read_variant::hybrid);
  claim_list claims({{{"p", input.layout.processors()},
                      {"m", static_cast<double>(options.elements_each)},
                      {"r", static_cast<double>(r)}}});
  claims.add(random_access_read_claims(input.layout, options, record));
  if (options.stage_1 != transportation_route::two_stages) return claims;
  claims.from("lockstep, of Shankar and Ranka 1997, section 2");
  return claims.equal("dealt_words", "(m+1)(r - ceil(r/p))");
}

/// The values that any program brings from owners to where they are read.
[[nodiscard]] traffic_requirement read_requirement(access_input const& input, int processors,
                                                   std::uint64_t words) {
  std::vector<needed_value> needed;
  needed.reserve(input.pointers.size());
  for (std::size_t i = 0; i < input.pointers.size(); ++i) {
    auto const address = input.pointers[i];
    if (address != no_pointer)
      needed.push_back({input.layout.owner(address), address, input.elements.owner(i)});
  }
  return traffic_of(std::move(needed), processors, words);
}

/// Reads on the machine what `stored(address, word)` makes, and compares.
template <class Stored>
[[nodiscard]] experiment_result run_read(arguments const& given, access_input const& input,
                                         random_access_read_options const& options,
                                         Stored const& stored) {
  auto const m = options.elements_each;
  auto const& layout = input.layout;
  require_memory_of_buckets(given, layout);
  std::vector<random_access_read_record> records(static_cast<std::size_t>(given.processors()));
  machine_needs const needs{.strict = strictness::always, .one_port = true};
  auto result = run_and_check(given, needs, [&](processor& me) -> bool {
    auto const block = stored_block(layout, me.rank(), m, stored);
    auto const read =
        random_access_read(me, layout, input.of(me.rank()), std::span(block), options);
    records[static_cast<std::size_t>(me.rank())] = read.record;
    return are_values_at(input.of(me.rank()), read.values, m, stored);
  });
  result.correct = result.correct && std::ranges::all_of(records, [&](auto const& each) {
                     return each == records.front();
                   });
  record_input(result, input);
  add_read_figures(result, records.front(), options);
  result.figures["r"] = most_sent(input, records.front().variant == read_variant::hybrid);
  if (given.request().options.packet == 1 && input.keeps_bounds())
    result.claims = read_claims(input, options, records.front());
  result.bounds = lower_bounds(result.record, read_requirement(input, given.processors(), m));
  return result;
}

/// Computes the bytes that one pointer takes, answered with that many words.
[[nodiscard]] double bytes_of_read(std::size_t words) {
  constexpr double bytes_of_request = 142;
  constexpr double bytes_of_word = 58;
  return bytes_of_request + bytes_of_word * static_cast<double>(words);
}

/// Writes the names of the table's columns, and the rows that were read, as they stand there.
void write_rows_read(std::ostream& out, number_table const& table,
                     std::span<std::size_t const> read) {
  auto const write = [&](std::string_view text) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  };
  write(table.text.names());
  for (auto const row : read) {
    write(table.text.row(row));
    note_done(1);
  }
}

/// Reads rows of the table that an input file has. Errors: bad_input; those of the run.
[[nodiscard]] experiment_result run_read_of_table(arguments const& given,
                                                  random_access_read_options options) {
  if (given[indices_of_rows].empty())
    throw invalid_argument("which rows of the table? name a file of them with --indices");
  auto const table = read_table(*given.request().input);
  options.elements_each = table.columns;
  access_input const input(given, read_indices(given[indices_of_rows], table.rows()), table.rows(),
                           bytes_of_read(options.elements_each));
  asked_output out(given);
  auto result = run_read(given, input, options, [&](std::size_t address, std::size_t word) {
    return table.words[address * table.columns + word];
  });
  result.parameters[std::string(words_of_value.name)] =
      static_cast<std::int64_t>(options.elements_each);
  result.figures["rows"] = static_cast<std::int64_t>(input.pointers.size());
  out.take(result, input.pointers.size(),
           [&](std::ostream& file) { write_rows_read(file, table, input.pointers); });
  return result;
}

[[nodiscard]] experiment_result run_random_access_read(arguments const& given) {
  random_access_read_options const options{.variant = given[variant_of_read],
                                           .elements_each = given[words_of_value],
                                           .stage_1 = given[way_of_requests],
                                           .startup_words = given[startup_price]};
  require_crossbar(given);
  if (given.request().input) return run_read_of_table(given, options);
  if (!given[indices_of_rows].empty()) throw invalid_argument("--indices needs --input FILE");
  if (given.request().output)
    throw invalid_argument("--output writes rows of a table, and needs --input FILE");
  access_input const input(given, given[pattern_of_pointers], bytes_of_read(options.elements_each));
  return run_read(given, input, options, stored_word);
}

}  // namespace

experiment random_access_read_experiment() {
  return {.name = "random-access-read",
          .summary =
              "elements read any addresses of an array, however many the same one; with an input "
              "file (CSV) the rows of its table that --indices has, which the output file gets",
          .topologies = "crossbar",
          .source = shankar_ranka_1997,
          .examples = {"crossbar:16", "crossbar:4", "crossbar:7", "crossbar:8"},
          .parameters = {number_of_elements, number_of_buckets, pattern_of_pointers, lost_pointers,
                         variant_of_read, words_of_value, way_of_requests, startup_price,
                         indices_of_rows},
          .takes_files = true,
          .run = run_random_access_read};
}

}  // namespace lockstep
