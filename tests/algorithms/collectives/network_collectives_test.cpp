#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/all_reduce.hpp>
#include <lockstep/algorithms/collectives/barrier.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/detail/line_trees.hpp>
#include <lockstep/algorithms/collectives/detail/rank_axes.hpp>
#include <lockstep/algorithms/collectives/reduce.hpp>
#include <lockstep/algorithms/collectives/reduce_scatter.hpp>
#include <lockstep/algorithms/collectives/scan.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/collectives/total_exchange.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/cost_models.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/parse.hpp>

#include "algorithms/collectives/network_samples.hpp"
#include "algorithms/shown_at.hpp"
#include "catch.hpp"
#include "experiments/refusal_of.hpp"

using namespace network_samples;  // NOLINT(google-build-using-namespace)

TEST_CASE("collectives on every network, by every scheme that fits, strict: results and counts") {
  for_each_call(lockstep::ports::one, [](std::shared_ptr<lockstep::topology const> const& network,
                                         chosen_call const& what) {
    lockstep::machine const machine{network, {.strict = true}};
    auto const run = machine.run([&](processor& me) { return call(me, what); });
    bool is_right = true;
    for (int rank = 0; rank < network->size(); ++rank)
      is_right &=
          run.results()[static_cast<std::size_t>(rank)] == expected(rank, network->size(), what);
    CHECK(is_right);
    if (is_of_papers(what)) return;
    auto const claimed =
        lockstep::collective_counts(what.operation, *network, what.n,
                                    {.scheme = what.scheme, .root = what.root, .commutes = true});
    auto const& counts = run.counts();
    CHECK(counts.rounds == claimed.rounds);
    CHECK(counts.startups == claimed.startups);
    CHECK(counts.words == claimed.words);
    CHECK(counts.volume == claimed.volume);
    CHECK(counts.messages == claimed.messages);
    CHECK(counts.contention <= 1);
    CHECK(counts.queued == 0);
  });
}

namespace {

/// The name by which a collective on a network shows what processors have; empty where it shows no values.
std::string name_of_values(chosen_call const& what) {
  using enum collective_operation;
  if (is_of_papers(what) || what.scheme == collective_scheme::direct ||
      what.scheme == collective_scheme::circulant)
    return {};
  switch (what.operation) {
    case broadcast:
      return "values of the block";
    case scatter:
    case gather:
    case all_gather:
      return "values of the blocks";
    case reduce:
    case all_reduce:
    case reduce_scatter:
      return "values of the sum";
    default:
      return {};
  }
}

/// What a processor has before the first step.
int_list held_first(int rank, int p, chosen_call const& what) {
  using enum collective_operation;
  bool const is_at_root = rank == what.root;
  if (what.operation == broadcast) return is_at_root ? block_of(rank, what.n) : int_list{};
  if (what.operation == scatter) return is_at_root ? blocks_of_all(p, what.n) : int_list{};
  return block_of(rank,
                  what.operation == reduce_scatter ? what.n * static_cast<std::size_t>(p) : what.n);
}

using held_values = std::map<int, reference::shown_by_name>;

int_list numbers_held(held_values const& held, int rank, std::string const& name) {
  if (!held.contains(rank) || !held.at(rank).contains(name)) return {};
  auto const numbers = reference::numbers_in(held.at(rank).at(name));
  return {numbers.begin(), numbers.end()};
}

}  // namespace

TEST_CASE(
    "collectives on networks show what each processor has, from the first step to its result") {
  for_each_call(lockstep::ports::one, [](std::shared_ptr<lockstep::topology const> const& network,
                                         chosen_call const& what) {
    auto const name = name_of_values(what);
    int const p = network->size();
    if (name.empty() || p == 1 || what.n != 3) return;
    reference::call_log log;
    auto const run =
        lockstep::machine{network}.run([&](processor& me) { return call(me, what); }, log);
    auto const first = reference::held_after(log, 0);
    auto const last = reference::held_after(log, run.counts().steps);
    for (int rank = 0; rank < p; ++rank) {
      INFO("processor " << rank);
      auto shown_first = numbers_held(first, rank, name);
      if (what.operation == collective_operation::scatter)  // a tree's root has them by subtrees
        std::ranges::sort(shown_first);
      CHECK(shown_first == held_first(rank, p, what));
      if (auto const result = expected(rank, p, what); !result.empty())
        CHECK(numbers_held(last, rank, name) == result);
    }
  });
}

