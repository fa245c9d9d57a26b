#include "calls_of_algorithms.hpp"

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <lockstep/algorithms.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>

namespace {

using lockstep::processor;
using list = std::vector<int>;

/// The first, and the numbers behind it: n in all.
template <class Number>
std::vector<Number> numbers(std::size_t n, Number first) {
  std::vector<Number> result(n);
  std::iota(result.begin(), result.end(), first);
  return result;
}

template <class Element>
std::span<Element const> as_span(std::vector<Element> const& elements) {
  return elements;
}

/// The routes that a transportation takes, by rank.
std::vector<lockstep::recorded_route> routes_of(std::span<int const> elements,
                                                auto const& destination_of) {
  lockstep::machine const four{lockstep::crossbar{4}};
  return four
      .run([&](processor& me) {
        return lockstep::transportation(me, elements, destination_of).route;
      })
      .results();
}

/// What the algorithms are given, and their calls with that: four elements on each of four processors, or a
/// block for each of 16; or some times as much.
class calls_with_inputs {
 public:
  explicit calls_with_inputs(std::size_t times) : m_times(times) {}

  [[nodiscard]] std::vector<called> list_of_calls() const;

 private:
  std::size_t m_times;
  std::size_t n = 4 * m_times;
  list ones = repeated(1);
  list four = numbers(n, 1);
  list sixteen = list(16 * m_times, 1);
  std::span<int const> some{four};
  std::span<int const> one{some.first(m_times)};
  std::vector<std::size_t> addresses = numbers<std::size_t>(4 * n, 0);
  std::vector<std::uint32_t> addresses_32 = numbers<std::uint32_t>(4 * n, 0);
  std::vector<std::size_t> three_each = std::vector<std::size_t>(3, m_times);
  std::vector<std::size_t> one_each = std::vector<std::size_t>(4, m_times);
  std::plus<> plus{};
  lockstep::monoid<int, std::plus<>> sum{0, plus};
  lockstep::bucket_layout layout{4 * n, 4};
  lockstep::product_shape shape{2 * m_times, 2, 2};
  lockstep::halo_shape piece{{n - 2}, 1};
  std::vector<double> left = std::vector<double>(n);
  std::vector<double> right = std::vector<double>(4);
  std::vector<std::complex<double>> column = std::vector<std::complex<double>>(n);
  std::vector<lockstep::extended<int>> maybe = std::vector<lockstep::extended<int>>(n);
  std::vector<lockstep::detail::labelled_element<int>> labelled =
      repeated(lockstep::detail::labelled_element<int>{1, 0, 5});
  std::vector<lockstep::segmented<int>> intervals = repeated(lockstep::segmented<int>{true, 1});
  lockstep::prefix_schedule halving{lockstep::hypercube{2}, lockstep::pipelined_scheme::halving};
  lockstep::exchange_schedule exchanges = lockstep::exchange_schedule::of(lockstep::torus{4, 4});
  static constexpr auto first = [](int) { return 1; };
  static constexpr auto spread = [](int element) { return element % 4; };
  std::vector<lockstep::recorded_route> routes = routes_of(some, spread);
  mutable std::array<list, 16> m_own;  ///< what the processors write to

  template <class Element>
  [[nodiscard]] std::vector<Element> repeated(Element const& element) const {
    return std::vector<Element>(m_times, element);
  }
  /// Gives elements that this processor may write to.
  list& writable_list(processor const& me) const {
    auto& own = m_own.at(static_cast<std::size_t>(me.rank()));
    own = four;
    return own;
  }
  std::span<int> writable(processor const& me) const { return writable_list(me); }

  // What differs from processor to processor. Where there are more than four, the others are like these.

