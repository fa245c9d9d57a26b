// Each size that the functions of algorithms are given, at and beyond the ends of its range: what they
// give is right, or refused by an error of lockstep; nothing wraps, and nothing takes long.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/algorithms.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies.hpp>

#include "catch.hpp"
#include "core/boundary_values.hpp"

using namespace lockstep;  // NOLINT(google-build-using-namespace): as a program writes them

namespace {

using boundary::came_of;
using boundary::least_int;
using boundary::most;
using boundary::most_int;
using boundary::power;

/// Where counters of 31, 32, 53, 63 and 64 bits end.
constexpr std::array sizes{
    std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, power(31) - 1, power(31), power(32) - 1,
    power(32),        power(32) + 1,    power(53),        power(61) + 1, power(62), power(62) + 1,
    power(63) - 1,    power(63),        power(63) + 1,    most - 1,      most};
constexpr std::array no_processors{least_int, -1, 0};

template <class Action>
void check_refused(Action&& action) {
  CHECK(came_of(action) == "invalid_argument");
}

/// Checks that something is made, or refused.
template <class Action>
void check_made_or_refused(Action&& action) {
  auto const came = came_of(action);
  CHECK((came == "right" || came == "invalid_argument"));
}

/// Checks a count that is known as far as a double tells it: that is counted, or refused where 64 bits
/// do not hold it, or `besides`, which is counted in the same call.
template <class Action>
void check_count(double expected, Action&& action, double besides = 0) {
  constexpr double limit = 18446744073709551616.0;
  constexpr double rounding = 1e-9;
  std::uint64_t counted = 0;
  auto const came = came_of([&] { return counted = action(); });
  auto const largest = std::max(expected, besides);
  INFO("expected " << expected << ", counted " << counted << ", " << came);
  if (came == "right")
    CHECK(std::abs(static_cast<double>(counted) - expected) <= rounding * expected);
  else
    CHECK((came == "invalid_argument" && largest >= limit * (1 - rounding)));
  if (largest > limit * (1 + rounding)) CHECK(came == "invalid_argument");
}

double as_double(std::uint64_t number) { return static_cast<double>(number); }

double packed(std::uint64_t elements, std::uint64_t packet) {
  auto const packets = elements / packet + (elements % packet == 0 ? 0 : 1);
  return as_double(packets) * as_double(packet);
}

/// Checks that claims are made, or refused; and that none of a made one is less than nothing.
template <class Make>
void check_claims(Make const& make) {
  std::vector<claim> claims;
  auto const came = came_of([&] { return claims = make(); });
  CHECK((came == "right" || came == "invalid_argument"));
  for (auto const& one : claims) {
    INFO(one.figure << ": " << one.formula);
    double value = 0;
    if (came_of([&] { return value = one.value(); }) == "right") CHECK(value >= 0);
  }
}

double value_of(std::vector<claim> const& claims, std::string_view figure) {
  auto const found = std::ranges::find(claims, figure, &claim::figure);
  REQUIRE(found != claims.end());
  return found->value();
}

/// The same of a claim whose value is a count.
std::uint64_t claimed(std::vector<claim> const& claims, std::string_view figure) {
  return static_cast<std::uint64_t>(value_of(claims, figure));
}

}  // namespace

TEST_CASE("boundary values: counts of a transposition") {
  for (int const p : {1, 2, 3, 4, 8, 1000, most_int})
    for (auto const rows : sizes)
      for (auto const packet : sizes) {
        INFO("p " << p << ", rows " << rows << ", packet " << packet);
        auto const counts = [&] { return transpose_counts(p, rows, packet); };
        if (packet == 0) {
          check_refused(counts);
          continue;
        }
        auto const processors = static_cast<std::uint64_t>(p);
        auto const larger = as_double(rows % processors);
        auto const most_rows = rows / processors + (rows % processors > 0 ? 1 : 0);
        auto const others = p - 1.0;
        auto const volume = others * (larger * packed(most_rows, packet) +
                                      (p - larger) * packed(rows / processors, packet));
        check_count(volume, [&] { return counts().volume; });
        check_count(
            others * packed(most_rows, packet), [&] { return counts().words; }, volume);
        if (came_of(counts) != "right") continue;
        CHECK(counts().rounds == processors - 1);
        CHECK(counts().messages == (processors - 1) * std::min(processors, rows));
        CHECK(counts().startups == (p > 1 && rows > 0 ? 1U : 0U));
      }
  for (int const p : no_processors) check_refused([&] { return transpose_counts(p, 8, 1); });
}

TEST_CASE("boundary values: counts of whole blocks along a tree") {
  for (int const p : {1, 2, 8, 1000, most_int})
    for (int const k : {2, 3, one_phase})
      for (auto const elements : sizes)
        for (auto const packet : {std::uint64_t{1}, std::uint64_t{3}, power(62), power(63), most}) {
          INFO("p " << p << ", k " << k << ", elements " << elements << ", packet " << packet);
          auto const counts = [&] { return block_tree_counts(p, elements, k, packet); };
          double rounds = 0;
          for (double size = p; size > 1; size = std::ceil(size / std::min<double>(k, size)))
            rounds += std::min<double>(k, size) - 1;
          auto const volume = (p - 1.0) * packed(elements, packet);
          check_count(
              volume, [&] { return counts().volume; }, rounds * packed(elements, packet));
          check_count(
              rounds * packed(elements, packet), [&] { return counts().words; }, volume);
          if (came_of(counts) == "right") CHECK(as_double(counts().rounds) == rounds);
        }
  for (int const k : {least_int, -1, 0, 1})
    check_refused([&] { return block_tree_counts(8, 8, k, 1); });
  for (int const p : no_processors) check_refused([&] { return block_tree_counts(p, 8, 2, 1); });
  check_refused([] { return block_tree_counts(8, 8, 2, 0); });
}

