#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/sorting/bitonic_sort.hpp>
#include <lockstep/algorithms/sorting/column_sort.hpp>
#include <lockstep/algorithms/sorting/median_sort.hpp>
#include <lockstep/algorithms/sorting/merge_sort.hpp>
#include <lockstep/algorithms/sorting/multiway_merge_sort.hpp>
#include <lockstep/algorithms/sorting/nassimi_sahni_sort.hpp>
#include <lockstep/algorithms/sorting/odd_even_merge_sort.hpp>
#include <lockstep/algorithms/sorting/odd_even_transposition_sort.hpp>
#include <lockstep/algorithms/sorting/radix_sort.hpp>
#include <lockstep/algorithms/sorting/rotate_sort.hpp>
#include <lockstep/algorithms/sorting/sample_sort.hpp>
#include <lockstep/algorithms/sorting/shear_sort.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>

#include "core/machines.hpp"
#include "sorting/sort_runs.hpp"

// What every sort has to show, whichever it is: it sorts any number of any keys, stably where it says so, by
// any order and any elements; equal blocks are left, or those that it says; it costs what it claims, and the
// same on every engine. What is particular to a sort is in its own file.

using lockstep::claim;
using lockstep::processor;
using sorts::block_sizes;
using sorts::key_order;
using sorts::records;

namespace {

/// Whether elements may lie anyhow at first.
enum class held_at_first : std::uint8_t {
  evenly,   ///< in even blocks
  equally,  ///< the same number on each processor
  anyhow,
  one_each  ///< on the first processors
};

/// A sort under test.
struct sort_row {
  std::string name;
  std::vector<std::string> networks;
  lockstep::ports ports = lockstep::ports::one;
  held_at_first held = held_at_first::evenly;
  bool is_stable = true;
  bool leaves_even_blocks = true;
  /// The elements for which each processor has room, if that is not any number.
  std::function<std::size_t(std::size_t n, int p)> rows{};
  std::function<std::size_t(int p)> most_elements{};
  std::function<std::vector<int>(lockstep::topology const& on)> order_of_ranks{};
  std::function<std::vector<claim>(lockstep::topology const& on, std::size_t n)> claims{};