TEST_CASE("complete exchanges on networks show each block once, where it is, after each step") {
  for (auto const& spec : networks) {
    auto const network = lockstep::parse(spec);
    auto const p = network->size();
    for (auto const scheme : schemes_of(collective_operation::all_to_all, *network)) {
      INFO(spec << " by " << name_of(scheme));
      reference::call_log log;
      auto const run = lockstep::machine{network}.run(
          [&](processor& me) {
            return call(me, {collective_operation::all_to_all, scheme, 0, 2});
          },
          log);
      auto const labels_at = [&](held_values const& held, int rank) {
        auto labels = std::get<reference::labels>(held.at(rank).at("blocks"));
        std::ranges::sort(labels, {}, [](lockstep::block_label const& one) {
          return std::pair(one.source, one.destination);
        });
        return labels;
      };
      auto const first = reference::held_after(log, 0);
      auto const last = reference::held_after(log, run.counts().steps);
      for (int rank = 0; rank < p; ++rank) {
        reference::labels own;
        reference::labels for_it;
        for (int other = 0; other < p; ++other) {
          own.push_back({rank, other});
          for_it.push_back({other, rank});
        }
        CHECK(labels_at(first, rank) == own);
        CHECK(labels_at(last, rank) == for_it);
      }
      for (std::uint64_t step = 1; step <= run.counts().steps; ++step) {
        auto const held = reference::held_after(log, step);
        std::set<std::pair<int, int>> blocks;
        std::size_t count = 0;
        for (int rank = 0; rank < p; ++rank)
          for (auto const& one : labels_at(held, rank)) {
            blocks.emplace(one.source, one.destination);
            ++count;
          }
        INFO("after step " << step);
        CHECK(blocks.size() == count);          // none is twice
        if (scheme != collective_scheme::tree)  // whose messages are under way between steps
          CHECK(count == static_cast<std::size_t>(p) * static_cast<std::size_t>(p));
      }
    }
  }
}

TEST_CASE("collectives that choose by themselves take a scheme that fits, and the cheapest") {
  auto const taken = [](collective_operation operation, char const* spec, std::size_t n,
                        bool commutes = true) {
    auto const network = lockstep::parse(spec);
    auto const fitting = schemes_of(operation, *network);
    auto const chosen = lockstep::collective_counts(operation, *network, n, {.commutes = commutes});
    auto const price = [](lockstep::schedule_counts const& of) {
      return of.rounds * lockstep::usual_startup_words + of.words;
    };
    for (auto const scheme : fitting) {
      if (!commutes && scheme != collective_scheme::binomial) continue;
      INFO(name_of(operation) << " on " << spec << ", " << n << ": " << name_of(scheme));
      CHECK(price(chosen) <= price(lockstep::collective_counts(
                                 operation, *network, n, {.scheme = scheme, .commutes = true})));
    }
    return chosen.rounds;
  };
  using enum collective_operation;
  CHECK(taken(all_reduce, "mesh:8x8", 1) == 12);            // trees
  CHECK(taken(all_reduce, "mesh:8x8", 6400) == 28);         // rings
  CHECK(taken(all_reduce, "mesh:8x8", 6400, false) == 12);  // in the order of ranks
  CHECK(taken(all_reduce, "hypercube:6", 1) == 6);          // doubling
  CHECK(taken(all_reduce, "hypercube:6", 6400) == 12);      // halving and doubling
  CHECK(taken(broadcast, "torus:4x4", 1) == 4);
  CHECK(taken(broadcast, "torus:4x4", 1600) == 10);
  CHECK(taken(all_gather, "torus:4x4", 1) == 6);
  CHECK(taken(reduce_scatter, "hypercube:4", 8) == 4);
}

/// A model without a price of words, and one without a price of start-ups.
struct startups_only {
  static std::string_view name() { return "start-ups only"; }
  static std::string_view unit() { return "start-ups"; }
  static double time(lockstep::counts const& of, int /*processors*/) {
    return static_cast<double>(of.startups);
  }
};
struct words_only {
  static std::string_view name() { return "words only"; }
  static std::string_view unit() { return "words"; }
  static double time(lockstep::counts const& of, int /*processors*/) {
    return static_cast<double>(of.words);
  }
};