TEST_CASE("boundary values: counts of pieces along a tree, and round") {
  for (int const p : {1, 2, 5, 64})
    for (auto const elements : sizes)
      for (auto const packet : {std::uint64_t{1}, std::uint64_t{3}, power(62), power(63), most}) {
        INFO("p " << p << ", elements " << elements << ", packet " << packet);
        pieces const of(elements, p);
        double own = packed(of.size(0), packet);
        double all = 0;
        for (int j = 0; j < p; ++j) all += packed(of.size(j), packet);
        check_count(all - own, [&] { return piece_tree_counts(of, one_phase, 0, packet).volume; });
        check_count((p - 1.0) * all, [&] {
          return circulant_all_gather_counts(of, one_phase, one_phase, packet).volume;
        });
      }
  for (int const p : {(1 << 25) + 1, most_int}) {
    check_refused([&] { return piece_tree_counts(pieces(8, p), 2, 0, 1); });
    check_refused([&] { return circulant_all_gather_counts(pieces(8, p), 2, 2, 1); });
  }
  auto const alike = circulant_all_gather_counts(
      pieces(static_cast<std::size_t>(most_int), most_int), one_phase, one_phase, 1);
  CHECK(alike == schedule_counts{.rounds = power(31) - 2,
                                 .startups = 1,
                                 .words = power(31) - 2,
                                 .volume = (power(31) - 1) * (power(31) - 2),
                                 .messages = (power(31) - 1) * (power(31) - 2)});
  check_refused([] { return piece_tree_counts(pieces(most, 5), 2, 0, 0); });
  check_refused([] { return circulant_all_gather_counts(pieces(most, 5), 2, 2, 0); });
  schedule_counts const large{most, most, most, most, most};
  schedule_counts const one{1, 1, 1, 1, 1};
  check_refused([&] { return large + one; });
  CHECK(large + schedule_counts{} == large);
}

TEST_CASE("boundary values: counts of uneven pieces of very many processors end soon") {
  constexpr int p = 1 << 20;
  auto const counts = circulant_all_gather_counts(pieces(8, p), one_phase, one_phase, 1);
  CHECK(counts.words == power(20) - 1);  // one that has a piece sends it to all others
  CHECK(counts.volume == 8 * (power(20) - 1));
  CHECK(counts.messages == 8 * (power(20) - 1));
  CHECK(counts.rounds == power(20) - 1);
}

TEST_CASE("boundary values: pieces and blocks of values") {
  for (int const p : no_processors) {
    check_refused([&] { return pieces(8, p); });
    check_refused([&] { return even_block(8, p, 0); });
    check_refused([&] { return rank_of_even_block(8, p, 0); });
  }
  check_refused([] { return rank_of_even_block(0, 3, 0); });
  for (int const p : {1, 2, 3, 64, most_int})
    for (auto const n : sizes) {
      INFO(n << " in " << p);
      for (auto const rule : {piece_sizes::even, piece_sizes::larger_first}) {
        pieces const of(n, p, rule);
        CHECK(of.before(0) == 0);
        CHECK(of.before(p) == n);
        CHECK(of.run(p - 1, p) == n);
        CHECK(of.size(0) - n / static_cast<std::uint64_t>(p) <= 1);
      }
      auto const last = even_block(n, p, p - 1);
      CHECK(last.first + last.count == n);
      if (n > 0)
        CHECK(rank_of_even_block(n, p, n - 1) ==
              (n < static_cast<std::uint64_t>(p) ? static_cast<int>(n) - 1 : p - 1));
    }
}

TEST_CASE("boundary values: arity and phases of trees") {
  for (auto const tau : sizes)
    for (auto const packet : sizes) {
      INFO("tau " << tau << ", packet " << packet);
      bool const has_tree = packet > 0 && tau > 0 && tau % packet == 0;
      CHECK(came_of([&] { return tree_arity(tau, packet); }) ==
            (has_tree ? "right" : "invalid_argument"));
      if (has_tree)
        CHECK(as_double(static_cast<std::uint64_t>(tree_arity(tau, packet))) ==
              std::min<double>(most_int, as_double(tau / packet) + 1));
    }
  for (int const k : {least_int, -1, 0, 1}) {
    check_refused([&] { return tree_phases(8, k); });
    check_refused([&] { return is_power_of(k, 8); });
  }
  CHECK(tree_phases(most_int, 2) == 31);
  CHECK(tree_phases(most_int, most_int) == 1);
  CHECK(is_power_of(std::numeric_limits<std::int64_t>::max(), 1));
  CHECK_FALSE(is_power_of(std::numeric_limits<std::int64_t>::max(), most_int));
  CHECK(is_power_of(most_int, most_int));
  for (int const p : no_processors) {
    check_refused([&] { return tree_phases(p, 2); });
    check_refused([&] { return in_two_phases(p, 1); });
    check_refused([&] { return in_two_filled_phases(p, 1); });
  }
  CHECK(in_two_phases(most_int, most).first_k == 46341);
  CHECK(in_two_filled_phases(most_int, most).first_k == most_int);
}

