#include <lockstep/algorithms/collectives/listed_blocks.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/collectives/total_exchange.hpp>
#include <lockstep/processor.hpp>

#include "collectives/block_sizes.hpp"
#include "harness/bdm_parameters.hpp"
#include "harness/experiment_list.hpp"
#include "harness/solve.hpp"

namespace lockstep {

namespace {

using word_list = std::vector<std::uint64_t>;
using block_list = std::vector<word_list>;

constexpr named_choice any_listed_scheme{"automatic", collective_scheme::automatic};
constexpr named_choice listed_tree_scheme{"tree", collective_scheme::tree};
constexpr named_choice listed_bucket_scheme{"bucket", collective_scheme::bucket};
constexpr choice_parameter scheme_of_rooted{
    "scheme", "automatic (binomial where that fits, else tree), binomial or tree",
    std::array{any_listed_scheme, named_choice{"binomial", collective_scheme::binomial},
               listed_tree_scheme}};
constexpr choice_parameter scheme_of_all_gatherv{
    "scheme",
    "automatic (on a crossbar ring, elsewhere the one of the fewest rounds that fits), "
    "recursive-doubling, ring, bucket or tree",
    std::array{any_listed_scheme,
               named_choice{"recursive-doubling", collective_scheme::recursive_doubling},
               named_choice{"ring", collective_scheme::ring}, listed_bucket_scheme,
               listed_tree_scheme}};
constexpr choice_parameter scheme_of_all_to_allv{
    "scheme", "automatic (the first that fits), direct (on a crossbar), bucket or tree",
    std::array{any_listed_scheme, named_choice{"direct", collective_scheme::direct},
               listed_bucket_scheme, listed_tree_scheme}};

/// A collective of blocks of any sizes that is asked for.
struct listed_run {
  arguments given;
  collective_operation operation;
  collective_scheme scheme;
  block_sizes sizes;
  int root = 0;

  [[nodiscard]] int p() const { return given.processors(); }
  [[nodiscard]] bool is_rooted() const {
    return operation == collective_operation::gather || operation == collective_operation::scatter;
  }
  /// Makes the block of a processor, or from one to another.
  [[nodiscard]] word_list block(int from, int to = 0) const {
    auto const exchanges = operation == collective_operation::all_to_all;
    auto const place = exchanges ? static_cast<std::size_t>(from) * static_cast<std::size_t>(p()) +
                                       static_cast<std::size_t>(to)
                                 : static_cast<std::size_t>(from);
    word_list words(sizes.list[place]);
    for (std::size_t i = 0; i < words.size(); ++i) {
      auto const word = generated_word(given.seed(), from, to, i);
      words[i] = takes_small_values(given) ? word % 90 + 10 : word;
    }
    return words;
  }
  /// Adds what there is to know of the sizes, in the place of the parameters that a file has not.
  void add_size_to(experiment_result& result) const {
    result.figures["n"] = static_cast<std::int64_t>(sizes.all);
    result.figures["longest"] = static_cast<std::int64_t>(sizes.longest);
    result.figures["scheme"] = std::string(name_of(scheme));
    if (!given.request().input) return;
    result.parameters.erase(std::string(mean_size.name));
    result.parameters.erase(std::string(rule_of_sizes.name));
  }
};

/// The problem of a gather, scatter or all-gather.
struct blocks_problem {
  listed_run const& of;

  [[nodiscard]] word_list part_of(processor const& me) const {
    if (of.operation != collective_operation::scatter) return of.block(me.rank());
    return me.rank() == of.root ? all_blocks() : word_list();
  }
  [[nodiscard]] std::uint64_t pieces_to_check() const { return static_cast<std::uint64_t>(of.p()); }
  [[nodiscard]] bool is_solved_by(std::vector<word_list> const& results) const {
    auto const all = all_blocks();
    for (int rank = 0; rank < of.p(); ++rank) {
      auto const& got = results[static_cast<std::size_t>(rank)];
      bool const is_at_end = of.operation == collective_operation::all_gather || rank == of.root;
      bool const is_right = of.operation == collective_operation::scatter ? got == of.block(rank)
                            : is_at_end                                   ? got == all
                                                                          : got.empty();
      if (!is_right) return false;
      note_done(1);
    }
    return true;
  }
  /// Says what every program needs: the root's port takes or sends what the others have or get, and
  /// everybody's in an all-gather takes what the others have.
  [[nodiscard]] traffic_requirement least_traffic(std::vector<word_list> const& /*results*/) const {
    return of.is_rooted() ? traffic_of_root() : traffic_of_all();
  }
  [[nodiscard]] std::uint64_t pieces_to_write() const { return of.sizes.list.size(); }
  void write(std::ostream& out, std::vector<word_list> const& /*results*/) const {
    write_sizes(out, of.sizes);
  }
  void add_size_to(experiment_result& result) const { of.add_size_to(result); }