  static std::size_t rank_of_four(processor const& me) {
    return static_cast<std::size_t>(me.rank() % 4);
  }
  template <class Number>
  std::span<Number const> own_part(std::vector<Number> const& all, processor const& me) const {
    return std::span(all).subspan(rank_of_four(me) * n, n);
  }
  std::span<std::size_t const> at(processor const& me) const { return own_part(addresses, me); }
  std::span<std::uint32_t const> at_32(processor const& me) const {
    return own_part(addresses_32, me);
  }
  lockstep::recorded_route const& route_to(processor const& me) const {
    return routes[rank_of_four(me)];
  }
  /// Elements that ascend from processor to processor.
  list sorted(processor const& me) const { return numbers(n, me.rank() * static_cast<int>(n)); }
  list row_0(processor const& me) const { return me.rank() < 8 ? sorted(me) : list(); }
  /// The blocks of a product on a cube lie where k = 0.
  static std::span<double const> block_of(processor const& me, std::vector<double> const& block) {
    return std::span(block).first(me.rank() % 2 == 0 ? block.size() : 0);
  }
  /// From processor 0 to 1, and from 1 to 2.
  std::vector<lockstep::addressed_elements<int>> for_the_next(processor const& me) const {
    if (me.rank() > 1) return {};
    return {{me.rank() + 1, four}};
  }
  std::vector<std::optional<int>> one_of_all(processor const& me) const {
    std::vector<std::optional<int>> held(n);
    held[rank_of_four(me)] = 1;
    return held;
  }

  // Records, and where they go.