TEST_CASE("boundary values: claims of collectives") {
  for (auto const packet : {std::uint64_t{0}, std::uint64_t{1}, power(62), power(63), most})
    for (auto const n : sizes) {
      bdm_machine const on{4, 16, packet};
      INFO("n " << n << ", packet " << packet);
      check_claims([&] { return transpose_claims(on, n); });
      check_claims([&] { return scatter_claims(on, n, {}); });
      check_claims([&] { return all_gather_claims(on, n, {}); });
      check_claims([&] { return block_broadcast_claims(on, n, {}); });
      check_claims([&] { return matrix_sum_claims(on, n, {}); });
      if (packet != 0 && n % 4 == 0)
        check_count(
            6 * packed(n / 4, packet),
            [&] { return claimed(broadcast_claims(on, n, {}), "words"); },
            15 * packed(n / 4, packet));
      for (auto const scheme : all_collective_schemes) {
        check_claims([&] { return broadcast_claims(on, n, {.scheme = scheme}); });
        check_claims([&] { return reduce_claims(on, n, {.scheme = scheme}); });
        check_claims([&] { return all_reduce_claims(on, n, {.scheme = scheme}); });
      }
      if (packet != 0 && n <= power(61)) {
        check_count(12 * packed(n, packet), [&] {
          return claimed(all_reduce_claims(on, n, {.scheme = collective_scheme::direct}), "volume");
        });
      }
      check_made_or_refused([&] { return cheapest_scatter(on, n, 0); });
      check_made_or_refused([&] { return cheapest_all_gather(on, n); });
    }
  check_refused([] { return all_reduce_claims({4, 16, 1}, power(63), {}); });
  check_refused([] { return broadcast_claims({4, 16, power(63)}, 8, {}); });
  check_refused([] { return matrix_sum_claims({4, 16, 1}, power(32), {}); });
  for (auto const tau : sizes)
    check_claims([&] {
      return broadcast_claims({4, tau, 1}, 8, {.scheme = collective_scheme::k_ary});
    });
}

TEST_CASE("boundary values: claims of collectives on too many processors, or none") {
  for (int const p : {least_int, -1, 0, (1 << 25) + 1, most_int}) {
    INFO(p << " processors");
    bdm_machine const on{p, 16, 1};
    auto const refused = [](auto&& make) {
      auto const came = came_of(make);
      CHECK((came == "invalid_argument" || came == "invalid_rank"));
    };
    refused([&] { return scatter_claims(on, 8, {}); });
    refused([&] { return all_gather_claims(on, 8, {}); });
    refused([&] { return block_broadcast_claims(on, 8, {}); });
    refused([&] { return matrix_sum_claims(on, 8, {}); });
    refused([&] { return broadcast_claims(on, 8, {}); });
    refused([&] { return reduce_claims(on, 8, {}); });
    refused([&] { return all_reduce_claims(on, 8, {}); });
    refused([&] { return cheapest_all_gather(on, 8); });
    if (p > 0) {
      CHECK(came_of([&] { return transpose_claims(on, 8); }) == "right");
      continue;
    }
    refused([&] { return transpose_claims(on, 8); });
    refused([&] { return cheaper_of_two_ways(p, {}); });
    refused([&] { return column_sort_claims(on, 8); });
    refused([&] { return rotate_sort_claims(on, 8); });
    refused([&] { return sample_sort_claims(on, 8, {}, {}); });
    refused([&] { return median_sort_claims(on, 8, {}, {}); });
    refused([&] { return fft_claims(on, 8); });
    refused([&] { return matrix_product_claims(on, 8, {}); });
  }
}

TEST_CASE("boundary values: bins of an h-relation") {
  constexpr std::array rules{block_rule::real, block_rule::bound, block_rule::text,
                             block_rule::appendix, block_rule::exact};
  for (int const p : {1, 4, most_int})
    for (auto const n : sizes) {
      INFO(n << " elements, " << p << " processors");
      auto const bound = std::floor(as_double(n) / p + (p - 1.0) / 2);
      check_count(bound, [&] { return largest_bin(n, p); });
      CHECK(as_double(exact_largest_bin(n, n, p)) <= bound * (1 + 1e-9));
      CHECK(exact_largest_bin(n, 3, p) <= 3);
      for (auto const rule : rules) {
        auto const text = rule == block_rule::text || rule == block_rule::appendix;
        auto const out = [&] { return blocks_of(rule, {n, n}, p).out; };
        if (rule == block_rule::real)
          CHECK(out() == 0);
        else if (rule != block_rule::exact)
          check_count(
              text ? std::floor(as_double(n) / p + p / 2.0) + (rule == block_rule::appendix ? 1 : 0)
                   : bound + 1,
              out);
      }
    }
  for (int const p : no_processors) {
    INFO(p << " processors");
    check_refused([&] { return largest_bin(8, p); });
    check_refused([&] { return exact_largest_bin(8, 8, p); });
    check_refused([&] { return tight_row(0, 8, p); });
    for (auto const rule : rules) {
      check_refused([&] { return blocks_of(rule, {8, 8}, p); });
      check_refused([&] { return counting_sort_claims(8, p, 16, rule); });
      check_refused([&] { return radix_sort_claims(8, p, 32, 16, rule); });
    }
  }
  check_refused([] { return tight_row(0, 8, most_int); });
  check_refused([] { return counting_sort_claims(8, 4, 0, block_rule::real); });
  for (auto const n : sizes) {
    auto const row = tight_row(1, n, 4);
    CHECK(std::accumulate(row.begin(), row.end(), std::uint64_t{0}) == n);
    CHECK(room_in(block_rule::bound, n) == (n == 0 ? 0 : n - 1));
  }
}