  std::function<records(processor&, records, std::size_t n)> by_key{};
  std::function<std::vector<double>(processor&, std::vector<double>, std::size_t n)> falling{};
  std::function<sorts::wide_records(processor&, sorts::wide_records, std::size_t n)> wide{};
};

/// Completes a row by `sort(me, elements, n, order)`.
template <class Sort>
sort_row row(sort_row of, Sort const& sort) {
  of.by_key = [sort](processor& me, records mine, std::size_t n) {
    return sorts::elements_in(sort(me, std::move(mine), n, sorts::key_is_less{}));
  };
  of.falling = [sort](processor& me, std::vector<double> mine, std::size_t n) {
    return sorts::elements_in(sort(me, std::move(mine), n, std::greater<>{}));
  };
  of.wide = [sort](processor& me, sorts::wide_records mine, std::size_t n) {
    return sorts::elements_in(sort(me, std::move(mine), n, sorts::key_is_less{}));
  };
  return of;
}

std::vector<std::string> numbered_networks(std::string const& kind, std::vector<int> const& sizes) {
  std::vector<std::string> networks;
  for (int const size : sizes) networks.push_back(kind + ":" + std::to_string(size));
  return networks;
}

std::vector<std::string> const cubes = numbered_networks("hypercube", {0, 1, 2, 3, 4, 5, 7});
std::vector<std::string> const crossbars =
    numbered_networks("crossbar", {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 17});
int dimensions_of(int p) {
  int d = 0;
  while (1 << d < p) ++d;
  return d;
}

std::size_t largest_block(std::size_t n, int p) { return lockstep::even_block(n, p, 0).count; }

double slots_for_all(processor const& me) { return static_cast<double>(me.size()) * me.size(); }

void add_bucket_sorts(std::vector<sort_row>& all) {
  for (auto const way : {lockstep::median_sort_route::direct, lockstep::median_sort_route::random})
    all.push_back(row({.name = std::string("median sort, ") + std::string(name_of(way)),
                       .networks = crossbars,
                       .held = held_at_first::anyhow},
                      [way](processor& me, auto mine, std::size_t n, auto const& less) {
                        return median_sort(me, std::move(mine), n, less,
                                           {.way = way, .c = slots_for_all(me)});
                      }));
  for (bool const evened_out : {false, true})
    all.push_back(row({.name = evened_out ? "sample sort, evened out" : "sample sort",
                       .networks = crossbars,
                       .held = held_at_first::anyhow,
                       .leaves_even_blocks = evened_out},
                      [evened_out](processor& me, auto mine, std::size_t n, auto const& less) {
                        return sample_sort(me, mine, n, less,
                                           {.c = slots_for_all(me), .evened_out = evened_out});
                      }));
}

/// Sorts in columns, of which each processor ends with one: as long as they have to be, where elements lie
/// evenly, and with room for any sizes of blocks.
void add_column_sorts(std::vector<sort_row>& all) {
  all.push_back(row(
      {.name = "column sort",
       .networks = numbered_networks("crossbar", {1, 2, 3, 4, 5, 7}),
       .is_stable = false,
       .rows = [](std::size_t n,
                  int p) { return std::max(largest_block(n, p), lockstep::column_sort_rows(p)); },
       .claims =
           [](lockstep::topology const& on, std::size_t n) {
             auto const rows =
                 std::max(largest_block(n, on.size()), lockstep::column_sort_rows(on.size()));
             return lockstep::column_sort_claims({.p = on.size()}, n, rows);
           }},
      [](processor& me, auto mine, std::size_t n, auto const& less) {
        auto const rows =
            std::max(largest_block(n, me.size()), lockstep::column_sort_rows(me.size()));
        bool const is_full = rows * static_cast<std::size_t>(me.size()) == n;
        return column_sort(me, std::move(mine), n, less, {.rows = is_full ? 0 : rows});
      }));
  all.push_back(row({.name = "column sort of any sizes, stable",
                     .networks = numbered_networks("crossbar", {1, 2, 3, 4, 5, 6}),
                     .held = held_at_first::anyhow,
                     .rows = [](std::size_t, int) { return std::size_t{90}; }},
                    [](processor& me, auto mine, std::size_t n, auto const& less) {
                      return column_sort(me, std::move(mine), n, less,
                                         {.rows = 90, .stable = true});
                    }));
  for (auto const slices : {lockstep::slice_rows::spread, lockstep::slice_rows::whole})
    for (std::size_t const rows : {0U, 48U}) {
      bool const is_spread = slices == lockstep::slice_rows::spread;
      lockstep::rotate_sort_options const options{.rows = rows, .stable = true, .slices = slices};
      sort_row of{.name = is_spread ? "rotate sort" : "rotate sort, slices whole",
                  .networks = numbered_networks("crossbar", {1, 2, 4, 8, 9, 16}),
                  .held = rows > 0 ? held_at_first::anyhow : held_at_first::evenly,
                  .rows =
                      [options](std::size_t n, int p) {
                        return lockstep::detail::plan_of_rotate_sort(n, p, options).rows();
                      },
                  .claims =
                      [options](lockstep::topology const& on, std::size_t n) {
                        return lockstep::rotate_sort_claims({.p = on.size()}, n, options);
                      }};
      if (is_spread && rows == 0)
        for (auto const& more : numbered_networks("crossbar", {25, 32, 36, 64}))
          of.networks.push_back(more);
      all.push_back(row(of, [options](processor& me, auto mine, std::size_t n, auto const& less) {
        return rotate_sort(me, std::move(mine), n, less, options);
      }));
    }
}

void add_merging_sorts(std::vector<sort_row>& all) {
  for (bool const fused : {false, true})
    for (auto const prefix : {lockstep::pipelined_scheme::fft, lockstep::pipelined_scheme::halving})
      all.push_back(row({.name = std::string(fused ? "fused " : "") + "merge sort by " +
                                 std::string(name_of(prefix)),
                         .networks = cubes,
                         .ports = lockstep::ports::all,
                         .leaves_even_blocks = false,
                         .claims =
                             [=](lockstep::topology const& on, std::size_t n) {
                               return lockstep::merge_sort_claims(
                                   dimensions_of(on.size()),
                                   {largest_block(n, on.size()), fused, prefix});
                             }},
                        [=](processor& me, auto mine, std::size_t n, auto const& less) {
                          return merge_sort(me, std::move(mine),
                                            {largest_block(n, me.size()), fused, prefix}, less);
                        }));
  for (bool const fused : {false, true})
    for (int const most_rows : {0, 1, 2, 5}) {
      auto const plan_for = [=](int p, std::size_t n) {
        int const d = dimensions_of(p);
        return lockstep::multiway_sort_plan(d, n, std::min(d, most_rows), fused);
      };
      all.push_back(row({.name = std::string(fused ? "fused " : "") +
                                 "multi-way merge sort, l = " + std::to_string(most_rows),
                         .networks = cubes,
                         .ports = lockstep::ports::all,
                         .leaves_even_blocks = most_rows > 0,
                         .claims =
                             [=](lockstep::topology const& on, std::size_t n) {
                               return multiway_merge_sort_claims(plan_for(on.size(), n));
                             }},
                        [=](processor& me, auto mine, std::size_t n, auto const& less) {
                          return multiway_merge_sort(me, std::move(mine), plan_for(me.size(), n),
                                                     less);
                        }));
    }
}

void add_merge_split_sorts(std::vector<sort_row>& all) {
  auto const k_of = [](lockstep::topology const& on, std::size_t n) {
    return n / static_cast<std::size_t>(on.size());
  };
  sort_row of{.name = "bitonic sort",
              .networks = cubes,
              .held = held_at_first::equally,
              .is_stable = false,
              .claims = [k_of](lockstep::topology const& on, std::size_t n) {
                return lockstep::bitonic_sort_claims(dimensions_of(on.size()), k_of(on, n));
              }};
  all.push_back(row(of, [](processor& me, auto mine, std::size_t, auto const& less) {
    return bitonic_sort(me, std::move(mine), less);
  }));
  of.name = "odd-even merge sort";
  of.claims = [k_of](lockstep::topology const& on, std::size_t n) {
    return lockstep::odd_even_merge_sort_claims(dimensions_of(on.size()), k_of(on, n));
  };
  all.push_back(row(of, [](processor& me, auto mine, std::size_t, auto const& less) {
    return odd_even_merge_sort(me, std::move(mine), less);
  }));
  of.name = "odd-even transposition sort";
  of.networks = numbered_networks("mesh", {1, 2, 3, 4, 5, 6, 7, 8, 9, 16});
  of.claims = [k_of](lockstep::topology const& on, std::size_t n) {
    return lockstep::odd_even_transposition_sort_claims(on.size(), k_of(on, n));
  };
  all.push_back(row(of, [](processor& me, auto mine, std::size_t, auto const& less) {
    return odd_even_transposition_sort(me, std::move(mine), less);
  }));
  of.name = "shear sort";
  of.networks = {"mesh:1x1", "mesh:1x5", "mesh:5x1", "mesh:2x2",
                 "mesh:2x3", "mesh:3x2", "mesh:4x4", "mesh:5x6"};
  of.claims = [k_of](lockstep::topology const& on, std::size_t n) {
    return shear_sort_claims(lockstep::mesh_shape::of(on), k_of(on, n));
  };
  of.order_of_ranks = [](lockstep::topology const& on) {
    auto const shape = lockstep::mesh_shape::of(on);
    std::vector<int> ranks(static_cast<std::size_t>(on.size()));
    for (int rank = 0; rank < on.size(); ++rank)
      ranks[static_cast<std::size_t>(shape.place_of(rank))] = rank;
    return ranks;
  };
  all.push_back(row(of, [](processor& me, auto mine, std::size_t, auto const& less) {
    return shear_sort(me, std::move(mine), less);
  }));
}

/// Sorts by whole keys, and one of a value on each of some processors.
void add_other_sorts(std::vector<sort_row>& all) {
  for (auto const blocks : {lockstep::block_rule::real, lockstep::block_rule::bound}) {
    bool const is_real = blocks == lockstep::block_rule::real;
    all.push_back({.name = "radix sort, blocks " + std::string(name_of(blocks)),
                   .networks = crossbars,
                   .held = is_real ? held_at_first::anyhow : held_at_first::evenly,
                   .claims =
                       [=](lockstep::topology const& on, std::size_t n) {
                         return lockstep::radix_sort_claims(n, on.size(), 32, 256, blocks);
                       },
                   .by_key =
                       [=](processor& me, records mine, std::size_t) {
                         return radix_sort(me, std::move(mine), &sorts::record::key, {256, blocks});
                       }});
  }
  for (int ways = 1; ways <= 7; ++ways) {
    std::vector<int> sizes;
    for (int d = ways; d <= 7; ++d) sizes.push_back(d);
    all.push_back(row(
        {.name = "Nassimi and Sahni's sort, l = " + std::to_string(ways),
         .networks = numbered_networks("hypercube", sizes),
         .held = held_at_first::one_each,
         .leaves_even_blocks = false,
         .most_elements = [=](int p) { return static_cast<std::size_t>(p >> ways); },
         .claims =
             [=](lockstep::topology const& on, std::size_t /*any*/) {
               return lockstep::nassimi_sahni_sort_claims(dimensions_of(on.size()), ways);
             }},
        [ways]<class T>(processor& me, std::vector<T> const& mine, std::size_t, auto const& less) {
          std::optional<T> const own = mine.empty() ? std::nullopt : std::optional<T>(mine.front());
          return sorts::elements_in(nassimi_sahni_sort(me, own, ways, less));
        }));
  }
}

std::vector<sort_row> const& all_sorts() {
  static std::vector<sort_row> const all = [] {
    std::vector<sort_row> rows;
    add_bucket_sorts(rows);
    add_column_sorts(rows);
    add_merging_sorts(rows);
    add_merge_split_sorts(rows);
    add_other_sorts(rows);
    return rows;
  }();
  return all;
}

/// As many elements as the sort takes on that machine, n or fewer.
std::size_t elements_for(sort_row const& of, std::size_t n, int p) {
  auto const each = static_cast<std::size_t>(p);
  if (of.held == held_at_first::equally) n -= n % each;
  if (of.rows) n = std::min(n, of.rows(n, p) * each);
  return of.most_elements ? std::min(n, of.most_elements(p)) : n;
}

block_sizes sizes_at_first(sort_row const& of, std::size_t n, int p) {
  return of.held == held_at_first::one_each ? sorts::sizes_in_columns(n, 1, p)
                                            : sorts::even_sizes(n, p);
}

/// Runs a row's sort, checks the sizes of blocks, and that the elements are sorted as std::stable_sort
/// does, or where equal ones need not stay in order, that they are sorted.
template <class T, class Less, class Sort>
auto check_sorted(sort_row const& of, lockstep::machine const& on, std::vector<T> const& all,
                  block_sizes const& sizes, Less const& less, Sort const& sort) {
  auto const n = all.size();
  auto const ranks = of.order_of_ranks ? of.order_of_ranks(on.topology()) : std::vector<int>{};
  auto sorted = sorts::run_sort(
      on, all, sizes,
      [&](processor& me, std::vector<T> mine) { return sort(me, std::move(mine), n); }, ranks);
  auto const expected = sorts::stably_sorted(all, less);
  if constexpr (std::is_same_v<T, sorts::record>) {
    CHECK((of.is_stable ? sorted.all == expected : sorts::are_sorted(sorted.all, all)));
  } else {
    CHECK(std::ranges::is_sorted(sorted.all, less));
    CHECK(sorted.all.size() == n);
    if (of.is_stable || std::is_same_v<T, double>) CHECK(sorted.all == expected);
  }
  if (of.rows)
    CHECK(sorted.sizes == sorts::sizes_in_columns(n, of.rows(n, on.size()), on.size()));
  else if (of.leaves_even_blocks)
    CHECK(sorted.sizes == sorts::even_sizes(n, on.size()));
  return sorted;
}

lockstep::machine machine_for(sort_row const& of, std::string const& spec,
                              lockstep::machine_options options = {}) {
  options.strict = true;
  options.ports = of.ports;
  return lockstep::machine(lockstep::parse(spec), options);
}

sort_row const& any_sort() {
  return all_sorts()[GENERATE(range(std::size_t{0}, all_sorts().size()))];
}

}  // namespace

