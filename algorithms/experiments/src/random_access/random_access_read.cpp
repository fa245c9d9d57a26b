#include <lockstep/algorithms/random_access/random_access_read.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/network_claims.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "choices.hpp"
#include "harness/experiment_list.hpp"
#include "harness/sources.hpp"
#include "network_kind.hpp"
#include "random_access/access_files.hpp"
#include "random_access/bucket_figures.hpp"
#include "random_access/number_access.hpp"
#include "random_access/option_names.hpp"
#include "random_access/read_problem.hpp"
#include "random_access/shared_parameters.hpp"

namespace lockstep {

template read_values<std::uint64_t> random_access_read(processor&, bucket_layout const&,
                                                       std::span<std::size_t const>,
                                                       std::span<std::uint64_t const>,
                                                       random_access_read_options const&,
                                                       std::source_location);

namespace {

constexpr choice_parameter variant_of_read{
    "variant",
    "1 (owners are asked for values), 2 (they send whole buckets), weighted (the same, with room "
    "for all of a bucket), hybrid (only buckets with many requests go by way of others) or auto "
    "(the cheapest by what each costs at most)",
    choices_of(detail::read_variant_names)};
constexpr integer_parameter words_of_value{
    "words", "m, words of the value at each address (with an input file: columns)", 1, 1, 1'000'000,
    true};
constexpr text_parameter indices_of_rows{
    "indices",
    "FILE with the rows of the input file that are read: a column index, or the only one"};
constexpr choice_parameter way_of_requests{
    "stage-1", "how requests go to their buckets: transportation or direct", routes_by_name};

/// Makes the words of the values at addresses: D(a) = 1000 + a, or 100 + a where small values are asked for,
/// and others behind it that tell themselves apart.
[[nodiscard]] auto stored_words(arguments const& given) {
  std::uint64_t const first = takes_small_values(given) ? 100 : 1000;
  return [first](std::size_t address, std::size_t word) {
    constexpr unsigned half = 32;
    return first + address + (static_cast<std::uint64_t>(word) << half);
  };
}

/// Adds the figures that a write has not: those of the ways back, the last of their names.
void add_figures_of_answers(experiment_result& result) {
  result.figures["answer_scan_words"] = std::int64_t{0};
  for (auto const& phase : result.record.phases()) {
    if (phase.name == "sends")
      result.figures["answer_port_words"] = static_cast<std::int64_t>(phase.port_words);
    if (phase.name == "segmented scan")
      result.figures["answer_scan_words"] = static_cast<std::int64_t>(phase.words);
  }
}

/// Solves the problem by a random access read, whose input is `input`.
[[nodiscard]] experiment_result run_read(arguments const& given, access_input const& input,
                                         random_access_read_options const& options,
                                         read_problem const& problem) {
  require_memory_of_buckets(given, input.layout);
  records_of_access<random_access_read_record> records(given);
  auto result = solve(given, needs_of_access(), problem,
                      [&](processor& me, std::vector<std::uint64_t> const& block) {
                        auto read = random_access_read(me, input.layout, input.of(me.rank()),
                                                       std::span(block), options);
                        records.of(me) = std::move(read.record);
                        return std::move(read.values);
                      });
  auto const& record = records.first();
  result.correct = result.correct && records.are_the_same();
  add_bucket_figures(result, record, &random_access_read_record::variant, &read_price::variant,
                     options.startup_words);
  add_figures_of_answers(result);
  auto const r = most_sent(input, record.variant == read_variant::hybrid);
  result.figures["r"] = r;
  if (given.request().options.packet != 1 || !input.keeps_bounds()) return result;
  if (!is<crossbar>(given.network())) {
    add_sums(result, "stages", {"stage 1", "stage 2", "sends"});
    result.claims = network_read_claims(given.network(), input.layout, options, record);
    return result;
  }
  result.claims = random_access_read_claims(input.layout, options, record);
  if (options.stage_1 == transportation_route::two_stages)
    result.claims = with_dealt_words(result.claims, given.processors(), options.elements_each, r,
                                     "(m+1)(r - ceil(r/p))");
  return result;
}

/// Computes the bytes that one pointer takes, answered with that many words.
[[nodiscard]] double bytes_of_read(std::size_t words) {
  constexpr double bytes_of_request = 142;
  constexpr double bytes_of_word = 58;
  return bytes_of_request + bytes_of_word * static_cast<double>(words);
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
  auto const stored = [&](std::size_t address, std::size_t word) {
    return table.words[address * table.columns + word];
  };
  auto result = run_read(
      given, input, options,
      {input.layout, input.elements, input.pointers, options.elements_each, stored, &table});
  result.parameters[std::string(words_of_value.name)] =
      static_cast<std::int64_t>(options.elements_each);
  result.figures["rows"] = static_cast<std::int64_t>(input.pointers.size());
  return result;
}

[[nodiscard]] experiment_result run_random_access_read(arguments const& given) {
  random_access_read_options const options{.variant = given[variant_of_read],
                                           .elements_each = given[words_of_value],
                                           .stage_1 = given[way_of_requests],
                                           .startup_words = given[startup_price]};
  require_rounds_of_all(given);
  if (options.variant == read_variant::automatic && !is<crossbar>(given.network()))
    throw invalid_argument(
        "variant auto is for a crossbar, whose costs it knows; take 1, 2, weighted or hybrid");
  if (given.request().input) return run_read_of_table(given, options);
  if (!given[indices_of_rows].empty()) throw invalid_argument("--indices needs --input FILE");
  if (given.request().output)
    throw invalid_argument("--output writes rows of a table, and needs --input FILE");
  access_input const input(given, given[pattern_of_pointers], bytes_of_read(options.elements_each));
  return run_read(
      given, input, options,
      {input.layout, input.elements, input.pointers, options.elements_each, stored_words(given)});
}

}  // namespace

experiment random_access_read_experiment() {
  return {.name = "random-access-read",
          .summary =
              "elements read any addresses of an array, however many the same one; with an input "
              "file (CSV) the rows of its table that --indices has, which the output file gets",
          .topologies = "crossbar, hypercube, torus, mesh",
          .source = shankar_ranka_1997,
          .examples = {"crossbar:16", "crossbar:4", "crossbar:7", "crossbar:8", "hypercube:4",
                       "mesh:4x4", "torus:3x5"},
          .parameters = {number_of_elements, number_of_buckets, pattern_of_pointers, lost_pointers,
                         variant_of_read, words_of_value, way_of_requests, startup_price,
                         indices_of_rows},
          .takes_files = true,
          .run = run_random_access_read};
}

}  // namespace lockstep