TEST_CASE("boundary values: h-relations that are made") {
  constexpr std::array patterns{h_pattern::family,     h_pattern::ramp,        h_pattern::g_group,
                                h_pattern::tight,      h_pattern::lcg,         h_pattern::skew,
                                h_pattern::all_to_one, h_pattern::permutation, h_pattern::general,
                                h_pattern::orth};
  for (auto const pattern : patterns) {
    INFO(name_of(pattern));
    for (auto const n : sizes) {
      INFO(n);
      if (n >= power(31))
        check_refused(
            [&] { return generated_h_relation(pattern, {.processors = 4, .elements = n}); });
      for (auto const member : {&h_relation_size::received, &h_relation_size::sent,
                                &h_relation_size::group, &h_relation_size::targets}) {
        h_relation_size size{.processors = 4, .elements = 64};
        size.*member = n;
        check_made_or_refused([&] { return generated_h_relation(pattern, size); });
      }
    }
    for (int const p : {least_int, -1, 0, (1 << 25) + 1, most_int})
      check_refused(
          [&] { return generated_h_relation(pattern, {.processors = p, .elements = 64}); });
  }
  for (auto const n : sizes) {
    if (n >= power(31)) {
      check_refused([&] { return family_sizes(n, 4, n / 4); });
      check_refused([&] { return ramp_sizes(n, 4, n / 2); });
    }
    check_made_or_refused([&] { return family_sizes(64, 4, n); });
    check_made_or_refused([&] { return ramp_sizes(64, 4, n); });
  }
  check_refused([] { return family_sizes(64, most_int, 32); });
  check_refused([] { return ramp_sizes(64, most_int, 32); });
}

TEST_CASE("boundary values: rounds in which all processors meet") {
  for (auto const order : {round_order::lp, round_order::pex}) {
    for (int const p : no_processors) {
      check_refused([&] { return rounds_of(order, p); });
      check_refused([&] { return partners_in(order, 1, 0, p); });
    }
    for (int const value : {least_int, -1, 4, most_int}) {
      check_refused([&] { return partners_in(order, value, 1, 4); });
      check_refused([&] { return partners_in(order, 1, value, 4); });
    }
    CHECK(rounds_of(order, 1) == 0);
    CHECK(partners_in(order, 0, 3, 4).to == 3);
  }
  CHECK(rounds_of(round_order::lp, most_int) == most_int - 1);
  CHECK(rounds_of(round_order::pex, most_int) == most_int);
  auto const far = partners_in(round_order::lp, most_int - 1, most_int - 1, most_int);
  CHECK(far.to == most_int - 2);
  CHECK(far.from == 0);
}

TEST_CASE("boundary values: random routing") {
  for (int const p : no_processors) {
    check_refused([&] { return randomized_slot(8, p, 3); });
    check_refused([&] { return has_room_with_high_probability(p, 8); });
  }
  for (auto const n : sizes) {
    auto const slot = 3 * as_double(n) / 16;
    CHECK(came_of([&] { return randomized_slot(n, 4, 3); }) ==
          (slot <= 1e15 ? "right" : "invalid_argument"));
    CHECK_FALSE(has_room_with_high_probability(most_int, n));
  }
}

TEST_CASE("boundary values: packets of a broadcast by binomial trees") {
  for (int const d : {0, 1, 3, 30})
    for (auto const scheme : {msbt_scheme::optimal, msbt_scheme::plain})
      for (auto const k : sizes) {
        INFO(k << " packets, " << d << " dimensions");
        hypercube const cube{d};
        bool const any = d > 0 && k > 0;
        bool const plain = scheme == msbt_scheme::plain && d > 1;
        check_count(any ? as_double(k) + d - (plain ? 0 : 1) : 0,
                    [&] { return msbt_schedule(cube, k, scheme).steps(); });
        check_claims([&] { return msbt_claims(cube, k, scheme); });
        if (d != 3) continue;
        msbt_schedule const few(cube, 5, scheme);
        CHECK(few.dimension(k) == static_cast<int>(k % 3));
        if (k > 7) CHECK_FALSE(few.sent(1, k).has_value());
        if (k > 7) CHECK(few.packets_before(1, k).size() == 5);
      }
  hypercube const cube{3};
  check_refused([&] { return msbt_schedule(cube, most, msbt_scheme::plain); });
  check_refused([&] { return msbt_schedule(cube, most, msbt_scheme::optimal); });
}