 private:
  [[nodiscard]] word_list all_blocks() const {
    word_list all;
    all.reserve(of.sizes.all);
    for (int rank = 0; rank < of.p(); ++rank)
      std::ranges::copy(of.block(rank), std::back_inserter(all));
    return all;
  }
  [[nodiscard]] traffic_requirement traffic_of_root() const {
    bool const gathers = of.operation == collective_operation::gather;
    traffic_requirement needed{.joined = 1};
    std::uint64_t longest = 0;
    for (int rank = 0; rank < of.p(); ++rank) {
      std::uint64_t const size = of.sizes.list[static_cast<std::size_t>(rank)];
      if (rank == of.root || size == 0) continue;
      auto const links =
          gathers ? of.given.network().hops(rank, of.root) : of.given.network().hops(of.root, rank);
      needed.moved += size;
      needed.word_links += size * static_cast<std::uint64_t>(links);
      needed.distance = std::max(needed.distance, links);
      ++needed.joined;
      longest = std::max(longest, size);
    }
    needed.taken_in = gathers ? needed.moved : longest;
    needed.sent = gathers ? longest : needed.moved;
    return needed;
  }
  [[nodiscard]] traffic_requirement traffic_of_all() const {
    if (of.p() == 1 || of.sizes.all == 0) return {};
    bool const have_all = std::ranges::min(of.sizes.list) > 0;
    return {.taken_in = of.sizes.all - std::ranges::min(of.sizes.list),
            .sent = of.sizes.longest,
            .moved = static_cast<std::uint64_t>(of.p() - 1) * of.sizes.all,
            .distance = have_all ? of.given.network().diameter() : 1,
            .joined = static_cast<std::uint64_t>(of.p())};
  }
};

/// The problem of an exchange: a block of each processor for each.
struct exchange_of_blocks {
  listed_run const& of;

