// Random sequences of collectives on every kind of network, by every scheme that fits, on all engines:
// results as sequential computations have them, counts as the schedules have them, the same everywhere.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/all_reduce.hpp>
#include <lockstep/algorithms/collectives/barrier.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/listed_blocks.hpp>
#include <lockstep/algorithms/collectives/reduce.hpp>
#include <lockstep/algorithms/collectives/reduce_scatter.hpp>
#include <lockstep/algorithms/collectives/scan.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/collectives/total_exchange.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "core/machines.hpp"

namespace {

using lockstep::collective_operation;
using lockstep::collective_scheme;
using lockstep::processor;

/// x -> factor x + term, modulo 2^32: put together these do not commute.
struct affine_map {
  std::uint32_t factor = 1;
  std::uint32_t term = 0;

  friend bool operator==(affine_map const&, affine_map const&) = default;
};
using map_list = std::vector<affine_map>;
using size_list = std::vector<std::size_t>;

constexpr auto first_then_second = [](affine_map const& a, affine_map const& b) {
  return affine_map{a.factor * b.factor, a.term * b.factor + b.term};
};
constexpr auto add_terms = [](affine_map const& a, affine_map const& b) {
  return affine_map{1, a.term + b.term};
};

/// What a call does besides the operation that names its schemes.
enum class variant : std::uint8_t { plain, exclusive, of_listed_sizes };

struct collective_call {
  collective_operation operation;
  variant kind = variant::plain;
  std::optional<collective_scheme> scheme;  ///< or automatic
  int root = 0;
  std::size_t n = 0;
  size_list sizes;  ///< of blocks, where they are listed
  bool commutes = false;
  std::uint32_t salt = 0;      ///< of its values
  std::vector<int> idle = {};  ///< steps for which processors idle before
};

struct collective_program {
  std::shared_ptr<lockstep::topology const> network;
  std::vector<collective_call> calls;
};

affine_map value_of(collective_call const& of, int rank, std::size_t place) {
  auto const mixed = (static_cast<std::uint32_t>(rank) * 2'654'435'761U) ^
                     (static_cast<std::uint32_t>(place) * 40'503U) ^ of.salt;
  return {of.commutes ? 1 : mixed * 2 + 1, mixed * 97 + 13};
}

map_list block_of(collective_call const& of, int rank, std::size_t n) {
  map_list block(n);
  for (std::size_t i = 0; i < n; ++i) block[i] = value_of(of, rank, i);
  return block;
}

/// The block that `from` has for `to`, of a size that both may compute.
map_list block_between(collective_call const& of, int from, int to) {
  auto const n = (static_cast<std::size_t>(from) * 7 + static_cast<std::size_t>(to) * 3 + of.salt) %
                 (of.n + 1);
  map_list block(n);
  for (std::size_t i = 0; i < n; ++i)
    block[i] = value_of(of, from, static_cast<std::size_t>(to) * 64 + i);
  return block;
}

map_list joined(std::vector<map_list> const& blocks) {
  map_list all;
  for (auto const& block : blocks) all.insert(all.end(), block.begin(), block.end());
  return all;
}

map_list blocks_of_all(collective_call const& of, int p) {
  std::vector<map_list> blocks;
  for (int rank = 0; rank < p; ++rank)
    blocks.push_back(
        block_of(of, rank, of.sizes.empty() ? of.n : of.sizes[static_cast<std::size_t>(rank)]));
  return joined(blocks);
}

affine_map combined(collective_call const& of, affine_map const& a, affine_map const& b) {
  return of.commutes ? add_terms(a, b) : first_then_second(a, b);
}

/// Combines blocks of n elements of ranks 0 to `end` - 1, at least one, in their order.
map_list combined_below(collective_call const& of, int end, std::size_t n) {
  auto sums = block_of(of, 0, n);
  for (int rank = 1; rank < end; ++rank)
    for (std::size_t i = 0; i < n; ++i) sums[i] = combined(of, sums[i], value_of(of, rank, i));
  return sums;
}

template <class Operator>
map_list reduced(processor& me, collective_call const& of, Operator const& plus,
                 lockstep::collective_options const& options) {
  using enum collective_operation;
  auto const mine = block_of(of, me.rank(), of.n);
  switch (of.operation) {
    case reduce:
      return lockstep::reduce(me, plus, mine, options);
    case all_reduce:
      return lockstep::all_reduce(me, plus, mine, options);
    case scan:
      return of.kind == variant::exclusive ? lockstep::exclusive_scan(me, plus, mine, options)
                                           : lockstep::scan(me, plus, mine, options);
    default:
      return lockstep::reduce_scatter(
          me, plus, block_of(of, me.rank(), of.n * static_cast<std::size_t>(me.size())),
          {.scheme = options.scheme, .commutes = options.commutes});
  }
}

map_list call(processor& me, collective_call const& of) {
  using enum collective_operation;
  auto const p = static_cast<std::size_t>(me.size());
  auto const scheme = of.scheme.value_or(collective_scheme::automatic);
  lockstep::collective_options const options{
      .scheme = scheme, .root = of.root, .commutes = of.commutes};
  bool const is_listed = of.kind == variant::of_listed_sizes;
  auto const n = of.sizes.empty() ? of.n : of.sizes[static_cast<std::size_t>(me.rank())];
  auto const mine = block_of(of, me.rank(), n);
  switch (of.operation) {
    case broadcast: {
      auto block = mine;
      lockstep::broadcast(me, block, options);
      return block;
    }
    case scatter: {
      auto const all = me.rank() == of.root ? blocks_of_all(of, me.size()) : map_list{};
      if (is_listed)
        return lockstep::scatterv(me, all, of.sizes, {.scheme = scheme, .root = of.root});
      return lockstep::scatter(me, all, of.n * p, {.scheme = scheme, .root = of.root});
    }
    case gather:
      if (is_listed)
        return lockstep::gatherv(me, mine, of.sizes, {.scheme = scheme, .root = of.root});
      return lockstep::gather(me, mine, {.scheme = scheme, .root = of.root});
    case all_gather:
      if (is_listed) return lockstep::all_gatherv(me, mine, of.sizes, {.scheme = scheme});
      return lockstep::all_gather(me, mine, {.scheme = scheme});
    case all_to_all: {
      if (!is_listed) return lockstep::all_to_all(me, block_of(of, me.rank(), of.n * p), options);
      std::vector<map_list> blocks;
      for (int to = 0; to < me.size(); ++to) blocks.push_back(block_between(of, me.rank(), to));
      return joined(lockstep::all_to_allv(me, std::move(blocks), options));
    }
    case barrier:
      me.barrier();  // a strict machine has no room for tokens that come in different steps
      lockstep::barrier(me, options);
      return {};
    default:
      return of.commutes ? reduced(me, of, add_terms, options)
                         : reduced(me, of, first_then_second, options);
  }
}

/// The same by a sequential computation.
map_list expected(collective_call const& of, int rank, int p) {
  using enum collective_operation;
  auto const all = of.n * static_cast<std::size_t>(p);
  auto const part = [&](map_list const& whole) {
    auto const first = whole.begin() + static_cast<std::ptrdiff_t>(of.n) * rank;
    return map_list(first, first + static_cast<std::ptrdiff_t>(of.n));
  };
  bool const is_listed = of.kind == variant::of_listed_sizes;
  switch (of.operation) {
    case broadcast:
      return block_of(of, of.root, of.n);
    case reduce:
      return rank == of.root ? combined_below(of, p, of.n) : map_list{};
    case all_reduce:
      return combined_below(of, p, of.n);
    case scan:
      if (of.kind != variant::exclusive) return combined_below(of, rank + 1, of.n);
      return rank == 0 ? map_list(of.n) : combined_below(of, rank, of.n);
    case scatter: {
      auto const whole = blocks_of_all(of, p);
      if (!is_listed) return part(whole);
      return block_of(of, rank, of.sizes[static_cast<std::size_t>(rank)]);
    }
    case gather:
      return rank == of.root ? blocks_of_all(of, p) : map_list{};
    case all_gather:
      return blocks_of_all(of, p);
    case reduce_scatter:
      return part(combined_below(of, p, all));
    case all_to_all: {
      std::vector<map_list> blocks;
      for (int from = 0; from < p; ++from)
        blocks.push_back(is_listed ? block_between(of, from, rank) : part(block_of(of, from, all)));
      return joined(blocks);
    }
    case barrier:
      return {};
  }
  return {};
}

// --- Random programs

using generator = std::mt19937_64;

/// A number of 0 to `end` - 1, the same with any library.
std::size_t below(std::size_t end, generator& draw) { return draw() % end; }

template <class List>
auto const& one_of(List const& list, generator& draw) {
  return list[below(std::size(list), draw)];
}

std::string random_spec(generator& draw) {
  auto const size = [&](std::size_t most) { return std::to_string(1 + below(most, draw)); };
  switch (below(9, draw)) {
    case 0:
    case 1:
      return "crossbar:" + size(17);
    case 2:
      return "hypercube:" + std::to_string(below(5, draw));
    case 3:
      return "torus:" + size(5) + "x" + size(4);
    case 4:
      return "mesh:" + size(5) + "x" + size(4);
    case 5:
      return one_of(std::vector<std::string>{"torus:2x3x2", "mesh:3x2x2", "torus:7", "mesh:9"},
                    draw);
    case 6:
      return "tree:" + size(4);
    case 7:
      return one_of(
          std::vector<std::string>{"shuffle-exchange:3", "butterfly:2", "cube-connected-cycles:3"},
          draw);
    default:
      return one_of(std::vector<std::string>{"graph:0-1,1-2,2-3,1-4,4-5,5-0", "graph:0-1,0-2,0-3"},
                    draw);
  }
}

bool changes_order(collective_scheme scheme) {
  using enum collective_scheme;
  return scheme == ring || scheme == bucket || scheme == halving_doubling || scheme == circulant ||
         scheme == k_ary;
}

/// Lists the schemes of a call that an operator which does not commute allows, too.
std::vector<collective_scheme> schemes_for(collective_call const& of,
                                           lockstep::topology const& network) {
  using enum collective_operation;
  auto schemes = lockstep::schemes_of(of.operation, network);
  bool const adds =
      of.operation == reduce || of.operation == all_reduce || of.operation == reduce_scatter;
  if (adds && !of.commutes) std::erase_if(schemes, changes_order);
  return schemes;
}

collective_call random_call(lockstep::topology const& network, generator& draw) {
  using enum collective_operation;
  constexpr collective_operation operations[] = {broadcast,  reduce, all_reduce, scan,
                                                 scatter,    gather, all_gather, reduce_scatter,
                                                 all_to_all, barrier};
  auto const p = static_cast<std::size_t>(network.size());
  collective_call made{};
  made.operation = one_of(operations, draw);
  made.n = below(6, draw);
  made.root = static_cast<int>(below(p, draw));
  made.commutes = below(2, draw) == 0;
  made.salt = static_cast<std::uint32_t>(draw());
  bool const has_lists = made.operation == scatter || made.operation == gather ||
                         made.operation == all_gather || made.operation == all_to_all;
  if (has_lists && below(2, draw) == 0) made.kind = variant::of_listed_sizes;
  if (made.operation == scan && below(2, draw) == 0) made.kind = variant::exclusive;
  if (made.kind == variant::of_listed_sizes && made.operation != all_to_all)
    for (std::size_t rank = 0; rank < p; ++rank) made.sizes.push_back(below(5, draw));
  // Blocks of listed sizes have fewer schemes, which their own tests go through.
  if (made.kind != variant::of_listed_sizes && below(4, draw) != 0)
    made.scheme = one_of(schemes_for(made, network), draw);
  if (below(3, draw) == 0)
    for (std::size_t rank = 0; rank < p; ++rank)
      made.idle.push_back(static_cast<int>(below(4, draw)));
  return made;
}

collective_program random_program(std::uint64_t seed) {
  generator draw(seed);
  collective_program made{.network = lockstep::parse(random_spec(draw)), .calls = {}};
  for (auto left = 1 + below(5, draw); left > 0; --left)
    made.calls.push_back(random_call(*made.network, draw));
  return made;
}

std::string text_of(collective_program const& program) {
  std::ostringstream text;
  text << program.network->spec() << ':';
  for (auto const& each : program.calls) {
    text << ' ' << name_of(each.operation) << '('
         << name_of(each.scheme.value_or(collective_scheme::automatic)) << ", n " << each.n
         << ", root " << each.root << (each.commutes ? ", commutes" : "")
         << (each.kind == variant::of_listed_sizes ? ", sizes" : "")
         << (each.kind == variant::exclusive ? ", exclusive" : "") << ')';
  }
  return text.str();
}

// --- Checks

/// Lists the sizes of the blocks of a call of listed sizes.
size_list listed_sizes(collective_call const& of, int p) {
  if (of.operation != collective_operation::all_to_all) return of.sizes;
  size_list sizes;
  for (int from = 0; from < p; ++from)
    for (int to = 0; to < p; ++to) sizes.push_back(block_between(of, from, to).size());
  return sizes;
}

/// Finds what a call's schedule takes, where it is counted: not by JaJa and Ryu's schemes.
std::optional<lockstep::schedule_counts> scheduled(collective_call const& of,
                                                   lockstep::topology const& network) {
  if (of.kind == variant::of_listed_sizes)
    return lockstep::listed_counts(of.operation, network, listed_sizes(of, network.size()),
                                   {.root = of.root});
  try {
    return lockstep::collective_counts(of.operation, network, of.n,
                                       {.scheme = of.scheme.value_or(collective_scheme::automatic),
                                        .root = of.root,
                                        .commutes = of.commutes});
  } catch (lockstep::invalid_argument const&) {
    bool const is_of_papers =
        network.spec().starts_with("crossbar") &&
        (!of.scheme || *of.scheme == collective_scheme::transpose ||
         *of.scheme == collective_scheme::direct || *of.scheme == collective_scheme::k_ary);
    if (!is_of_papers) throw;
    return std::nullopt;
  }
}

void check_schedule(collective_program const& program, lockstep::counts const& measured) {
  lockstep::schedule_counts sum;
  bool idles = false;  // and has steps without a message, which are rounds
  for (auto const& each : program.calls) {
    idles |= !each.idle.empty();
    auto const counts = scheduled(each, *program.network);
    if (!counts) return;
    sum = sum + *counts;
  }
  if (!idles) CHECK(measured.rounds == sum.rounds);
  CHECK(measured.startups == sum.startups);
  CHECK(measured.words == sum.words);
  CHECK(measured.messages == sum.messages);
  CHECK(measured.volume == sum.volume);
}

auto run_on(collective_program const& program, reference::engine_choice const& choice) {
  lockstep::machine const machine{program.network, reference::on(choice, {.strict = true})};
  return machine.run([&](processor& me) {
    std::vector<map_list> results;
    for (auto const& each : program.calls) {
      if (!each.idle.empty()) me.idle(each.idle[static_cast<std::size_t>(me.rank())]);
      results.push_back(call(me, each));
    }
    return results;
  });
}

/// Whether all processors have what they should.
template <class Results>
bool is_right(collective_program const& program, Results const& results) {
  auto const p = program.network->size();
  for (std::size_t i = 0; i < program.calls.size(); ++i)
    for (int rank = 0; rank < p; ++rank)
      if (results[static_cast<std::size_t>(rank)][i] != expected(program.calls[i], rank, p))
        return false;
  return true;
}

/// Runs the program of that seed on two of the engines. Result: the program.
collective_program checked(std::uint64_t seed) {
  auto program = random_program(seed);
  auto const engines = reference::all_engines();
  auto const& first = engines[seed % engines.size()];
  auto const& second =
      engines[(seed + 1 + seed / engines.size() % (engines.size() - 1)) % engines.size()];
  INFO("seed " << seed << ", " << text_of(program));
  auto const one = run_on(program, first);
  auto const other = run_on(program, second);
  CHECK(is_right(program, one.results()));
  CHECK(one.counts() == other.counts());
  CHECK(one.results() == other.results());
  CHECK(one.counts().contention <= 1);
  check_schedule(program, one.counts());
  return program;
}

std::uint64_t from_environment(char const* name, std::uint64_t otherwise) {
  char const* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

}  // namespace

// LOCKSTEP_RANDOM_COLLECTIVES: how many programs there are; LOCKSTEP_RANDOM_SEED: the first one's seed.
TEST_CASE("random collectives: results and counts, the same on all engines",
          "[random][sanitize][threads]") {
  auto const first = from_environment("LOCKSTEP_RANDOM_SEED", 1);
  auto const programs = from_environment("LOCKSTEP_RANDOM_COLLECTIVES", 1000);
  for (auto seed = first; seed < first + programs; ++seed) checked(seed);
}

TEST_CASE("random collectives make every call by every scheme", "[random]") {
  std::vector<std::pair<collective_operation, collective_scheme>> made;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed)
    for (auto const& each : random_program(seed).calls)
      if (each.scheme) made.emplace_back(each.operation, *each.scheme);
  for (auto const* const spec : {"crossbar:8", "crossbar:11", "hypercube:3", "mesh:4x4", "tree:3"})
    for (auto const operation :
         {collective_operation::broadcast, collective_operation::reduce,
          collective_operation::all_reduce, collective_operation::scan,
          collective_operation::scatter, collective_operation::gather,
          collective_operation::all_gather, collective_operation::reduce_scatter,
          collective_operation::all_to_all, collective_operation::barrier})
      for (auto const scheme : lockstep::schemes_of(operation, *lockstep::parse(spec))) {
        INFO(name_of(operation) << " by " << name_of(scheme));
        CHECK(std::ranges::find(made, std::pair(operation, scheme)) != made.end());
      }
}