TEST_CASE("boundary values: routes and prefixes, k at once") {
  hypercube const cube{3};
  binary_tree const tree{4};
  for (auto const k : sizes) {
    INFO(k);
    for (auto const which : {route::concentration, route::inverse_concentration, route::monotone})
      check_claims([&] { return route_claims(cube, which, k); });
    for (auto const which : {route::concentration, route::inverse_concentration, route::monotone})
      check_claims([&] { return one_port_route_claims(cube, which, k); });
    check_claims([&] { return prefix_claims(cube, k); });
    check_claims([&] { return prefix_claims(tree, k); });
    check_claims(
        [&] { return pipelined_prefix_claims(cube, pipelined_scheme::halving, k, ports::one); });
    check_claims(
        [&] { return pipelined_prefix_claims(tree, pipelined_scheme::lagged, k, ports::one); });
    check_claims([&] {
      return pipelined_segmented_prefix_claims(tree, pipelined_scheme::lagged, k, ports::one);
    });
    check_claims([&] {
      return pipelined_data_distribution_claims(cube, pipelined_scheme::halving, k, ports::one);
    });
    for (auto const& one : fastest_schemes(cube, k, ports::one)) CHECK(one.steps >= as_double(k));
  }
  for (int const d : {least_int, -1, 31, most_int})
    check_refused([&] { return greedy_schedule(d); });
  CHECK(came_of([] { return greedy_schedule(30); }) == "right");
  for (int const d : {least_int, -1, 0, 31, most_int}) {
    check_refused([&] { return embedding::inorder(d); });
    check_refused([&] { return embedding::upper_half(d); });
    check_refused([&] { return embedding::lower_half(d); });
  }
  CHECK(embedding::inorder(30).root() == (1 << 29) - 1);
  CHECK(embedding::lower_half(30).root() == (1 << 30) - 2);
}

TEST_CASE("boundary values: loads that are balanced") {
  for (auto const n : sizes)
    for (auto const packet : sizes) {
      INFO(n << " elements, packets of " << packet);
      std::vector<std::uint64_t> const loads{n, 0, 0, 0};
      auto const plan = [&] { return plan_balance(loads, packet); };
      if (packet == 0) {
        check_refused(plan);
        continue;
      }
      auto const made = plan();
      CHECK(std::accumulate(made.shares.begin(), made.shares.end(), std::uint64_t{0}) == n);
      CHECK(made.shares[0] - n / 4 <= 1);
      check_claims([&] { return balance_claims({4, 16, packet}, made); });
      check_made_or_refused([&] { return choose_balance_way(made, {packet, 16}); });
      check_made_or_refused([&] { return balance_counts(made, packet); });
    }
  check_refused([] {
    return plan_balance(std::vector<std::uint64_t>{power(63), 1, power(63), 0}, 3);
  });
  check_refused([] {
    return balance_counts(plan_balance(std::vector<std::uint64_t>{5, 0, 9, 0}, 1), most);
  });
  for (auto const tau : sizes)
    CHECK(cheaper_of_two_ways(4, {.packet = 2, .tau = tau}).first_k >= 0);
}

TEST_CASE("boundary values: sorts on a hypercube") {
  for (int const d : {least_int, -1, 31, most_int}) {
    INFO(d << " dimensions");
    check_refused([&] { return merge_claims(d, merge_lists::half, {}); });
    check_refused([&] { return merge_sort_claims(d, {}); });
    check_refused([&] { return bitonic_sort_claims(d, 1); });
    check_refused([&] { return odd_even_merge_sort_claims(d, 1); });
    check_refused([&] { return nassimi_sahni_sort_claims(d, 1); });
    check_refused([&] { return nassimi_sahni_sort_claims(3, d); });
    check_refused([&] { return multiway_merge_claims({.l = d}); });
    check_refused([&] { return multiway_merge_claims({.m = d}); });
    check_refused([&] { return multiway_sort_plan(d, 8, 1); });
    check_refused([&] { return multiway_sort_plan(3, 8, d); });
    check_refused([&] { return multiway_sort_plan::cheapest(d, 8); });
  }
  check_refused([] { return nassimi_sahni_sort_claims(0, 1); });
  check_refused([] { return nassimi_sahni_sort_claims(3, 0); });
  check_refused([] { return multiway_merge_claims({.l = 16, .m = 15}); });
  for (int const d : {0, 1, 3, 30})
    for (auto const k : sizes) {
      INFO(d << " dimensions, k = " << k);
      check_claims([&] { return merge_claims(d, merge_lists::half, {.k = k}); });
      check_claims([&] { return merge_claims(d, merge_lists::whole, {.k = k, .fused = true}); });
      check_claims([&] { return merge_sort_claims(d, {.k = k}); });
      check_claims([&] { return bitonic_sort_claims(d, k); });
      check_claims([&] { return odd_even_merge_sort_claims(d, k); });
      check_claims([&] { return multiway_merge_claims({.k = k, .l = d}); });
      CHECK(came_of([&] { return multiway_sort_plan(d, k, 0); }) ==
            (k < power(48) ? "right" : "invalid_argument"));
    }
}

TEST_CASE("boundary values: sorts on lines and meshes") {
  for (int const p : {least_int, -1, 0}) {
    check_refused([&] { return odd_even_transposition_sort_claims(p, 1); });
    check_refused([&] { return shear_sort_claims({p, 1}, 1); });
    check_refused([&] { return shear_sort_claims({1, p}, 1); });
  }
  for (int const p : {1, 2, 3, most_int})
    for (auto const k : sizes) {
      check_claims([&] { return odd_even_transposition_sort_claims(p, k); });
      check_claims([&] { return shear_sort_claims({p, 1}, k); });
      check_claims([&] { return shear_sort_claims({3, p}, k); });
    }
}

