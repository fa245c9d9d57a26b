#include <lockstep/algorithms/collectives/listed_blocks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/detail/block_layouts.hpp>
#include <lockstep/algorithms/collectives/detail/fitting_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/spanning_tree.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/errors.hpp>

#include "collectives/schedule_formulas.hpp"
#include "collectives/schedule_rounds.hpp"

namespace lockstep {

namespace {

using size_span = std::span<std::size_t const>;

/// A collective of blocks of any sizes on a network, whose cost is asked for.
struct listed_collective {
  collective_operation operation;
  collective_scheme scheme;
  topology const& network;
  size_span sizes;
  int root;
  std::uint64_t packet;

  [[nodiscard]] bool goes_by_tree() const { return scheme == collective_scheme::tree; }
  [[nodiscard]] std::size_t p() const { return static_cast<std::size_t>(network.size()); }
  /// Finds the size of the block from one processor to another.
  [[nodiscard]] std::uint64_t between(int from, int to) const {
    return sizes[static_cast<std::size_t>(from) * p() + static_cast<std::size_t>(to)];
  }
};

/// Calls act(from, to, elements) for the blocks of an exchange that are not empty, but those to
/// oneself.
template <class Act>
void for_each_block(listed_collective const& of, Act const& act) {
  for (int from = 0; from < of.network.size(); ++from)
    for (int to = 0; to < of.network.size(); ++to)
      if (from != to && of.between(from, to) > 0) act(from, to, of.between(from, to));
}

// --- A block of each processor

[[nodiscard]] schedule_counts blocks_on_tree(listed_collective const& of) {
  bool const goes_to_all = of.operation == collective_operation::all_gather;
  auto const kept =
      detail::spanning_tree_of(of.network, goes_to_all ? detail::centre_of(of.network) : of.root);
  auto const& tree = *kept;
  std::vector<std::size_t> by_place;
  for (int place = 0; place < tree.size(); ++place)
    by_place.push_back(of.sizes[static_cast<std::size_t>(tree.rank_at(place))]);
  detail::listed_blocks const places(by_place);
  auto const up = along_tree(tree, of.packet, [&](int rank) {
    auto const place = tree.place(rank);
    return detail::elements_of_blocks(places, place, place + tree.size_below(rank));
  });
  if (!goes_to_all) return up;
  return up + along_tree(tree, of.packet, [&](int) { return places.before(tree.size()); });
}

[[nodiscard]] schedule_counts counts_of_blocks(listed_collective const& of) {
  if (of.goes_by_tree()) return blocks_on_tree(of);
  detail::listed_blocks const blocks(of.sizes);
  if (of.operation == collective_operation::all_gather)
    return blocks_by_rings(detail::ring_axes(of.scheme, of.network), blocks, of.packet);
  return blocks_by_trees(detail::axes_of(of.network).list, blocks, of.root, of.packet);
}

// --- A block of each processor for each

/// Counts an exchange in which each processor sends its blocks in rounds that pay one start-up.
[[nodiscard]] schedule_counts exchanged_directly(listed_collective const& of) {
  std::vector<std::uint64_t> sent(of.p());
  std::vector<std::uint64_t> taken_in(of.p());
  schedule_counts counts{.rounds = of.p() - 1};
  for_each_block(of, [&](int from, int to, std::uint64_t elements) {
    auto const words = detail::in_whole_packets(elements, of.packet);
    sent[static_cast<std::size_t>(from)] += words;
    taken_in[static_cast<std::size_t>(to)] += words;
    counts.volume = checked_sum(counts.volume, words);  // no other sum is larger
    ++counts.messages;
  });
  counts.words = std::max(std::ranges::max(sent), std::ranges::max(taken_in));
  counts.startups = counts.messages > 0 ? 1 : 0;
  return counts;
}

/// Counts an exchange in which each block goes round the rings of all axes to the coordinate of its
/// destination, and the sizes of a bundle of blocks go before it.
[[nodiscard]] schedule_counts exchanged_in_rings(listed_collective const& of) {
  auto const axes = detail::axes_of(of.network).list;
  schedule_counts counts = exchange_by_rings(axes, 1, of.packet);
  std::vector<int> holders(of.p() * of.p());  // of each block
  for (std::size_t block = 0; block < holders.size(); ++block)
    holders[block] = static_cast<int>(block / of.p());
  for (auto const& axis : axes) {
    std::vector<std::uint64_t> loads((count_of(axis.size) - 1) * of.p());  // by round, by sender
    for_each_block(of, [&](int from, int to, std::uint64_t elements) {
      auto& holder =
          holders[static_cast<std::size_t>(from) * of.p() + static_cast<std::size_t>(to)];
      auto const goal = to / axis.stride % axis.size;
      for (std::size_t round = 0; holder / axis.stride % axis.size != goal; ++round) {
        auto& load = loads[round * of.p() + static_cast<std::size_t>(holder)];
        load = checked_sum(load, elements);
        bool const is_last = holder / axis.stride % axis.size == axis.size - 1;
        holder += is_last ? -(axis.size - 1) * axis.stride : axis.stride;
      }
    });
    round_sums sums(of.packet);
    for (std::size_t at = 0; at < loads.size(); ++at) {
      sums.message(loads[at]);
      if ((at + 1) % of.p() == 0) sums.end_rounds();
    }
    counts = counts + sums.counts();
  }
  return counts;
}

/// Counts an exchange in which each block goes up a tree as far as it has to, and down, and the sizes
/// of those that cross a link together go before them.
[[nodiscard]] schedule_counts exchanged_on_tree(listed_collective const& of) {
  auto const kept = detail::spanning_tree_of(of.network, detail::centre_of(of.network));
  auto const& tree = *kept;
  std::vector<std::uint64_t> upwards(of.p());
  std::vector<std::uint64_t> downwards(of.p());
  auto const climb = [&](std::vector<std::uint64_t>& loads, int from, int to,
                         std::uint64_t elements) {
    for (int at = from; !tree.is_below(to, at); at = tree.parent(at)) {
      auto& load = loads[static_cast<std::size_t>(at)];
      load = checked_sum(load, elements);
    }
  };
  for_each_block(of, [&](int from, int to, std::uint64_t elements) {
    climb(upwards, from, to, elements);
    climb(downwards, to, from, elements);
  });
  auto const along = [&](auto const& elements) { return along_tree(tree, of.packet, elements); };
  auto const sizes = along([&](int rank) {
    auto const below = count_of(tree.size_below(rank));
    return checked_product(below, of.p() - below);
  });
  return sizes + along([&](int rank) { return upwards[static_cast<std::size_t>(rank)]; }) + sizes +
         along([&](int rank) { return downwards[static_cast<std::size_t>(rank)]; });
}

[[nodiscard]] schedule_counts counts_of_listed(listed_collective const& of) {
  if (of.operation != collective_operation::all_to_all) return counts_of_blocks(of);
  if (of.goes_by_tree()) return exchanged_on_tree(of);
  if (of.scheme == collective_scheme::direct) return exchanged_directly(of);
  return exchanged_in_rings(of);
}

// --- Claims

/// Finds the collective that is asked for. Errors: those of `listed_counts`.
[[nodiscard]] listed_collective listed_collective_for(collective_operation operation,
                                                      topology const& network, size_span sizes,
                                                      collective_options const& options,
                                                      std::uint64_t packet) {
  detail::require_machine_of_claims(name_of(operation), {.p = network.size(), .packet = packet});
  detail::require_counted_processors("schedule", network.size());
  auto const scheme = detail::scheme_of_listed(operation, network, options.scheme, packet);
  auto const p = static_cast<std::size_t>(network.size());
  auto const wanted = operation == collective_operation::all_to_all ? p * p : p;
  if (sizes.size() != wanted)
    throw invalid_argument(fmt::format("{}v: {} sizes on {}; give {}, one for each block",
                                       name_of(operation), sizes.size(), network.spec(), wanted));
  bool const is_rooted =
      operation == collective_operation::gather || operation == collective_operation::scatter;
  if (is_rooted) detail::require_root(name_of(operation), options.root, network.size());
  return {operation, scheme, network, sizes, is_rooted ? options.root : 0, packet};
}

[[nodiscard]] std::string written_rounds(listed_collective const& of) {
  auto const kind = detail::axes_of(of.network).kind;
  bool const exchanges = of.operation == collective_operation::all_to_all;
  switch (of.scheme) {
    case collective_scheme::tree:
      if (exchanges) return "4 (rounds of the tree)";
      return of.operation == collective_operation::all_gather ? "2 (rounds of the tree)"
                                                              : "rounds of the tree";
    case collective_scheme::binomial:
      return rounds_of_binomial(kind == detail::network_kind::grid);
    case collective_scheme::recursive_doubling:
      return rounds_of_halving;
    case collective_scheme::bucket:
      return (exchanges ? "2 " : "") + std::string(rounds_of_lines);
    default:
      return "p - 1";
  }
}

[[nodiscard]] std::string written_words(listed_collective const& of) {
  if (of.scheme == collective_scheme::direct)
    return of.packet == 1 ? "the largest over processors of words sent or taken in"
                          : "the largest over processors of packets sent or taken in";
  std::string words = of.packet == 1 ? "sum over rounds of the longest message"
                                     : "sum over rounds of the longest message's packets";
  if (of.operation == collective_operation::all_to_all) words += ", half of them of sizes";
  return words;
}

}  // namespace

schedule_counts listed_counts(collective_operation operation, topology const& network,
                              std::span<std::size_t const> sizes, collective_options const& options,
                              std::uint64_t packet, std::source_location where) {
  return detail::errors_at(where, [&] {
    return counts_of_listed(listed_collective_for(operation, network, sizes, options, packet));
  });
}

std::vector<claim> listed_claims(collective_operation operation, topology const& network,
                                 std::span<std::size_t const> sizes,
                                 collective_options const& options, std::uint64_t packet) {
  auto const of = listed_collective_for(operation, network, sizes, options, packet);
  auto const counts = counts_of_listed(of);
  auto const rounds = written_rounds(of);
  std::string const source = "lockstep, the schedule counted";
  auto claims = exact_claims({counts, rounds,
                              counts.startups == counts.rounds         ? rounds
                              : of.scheme == collective_scheme::direct ? "1"
                                                                       : "rounds with words",
                              written_words(of), "sum over all messages of their packets",
                              "messages of all rounds that are not empty"},
                             source);
  if (counts.messages > 0) claims.push_back({"contention", "1", 1, comparison::equal, source});
  return claims;
}

}  // namespace lockstep