  [[nodiscard]] block_list part_of(processor const& me) const {
    block_list blocks;
    for (int to = 0; to < of.p(); ++to) blocks.push_back(of.block(me.rank(), to));
    return blocks;
  }
  [[nodiscard]] std::uint64_t pieces_to_check() const { return static_cast<std::uint64_t>(of.p()); }
  [[nodiscard]] bool is_solved_by(std::vector<block_list> const& results) const {
    for (int rank = 0; rank < of.p(); ++rank) {
      auto const& got = results[static_cast<std::size_t>(rank)];
      if (got.size() != results.size()) return false;
      for (int from = 0; from < of.p(); ++from)
        if (got[static_cast<std::size_t>(from)] != of.block(from, rank)) return false;
      note_done(1);
    }
    return true;
  }
  [[nodiscard]] traffic_requirement least_traffic(
      std::vector<block_list> const& /*results*/) const {
    return relation_between(of.given.network(), {of.sizes.list.begin(), of.sizes.list.end()});
  }
  [[nodiscard]] std::uint64_t pieces_to_write() const { return of.sizes.list.size(); }
  void write(std::ostream& out, std::vector<block_list> const& /*results*/) const {
    write_sizes(out, of.sizes);
  }
  void add_size_to(experiment_result& result) const { of.add_size_to(result); }
};

/// Shows the words that a processor has.
void show_words(processor& me, word_list const& words) { me.show("words", words); }
void show_words(processor& me, block_list const& blocks) {
  word_list all;
  for (auto const& block : blocks) all.insert(all.end(), block.begin(), block.end());
  show_words(me, all);
}

/// Runs a collective, and shows the words of the blocks before and after it.
template <class Blocks, class Call>
[[nodiscard]] auto shown_around(processor& me, Blocks const& mine, Call const& call) {
  if (me.is_shown()) show_words(me, mine);
  auto result = call();
  if (me.is_shown()) show_words(me, result);
  return result;
}

/// Calls the collective. Result: what the problem judges.
[[nodiscard]] word_list listed_call(processor& me, listed_run const& of, word_list const& mine) {
  switch (of.operation) {
    case collective_operation::gather:
      me.phase("gather");
      return gatherv(me, mine, of.sizes.list, {.scheme = of.scheme, .root = of.root});
    case collective_operation::scatter:
      me.phase("scatter");
      return scatterv(me, mine, of.sizes.list, {.scheme = of.scheme, .root = of.root});
    default:
      me.phase("all-gather");
      return all_gatherv(me, mine, of.sizes.list, {.scheme = of.scheme});
  }
}

/// Requires memory for blocks of that many words in all: what runs of a few hundred MiB took, as
/// tests/experiments/memory has them. Errors: out_of_memory, with the figures.
void require_memory_for(arguments const& given, collective_operation operation,
                        collective_scheme scheme, double words) {
  double const p = given.processors();
  bool const is_by_tree = scheme == collective_scheme::tree;
  bool const is_direct = scheme == collective_scheme::direct;
  constexpr double bytes_of_a_word = sizeof(std::uint64_t);
  double bytes = bytes_of_a_word * p;  // where each block is
  switch (operation) {
    case collective_operation::all_gather:
      bytes += bytes_of_a_word * 1.45 * words;
      break;
    case collective_operation::all_to_all:
      bytes = bytes_of_a_word *
                  (is_direct    ? 1.05
                   : is_by_tree ? 5
                                : 2.35) *
                  words / p +
              72 * p;  // vectors of blocks
      break;
    default:
      bytes += bytes_of_a_word * (is_by_tree ? 4.2 : 3.2) * words / p;
  }
  require_memory(given, {.bytes_each = bytes,
                         .held = fmt::format("blocks and messages of {} words in all", words),
                         .remedy = "fewer words"});
}

/// Reads the sizes, for which there has to be memory.
/// Errors: out_of_memory; those of `sizes_from`.
[[nodiscard]] block_sizes checked_sizes(arguments const& given, collective_operation operation,
                                        collective_scheme scheme) {
  bool const exchanges = operation == collective_operation::all_to_all;
  auto const p = static_cast<std::size_t>(given.processors());
  double const blocks = static_cast<double>(p) * (exchanges ? static_cast<double>(p) : 1.0);
  bool const has_file = given.request().input.has_value();
  auto const mean = has_file ? 0.0 : static_cast<double>(given[mean_size]);
  require_memory_for(given, operation, scheme, blocks * mean);
  auto sizes = sizes_from(given, exchanges ? p * p : p);
  require_memory_for(given, operation, scheme, static_cast<double>(sizes.all));
  return sizes;
}

[[nodiscard]] experiment_result run_listed(arguments const& given, collective_operation operation,
                                           collective_scheme asked) {
  auto const packet = packet_from(given);
  auto const scheme = detail::scheme_of_listed(operation, given.network(), asked, packet);
  listed_run const of{.given = given,
                      .operation = operation,
                      .scheme = scheme,
                      .sizes = checked_sizes(given, operation, scheme),
                      .root = given.has("root") ? root_from(given) : 0};
  auto claims = listed_claims(operation, given.network(), of.sizes.list,
                              {.scheme = scheme, .root = of.root}, packet);
  machine_needs const needs{.strict = strictness::always, .packet = packet, .one_port = true};
  if (operation == collective_operation::all_to_all)
    return solve(given, needs, std::move(claims), exchange_of_blocks{of},
                 [&](processor& me, block_list blocks) {
                   me.phase("exchange");
                   return shown_around(me, blocks, [&] {
                     return all_to_allv(me, std::move(blocks), {.scheme = scheme});
                   });
                 });
  return solve(given, needs, std::move(claims), blocks_problem{of},
               [&](processor& me, word_list const& mine) {
                 return shown_around(me, mine, [&] { return listed_call(me, of, mine); });
               });
}

/// Completes an experiment of blocks of any sizes.
template <collective_operation Operation, auto const& Scheme>
[[nodiscard]] experiment of_listed_blocks(std::string name, std::string summary) {
  experiment made{
      .name = std::move(name),
      .summary = std::move(summary) +
                 ", of sizes that are made or read from a column of an input file (CSV)",
      .topologies = "any network",
      .source = "lockstep; MPI has collectives of this name",
      .examples = {"mesh:4x4", "crossbar:8", "crossbar:11", "hypercube:3", "torus:3x5", "mesh:7",
                   "tree:4", "shuffle-exchange:3", "butterfly:2"},
      .parameters = {mean_size, rule_of_sizes, column_of_sizes, packet_size, Scheme},
      .takes_files = true,
      .run = [](arguments const& given) { return run_listed(given, Operation, given[Scheme]); }};
  return made;
}

}  // namespace

experiment gatherv_experiment() {
  auto made = of_listed_blocks<collective_operation::gather, scheme_of_rooted>(
      "gatherv", "a processor gets a block of each processor");
  made.parameters.push_back(root_of("the processor that gets all"));
  return made;
}

experiment scatterv_experiment() {
  auto made = of_listed_blocks<collective_operation::scatter, scheme_of_rooted>(
      "scatterv", "a processor deals out a block to each processor");
  made.parameters.push_back(root_of("the processor that deals out"));
  return made;
}

experiment all_gatherv_experiment() {
  return of_listed_blocks<collective_operation::all_gather, scheme_of_all_gatherv>(
      "all-gatherv", "every processor gets a block of each processor");
}

experiment all_to_allv_experiment() {
  return of_listed_blocks<collective_operation::all_to_all, scheme_of_all_to_allv>(
      "all-to-allv", "every processor has a block for every processor");
}

}  // namespace lockstep