TEST_CASE("a cost model says what a start-up costs, by which a scheme is chosen") {
  using lockstep::startup_words_of;
  CHECK(startup_words_of(startups_only{}, 2) == 1'000'000'000);
  CHECK(startup_words_of(words_only{}, 2) == 0);
  CHECK(startup_words_of(lockstep::two_level_model{.tau_us = 100, .mu_us_per_word = 0.5}, 16) ==
        200);
  auto const network = lockstep::parse("hypercube:4");
  auto const rounds = [&](std::uint64_t startup_words) {
    return collective_counts(collective_operation::all_reduce, *network, 64,
                             {.commutes = true, .startup_words = startup_words})
        .rounds;
  };
  CHECK(rounds(startup_words_of(startups_only{}, 16)) == 4);
  CHECK(startup_words_of(lockstep::paragon(), 64) > startup_words_of(lockstep::paragon(), 2));
  CHECK(rounds(startup_words_of(words_only{}, 16)) == 8);
}

TEST_CASE("where a start-up has a price, it chooses the scheme on a crossbar, too") {
  using enum collective_operation;
  auto const price = [](lockstep::schedule_counts const& of, std::uint64_t startup_words) {
    return of.rounds * startup_words + of.words;
  };
  for (auto const* const spec : {"crossbar:2", "crossbar:3", "crossbar:12", "crossbar:16"})
    for (auto const operation : {broadcast, reduce, all_reduce, scan, scatter, gather, all_gather,
                                 reduce_scatter, all_to_all})
      for (std::size_t const n : {1, 5, 4096})
        for (std::uint64_t const startup_words : {0, 10, 1'000'000}) {
          auto const network = lockstep::parse(spec);
          auto const chosen = lockstep::collective_counts(
              operation, *network, n, {.commutes = true, .startup_words = startup_words});
          for (auto const scheme : schemes_of(operation, *network)) {
            if (scheme == collective_scheme::transpose || scheme == collective_scheme::k_ary ||
                scheme == collective_scheme::direct)
              continue;
            INFO(name_of(operation) << " on " << spec << ", " << n << ": " << name_of(scheme));
            CHECK(price(chosen, startup_words) <=
                  price(lockstep::collective_counts(operation, *network, n,
                                                    {.scheme = scheme, .commutes = true}),
                        startup_words));
          }
        }
  lockstep::machine machine{lockstep::crossbar{16}};
  auto const rounds = [&](lockstep::collective_options const& options) {
    return machine
        .run([&](lockstep::processor& me) {
          return lockstep::all_reduce(me, std::plus<int>{}, me.rank(), options);
        })
        .counts()
        .rounds;
  };
  CHECK(rounds({}) == 30);
  CHECK(rounds({.startup_words = 1000}) == 4);
}

TEST_CASE("where a machine has packets, the scheme is the cheapest in whole packets") {
  using enum collective_operation;
  auto const price = [](lockstep::schedule_counts const& of, std::uint64_t startup_words) {
    return of.rounds * startup_words + of.words;
  };
  for (auto const* const spec : {"hypercube:4", "mesh:4x4", "torus:2x8", "crossbar:12"})
    for (auto const operation : {broadcast, reduce, all_reduce, scan, all_gather, reduce_scatter})
      for (std::size_t const n : {16, 64, 4096})
        for (std::uint64_t const packet : {3, 64, 5000})
          for (std::uint64_t const startup_words : {0, 16, 3000}) {
            auto const network = lockstep::parse(spec);
            auto const chosen = lockstep::collective_counts(
                operation, *network, n, {.commutes = true, .startup_words = startup_words}, packet);
            for (auto const scheme : schemes_of(operation, *network)) {
              if (is_of_papers({operation, scheme, 0, n})) continue;
              INFO(name_of(operation) << " on " << spec << ", " << n << " in packets of " << packet
                                      << ": " << name_of(scheme));
              CHECK(price(chosen, startup_words) <=
                    price(lockstep::collective_counts(operation, *network, n,
                                                      {.scheme = scheme, .commutes = true}, packet),
                          startup_words));
            }
          }
}

TEST_CASE("packets change the scheme that is chosen, for a machine and its subsets") {
  using enum collective_operation;
  struct changed_choice {
    collective_operation operation;
    char const* spec;
    std::size_t n;
    std::uint64_t packet;
    collective_scheme in_words;
    collective_scheme in_packets;
  };
  using enum collective_scheme;
  for (auto const& of :
       {changed_choice{all_reduce, "hypercube:4", 64, 64, halving_doubling, recursive_doubling},
        changed_choice{all_reduce, "mesh:8x8", 100, 64, bucket, binomial},
        changed_choice{lockstep::collective_operation::broadcast, "torus:4x4", 1600, 1024, bucket,
                       binomial},
        changed_choice{reduce, "mesh:2x16", 320, 1U << 20U, bucket, binomial}}) {
    INFO(name_of(of.operation) << " on " << of.spec);
    auto const network = lockstep::parse(of.spec);
    auto const by = [&](collective_scheme scheme, std::uint64_t packet) {
      return lockstep::collective_counts(of.operation, *network, of.n,
                                         {.scheme = scheme, .commutes = true}, packet);
    };
    for (int again = 0; again < 2; ++again) {  // one network, asked in turn
      CHECK(by(automatic, 1) == by(of.in_words, 1));
      CHECK(by(automatic, of.packet) == by(of.in_packets, of.packet));
    }
    for (std::uint64_t const packet : {std::uint64_t{1}, of.packet}) {
      auto const counts = lockstep::machine(network, {.strict = true, .packet = packet})
                              .run([&](processor& me) {
                                return call(me, {of.operation, automatic, 0, of.n});
                              })
                              .counts();
      CHECK(counts.rounds == by(packet == 1 ? of.in_words : of.in_packets, packet).rounds);
      CHECK(counts.words == by(packet == 1 ? of.in_words : of.in_packets, packet).words);
    }
  }
  auto const rounds_in_a_row = [](std::uint64_t packet) {
    return lockstep::machine(lockstep::parse("mesh:3x8"), {.packet = packet})
        .run([](processor& me) {
          auto row = me.row();
          return lockstep::all_reduce(row, std::plus<int>{}, int_list(64, me.rank()));
        })
        .counts()
        .rounds;
  };
  CHECK(rounds_in_a_row(1) == 14);  // twice round a ring
  CHECK(rounds_in_a_row(64) == 6);  // up a tree, and down
}

TEST_CASE("collectives combine operands in the order of ranks unless the operator commutes") {
  // x -> ax + b, put together: not commutative.
  struct map {
    int a;
    int b;
    bool operator==(map const&) const = default;
  };
  auto const then = [](map const& first, map const& second) {
    return map{(second.a * first.a) % 101, (second.a * first.b + second.b) % 101};
  };
  for (auto const& spec : networks) {
    auto const network = lockstep::parse(spec);
    auto const p = network->size();
    auto const mine = [](int rank) { return map{rank % 7 + 2, rank % 11}; };
    std::vector<map> so_far{mine(0)};
    for (int rank = 1; rank < p; ++rank) so_far.push_back(then(so_far.back(), mine(rank)));
    auto const run = lockstep::machine(network, {.strict = true}).run([&](processor& me) {
      auto const own = mine(me.rank());
      auto const sum = lockstep::all_reduce(me, then, own);
      auto const block = lockstep::all_reduce(me, then, std::vector<map>(40, own));
      auto const at_root = lockstep::reduce(me, then, own, {.root = p - 1});
      auto const prefix = lockstep::scan(me, then, own);
      auto const before = lockstep::exclusive_scan(me, then, own, {}, map{1, 0});
      auto const each =
          lockstep::reduce_scatter(me, then, std::vector<map>(static_cast<std::size_t>(p), own));
      auto const rank = static_cast<std::size_t>(me.rank());
      return sum == so_far.back() && block == std::vector<map>(40, so_far.back()) &&
             at_root.has_value() == (me.rank() == p - 1) && at_root.value_or(sum) == sum &&
             prefix == so_far[rank] && before == (rank == 0 ? map{1, 0} : so_far[rank - 1]) &&
             each == std::vector<map>(1, so_far.back());
    });
    INFO(spec);
    bool is_right = true;
    for (bool const each : run.results()) is_right &= each;
    CHECK(is_right);
  }
}

TEST_CASE("collectives with blocks of different sizes") {
  for (auto const& spec : networks) {
    INFO(spec);
    auto const network = lockstep::parse(spec);
    auto const p = network->size();
    std::vector<std::size_t> sizes;
    for (int rank = 0; rank < p; ++rank) sizes.push_back(static_cast<std::size_t>(rank * 5 % 4));
    int_list all;
    for (int rank = 0; rank < p; ++rank) {
      auto const block = block_of(rank, sizes[static_cast<std::size_t>(rank)]);
      all.insert(all.end(), block.begin(), block.end());
    }
    auto const pair_block = [](int from, int to) {
      return block_of(from, static_cast<std::size_t>((3 * from + to) % 5));
    };
    auto const run = lockstep::machine(network, {.strict = true}).run([&](processor& me) {
      auto const mine = block_of(me.rank(), sizes[static_cast<std::size_t>(me.rank())]);
      int const root = p / 2;
      bool is_right = lockstep::all_gatherv(me, mine, sizes) == all;
      is_right &= lockstep::gatherv(me, mine, sizes, {.root = root}) ==
                  (me.rank() == root ? all : int_list{});
      is_right &= lockstep::scatterv(me, me.rank() == root ? all : int_list{}, sizes,
                                     {.root = root}) == mine;
      std::vector<int_list> leaving;
      std::vector<int_list> coming;
      for (int other = 0; other < p; ++other) {
        leaving.push_back(pair_block(me.rank(), other));
        coming.push_back(pair_block(other, me.rank()));
      }
      return is_right && lockstep::all_to_allv(me, leaving) == coming;
    });
    bool is_right = true;
    for (bool const each : run.results()) is_right &= each;
    CHECK(is_right);
  }
}

TEST_CASE("collectives in subsets: rows, columns and subcubes have networks of their own") {
  auto const sums_of_part = [](processor& part, int value) {
    auto const sum = lockstep::all_reduce(part, std::plus<int>{}, value);
    auto const all = lockstep::all_gather(part, int_list{value, -value});
    bool const agrees = 2 * part.size() == static_cast<int>(all.size()) &&
                        std::accumulate(all.begin(), all.end(), 0) == 0;
    return agrees ? sum : -1;
  };
  auto const mesh = lockstep::machine(lockstep::parse("mesh:3x5"), {.strict = true});
  auto const grid = mesh.run([&](processor& me) {
    auto row = me.row();
    auto column = me.column();
    return std::array{sums_of_part(row, me.rank()), sums_of_part(column, me.rank())};
  });
  for (int rank = 0; rank < 15; ++rank) {
    auto const& sums = grid.results()[static_cast<std::size_t>(rank)];
    CHECK(sums[0] == 25 * (rank / 5) + 10);
    CHECK(sums[1] == 3 * (rank % 5) + 15);
  }
  auto const cube = lockstep::machine(lockstep::parse("hypercube:4"), {.strict = true});
  auto const halves = cube.run([&](processor& me) {
    auto half = me.subset(lockstep::dimensions{0, 2, 3});
    return sums_of_part(half, 1 + (me.rank() >> 1 & 1));
  });
  for (int rank = 0; rank < 16; ++rank)
    CHECK(halves.results()[static_cast<std::size_t>(rank)] == 8 * (1 + (rank >> 1 & 1)));
}

TEST_CASE("collectives in subsets without a network of their own go as on a crossbar") {
  auto const all_of = [](processor& me, std::vector<int> const& members, auto const& program) {
    if (std::ranges::find(members, me.rank()) == members.end()) return -1;
    auto part = me.subset(members);
    return program(part);
  };
  auto const sum = [](collective_scheme scheme) {
    return [scheme](processor& part) {
      return lockstep::all_reduce(part, std::plus<int>{}, part.rank(), {.scheme = scheme});
    };
  };
  std::vector<int> const members{1, 2, 4, 7, 8, 11, 13, 14};
  for (auto const scheme :
       schemes_of(collective_operation::all_reduce, *lockstep::parse("crossbar:8"))) {
    INFO(name_of(scheme));
    auto const on_crossbar =
        lockstep::machine(lockstep::parse("crossbar:16"), {.strict = true}).run([&](processor& me) {
          return all_of(me, members, sum(scheme));
        });
    auto const alone =
        lockstep::machine(lockstep::parse("crossbar:8"), {.strict = true}).run([&](processor& me) {
          return sum(scheme)(me);
        });
    CHECK(on_crossbar.counts() == alone.counts());
    for (int const member : members)
      CHECK(on_crossbar.results()[static_cast<std::size_t>(member)] == 28);
    // Elsewhere messages cross others' ways, which is counted.
    auto const on_mesh = lockstep::machine(lockstep::parse("mesh:4x4")).run([&](processor& me) {
      return all_of(me, members, sum(scheme));
    });
    CHECK(on_mesh.results()[14] == 28);
    CHECK(on_mesh.counts().words == alone.counts().words);
  }
}

namespace {

/// Calls collectives of one processor's place in a part, and tells whether all are right.
bool collectives_are_right(processor& part) {
  int const p = part.size();
  int const here = part.rank();
  int const last = p - 1;
  std::plus<int> const plus;
  int_list ranks(static_cast<std::size_t>(p));
  std::iota(ranks.begin(), ranks.end(), 0);
  int_list const alike(ranks.size(), here);
  int const sum = p * last / 2;
  bool is_right = lockstep::all_reduce(part, plus, here) == sum;
  is_right &= lockstep::reduce(part, plus, here).value_or(sum) == sum;
  is_right &= lockstep::reduce_scatter(part, plus, alike) == int_list{sum};
  is_right &= lockstep::scan(part, plus, here) == here * (here + 1) / 2;
  is_right &= lockstep::exclusive_scan(part, plus, here) == here * (here - 1) / 2;
  is_right &= lockstep::broadcast(part, 10 * here, {.root = last}) == 10 * last;
  is_right &= lockstep::all_gather(part, here) == ranks;
  is_right &= lockstep::all_to_all(part, alike, {}) == ranks;
  is_right &= lockstep::scatter(part, ranks, ranks.size()) == int_list{here};
  auto const came = lockstep::gather(part, here, {.root = last});
  return is_right && came == (here == last ? ranks : int_list{});
}

}  // namespace

TEST_CASE(
    "collectives in subsets go along the links of their members where only neighbours may talk") {
  struct subset_of {
    char const* spec;
    std::vector<int> members;
    char const* alone;  // the network that the members are by themselves
  };
  for (auto const& [spec, members, alone] :
       {subset_of{"tree:4", {1, 0, 2, 3, 5}, "graph:0-1,0-2,0-3,3-4"},
        subset_of{"tree:4", {8, 9, 10, 11, 12, 13, 14}, "tree:3"},
        subset_of{"hypercube:4", {0, 1, 3, 7, 15, 14}, "graph:0-1,1-2,2-3,3-4,4-5"}}) {
    INFO(spec << " beside " << alone);
    auto const part_of_it = lockstep::machine(lockstep::parse(spec)).run([&](processor& me) {
      if (std::ranges::find(members, me.rank()) == members.end()) return true;
      auto part = me.subset(members);
      return collectives_are_right(part);
    });
    for (bool const is_right : part_of_it.results()) CHECK(is_right);
    auto const by_itself =
        lockstep::machine(lockstep::parse(alone), {.switching = lockstep::switching::neighbour})
            .run([](processor& me) { return collectives_are_right(me); });
    CHECK(part_of_it.counts().rounds == by_itself.counts().rounds);
    CHECK(part_of_it.counts().words == by_itself.counts().words);
    CHECK(part_of_it.counts().volume == by_itself.counts().volume);
  }
}

TEST_CASE("a scheme that is named goes on in a subset as long as its messages go to neighbours") {
  lockstep::machine const cube{lockstep::parse("hypercube:4"), {.strict = true}};
  auto const sum_in = [](std::vector<int> const& members) {
    return [&members](processor& me) {
      if (std::ranges::find(members, me.rank()) == members.end()) return 1;
      auto part = me.subset(members);
      std::vector<int> const each(members.size(), 1);
      auto const sums = lockstep::all_reduce(part, std::plus<int>{}, each, {.scheme = "ring"});
      return sums == std::vector<int>(members.size(), part.size()) ? 1 : 0;
    };
  };
  std::vector<int> const in_grays_order{0, 1, 3, 7, 5, 4};
  auto const run = cube.run(sum_in(in_grays_order));
  for (int const is_right : run.results()) CHECK(is_right == 1);
  CHECK(run.counts().rounds == 2 * (6 - 1));
  std::vector<int> const apart{1, 2, 4, 7};
  CHECK_THROWS_AS(cube.run(sum_in(apart)), lockstep::not_adjacent);
}

TEST_CASE(
    "collectives in subsets that links do not join are refused where only neighbours may talk") {
  lockstep::machine const cube{lockstep::parse("hypercube:4")};
  CHECK(refusal_of<lockstep::invalid_topology>(
            cube,
            [](processor& me) {
              if (std::popcount(static_cast<unsigned>(me.rank())) % 2 == 0) return 0;
              auto part = me.subset(std::vector{1, 2, 4, 7, 8, 11, 13, 14});
              return lockstep::all_reduce(part, std::plus<int>{}, 1);
            })
            .starts_with("a tree from processor 0 of the subset 1, 2, 4, 7, 8, 11, 13, 14 of "
                         "hypercube:4 reaches 1 of 8"));
}

TEST_CASE("collectives go between neighbours where the machine switches so") {
  for (char const* const spec : {"torus:4x4", "torus:3x5", "torus:2x3x2", "mesh:4x4", "mesh:5"}) {
    auto const network = lockstep::parse(spec);
    for (auto const operation : operations)
      for (auto const scheme : schemes_of(operation, *network, lockstep::switching::neighbour)) {
        INFO(name_of(operation) << " on " << spec << " by " << name_of(scheme));
        for (auto const asked : {scheme, collective_scheme::automatic}) {
          chosen_call const what{operation, asked, 0, 3};
          auto const run = lockstep::machine(network, {.switching = lockstep::switching::neighbour,
                                                       .strict = true})
                               .run([&](processor& me) { return call(me, what); });
          bool is_right = true;
          for (int rank = 0; rank < network->size(); ++rank)
            is_right &= run.results()[static_cast<std::size_t>(rank)] ==
                        expected(rank, network->size(), what);
          CHECK(is_right);
          CHECK(run.counts().contention <= 1);
        }
      }
  }
}

TEST_CASE("collectives in packets cost what is claimed") {
  for (char const* const spec : {"mesh:3x4", "hypercube:3", "crossbar:11", "tree:3"}) {
    auto const network = lockstep::parse(spec);
    for (auto const operation : operations)
      for (auto const scheme : schemes_of(operation, *network))
        for (std::size_t const n : {1U, 7U}) {
          chosen_call const what{operation, scheme, 0, n};
          if (is_of_papers(what)) continue;
          INFO(name_of(operation) << " on " << spec << " by " << name_of(scheme) << ", " << n);
          auto const counts = lockstep::machine(network, {.strict = true, .packet = 4})
                                  .run([&](processor& me) { return call(me, what); })
                                  .counts();
          auto const claimed = lockstep::collective_counts(operation, *network, n,
                                                           {.scheme = scheme, .commutes = true}, 4);
          CHECK(counts.words == claimed.words);
          CHECK(counts.volume == claimed.volume);
        }
  }
}

TEST_CASE("formulas of collectives' claims come to their values") {
  std::size_t evaluated = 0;
  for (auto const& spec : networks) {
    auto const network = lockstep::parse(spec);
    double halvings = 0;
    double others = 0;
    for (auto const& axis : lockstep::detail::axes_of(*network).list) {
      halvings += std::ceil(std::log2(axis.size));
      others += axis.size - 1;
    }
    for (auto const operation : operations)
      for (auto const scheme : schemes_of(operation, *network))
        for (std::size_t const n : {1U, 3U, 60U}) {
          if (is_of_papers({operation, scheme, 0, n}) ||
              (n != 1 && operation == collective_operation::barrier))
            continue;
          for (auto const& claimed : lockstep::collective_claims(
                   operation, *network, n, {.scheme = scheme, .commutes = true})) {
            auto text = claimed.formula;
            if (text.find("sum over") != text.npos || text.find("messages of") != text.npos ||
                text.find("tree") != text.npos || text.find("rounds") != text.npos ||
                text.find("bit i") != text.npos)
              continue;
            auto const written = [&](std::string const& words, double value) {
              for (auto at = text.find(words); at != text.npos; at = text.find(words))
                text.replace(at, words.size(), "(" + std::to_string(value) + ")");
            };
            auto const p = static_cast<double>(network->size());
            written("sum ceil(log2 n_i)", halvings);
            written("sum (n_i - 1) p m/2", others * p * static_cast<double>(n) / 2);
            written("sum (n_i - 1)", others);
            written("floor(log2 p)", std::floor(std::log2(p)));
            written("ceil(log2 p)", std::ceil(std::log2(p)));
            INFO(name_of(operation) << " on " << spec << " by " << name_of(scheme) << ", " << n
                                    << ": " << claimed.figure << " = " << claimed.formula);
            using enum collective_operation;
            bool const has_blocks = operation == scatter || operation == gather ||
                                    operation == all_gather || operation == reduce_scatter;
            auto const words = static_cast<double>(n);
            lockstep::claim_list const letters(
                {{{"p", p}, {"n", has_blocks ? p * words : words}, {"m", words}}});
            CHECK(letters.value(text) == Approx(claimed.value()));
            ++evaluated;
          }
        }
  }
  CHECK(evaluated > 1000);
}

TEST_CASE("blocks of other sizes than the others' are an error") {
  for (auto const* const scheme : {"bucket", "bruck", "tree"}) {
    INFO(scheme);
    auto const network =
        lockstep::parse(scheme == std::string("bruck") ? "crossbar:5" : "mesh:2x2");
    auto const p = static_cast<std::size_t>(network->size());
    CHECK_THROWS_AS(lockstep::machine(network).run([&](processor& me) {
      return lockstep::all_to_all(me, int_list(me.rank() == 1 ? 2 * p : p), {.scheme = scheme});
    }),
                    lockstep::size_mismatch);
  }
}

TEST_CASE("collectives have the same counts on every engine, with any number of workers") {
  for (char const* const spec : {"mesh:3x5", "hypercube:3", "tree:4", "crossbar:11"}) {
    INFO(spec);
    auto const counts_on = [&](lockstep::engine engine, int workers) {
      return lockstep::machine(lockstep::parse(spec),
                               {.strict = true, .engine = engine, .workers = workers})
          .run([](processor& me) {
            auto sums = lockstep::all_reduce(me, std::plus<int>{}, int_list(40, me.rank()));
            lockstep::broadcast(me, sums, {.root = 2});
            sums = lockstep::scan(me, std::plus<int>{}, sums);
            auto const all = lockstep::gather(me, sums, {.root = 1});
            sums =
                lockstep::scatter(me, all, 40 * static_cast<std::size_t>(me.size()), {.root = 1});
            int_list blocks(2 * static_cast<std::size_t>(me.size()), sums.front());
            return lockstep::all_to_all(me, blocks, {}).back();
          })
          .counts();
    };
    auto const expected_counts = counts_on(lockstep::engine::fibers, 1);
    CHECK(counts_on(lockstep::engine::fibers, 3) == expected_counts);
    CHECK(counts_on(lockstep::engine::threads, 1) == expected_counts);
  }
}

TEST_CASE("truth values are combined, dealt out and gathered as others are") {
  for (auto const& spec : networks) {
    auto const network = lockstep::parse(spec);
    int const p = network->size();
    INFO(spec);
    int const chosen = p / 2;
    auto const run = lockstep::machine(network).run([&](processor& me) {
      bool const is_chosen = me.rank() == chosen;
      auto const either = std::logical_or<>{};
      std::vector<bool> const everywhere(static_cast<std::size_t>(p), true);
      bool right = lockstep::all_reduce(me, either, is_chosen);
      right = right && !lockstep::all_reduce(me, std::logical_and<bool>{}, !is_chosen);
      right = right && lockstep::reduce(me, either, is_chosen).has_value() == (me.rank() == 0);
      right = right && lockstep::scan(me, either, is_chosen) == (me.rank() >= chosen);
      right = right && lockstep::exclusive_scan(me, either, is_chosen) == (me.rank() > chosen);
      right = right && lockstep::broadcast(me, is_chosen, {.root = chosen});
      right = right && lockstep::all_gather(me, true) == everywhere;
      auto const gathered = lockstep::gather(me, true);
      return right && gathered == (me.rank() == 0 ? everywhere : std::vector<bool>{}) ? 1 : 0;
    });
    CHECK(std::ranges::count(run.results(), 1) == p);
  }
  // Any order will do, so that the cheapest scheme is taken; each value is a word.
  lockstep::machine const mesh{lockstep::parse("mesh:4x4")};
  auto const counts_of = [&](auto const& plus, auto value) {
    return mesh.run([&](processor& me) { return lockstep::all_reduce(me, plus, value) ? 1 : 0; })
        .counts();
  };
  CHECK(counts_of(std::logical_or<>{}, true) == counts_of(std::plus<>{}, 1));
}

TEST_CASE("a barrier of messages holds everybody until the last has come") {
  for (auto const& spec : networks) {
    auto const network = lockstep::parse(spec);
    for (auto const scheme : schemes_of(collective_operation::barrier, *network)) {
      INFO(spec << " by " << name_of(scheme));
      int const late = network->size() / 2;
      auto const run = lockstep::machine(network).run([&](processor& me) {
        if (me.rank() == late) me.idle(100);
        lockstep::barrier(me, {.scheme = scheme});
        return me.now();
      });
      for (auto const left : run.results()) CHECK((left >= 101 || network->size() == 1));
    }
  }
}

TEST_CASE("a collective is refused by name where its scheme does not fit, with those that do") {
  lockstep::machine const mesh{lockstep::parse("mesh:2x3")};
  auto const refusal = refusal_of<lockstep::invalid_argument>(
      mesh, [](processor& me) { return lockstep::broadcast(me, 1, {.scheme = "direct"}); });
  CHECK(refusal ==
        "broadcast: the scheme direct does not fit mesh:2x3; take binomial, bucket, ring, tree, or "
        "leave "
        "the scheme out");
  CHECK_THROWS_AS(lockstep::chosen_scheme("rings"), lockstep::invalid_argument);
  auto const no_scheme = static_cast<collective_scheme>(21);
  CHECK(refusal_of<lockstep::invalid_argument>(mesh, [&](processor& me) {
          return lockstep::all_reduce(me, std::plus<int>{}, 1, {.scheme = no_scheme});
        }) != "not refused");
  CHECK(refusal_of<lockstep::invalid_argument>(mesh, [&](processor& me) {
          return lockstep::all_reduce(me, std::plus<int>{}, 1, {.how = lockstep::access::reads});
        }).starts_with("all_reduce: access by reads is for the schemes of a crossbar"));
  CHECK(lockstep::chosen_scheme("rabenseifner") == collective_scheme::halving_doubling);
  for (int i = 0; i <= static_cast<int>(collective_scheme::tree); ++i) {
    auto const scheme = static_cast<collective_scheme>(i);
    CHECK(lockstep::chosen_scheme(name_of(scheme)) == scheme);
  }
}

TEST_CASE(
    "the positions of ranks on an axis are those of divisions, of powers of two as of others") {
  for (int const size : {1, 2, 3, 8, 12, 1 << 20})
    for (int const stride : {1, 2, 5, 64, 1'000, 1 << 10}) {
      lockstep::detail::rank_axis const axis{size, stride};
      for (int const rank : {0, 1, 2, 7, 63, 64, 65, 1'023, 1'024, 123'456'789, 2'147'483'647}) {
        CAPTURE(size, stride, rank);
        REQUIRE(axis.position_of(rank) == rank / stride % size);
        REQUIRE(axis.offset_in_stride(rank) == rank % stride);
      }
    }
}

TEST_CASE("on a line of a power of two the rounds of a tree from the first halve the distance") {
  for (int const size : {2, 4, 16, 64})
    for (int const stride : {1, 8})
      for (int position = 0; position < size; ++position) {
        CAPTURE(size, stride, position);
        lockstep::detail::rank_axes const axes{lockstep::detail::network_kind::grid,
                                               {{size, stride}}};
        lockstep::detail::tree_rounds const rounds(axes, position * stride, 0);
        int own = 0;
        int number = 0;
        for (int distance = size / 2; distance > 0; distance /= 2, ++number) {
          if (position % distance != 0) continue;
          bool const leads = position / distance % 2 == 0;
          auto const away = leads ? position + distance : position;
          REQUIRE(own < rounds.own());
          auto const& each = rounds.at(own++);
          REQUIRE(each.number == number);
          REQUIRE(each.partner == (leads ? position + distance : position - distance) * stride);
          REQUIRE(each.leads == leads);
          REQUIRE(each.is_behind == leads);
          REQUIRE(each.first_block == away * stride);
          REQUIRE(each.last_block == (away + distance) * stride);
        }
        REQUIRE(rounds.own() == own);
        REQUIRE(rounds.count() == number);
      }
}

TEST_CASE(
    "machines on one network choose by their own rules, at the same time and in their subsets",
    "[threads]") {
  std::shared_ptr<lockstep::topology const> const network = lockstep::parse("torus:4x4");
  std::vector<lockstep::machine_options> const rules{
      {},
      {.switching = lockstep::switching::neighbour},
      {.ports = lockstep::ports::all},
      {.packet = 4},
      {.ports = lockstep::ports::all, .switching = lockstep::switching::neighbour}};
  auto const program = [](processor& me) {
    long sum = 0;
    for (int i = 0; i < 8; ++i) {
      sum += lockstep::all_reduce(me, std::plus<long>{}, long{me.rank()});
      auto row = me.row();
      sum += lockstep::broadcast(row, long{me.rank()}, {.root = i % 4});
    }
    return sum;
  };
  auto const alone = [&](lockstep::machine_options const& options) {
    lockstep::machine const own{lockstep::parse("torus:4x4"), options};
    return own.run(program);
  };
  constexpr int times = 10;
  std::vector<std::vector<lockstep::counts>> counts(rules.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < rules.size(); ++i)
      threads.emplace_back([&, i] {
        lockstep::machine const shared{network, rules[i]};
        for (int time = 0; time < times; ++time) counts[i].push_back(shared.run(program).counts());
      });
  }
  for (std::size_t i = 0; i < rules.size(); ++i) {
    CAPTURE(i);
    auto const wanted = alone(rules[i]).counts();
    for (auto const& each : counts[i]) CHECK(each == wanted);
  }
  CHECK(alone(rules[0]).counts() != alone(rules[1]).counts());
  CHECK(alone(rules[0]).counts() != alone(rules[2]).counts());
  CHECK(alone(rules[0]).counts() != alone(rules[3]).counts());
}