  static lockstep::routed<int> across(processor const& me) { return {1, 3 - me.rank()}; }
  static lockstep::routed<int> down(processor const& me) { return {1, me.rank() - 1}; }
  static lockstep::routed<int> up(processor const& me) {
    return {1, me.rank() < 3 ? me.rank() + 1 : lockstep::routed<int>::nowhere};
  }
  static lockstep::routed<int> up_to_slots(processor const& me) {
    return {1, me.rank() < 3 ? 2 * me.rank() + 2 : lockstep::routed<int>::nowhere};
  }
  std::vector<lockstep::routed<int>> records(lockstep::routed<int> const& record) const {
    return repeated(record);
  }
  std::vector<lockstep::routed_pair<int>> pairs(lockstep::routed<int> const& record) const {
    return repeated(lockstep::routed_pair<int>{record, {}});
  }
};

#define CALL(FILE, NAME, NETWORK, ...)              \
  called {                                          \
    FILE ".hpp", #NAME, NETWORK,                    \
        [&](processor& me) {                        \
          static_cast<void>(me);                    \
          static_cast<void>(NAME(me, __VA_ARGS__)); \
        },                                          \
        __LINE__                                    \
  }

std::vector<called> calls_with_inputs::list_of_calls() const {
  namespace textbook = lockstep::textbook;
  using namespace lockstep;  // NOLINT(google-build-using-namespace): as a program writes them
  return {
      CALL("collectives/all_gather", all_gather, "crossbar:4", one, n),
      CALL("collectives/all_gather", all_gather, "crossbar:4", 1),
      CALL("collectives/all_gather", all_gather, "mesh:2x2", four),
      CALL("collectives/all_gather", all_gatherv, "mesh:2x2", one, one_each),
      CALL("collectives/all_gather", all_gatherv, "tree:2", ones, three_each),
      CALL("collectives/all_reduce", all_reduce, "crossbar:4", plus, some),
      CALL("collectives/all_reduce", all_reduce, "hypercube:2", plus, 1),
      CALL("collectives/all_reduce", all_reduce, "mesh:2x2", plus, four),
      CALL("collectives/total_exchange", all_to_all, "hypercube:2", sixteen, collective_options{}),
      CALL("collectives/total_exchange", all_to_allv, "tree:2", std::vector<list>(3, four)),
      CALL("collectives/barrier", lockstep::barrier, "crossbar:4", collective_options{}),
      CALL("collectives/block_broadcast", block_broadcast, "crossbar:4", writable(me)),
      CALL("collectives/broadcast", broadcast, "crossbar:4", writable(me)),
      CALL("collectives/broadcast", broadcast, "hypercube:2", 1),
      CALL("collectives/item_broadcast", broadcast_item, "crossbar:4", 1,
           lockstep::item_broadcast_options{.parts = {4}}),
      CALL("collectives/broadcast", broadcast, "mesh:2x2", writable_list(me)),
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
      CALL("collectives/scatter", scatter, "crossbar:4", some, n),
      CALL("collectives/scatter", scatter, "mesh:2x2", four, n),
      CALL("collectives/scatter", scatterv, "mesh:2x2", some, one_each),
      CALL("collectives/scatter", scatterv, "mesh:2x2", four, one_each),
      CALL("collectives/scatter", gather, "crossbar:4", one, n),
      CALL("collectives/scatter", gather, "mesh:2x2", four),
      CALL("collectives/scatter", gather, "hypercube:2", 1),
      CALL("collectives/scatter", gatherv, "mesh:2x2", one, one_each),
      CALL("collectives/scatter", gatherv, "mesh:2x2", ones, one_each),
      CALL("collectives/transpose", transpose_blocks, "crossbar:4", four),
      CALL("collectives/transpose", transpose, "crossbar:4", four),
      CALL("exchange/all_to_all", all_to_all, "torus:4x4", sixteen, exchanges),
      CALL("exchange/all_to_all", all_to_all, "torus:4x4", sixteen),
      CALL(
          "exchange/all_to_all", all_to_all<int>, "torus:4x4", 1, [](int, std::span<int>) {},
          [](int, std::span<int const>) {}, exchanges),
      CALL("exchange/all_to_all_binary", all_to_all_binary, "mesh:4x4", sixteen),
      CALL("exchange/all_to_all_cyclic", all_to_all_cyclic, "mesh:4x4", sixteen),
      CALL("exchange/all_to_all_direct", all_to_all_direct, "torus:4x4", sixteen),
      CALL("exchange/all_to_all_in_fewest_orders", all_to_all_in_fewest_orders, "torus:4x4",
           sixteen, exchanges),
      CALL("numeric/cannon", cannon, "torus:2x2", shape, left, right),
      CALL("numeric/fft", fft, "crossbar:4", column),
      CALL("numeric/halo", exchange_halo, "torus:4", piece, writable(me)),
      CALL("numeric/matrix_product", matrix_product, "crossbar:8", shape, block_of(me, left),
           block_of(me, right)),
      CALL("numeric/summa", summa, "torus:2x2", shape, std::span<double const>(left),
           std::span<double const>(right)),
      CALL("prefix/block_prefix", block_prefix, "hypercube:2", sum, some),
      CALL("prefix/block_prefix", block_prefix, "hypercube:2", plus, some),
      CALL("prefix/pipelined_prefix", pipelined_prefix, "hypercube:2", sum, some, halving),
      CALL("prefix/pipelined_segments", pipelined_segmented_prefix, "hypercube:2", sum,
           std::span(intervals), halving),
      CALL("prefix/pipelined_segments", pipelined_data_distribution, "hypercube:2",
           std::span(intervals), halving),
      CALL("prefix/prefix", prefix, "hypercube:2", sum, 1),
      CALL("prefix/prefix", prefix, "hypercube:2", plus, 1),
      CALL("prefix/prefix", segmented_prefix, "hypercube:2", sum, true, 1),
      CALL("prefix/prefix", data_distribution, "hypercube:2", true, 1),
      CALL("prefix/prefix", prefix_broadcast, "hypercube:2", 1),
      CALL("random_access/concentrate_elements", concentrate_elements, "crossbar:4", layout, some),
      CALL("random_access/concentrate_elements", distribute_elements, "crossbar:4", layout, at(me),
           some),
      CALL("random_access/generalize", generalize, "crossbar:4", layout, at(me), some),
      CALL("random_access/item_scan", item_scan, "crossbar:4", sum, 1),
      CALL("random_access/item_scan", item_scan, "crossbar:4", plus, 1),
      CALL("random_access/monotone_sends", monotone_sends, "crossbar:4", for_the_next(me),
           monotone_schedule(std::vector<sender_and_receiver>{{0, 1}, {1, 2}})),
      CALL("random_access/monotone_sends", monotone_sends, "crossbar:4", for_the_next(me)),
      CALL("random_access/monotonic_write", monotonic_write, "crossbar:4", layout, at(me), some,
           plus, writable(me)),
      CALL("random_access/random_access_read", random_access_read, "crossbar:4", layout, at(me),
           some),
      CALL("random_access/random_access_write", combined_writes, "crossbar:4", layout, at(me), some,
           plus),
      CALL("random_access/random_access_write", random_access_write, "crossbar:4", layout,
           at_32(me), some, plus, writable(me)),
      CALL("random_access/random_access_write", agreed_writes, "crossbar:4", layout, at(me), some),
      CALL("random_access/segmented_vector_scan", segmented_vector_scan, "crossbar:4", plus,
           std::span(maybe), false),
      CALL("random_access/transportation", transportation, "crossbar:4", some, spread),
      CALL("random_access/transportation", transportation_back, "crossbar:4", route_to(me), some),
      CALL("random_access/transportation_in_stages", transportation_in_stages, "crossbar:4", some,
           first, 4),
      CALL("random_access/vector_combine", vector_combine, "crossbar:4", plus, some),
      CALL("random_access/vector_combine", vector_scan, "crossbar:4", plus, some),
      CALL("random_access/vector_combine", vector_combine_scan, "crossbar:4", plus, some),
      CALL("routing/balance", balance, "crossbar:4", some),
      CALL("routing/greedy_route", greedy_route, "hypercube:2", across(me),
           greedy_schedule(2, list{3, 2, 1, 0})),
      CALL("routing/h_relation", h_relation, "crossbar:4", some, first),
      CALL("routing/h_relation", h_relation, "crossbar:4", some, first,
           block_format{block_rule::real}),
      CALL("routing/h_relation_direct", h_relation_direct, "crossbar:4", some, first),
      CALL("routing/queued_route", queued_route, "hypercube:2", as_span(records(across(me))),
           bit_fixing_pattern(2, route::monotone, 1, list{3, 2, 1, 0})),
      CALL("routing/msbt", msbt_broadcast, "hypercube:2", writable(me)),
      CALL("routing/msbt", msbt_sum, "hypercube:2", plus, some),
      CALL("routing/msbt", msbt_gather, "hypercube:2", as_span(one_of_all(me))),
      CALL("routing/randomized_routing", randomized_routing, "crossbar:4", some, spread,
           random_draws{4}),
      CALL("routing/routes", concentrate, "hypercube:2", as_span(records(down(me)))),
      CALL("routing/routes", inverse_concentrate, "hypercube:2", as_span(records(up(me)))),
      CALL("routing/routes", monotone_route, "hypercube:2", as_span(records(up(me)))),
      CALL("routing/two_record_routes", concentrate_two, "hypercube:2", as_span(pairs(down(me)))),
      CALL("routing/two_record_routes", inverse_concentrate_two, "hypercube:2",
           as_span(records(up_to_slots(me)))),
      CALL("sorting/bitonic_sort", bitonic_sort, "hypercube:2", four),
      CALL("sorting/column_sort", column_sort, "crossbar:2", four, 2 * n),
      CALL("sorting/counting_sort", counting_sort, "crossbar:4", four, first, n),
      CALL("sorting/median_sort", median_sort, "crossbar:4", sixteen, 16 * n),
      CALL("sorting/merge", merge, "hypercube:2", sorted(me), sorted(me), merge_options{n}),
      CALL("sorting/merge", merge, "hypercube:2", sorted(me), merge_options{n}),
      CALL("sorting/merge_sort", merge_sort, "hypercube:2", four, merge_options{n}),
      CALL("sorting/multiway_merge", multiway_merge, "hypercube:4", row_0(me),
           multiway_shape{n, 1, 2}),
      CALL("sorting/multiway_merge_sort", multiway_merge_sort, "hypercube:4", ones,
           multiway_sort_plan(4, 16, 1)),
      CALL("sorting/nassimi_sahni_sort", nassimi_sahni_sort, "hypercube:4",
           me.rank() < 4 ? std::optional<int>(1) : std::nullopt, 2),
      CALL("sorting/odd_even_merge_sort", odd_even_merge_sort, "hypercube:2", four),
      CALL("sorting/odd_even_transposition_sort", odd_even_transposition_sort, "mesh:4", four),
      CALL("sorting/radix_sort", radix_sort, "crossbar:4", four),
      CALL("sorting/rotate_sort", rotate_sort, "crossbar:4", sixteen, 16 * n),
      CALL("sorting/sample_sort", sample_sort, "crossbar:4", sixteen, 16 * n),
      CALL("sorting/shear_sort", shear_sort, "mesh:2x2", four),
      CALL("textbook/all_gather", textbook::all_gather_directly, "crossbar:4", one, n),
      CALL("textbook/all_gather", textbook::all_gather_ring, "crossbar:4", one, n),
      CALL("textbook/all_gather", textbook::all_gather_doubling, "hypercube:2", one, n),
      CALL("textbook/all_reduce", textbook::all_reduce_in_pieces, "crossbar:4", plus, some),
      CALL("textbook/all_reduce", textbook::all_reduce_ring, "crossbar:4", plus, some),
      CALL("textbook/all_reduce", textbook::all_reduce_doubling, "hypercube:2", plus, some),
      CALL("textbook/all_reduce", textbook::all_reduce_binomial, "hypercube:2", plus, some),
      CALL("textbook/all_to_all", textbook::exchange, "torus:4x4", labelled,
           textbook::torus_rules()),
      CALL("textbook/all_to_all", textbook::all_to_all, "torus:4x4", sixteen),
      CALL("textbook/allgather_digit", textbook::allgather_digit, "crossbar:4", one, n, 2),
      CALL("textbook/broadcast", textbook::broadcast_binomial, "hypercube:2", writable(me)),
      CALL("textbook/broadcast", textbook::broadcast_in_pieces, "crossbar:4", writable(me)),
      CALL("textbook/counting_sort", textbook::counting_sort, "crossbar:4", four, first, n),
      CALL("textbook/h_relation", textbook::transpose_lists, "crossbar:4",
           textbook::lists<int>{four, four, four, four}),
      CALL("textbook/h_relation", textbook::h_relation, "crossbar:4", four, first),
      CALL("textbook/merge", textbook::merge, "hypercube:2", sorted(me), n),
      CALL("textbook/merge_sort", textbook::merge_sort, "hypercube:2", four, n),
      CALL("textbook/multiway_merge", textbook::multiway_merge, "hypercube:4", row_0(me),
           multiway_shape{n, 1, 2}),
      CALL("textbook/pipelined_prefix_by_halving", textbook::pipelined_prefix_by_halving,
           "hypercube:2", sum, some),
      CALL("textbook/radix_sort", textbook::radix_sort, "crossbar:4", four),
      CALL("textbook/reduce", textbook::reduce_scatter_directly, "crossbar:4", plus, some,
           lockstep::pieces(n, 4)),
      CALL("textbook/reduce", textbook::reduce_in_pieces, "crossbar:4", plus, some),
      CALL("textbook/reduce", textbook::reduce_binomial, "hypercube:2", plus, some),
      CALL("textbook/scatter", textbook::scatter_directly, "crossbar:4", some, n),
      CALL("textbook/scatter", textbook::scatter_binomial, "hypercube:2", some, n),
      CALL("textbook/scatter", textbook::gather_directly, "crossbar:4", one, n),
      CALL("textbook/scatter", textbook::gather_binomial, "hypercube:2", one),
  };
}

/// Calls, and the inputs to which they refer.
struct calls_and_inputs {
  explicit calls_and_inputs(std::size_t times) : inputs(times), calls(inputs.list_of_calls()) {}
  calls_and_inputs(calls_and_inputs const&) = delete;
  calls_and_inputs& operator=(calls_and_inputs const&) = delete;

  calls_with_inputs inputs;
  std::vector<called> calls;
};

}  // namespace

std::string_view file_of_calls() { return __FILE__; }

std::vector<called> const& all_calls() {
  static calls_and_inputs const all(1);
  return all.calls;
}

std::vector<called> const& calls_with_twice_the_elements() {
  static calls_and_inputs const all(2);
  return all.calls;
}