TEST_CASE("boundary values: sorts of columns") {
  for (int const p : no_processors) {
    check_refused([&] { return column_sort_rows(p); });
    check_refused([&] { return rotate_sort_blocks(p); });
    check_refused([&] { return rotate_sort_shears(4, p); });
    check_refused([&] { return choose_slice_rows(8, p, {}); });
  }
  CHECK(column_sort_rows(most_int) == 2 * (power(31) - 2) * (power(31) - 2));
  CHECK(rotate_sort_blocks(1 << 30).rows == 1 << 15);
  check_refused([] { return choose_slice_rows(8, 1 << 30, {}); });
  for (auto const q : sizes) {
    INFO("q = " << q);
    auto const shears = q == 0 ? 0 : std::ceil(std::log2(1 + 24 / as_double(q)));
    CHECK(rotate_sort_shears(q, 4) == (q > power(50) ? 1 : static_cast<int>(shears)));
    for (auto const packet : {std::uint64_t{1}, std::uint64_t{3}, power(62), most}) {
      INFO("packet " << packet);
      bdm_machine const on{4, 16, packet};
      for (auto const n : {std::uint64_t{64}, q}) {
        check_claims([&] { return column_sort_claims(on, n); });
        check_claims([&] { return column_sort_claims(on, n, q); });
        check_claims([&] { return rotate_sort_claims(on, n, {.rows = q}); });
        check_claims([&] { return sample_sort_claims(on, n, {.samples = q}, {}); });
        check_claims([&] { return median_sort_claims(on, n, {}, {}); });
      }
    }
    auto const time = [&] {
      return choose_slice_rows(64, 4, {.rows = q, .packet = 1}).spread_time;
    };
    if (q > power(62))
      check_made_or_refused(time);
    else
      CHECK(time() >= as_double(std::max<std::uint64_t>(q, 16)));
    CHECK(samples_of(q) <= 222);
    if (q >= power(31))
      check_refused([&] { return detail::drawn_sample(8, q, true, std::mt19937_64(1)); });
    CHECK(detail::drawn_sample(8, q, false, std::mt19937_64(1)).size() ==
          std::min<std::uint64_t>(q, 8));
  }
  CHECK(value_of(column_sort_claims({4, 16, 1}, most), "words") > 1e19);
  check_refused([] { return choose_slice_rows(64, 4, {.packet = most}); });
  for (int const shears : {least_int, -1})
    check_refused([&] { return choose_slice_rows(64, 4, {.shears = shears}); });
}

TEST_CASE("boundary values: digits, and keys that are made") {
  for (auto const n : sizes) {
    INFO(n);
    bool const is_radix = n == 2;
    CHECK(came_of([&] { return radix_passes(32, n); }) ==
          (is_radix ? "right" : "invalid_argument"));
    CHECK(radix_for(n, 4, 32) >= 2);
    for (auto const which : {key_distribution::random, key_distribution::small_entropy,
                             key_distribution::cyclic, key_distribution::nas}) {
      if (n >= power(which == key_distribution::cyclic ? 31 : 32))
        check_refused([&] { return generated_keys(which, n, 4); });
      if (n <= 2) CHECK(generated_keys(which, n, 4).size() == n);
      bool const has_block = which == key_distribution::cyclic ? n < power(31) : n <= power(40);
      if (!has_block) check_refused([&] { return generated_keys(which, n, 4, {0, 1}); });
      if (has_block && n > 0) CHECK(generated_keys(which, n, 4, {n - 1, 1}).size() == 1);
      check_refused([&] { return generated_keys(which, 8, 4, {n, 9}); });
      check_refused([&] { return generated_keys(which, 8, 4, {9, n}); });
    }
    CHECK(nas_random(n).next() < power(46));
  }
  for (int const p : no_processors) {
    check_refused([&] { return radix_for(8, p, 32); });
    check_refused([&] { return radix_for(8, 4, p); });  // bits of a key
    check_refused([&] { return radix_passes(p, 16); });
    check_refused([&] { return radix_sort_claims(8, 4, p, 16, block_rule::real); });
    check_refused([&] { return generated_keys(key_distribution::random, 8, p); });
    check_refused([&] { return generated_keys(key_distribution::cyclic, 8, p); });
  }
  CHECK(radix_passes(most_int, 2) == most_int);
  CHECK(generated_keys(key_distribution::cyclic, 3, most_int) ==
        std::vector<std::int32_t>{0, 1, 2});
  for (auto const n : sizes)
    CHECK(came_of([&] { return textbook::place_in_even_blocks(0, 8, n); }) ==
          (n > 0 && n < power(31) ? "right" : "invalid_argument"));
}

