// Schedules, plans, shapes and counts are made outside of a run, or in a program before its first call of
// the processor. What they refuse names the line of the program that made them. The headers are read to
// see that no such function is missing.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <source_location>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/algorithms.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies.hpp>

#include "catch.hpp"

namespace {

using namespace lockstep;  // NOLINT(google-build-using-namespace): as a program writes them

/// A function of the library, and a call that it refuses.
struct refused_call {
  std::string_view header;
  std::string_view name;
  std::function<void(processor& me)> call;
  int line;
};

#define REFUSED(HEADER, NAME, ...)        \
  refused_call {                          \
    HEADER ".hpp", #NAME,                 \
        [](processor& me) {               \
          static_cast<void>(me);          \
          static_cast<void>(__VA_ARGS__); \
        },                                \
        __LINE__                          \
  }

constexpr auto most = std::numeric_limits<std::uint64_t>::max();

using ranks = std::vector<int>;
using operations = std::vector<std::vector<goal_operation>>;
using messages = std::vector<sender_and_receiver>;

template <class Enum>
constexpr Enum no_such = static_cast<Enum>(77);

std::size_t itself(std::size_t position) { return position; }

/// Gives a node all the children that it can have.
ordered_node full_node() {
  ordered_node node(0, 0, 0);
  for (std::size_t child = 0; child < ordered_node::most_children; ++child) node.add_child({});
  return node;
}

template <class Read>
void read_text(Read const& read) {
  std::istringstream text("num_ranks 1 /* no end\n");
  static_cast<void>(read(text));
}

std::vector<refused_call> all_refused_calls() {
  static crossbar const four{4};
  static hypercube const cube{2};
  static torus const square{4, 4};
  static ranks const no_ranks;
  static std::vector<std::uint64_t> const no_loads;
  static std::vector<std::size_t> const places{9};
  static std::vector<extended<agreed_value<int>>> const differing{
      agreement()(agreed_value<int>(1), agreed_value<int>(2))};
  return {
      REFUSED("collectives/all_gather", in_two_phases, in_two_phases(0, 1)),
      REFUSED("collectives/all_gather", in_two_filled_phases, in_two_filled_phases(4, 0)),
      REFUSED("collectives/arity", tree_arity, tree_arity(3, 2)),
      REFUSED("collectives/arity", tree_phases, tree_phases(4, 1)),
      REFUSED("collectives/arity", is_power_of, is_power_of(1, 4)),
      REFUSED("collectives/collective_claims", collective_counts,
              collective_counts(no_such<collective_operation>, four, 4)),
      REFUSED("collectives/collective_scheme", chosen_scheme, chosen_scheme("none")),
      REFUSED("collectives/collective_scheme", chosen_scheme,
              chosen_scheme(std::string_view("none"))),
      REFUSED("collectives/collective_scheme", chosen_scheme, chosen_scheme(std::string("none"))),
      REFUSED("collectives/item_broadcast", cheapest_broadcast, cheapest_broadcast({.p = 0})),
      REFUSED("collectives/listed_blocks", listed_counts,
              listed_counts(collective_operation::all_gather, four, places)),
      REFUSED("collectives/pieces", pieces, pieces(4, 0)),
      REFUSED("collectives/schedule_counts", transpose_counts, transpose_counts(0, 1, 1)),
      REFUSED("collectives/schedule_counts", piece_tree_counts,
              piece_tree_counts(pieces(4, 4), 1, 0, 1)),
      REFUSED("collectives/schedule_counts", circulant_all_gather_counts,
              circulant_all_gather_counts(pieces(4, 4), 1, 2, 1)),
      REFUSED("collectives/schedule_counts", block_tree_counts, block_tree_counts(4, 4, 1, 1)),
      REFUSED("exchange/all_to_all_direct", direct_exchange_bound, direct_exchange_bound(most)),
      REFUSED(
          "exchange/exchange_orders", fewest_rearrangements,
          fewest_rearrangements(exchange_schedule(square, {.scheme = exchange_scheme::stride_2}))),
      REFUSED("exchange/exchange_rivals", exchange_rival_of, exchange_rival_of("none", true)),
      REFUSED("exchange/exchange_rivals", claimed_costs,
              claimed_costs(exchange_rival_of("proposed", true), -1, 1)),
      REFUSED("exchange/exchange_schedule", exchange_schedule, exchange_schedule(four)),
      REFUSED("exchange/exchange_schedule", of, exchange_schedule::of(four)),
      REFUSED("exchange/exchange_schedule", require_made_for,
              exchange_schedule(square).require_made_for(four)),
      REFUSED("exchange/exchange_search", cheapest_exchange, cheapest_exchange(four)),
      REFUSED("exchange/exchange_search", best_groups, best_groups({4, 4}, 3)),
      REFUSED("numeric/fft", fft_rows_of, fft_rows_of(no_such<fft_layout>, 4, 2, 0)),
      REFUSED("numeric/fft", fft_index, fft_index(fft_layout::block, 4, 2, 2, 0)),
      REFUSED("numeric/local_product", left, product_shape{most, 2, 0}.left()),
      REFUSED("numeric/local_product", right, product_shape{0, most, 2}.right()),
      REFUSED("numeric/local_product", result, product_shape{most, 0, 2}.result()),
      REFUSED("numeric/matrix_product", choose_product_way,
              choose_product_way({.p = 9}, {2, 2, 2}, product_form::a)),
      REFUSED("numeric/matrix_product", cube_side, cube_side(9)),
      REFUSED("prefix/block_prefix", even_block, even_block(4, 0, 0)),
      REFUSED("prefix/block_prefix", rank_of_even_block, rank_of_even_block(0, 4, 0)),
      REFUSED("prefix/embedding", inorder, embedding::inorder(0)),
      REFUSED("prefix/embedding", upper_half, embedding::upper_half(31)),
      REFUSED("prefix/embedding", lower_half, embedding::lower_half(-1)),
      REFUSED("prefix/ordered_tree", add_child, full_node().add_child({})),
      REFUSED("prefix/ordered_tree", spanning_tree, spanning_tree(hypercube(11))),
      REFUSED("prefix/prefix", require_prefix_network, require_prefix_network(four)),
      REFUSED("prefix/prefix_schedule", prefix_schedule,
              prefix_schedule(four, pipelined_scheme::lagged)),
      REFUSED("prefix/prefix_schedule", require_made_for,
              prefix_schedule(cube, pipelined_scheme::halving).require_made_for(four)),
      REFUSED("prefix/prefix_schedule", fastest_schemes, fastest_schemes(four, 1, ports::one)),
      REFUSED("random_access/access_patterns", generated_pointers,
              generated_pointers(access_pattern::figure_4, bucket_layout(1, 1), 0)),
      REFUSED("random_access/agreed_value", require_agreement,
              require_agreement<int>(0, std::span(differing))),
      REFUSED("random_access/bucket_layout", bucket_layout, bucket_layout(most, 4)),
      REFUSED("random_access/bucket_layout", best_buckets_each, best_buckets_each(1, 0)),
      REFUSED("random_access/monotone_schedule", monotone_schedule,
              monotone_schedule(messages{{1, 1}, {0, 0}})),
      REFUSED("random_access/random_access_options", in_words,
              access_price{.startups = 2}.in_words(most)),
      REFUSED("random_access/random_access_read_options", in_words,
              read_price{.startups = 2}.in_words(most)),
      REFUSED("random_access/transportation_in_stages", crossbar_digits, crossbar_digits(four, 3)),
      REFUSED("random_access/transportation_traffic", generated_traffic,
              generated_traffic(transportation_traffic::doubled, 4, 1, 0)),
      REFUSED("random_access/transportation_traffic", loads_of,
              loads_of(no_loads, 4, transportation_route::direct)),
      REFUSED("random_access/vector_options", vector_counts_of,
              vector_counts_of(vector_method::fold, 0, 1, 2)),
      REFUSED("random_access/vector_options", method_for,
              method_for({.method = no_such<vector_method>}, 4, 1, 2)),
      REFUSED("routing/balance", cheaper_of_two_ways, cheaper_of_two_ways(0, {})),
      REFUSED("routing/balance", choose_balance_way,
              choose_balance_way({}, {.way = no_such<balance_way>})),
      REFUSED("routing/balance", balance_counts, balance_counts({}, 0)),
      REFUSED("routing/balance", balance_counts,
              balance_counts({}, balance_options{.way = no_such<balance_way>})),
      REFUSED("routing/balance_plan", plan_balance, plan_balance(no_loads, 1)),
      REFUSED("routing/bin_bounds", largest_bin, largest_bin(1, 0)),
      REFUSED("routing/bin_bounds", exact_largest_bin, exact_largest_bin(1, 1, 0)),
      REFUSED("routing/bin_bounds", tight_row, tight_row(0, 1, 0)),
      REFUSED("routing/bin_bounds", blocks_of, blocks_of(no_such<block_rule>, {}, 4)),
      REFUSED("routing/greedy_route", greedy_schedule, greedy_schedule(31)),
      REFUSED("routing/greedy_route", greedy_schedule, greedy_schedule(2, ranks{1, 1, 0, 2})),
      REFUSED("routing/greedy_route", require_made_for, greedy_schedule(3).require_made_for(cube)),
      REFUSED("routing/h_relation_direct", rounds_of, rounds_of(no_such<round_order>, 4)),
      REFUSED("routing/h_relation_direct", partners_in, partners_in(round_order::lp, 4, 0, 4)),
      REFUSED("routing/h_relation_inputs", generated_h_relation,
              generated_h_relation(h_pattern::orth, {.processors = 6, .elements = 6})),
      REFUSED("routing/h_relation_inputs", family_sizes, family_sizes(6, 4, 0)),
      REFUSED("routing/h_relation_inputs", ramp_sizes, ramp_sizes(6, 4, 0)),
      REFUSED("routing/msbt", msbt_schedule, msbt_schedule(cube, most, msbt_scheme::optimal)),
      REFUSED("routing/place_by_offset", place_by_offset,
              place_by_offset(me, std::span<std::size_t const>(places), itself, 1)),
      REFUSED("routing/queued_route", bit_fixing_pattern,
              bit_fixing_pattern(2, route::concentration, 1, ranks{4, 0, 1, 2})),
      REFUSED("routing/queued_route", require_made_for,
              bit_fixing_pattern(2, route::concentration, 0, no_ranks)
                  .require_made_for(hypercube(3), 0, no_ranks)),
      REFUSED("routing/randomized_routing", randomized_slot, randomized_slot(4, 2, -1)),
      REFUSED("routing/randomized_routing", has_room_with_high_probability,
              has_room_with_high_probability(0, 4)),
      REFUSED("schedules/goal_schedule", goal_schedule, goal_schedule(operations{})),
      REFUSED("schedules/goal_schedule", read,
              read_text([](std::istream& text) { return goal_schedule::read(text, "none"); })),
      REFUSED("schedules/goal_schedule", read_machine, read_text([](std::istream& text) {
                return goal_schedule::read_machine(text, "none");
              })),
      REFUSED("sorting/column_sort", column_sort_rows, column_sort_rows(0)),
      REFUSED("sorting/generated_keys", generated_keys,
              generated_keys(key_distribution::random, most, 4)),
      REFUSED("sorting/generated_keys", generated_keys,
              generated_keys(key_distribution::random, 4, 4, {3, 2})),
      REFUSED("sorting/multiway_sort_plan", multiway_sort_plan, multiway_sort_plan(2, 4, 3)),
      REFUSED("sorting/multiway_sort_plan", cheapest, multiway_sort_plan::cheapest(31, 4)),
      REFUSED("sorting/radix", radix_passes, radix_passes(32, 3)),
      REFUSED("sorting/radix", radix_for, radix_for(4, 4, 0)),
      REFUSED("sorting/rotate_sort", rotate_sort_blocks, rotate_sort_blocks(0)),
      REFUSED("sorting/rotate_sort", rotate_sort_leaves_few_rows, rotate_sort_leaves_few_rows(0)),
      REFUSED("sorting/rotate_sort", rotate_sort_shears, rotate_sort_shears(4, 0)),
      REFUSED("sorting/rotate_sort", choose_slice_rows, choose_slice_rows(4, 4, {.packet = 0})),
      REFUSED("sorting/shear_sort", of, mesh_shape::of(four)),
  };
}

/// Checks where an invalid_argument comes from that left a program.
void check_place(refused_call const& one, processor_failed const& failed) {
  CHECK_FALSE(failed.inside().has_value());
  try {
    std::rethrow_if_nested(failed);
    FAIL_CHECK("nothing is nested");
  } catch (invalid_argument const& refused) {
    CHECK(refused.where().file_name() == std::string_view(__FILE__));
    CHECK(static_cast<int>(refused.where().line()) == one.line);
    CHECK(std::string_view(failed.what()).find(refused.what()) != std::string_view::npos);
  }
}

std::string text_of(std::filesystem::path const& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct declared_function {
  std::string name;
  bool documents_refusals = false;
  bool has_line = false;
};

/// Lists the functions of a header behind a comment, that take no processor that has calls; those of
/// namespaces called detail are the library's own.
std::vector<declared_function> functions_without_processor(std::string const& header) {
  static std::regex const opened(R"(^(?:inline )?namespace ([\w:]+) \{)");
  static std::regex const name(R"(([\w+]+)\()");
  std::vector<declared_function> found;
  std::string comment;
  std::string declaration;
  bool is_own = false;
  std::istringstream lines(header);
  for (std::string line; std::getline(lines, line);) {
    std::smatch space;
    if (std::regex_search(line, space, opened))
      is_own = space[1].str().find("detail") != std::string::npos;
    if (line.starts_with("}  // namespace") && is_own) is_own = false;
    auto const text = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    if (text.starts_with("//")) {
      comment += text;
      continue;
    }
    declaration += text + ' ';
    auto const without_defaults = std::regex_replace(text, std::regex(R"(= \{[^{}]*\})"), "");
    if (!text.empty() && without_defaults.find_first_of(";{}") == std::string::npos) continue;
    std::smatch called;
    bool const is_function = std::regex_search(declaration, called, name);
    if (is_function && !is_own && declaration.find("processor& me") == std::string::npos)
      found.push_back({called[1].str(), comment.find("invalid_argument") != std::string::npos,
                       declaration.find("source_location where") != std::string::npos});
    declaration.clear();
    comment.clear();
  }
  return found;
}

}  // namespace

TEST_CASE("what refuses a schedule, plan or shape names the program's line", "[errors]") {
  machine const one_processor{crossbar{1}};
  for (auto const& one : all_refused_calls()) {
    INFO(one.header << ", " << one.name << ", line " << one.line);
    bool is_refused = false;
    try {
      one_processor.run([&](processor& me) { one.call(me); });
    } catch (processor_failed const& failed) {
      is_refused = true;
      check_place(one, failed);
    }
    CHECK(is_refused);
  }
}

TEST_CASE("what refuses a schedule, plan or shape names the line: each function of the headers",
          "[errors]") {
  // Claims are made of a machine, outside of programs. Two are values of std::function or a pointer to
  // a function, which give no line, and the sum is an operator.
  std::set<std::string> const without_line{"operator+", "place_in_even_blocks", "ring_of_torus"};
  std::map<std::string, int> listed;
  for (auto const& one : all_refused_calls())
    ++listed[std::string(one.header) + " " + std::string(one.name)];
  std::map<std::string, int> found;
  std::filesystem::path const headers = LOCKSTEP_ALGORITHMS_HEADERS;
  for (auto const& entry : std::filesystem::recursive_directory_iterator(headers)) {
    auto const file = std::filesystem::relative(entry.path(), headers).generic_string();
    if (entry.path().extension() != ".hpp" || file.find("detail/") != std::string::npos) continue;
    INFO(file);
    for (auto const& one : functions_without_processor(text_of(entry.path()))) {
      INFO(one.name);
      bool const is_claim = one.name.ends_with("_claims") || one.name == "name_of";
      if (one.has_line) ++found[file + " " + one.name];
      if (one.documents_refusals && !is_claim)
        CHECK(one.has_line != without_line.contains(one.name));
    }
  }
  std::vector<std::string> others;  // with the number of calls too few, or too many
  for (auto const& [name, number] : listed) found[name] -= number;
  for (auto const& [name, missing] : found)
    if (missing != 0) others.push_back(name + ": " + std::to_string(missing));
  CHECK(others == std::vector<std::string>{});
}