TEST_CASE("every sort sorts any number of any keys, and costs what it claims", "[sorting]") {
  auto const& of = any_sort();
  for (auto const& spec : of.networks) {
    auto const on = machine_for(of, spec, {.workers = 1});
    auto const p = static_cast<std::size_t>(on.size());
    std::set<std::size_t> sizes;
    for (auto const n : {std::size_t{0}, p, 3 * p + 1})
      sizes.insert(elements_for(of, n, on.size()));
    if (p <= 17)
      for (auto const n : {std::size_t{1}, std::size_t{2}, std::size_t{3}, p - 1, p + 1,
                           std::size_t{50}, 7 * p, 20 * p, 20 * p + 5, p * p + 3})
        sizes.insert(elements_for(of, n, on.size()));
    for (auto const n : sizes)
      for (auto const order : sorts::all_orders) {
        INFO(of.name << " on " << spec << ", n = " << n << ", order " << static_cast<int>(order));
        auto const all = sorts::records_in(order, n);
        auto const sorted = check_sorted(of, on, all, sizes_at_first(of, n, on.size()),
                                         sorts::key_is_less{}, of.by_key);
        if (of.claims) sorts::check_claims(of.claims(on.topology(), n), sorted.counts());
      }
  }
}

TEST_CASE("every sort sorts all sequences of 0 and 1", "[sorting][once]") {
  auto const& of = any_sort();
  for (auto const& spec : of.networks) {
    auto const on = machine_for(of, spec, {.workers = 1});
    int const p = on.size();
    if (p > (of.held == held_at_first::one_each ? 32 : 9)) continue;
    for (std::size_t const n : std::set<std::size_t>{1, 3, 8, static_cast<std::size_t>(p)}) {
      if (n > 9 || elements_for(of, n, p) != n) continue;
      INFO(of.name << " on " << spec << ", n = " << n);
      for (unsigned word = 0; word < 1U << n; ++word) {
        auto const all = sorts::with_numbers<sorts::record>(sorts::bits_of(word, n));
        auto const sorted =
            check_sorted(of, on, all, sizes_at_first(of, n, p), sorts::key_is_less{}, of.by_key);
        if (of.claims) sorts::check_claims(of.claims(on.topology(), n), sorted.counts());
      }
    }
  }
}

