// An error that is provoked inside an algorithm or a collective names the line of the program that called
// it, and the place inside second. The table has a call of each function that programs call; the
// headers are read to see that none is missing.

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/algorithms.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

namespace {

using lockstep::machine;
using lockstep::processor;

/// A call of an algorithm, and the line on which it stands.
struct called {
  std::string_view file;  ///< the header, from lockstep/algorithms/ on
  std::string_view name;
  std::string_view network;
  std::function<void(processor&)> call;
  int line;
};

#define CALL(FILE, NAME, NETWORK, ...)              \
  called {                                          \
    FILE ".hpp", #NAME, NETWORK,                    \
        [](processor& me) {                         \
          static_cast<void>(me);                    \
          static_cast<void>(NAME(me, __VA_ARGS__)); \
        },                                          \
        __LINE__                                    \
  }

// What the algorithms are given: four elements on each of four processors, or a block for each of 16.
using list = std::vector<int>;
list const four{1, 2, 3, 4};
list const sixteen(16, 1);
std::span<int const> const some(four);
std::span<int const> const one(some.first(1));
std::vector<std::size_t> const at{0, 1, 2, 3};
std::vector<std::uint32_t> const at_32{0, 1, 2, 3};
std::vector<std::size_t> const one_each(4, 1);
std::plus<> const plus;
auto const sum = lockstep::monoid(0, plus);
lockstep::bucket_layout const layout(16, 4);
std::vector<std::complex<double>> const column(4);
std::vector<double> const block(4);
std::vector<lockstep::routed<int>> const records{{1, 3}};
std::vector<lockstep::routed_pair<int>> const pairs{{{{1, 3}, {}}}};
std::vector<lockstep::extended<int>> const maybe(4);
std::vector<std::optional<int>> const held{1};
std::vector<lockstep::detail::labelled_element<int>> const labelled{{1, 0, 5}};
std::vector<lockstep::segmented<int>> const intervals{{true, 1}};
auto const first = [](int) { return 1; };

std::span<int> writable() {
  static thread_local list mine;
  mine = four;
  return mine;
}

list& writable_list() {
  static thread_local list mine;
  mine = four;
  return mine;
}

std::vector<called> const& all_calls() {
  namespace textbook = lockstep::textbook;
  using namespace lockstep;  // NOLINT(google-build-using-namespace): as a program writes them
  static std::vector<called> const all{
      CALL("collectives/all_gather", all_gather, "crossbar:4", one, 4),
      CALL("collectives/all_gather", all_gather, "crossbar:4", 1),
      CALL("collectives/all_gather", all_gather, "mesh:2x2", four),
      CALL("collectives/all_gather", all_gatherv, "mesh:2x2", one, one_each),
      CALL("collectives/all_gather", all_gatherv, "tree:2", list{1},
           std::vector<std::size_t>(3, 1)),
      CALL("collectives/all_reduce", all_reduce, "crossbar:4", plus, some),
      CALL("collectives/all_reduce", all_reduce, "hypercube:2", plus, 1),
      CALL("collectives/all_reduce", all_reduce, "mesh:2x2", plus, four),
      CALL("collectives/total_exchange", all_to_all, "hypercube:2", sixteen, collective_options{}),
      CALL("collectives/total_exchange", all_to_allv, "tree:2", std::vector<list>(3, four)),
      CALL("collectives/barrier", lockstep::barrier, "crossbar:4", collective_options{}),
      CALL("collectives/block_broadcast", block_broadcast, "crossbar:4", writable()),
      CALL("collectives/broadcast", broadcast, "crossbar:4", writable()),
      CALL("collectives/broadcast", broadcast, "hypercube:2", 1),
      CALL("collectives/item_broadcast", broadcast_item, "crossbar:4", 1,
           lockstep::item_broadcast_options{.parts = {4}}),
      CALL("collectives/broadcast", broadcast, "mesh:2x2", writable_list()),
      CALL("collectives/matrix_sum", matrix_sum, "crossbar:4", plus, some),
      CALL("collectives/reduce", reduce, "crossbar:4", plus, some),
      CALL("collectives/reduce", reduce, "crossbar:4", plus, 1),
      CALL("collectives/reduce", reduce, "tree:2", plus, four),
      CALL("collectives/reduce_scatter", reduce_scatter, "crossbar:4", plus, some),
      CALL("collectives/reduce_scatter", reduce_scatter, "hypercube:2", plus, four),
      CALL("collectives/scan", scan, "crossbar:4", plus, some),
      CALL("collectives/scan", scan, "mesh:2x2", plus, four),
      CALL("collectives/scan", scan, "hypercube:2", plus, 1),
      CALL("collectives/scan", exclusive_scan, "crossbar:4", plus, some),
      CALL("collectives/scan", exclusive_scan, "tree:2", plus, four),
      CALL("collectives/scan", exclusive_scan, "hypercube:2", plus, 1),
      CALL("collectives/scatter", scatter, "crossbar:4", some, 4),
      CALL("collectives/scatter", scatter, "mesh:2x2", four, 4),
      CALL("collectives/scatter", scatterv, "mesh:2x2", some, one_each),
      CALL("collectives/scatter", scatterv, "mesh:2x2", four, one_each),
      CALL("collectives/scatter", gather, "crossbar:4", one, 4),
      CALL("collectives/scatter", gather, "mesh:2x2", four),
      CALL("collectives/scatter", gather, "hypercube:2", 1),
      CALL("collectives/scatter", gatherv, "mesh:2x2", one, one_each),
      CALL("collectives/scatter", gatherv, "mesh:2x2", list{1}, one_each),
      CALL("collectives/transpose", transpose_blocks, "crossbar:4", four),
      CALL("collectives/transpose", transpose, "crossbar:4", four),
      CALL("exchange/all_to_all", all_to_all, "torus:4x4", sixteen,
           exchange_schedule::of(me.topology())),
      CALL("exchange/all_to_all", all_to_all, "torus:4x4", sixteen),
      CALL(
          "exchange/all_to_all", all_to_all<int>, "torus:4x4", 1, [](int, std::span<int>) {},
          [](int, std::span<int const>) {}, exchange_schedule::of(me.topology())),
      CALL("exchange/all_to_all_binary", all_to_all_binary, "torus:4x4", sixteen),
      CALL("exchange/all_to_all_cyclic", all_to_all_cyclic, "torus:4x4", sixteen),
      CALL("exchange/all_to_all_direct", all_to_all_direct, "torus:4x4", sixteen),
      CALL("exchange/all_to_all_in_fewest_orders", all_to_all_in_fewest_orders, "torus:4x4",
           sixteen, exchange_schedule::of(me.topology())),
      CALL("numeric/cannon", cannon, "torus:2x2", product_shape{2, 2, 2}, block, block),
      CALL("numeric/fft", fft, "crossbar:4", column),
      CALL("numeric/halo", exchange_halo, "torus:4", halo_shape{{2}, 1}, writable()),
      CALL("numeric/matrix_product", matrix_product, "crossbar:8", product_shape{2, 2, 2},
           std::span<double const>(block), std::span<double const>(block)),
      CALL("numeric/summa", summa, "torus:2x2", product_shape{2, 2, 2},
           std::span<double const>(block), std::span<double const>(block)),
      CALL("prefix/block_prefix", block_prefix, "hypercube:2", sum, some),
      CALL("prefix/block_prefix", block_prefix, "hypercube:2", plus, some),
      CALL("prefix/pipelined_prefix", pipelined_prefix, "hypercube:2", sum, some,
           prefix_schedule(me.topology(), pipelined_scheme::halving)),
      CALL("prefix/pipelined_segments", pipelined_segmented_prefix, "hypercube:2", sum,
           std::span(intervals), prefix_schedule(me.topology(), pipelined_scheme::halving)),
      CALL("prefix/pipelined_segments", pipelined_data_distribution, "hypercube:2",
           std::span(intervals), prefix_schedule(me.topology(), pipelined_scheme::halving)),
      CALL("prefix/prefix", prefix, "hypercube:2", sum, 1),
      CALL("prefix/prefix", prefix, "hypercube:2", plus, 1),
      CALL("prefix/prefix", segmented_prefix, "hypercube:2", sum, true, 1),
      CALL("prefix/prefix", data_distribution, "hypercube:2", true, 1),
      CALL("prefix/prefix", prefix_broadcast, "hypercube:2", 1),
      CALL("random_access/concentrate_elements", concentrate_elements, "crossbar:4", layout, some),
      CALL("random_access/concentrate_elements", distribute_elements, "crossbar:4", layout,
           std::span(at), some),
      CALL("random_access/generalize", generalize, "crossbar:4", layout, std::span(at), some),
      CALL("random_access/item_scan", item_scan, "crossbar:4", sum, 1),
      CALL("random_access/item_scan", item_scan, "crossbar:4", plus, 1),
      CALL("random_access/monotone_sends", monotone_sends, "crossbar:4",
           std::vector<addressed_elements<int>>{{1, four}},
           monotone_schedule(std::vector<sender_and_receiver>{{0, 1}, {1, 2}})),
      CALL("random_access/monotone_sends", monotone_sends, "crossbar:4",
           std::vector<addressed_elements<int>>{{1, four}}),
      CALL("random_access/monotonic_write", monotonic_write, "crossbar:4", layout, std::span(at),
           some, plus, writable()),
      CALL("random_access/random_access_read", random_access_read, "crossbar:4", layout,
           std::span(at), some),
      CALL("random_access/random_access_write", combined_writes, "crossbar:4", layout,
           std::span(at), some, plus),
      CALL("random_access/random_access_write", random_access_write, "crossbar:4", layout,
           std::span(at_32), some, plus, writable()),
      CALL("random_access/random_access_write", agreed_writes, "crossbar:4", layout, std::span(at),
           some),
      CALL("random_access/segmented_vector_scan", segmented_vector_scan, "crossbar:4", plus,
           std::span(maybe), false),
      CALL("random_access/transportation", transportation, "crossbar:4", some, first),
      CALL("random_access/transportation", transportation_back, "crossbar:4", recorded_route{},
           some),
      CALL("random_access/transportation_in_stages", transportation_in_stages, "crossbar:4", some,
           first, 4),
      CALL("random_access/vector_combine", vector_combine, "crossbar:4", plus, some),
      CALL("random_access/vector_combine", vector_scan, "crossbar:4", plus, some),
      CALL("random_access/vector_combine", vector_combine_scan, "crossbar:4", plus, some),
      CALL("routing/balance", balance, "crossbar:4", some),
      CALL("routing/greedy_route", greedy_route, "hypercube:2", routed<int>{1, 3},
           greedy_schedule(2, list{3, 2, 1, 0})),
      CALL("routing/h_relation", h_relation, "crossbar:4", some, first),
      CALL("routing/h_relation", h_relation, "crossbar:4", some, first,
           block_format{block_rule::real}),
      CALL("routing/h_relation_direct", h_relation_direct, "crossbar:4", some, first),
      CALL("routing/queued_route", queued_route, "hypercube:2", std::span(records),
           bit_fixing_pattern(2, route::monotone, 1, list{3, 2, 1, 0})),
      CALL("routing/msbt", msbt_broadcast, "hypercube:2", writable()),
      CALL("routing/msbt", msbt_sum, "hypercube:2", plus, some),
      CALL("routing/msbt", msbt_gather, "hypercube:2", std::span(held)),
      CALL("routing/randomized_routing", randomized_routing, "crossbar:4", some, first,
           random_draws{4}),
      CALL("routing/routes", concentrate, "hypercube:2", std::span(records)),
      CALL("routing/routes", inverse_concentrate, "hypercube:2", std::span(records)),
      CALL("routing/routes", monotone_route, "hypercube:2", std::span(records)),
      CALL("routing/two_record_routes", concentrate_two, "hypercube:2", std::span(pairs)),
      CALL("routing/two_record_routes", inverse_concentrate_two, "hypercube:2", std::span(records)),
      CALL("sorting/bitonic_sort", bitonic_sort, "hypercube:2", four),
      CALL("sorting/column_sort", column_sort, "crossbar:2", four, 8),
      CALL("sorting/counting_sort", counting_sort, "crossbar:4", four, first, 4),
      CALL("sorting/median_sort", median_sort, "crossbar:4", sixteen, 64),
      CALL("sorting/merge", merge, "hypercube:2", four, four, merge_options{4}),
      CALL("sorting/merge", merge, "hypercube:2", four, merge_options{4}),
      CALL("sorting/merge_sort", merge_sort, "hypercube:2", four, merge_options{4}),
      CALL("sorting/multiway_merge", multiway_merge, "hypercube:4", four, multiway_shape{4, 1, 2}),
      CALL("sorting/multiway_merge_sort", multiway_merge_sort, "hypercube:4", list{1},
           multiway_sort_plan(4, 16, 1)),
      CALL("sorting/nassimi_sahni_sort", nassimi_sahni_sort, "hypercube:4",
           me.rank() < 4 ? std::optional<int>(1) : std::nullopt, 2),
      CALL("sorting/odd_even_merge_sort", odd_even_merge_sort, "hypercube:2", four),
      CALL("sorting/odd_even_transposition_sort", odd_even_transposition_sort, "mesh:4", four),
      CALL("sorting/radix_sort", radix_sort, "crossbar:4", four),
      CALL("sorting/rotate_sort", rotate_sort, "crossbar:4", sixteen, 64),
      CALL("sorting/sample_sort", sample_sort, "crossbar:4", sixteen, 64),
      CALL("sorting/shear_sort", shear_sort, "mesh:2x2", four),
      CALL("textbook/all_gather", textbook::all_gather_directly, "crossbar:4", one, 4),
      CALL("textbook/all_gather", textbook::all_gather_ring, "crossbar:4", one, 4),
      CALL("textbook/all_gather", textbook::all_gather_doubling, "hypercube:2", one, 4),
      CALL("textbook/all_reduce", textbook::all_reduce_in_pieces, "crossbar:4", plus, some),
      CALL("textbook/all_reduce", textbook::all_reduce_ring, "crossbar:4", plus, some),
      CALL("textbook/all_reduce", textbook::all_reduce_doubling, "hypercube:2", plus, some),
      CALL("textbook/all_reduce", textbook::all_reduce_binomial, "hypercube:2", plus, some),
      CALL("textbook/all_to_all", textbook::exchange, "torus:4x4", labelled,
           textbook::torus_rules()),
      CALL("textbook/all_to_all", textbook::all_to_all, "torus:4x4", sixteen),
      CALL("textbook/allgather_digit", textbook::allgather_digit, "crossbar:4", one, 4, 2),
      CALL("textbook/broadcast", textbook::broadcast_binomial, "hypercube:2", writable()),
      CALL("textbook/broadcast", textbook::broadcast_in_pieces, "crossbar:4", writable()),
      CALL("textbook/counting_sort", textbook::counting_sort, "crossbar:4", four, first, 4),
      CALL("textbook/h_relation", textbook::transpose_lists, "crossbar:4",
           textbook::lists<int>{four, four, four, four}),
      CALL("textbook/h_relation", textbook::h_relation, "crossbar:4", four, first),
      CALL("textbook/merge", textbook::merge, "hypercube:2", four, 4),
      CALL("textbook/merge_sort", textbook::merge_sort, "hypercube:2", four, 4),
      CALL("textbook/multiway_merge", textbook::multiway_merge, "hypercube:4", four,
           multiway_shape{4, 1, 2}),
      CALL("textbook/pipelined_prefix_by_halving", textbook::pipelined_prefix_by_halving,
           "hypercube:2", sum, some),
      CALL("textbook/radix_sort", textbook::radix_sort, "crossbar:4", four),
      CALL("textbook/reduce", textbook::reduce_scatter_directly, "crossbar:4", plus, some,
           lockstep::pieces(4, 4)),
      CALL("textbook/reduce", textbook::reduce_in_pieces, "crossbar:4", plus, some),
      CALL("textbook/reduce", textbook::reduce_binomial, "hypercube:2", plus, some),
      CALL("textbook/scatter", textbook::scatter_directly, "crossbar:4", some, 4),
      CALL("textbook/scatter", textbook::scatter_binomial, "hypercube:2", some, 4),
      CALL("textbook/scatter", textbook::gather_directly, "crossbar:4", one, 4),
      CALL("textbook/scatter", textbook::gather_binomial, "hypercube:2", one),
  };
  return all;
}

/// Runs the call, and checks where the error says that it comes from.
void check_error_of(called const& one, machine const& on,
                    std::function<bool(int rank)> const& takes_part) {
  INFO(one.file << ": " << one.name << ", line " << one.line);
  try {
    on.run([&](processor& me) {
      if (takes_part(me.rank())) one.call(me);
    });
    FAIL_CHECK("nothing was thrown");
  } catch (lockstep::error const& thrown) {
    INFO(thrown.what());
    CHECK(static_cast<int>(thrown.where().line()) == one.line);
    CHECK(thrown.where().file_name() == std::string_view(__FILE__));
    REQUIRE(thrown.inside().has_value());
    auto const inside = to_string(*thrown.inside());
    auto const bare = one.name.substr(one.name.rfind(':') + 1);
    auto const name = bare.substr(0, bare.find('<'));
    CHECK(inside.starts_with("in " + std::string(name) + ", "));
    CHECK(inside.find("algorithms/") != std::string::npos);
    CHECK(std::string(thrown.what()).find(" (" + inside + ")") != std::string::npos);
  }
}

std::string text_of(std::filesystem::path const& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Counts the functions of a header that are called with a processor, by name; those of namespaces
/// called detail, and of classes, are the library's own.
std::map<std::string, int> public_functions(std::string const& header) {
  static std::regex const opened(R"(^(?:inline )?namespace ([\w:]+) \{)");
  static std::regex const closed(R"(^\}  // namespace)");
  static std::regex const function(R"((\w+)\(\s*processor& me\b[^;{]*\{)");
  std::string text;  // what is not in detail, and no comment
  std::vector<bool> details;
  std::size_t begin = 0;
  while (begin < header.size()) {
    auto const end = std::min(header.find('\n', begin), header.size());
    auto const line = header.substr(begin, end - begin);
    begin = end + 1;
    std::smatch found;
    if (std::regex_search(line, found, opened))
      details.push_back(found[1].str().find("detail") != std::string::npos);
    else if (std::regex_search(line, closed))
      details.pop_back();
    bool const is_comment = line.find_first_not_of(' ') == line.find("//");
    bool const is_own = std::ranges::find(details, true) != details.end();
    if (!is_comment && !is_own) text += line + '\n';
  }
  std::map<std::string, int> functions;
  for (std::sregex_iterator at(text.begin(), text.end(), function), end; at != end; ++at)
    ++functions[(*at)[1].str()];
  return functions;
}

}  // namespace

TEST_CASE("errors inside algorithms name the call: one processor alone calls", "[errors]") {
  for (auto const engine : {lockstep::engine::fibers, lockstep::engine::threads})
    for (auto const& one : all_calls()) {
      machine const on(lockstep::parse(one.network), {.engine = engine});
      check_error_of(one, on, [](int rank) { return rank == 0; });
    }
}

TEST_CASE(
    "errors inside algorithms name the call: messages come to a network without links for them",
    "[errors]") {
  int const line = __LINE__ + 6;
  try {
    machine const cube{lockstep::hypercube{4}, {.switching = lockstep::switching::neighbour}};
    cube.run([](processor& me) {
      if (me.rank() != 0 && me.rank() != 3) return 0;
      auto pair = me.subset(std::vector{0, 3});
      return lockstep::transpose_blocks(pair, std::vector{1, 2}).front();
    });
    FAIL("processors that no link joins talk");
  } catch (lockstep::not_adjacent const& thrown) {
    INFO(thrown.what());
    CHECK(static_cast<int>(thrown.where().line()) == line);
    CHECK(
        std::string(thrown.what()).find("(in transpose_blocks, lockstep/algorithms/collectives/") !=
        std::string::npos);
  }
}

TEST_CASE("errors inside algorithms name the call: each function of the headers is in the table",
          "[errors]") {
  std::filesystem::path const headers = LOCKSTEP_ALGORITHMS_HEADERS;
  std::map<std::string, std::map<std::string, int>> called_of;
  for (auto const& one : all_calls()) {
    auto const bare = one.name.substr(one.name.rfind(':') + 1);
    ++called_of[std::string(one.file)][std::string(bare.substr(0, bare.find('<')))];
  }
  std::size_t functions = 0;
  for (auto const& entry : std::filesystem::recursive_directory_iterator(headers)) {
    auto const file = std::filesystem::relative(entry.path(), headers).generic_string();
    if (entry.path().extension() != ".hpp" || file.find("detail/") != std::string::npos) continue;
    INFO(file);
    auto const found = public_functions(text_of(entry.path()));
    CHECK(called_of[file] == found);
    functions += found.size();
  }
  CHECK(functions > 60);
}