TEST_CASE("boundary values: vectors that are combined") {
  for (int const p : {1, 2, 4, 5})
    for (int const copies : {2, 3})
      for (auto const words : sizes) {
        INFO(words << " words, p " << p << ", " << copies << " copies");
        auto const piece = std::ceil(as_double(words) / p);
        check_count(copies * (p - 1.0) * piece, [&] {
          return vector_counts_of(vector_method::exchange, p, words, copies).words;
        });
        double halves = p == 5 ? as_double(words) : 0;
        for (int parts = 2; parts <= p; parts *= 2) halves += std::ceil(as_double(words) / parts);
        check_count(copies * halves,
                    [&] { return vector_counts_of(vector_method::fold, p, words, copies).words; });
        check_claims([&] { return vector_combine_claims(p, words, copies, {}); });
        CHECK(came_of([&] { return method_for({.startup_words = words}, p, 16, copies); }) ==
              "right");
      }
  for (int const p : no_processors) {
    check_refused([&] { return vector_counts_of(vector_method::fold, p, 8, 2); });
    check_refused([&] { return vector_counts_of(vector_method::fold, 5, 8, p); });
    check_refused([&] { return vector_combine_claims(p, 8, 2, {}); });
  }
  check_refused([] { return vector_counts_of(vector_method::fold, 5, 8, most_int); });
  check_refused([] { return vector_counts_of(vector_method::circulant, most_int, 8, 2); });
}

TEST_CASE("boundary values: traffic of a transportation") {
  constexpr std::array kinds{transportation_traffic::uniform,       transportation_traffic::shift,
                             transportation_traffic::doubled,       transportation_traffic::random,
                             transportation_traffic::hot,           transportation_traffic::gather,
                             transportation_traffic::worst_rounding};
  for (auto const kind : kinds) {
    INFO(name_of(kind));
    for (int const p : {least_int, -1, 0, (1 << 14) + 1, most_int})
      check_refused([&] { return generated_traffic(kind, p, 8, 1); });
    for (auto const t : sizes) {
      INFO(t);
      bool const refused = kind == transportation_traffic::random && t > (power(31) - 1) / 5;
      if (kind != transportation_traffic::random || t <= 2 || refused)
        CHECK(came_of([&] { return generated_traffic(kind, 5, t, 1); }) ==
              (refused ? "invalid_argument" : "right"));
    }
  }
  for (int const p : no_processors)
    check_refused(
        [&] { return loads_of(std::vector<std::uint64_t>(25), p, transportation_route::direct); });
  for (auto const route : {transportation_route::direct, transportation_route::two_stages}) {
    for (std::size_t const numbers : {0U, 24U, 26U})
      check_refused([&] { return loads_of(std::vector<std::uint64_t>(numbers), 5, route); });
    for (auto const t : sizes) {
      INFO(t);
      auto const loads = [&] { return loads_of(std::vector<std::uint64_t>(16, t), 4, route); };
      if (route == transportation_route::direct) {
        CHECK(loads().stage_1 == std::vector<std::uint64_t>(3, t));
        continue;
      }
      check_count(
          as_double(t), [&] { return loads().stage_1[0]; }, 4 * as_double(t));
      check_count(
          as_double(t), [&] { return loads().stage_2[0]; }, 4 * as_double(t));
    }
  }
}

TEST_CASE("boundary values: random accesses") {
  for (int const p : no_processors) {
    check_refused([&] { return bucket_layout(8, p); });
    check_refused([&] { return best_buckets_each(8, p); });
    check_refused([&] { return monotonic_write_claims(p, 8, 1); });
    check_refused([&] { return generalize_claims(p, 8, 1); });
    check_refused([&] { return concentrate_elements_claims(p, 8, 1); });
    check_refused([&] { return distribute_elements_claims(p, 8, 1); });
  }
  for (auto const n : sizes) {
    INFO(n);
    if (n > most - 3) check_refused([&] { return bucket_layout(n, 4); });
    if (n > power(63) + 1) check_refused([&] { return bucket_layout(n, 1, n / 2 + 1); });
    bucket_layout const layout(std::min(n, most - 3), 4);
    CHECK(layout.first_of(4) == layout.elements());
    CHECK(layout.first_of(3) >= layout.first_of(2));
    check_claims([&] { return monotonic_write_claims(4, n, n); });
    check_claims([&] { return generalize_claims(4, n, n); });
    check_claims([&] { return concentrate_elements_claims(4, n, n); });
    check_claims([&] { return distribute_elements_claims(4, n, n); });
    check_claims([&] { return random_access_write_claims(layout, {}, {}); });
    check_claims([&] { return random_access_read_claims(layout, {}, {}); });
    CHECK(elements_of(access_pattern::random, n) == n);
  }
  for (auto const price : sizes) {
    INFO(price);
    check_count(3 * as_double(price) + 5,
                [&] { return access_price{.startups = 3, .words = 5}.in_words(price); });
    check_count(3 * as_double(price) + 5,
                [&] { return read_price{.startups = 3, .words = 5}.in_words(price); });
    machine const pair{crossbar{2}};
    CHECK(came_of([&] {
            return pair.run([&](processor& me) {
              std::vector<std::size_t> const pointers{0};
              std::vector<int> const mine(price == 1 ? 2 : price == 2 ? 4 : 0);
              return random_access_read(me, bucket_layout(4, 2), std::span(pointers),
                                        std::span<int const>(mine), {.elements_each = price});
            });
          }) == (price == 1 || price == 2 ? "right" : "processor_failed"));
  }
  for (int const dots : {least_int, -1, 101, most_int})
    check_refused(
        [&] { return generated_pointers(access_pattern::random, bucket_layout(8, 4), 1, dots); });
}