TEST_CASE("every sort takes other elements and orders, in as many rounds", "[sorting]") {
  auto const& of = any_sort();
  if (!of.falling) return;
  for (auto const& spec : of.networks) {
    auto const on = machine_for(of, spec, {.workers = 1});
    auto const p = static_cast<std::size_t>(on.size());
    for (auto const asked : {10 * p + 3, 20 * p}) {
      auto const n = elements_for(of, asked, on.size());
      INFO(of.name << " on " << spec << ", n = " << n);
      auto const sizes = sizes_at_first(of, n, on.size());
      auto const keys = sorts::keys_below(100, n);
      std::vector<double> halves(keys.begin(), keys.end());
      for (auto& half : halves) half = half / 2 - 20;
      check_sorted(of, on, halves, sizes, std::greater<>{}, of.falling);
      auto const plain = check_sorted(of, on, sorts::with_numbers<sorts::record>(keys), sizes,
                                      sorts::key_is_less{}, of.by_key);
      auto const wide = check_sorted(of, on, sorts::with_numbers<sorts::wide_record>(keys), sizes,
                                     sorts::key_is_less{}, of.wide);
      CHECK(wide.counts().rounds == plain.counts().rounds);
    }
  }
}

TEST_CASE("every sort counts the same on every engine", "[sorting][threads][sanitize]") {
  for (auto const& of : all_sorts()) {
    auto const& spec = of.networks[of.networks.size() / 2];
    auto const first_on = machine_for(of, spec, {.workers = 1});
    int const p = first_on.size();
    auto const n = elements_for(of, 6 * static_cast<std::size_t>(p) + 2, p);
    auto const all = sorts::records_below(20, n);
    auto const run = [&](lockstep::machine const& on) {
      auto const sorted =
          check_sorted(of, on, all, sizes_at_first(of, n, p), sorts::key_is_less{}, of.by_key);
      return std::pair(sorted.all, sorted.counts());
    };
    auto const first = run(first_on);
    for (auto const& choice : reference::all_engines()) {
      INFO(of.name << " on " << spec << " and " << choice);
      CHECK((run(machine_for(of, spec, reference::on(choice))) == first));
    }
  }
}

TEST_CASE("sorts take elements as they lie, on processors with more and with fewer", "[sorting]") {
  auto const& of = any_sort();
  if (of.held != held_at_first::anyhow) return;
  for (auto const& spec : of.networks)
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      auto const on = machine_for(of, spec, {.packet = seed, .workers = 1});
      auto sizes = sorts::random_sizes(on.size(), of.rows ? of.rows(0, on.size()) : seed * 4, seed);
      if (seed % 4 == 0) std::fill(sizes.begin() + 1, sizes.end(), 0U);  // all on one
      std::size_t n = 0;
      for (auto const size : sizes) n += size;
      INFO(of.name << " on " << spec << ", seed " << seed << ", n = " << n);
      auto const all = sorts::records_below(seed % 2 == 0 ? 1U << 31U : 5, n, seed);
      check_sorted(of, on, all, sizes, sorts::key_is_less{}, of.by_key);
    }
}