TEST_CASE("boundary values: Fourier transforms and matrix products") {
  for (auto const layout : {fft_layout::cyclic, fft_layout::block}) {
    for (int const p : no_processors) {
      check_refused([&] { return fft_rows_of(layout, 8, p, 0); });
      check_refused([&] { return fft_index(layout, 8, p, 0, 0); });
    }
    for (int const rank : {least_int, -1, 4, most_int})
      check_refused([&] { return fft_rows_of(layout, 8, 4, rank); });
    check_refused([&] { return fft_index(layout, 3, 4, 0, 0); });
    for (auto const rows : sizes) {
      std::uint64_t in_all = 0;
      for (int rank = 0; rank < 3; ++rank) in_all += fft_rows_of(layout, rows, 3, rank).count;
      CHECK(in_all == rows);
    }
  }
  for (auto const n : sizes)
    for (auto const packet : {std::uint64_t{0}, std::uint64_t{1}, power(62), most}) {
      INFO(n << ", packet " << packet);
      check_claims([&] { return fft_claims({4, 16, packet}, n); });
      check_claims([&] { return matrix_product_claims({8, 16, packet}, n, {}); });
      product_shape const column{n, 2, 2};
      if (packet != 0 && n < power(62)) {
        auto const block = packed(2 * n, packet);  // of A, and of the product
        auto const square = packed(4, packet);
        check_count(
            3 * block + 2 * square,
            [&] {
              return claimed(matrix_product_claims({8, 16, packet}, column, {.whole = true}),
                             "words");
            },
            10 * block + 6 * square);
      }
      check_claims([&] { return cannon_claims(4, packet, {n, 2, 2}, n); });
      check_claims([&] { return summa_claims(4, packet, {n, 2, 2}, n); });
    }
  constexpr product_shape large{most, most, most};
  check_refused([&] { return large.left(); });
  check_refused([&] { return large.right(); });
  check_refused([&] { return large.result(); });
  check_refused([&] { return choose_product_way({8, 16, 1}, large, {}); });
  check_refused([&] { return cannon_claims(4, 1, large, 8); });
  for (int const side : {least_int, -1, 0, 46341, most_int}) {
    check_refused([&] { return cannon_claims(side, 1, {2, 2, 2}, 8); });
    check_refused([&] { return summa_claims(side, 1, {2, 2, 2}, 8); });
    check_refused([&] { return summa_claims(4, 1, {2, 2, 2}, 8, {.panels = side}); });
  }
  check_refused([] { return summa_claims(46340, 1, {2, 1 << 20, 2}, 8, {.panels = 1 << 20}); });
  for (int const p : {least_int, -1, 0, most_int})
    check_refused([&] { return choose_product_way({p, 16, 1}, {2, 2, 2}, {}); });
}

TEST_CASE("boundary values: rims of blocks") {
  torus const torus{{4, 4}};
  mesh const mesh{{4, 2}};
  for (auto const size : sizes)
    for (auto const packet : sizes) {
      INFO("size " << size << ", packet " << packet);
      check_claims([&] { return halo_claims(torus, {{size, 2}, 1}, packet); });
      check_claims([&] { return halo_claims(mesh, {{size, size}, size}, packet); });
      if (packet == 0) check_refused([&] { return halo_claims(torus, {{2, 2}, 1}, packet); });
      if (size == 0 || size > power(53) || packet != 1) continue;
      CHECK(value_of(halo_claims(torus, {{size, 2}, 1}), "words") ==
            2 * 2 + 2 * (as_double(size) + 2));
    }
  check_refused([&] { return halo_claims(torus, {{most, 2}, 1}); });
  check_refused([&] { return halo_claims(torus, {{2, 2}, most}); });
  check_refused([&] { return halo_claims(torus, {{2}, 1}); });
  for (auto const size : sizes) {  // a field of four elements has blocks of two
    if (size == 2) continue;
    std::vector<int> field(4);
    CHECK(came_of([&] {
            machine{torus}.run([&](processor& me) {
              auto row = me.row();
              exchange_halo(row, {{size}, 1}, field);
            });
          }) == "processor_failed");
  }
}

TEST_CASE("boundary values: complete exchanges") {
  torus const torus{{4, 4}};
  mesh const mesh{{4, 4}};
  for (auto const words : sizes) {
    INFO(words);
    check_claims([&] { return all_to_all_claims(torus, words); });
    check_claims([&] { return all_to_all_direct_claims(torus, words); });
    check_claims([&] { return all_to_all_binary_claims(mesh, words); });
    check_claims([&] { return all_to_all_cyclic_claims(mesh, words); });
    auto const direct = all_to_all_direct_claims(torus, words);
    CHECK(value_of(direct, "words") == 15 * as_double(words));
    for (auto const& rival : exchange_rivals()) {
      auto const came = came_of([&] { return claimed_costs(rival, 3, words); });
      CHECK((came == "right" || came == "invalid_argument"));
      if (came == "right") CHECK(claimed_costs(rival, 3, words).words >= words);
    }
  }
  for (auto const& rival : exchange_rivals())
    for (int const d : {least_int, -1, 0, most_int})
      check_refused([&] { return claimed_costs(rival, d, 1); });
  for (int const value : {least_int, -1, 0}) {
    check_refused([&] { return best_groups({value, 4, 4}, 4); });
    check_refused([&] { return best_groups({4, 4, 4}, value); });
  }
  check_refused([] { return best_groups({4, 4, 4}, most_int); });
}
