#include <lockstep/algorithms/collectives/detail/fitting_scheme.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/algorithms/collectives/detail/spanning_tree.hpp>
#include <lockstep/detail/complete_network.hpp>
#include <lockstep/detail/derived_values.hpp>
#include <lockstep/detail/enumerator_check.hpp>
#include <lockstep/detail/message_rules.hpp>
#include <lockstep/detail/part_network.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/topologies/torus.hpp>

#include "collectives/network_counts.hpp"

namespace lockstep::detail {

namespace {

using enum collective_scheme;
using scheme_list = std::vector<collective_scheme>;

/// Lists the schemes of a crossbar; some are for powers of two.
[[nodiscard]] scheme_list schemes_of_crossbar(collective_operation operation, int p) {
  using enum collective_operation;
  bool const is_power = p == power_of_two_within(p);
  auto const with = [&](scheme_list list, collective_scheme of_powers) {
    if (is_power) list.push_back(of_powers);
    return list;
  };
  switch (operation) {
    case broadcast:
    case reduce:
      return with({transpose, direct, k_ary, binomial, ring}, halving_doubling);
    case all_reduce:
      return {transpose,
              direct,
              k_ary,
              recursive_doubling,
              halving_doubling,
              ring,
              collective_scheme::circulant,
              binomial};
    case scan:
      return {recursive_doubling, binomial};
    case scatter:
    case gather:
      return {direct, k_ary, binomial};
    case all_gather:
      return with({direct, k_ary, bruck, circulant, ring}, recursive_doubling);
    case reduce_scatter:
      return with({direct, k_ary, circulant, ring, binomial}, halving_doubling);
    case all_to_all:
      return {direct, bruck};
    case barrier:
      return {dissemination, recursive_doubling, binomial};
  }
  return {};
}

[[nodiscard]] scheme_list schemes_of_hypercube(collective_operation operation) {
  using enum collective_operation;
  switch (operation) {
    case broadcast:
    case reduce:
      return {binomial, halving_doubling, ring, tree};
    case all_reduce:
      return {recursive_doubling, halving_doubling, binomial, ring, tree};
    case scan:
      return {recursive_doubling, binomial, tree};
    case scatter:
    case gather:
      return {binomial, tree};
    case all_gather:
      return {recursive_doubling, ring, tree};
    case reduce_scatter:
      return {halving_doubling, binomial, ring, tree};
    case all_to_all:
      return {bucket, tree};
    case barrier:
      return {recursive_doubling, binomial, tree};
  }
  return {};
}

[[nodiscard]] scheme_list schemes_of_grid(collective_operation operation) {
  using enum collective_operation;
  switch (operation) {
    case broadcast:
    case reduce:
    case all_reduce:
    case reduce_scatter:
      return {binomial, bucket, ring, tree};
    case scan:
    case scatter:
    case gather:
    case barrier:
      return {binomial, tree};
    case all_gather:
      return {bucket, ring, tree};
    case all_to_all:
      return {bucket, tree};
  }
  return {};
}

/// Lists the schemes of a grid whose messages go to neighbours only: along a line the last processor
/// cannot send to the first.
[[nodiscard]] scheme_list schemes_of_neighbours(collective_operation operation, bool is_torus) {
  using enum collective_operation;
  bool const goes_round = operation == all_reduce || operation == all_gather ||
                          operation == reduce_scatter || operation == all_to_all;
  if (is_torus && goes_round) return {bucket, tree};
  return {tree};
}

/// Adds the schemes that take machines whose processors use all of their ports.
[[nodiscard]] scheme_list with_all_ports(scheme_list list, collective_operation operation,
                                         topology const& network) {
  using enum collective_operation;
  bool const goes_round =
      operation == all_reduce || operation == all_gather || operation == reduce_scatter;
  if (goes_round && dynamic_cast<torus const*>(&network) != nullptr)
    list.insert(list.end() - 1, two_way);  // before the tree
  bool const is_on_crossbar = axes_of(network).kind == network_kind::crossbar;
  if (is_on_crossbar && (operation == scan || operation == barrier)) list.push_back(direct);
  return list;
}

/// Tells whether a scheme may combine operands in another order than that of ranks.
[[nodiscard]] bool changes_order(collective_operation operation, collective_scheme scheme) {
  using enum collective_operation;
  bool const adds = operation == reduce || operation == all_reduce || operation == reduce_scatter;
  return adds && (scheme == ring || scheme == bucket || scheme == two_way ||
                  scheme == halving_doubling || scheme == circulant);
}

/// Tells whether a scheme competes by its price. Those of JaJa and Ryu are for machines where many
/// rounds pay one start-up; one phase is the only way of its kind for some operations.
[[nodiscard]] bool competes(collective_operation operation, collective_scheme scheme) {
  using enum collective_operation;
  bool const has_no_likeness = operation == all_to_all || operation == reduce_scatter;
  return scheme != tree && scheme != transpose && scheme != k_ary &&
         (scheme != direct || has_no_likeness) && scheme != two_way;
}

/// Computes what decides between schemes. On a crossbar that takes O(p log p) time.
[[nodiscard]] rounds_and_words cost_of(network_collective const& of) {
  if (of.scheme == tree) return cost_on_tree(of);
  if (axes_of(of.network).kind != network_kind::crossbar) return cost_on_axes(of);
  auto const counts = network_counts(of);
  return {counts.rounds, counts.words};
}

[[nodiscard]] network_collective collective_by(asked_collective const& asked,
                                               collective_scheme scheme, topology const& network) {
  return {.operation = asked.operation,
          .scheme = scheme,
          .network = network,
          .elements = asked.elements,
          .root = asked.all_ports ? asked.root : 0,
          .packet = asked.packet,
          .reorders = asked.reorders,
          .all_ports = asked.all_ports};
}

[[nodiscard]] double price_of(rounds_and_words const& cost, asked_collective const& asked) {
  auto const startup = static_cast<double>(asked.startup_words.value_or(usual_startup_words));
  return static_cast<double>(cost.rounds) * startup + static_cast<double>(cost.words);
}

[[nodiscard]] collective_scheme cheapest(asked_collective const& asked, topology const& network,
                                         scheme_list const& fitting) {
  std::optional<double> least;
  auto found = fitting.back();  // where no other keeps the order of operands
  for (auto const scheme : fitting) {
    if (!competes(asked.operation, scheme)) continue;
    if (!asked.reorders && changes_order(asked.operation, scheme)) continue;
    auto const price = price_of(cost_of(collective_by(asked, scheme, network)), asked);
    if (least && *least <= price) continue;
    least = price;
    found = scheme;
  }
  return found;
}

/// Finds the scheme where nothing is said and a processor has one port.
[[nodiscard]] collective_scheme chosen_for_one_port(asked_collective const& asked,
                                                    topology const& network,
                                                    scheme_list const& fitting) {
  auto const kind = axes_of(network).kind;
  bool const is_as_in_papers = kind == network_kind::crossbar && !asked.startup_words;
  if (is_as_in_papers || kind == network_kind::other || fitting.size() == 1) return fitting.front();
  return cheapest(asked, network, fitting);
}

/// Tells whether the rounds of a scheme use several links of a processor where they can. An exchange by
/// a tree takes at least as many as one in rings.
[[nodiscard]] bool is_for_all_ports(collective_operation operation, collective_scheme scheme) {
  return scheme == direct || scheme == transpose || scheme == two_way ||
         (scheme == tree && operation != collective_operation::all_to_all);
}

/// Finds the scheme where nothing is said and processors use all of their ports: the one of machines with
/// one port, or the cheapest of those that take no more rounds than that and use several links at once.
[[nodiscard]] collective_scheme chosen_for_all_ports(asked_collective const& asked,
                                                     topology const& network,
                                                     scheme_list const& fitting) {
  auto found = chosen_for_one_port(asked, network, fitting);
  if (fitting.size() == 1) return found;
  auto const most_rounds = cost_of(collective_by(asked, found, network)).rounds;
  auto least = price_of(cost_of(collective_by(asked, found, network)), asked);
  for (auto const scheme : fitting) {
    if (!is_for_all_ports(asked.operation, scheme)) continue;
    if (!asked.reorders && changes_order(asked.operation, scheme)) continue;
    auto const of = collective_by(asked, scheme, network);
    // Far from it, a tree is not even made.
    if (scheme == tree && rounds_on_tree(of) > most_rounds) continue;
    auto const cost = cost_of(of);
    auto const price = price_of(cost, asked);
    if (cost.rounds > most_rounds || price >= least) continue;
    least = price;
    found = scheme;
  }
  return found;
}

}  // namespace

bool is_part_with_links(topology const& network) {
  return dynamic_cast<part_network const*>(&network) != nullptr;
}

namespace {

[[nodiscard]] scheme_rules rules_of(processor const& me) {
  auto const rules = message_rules_of(me);
  return {rules.switching == switching::neighbour, rules.packet,
          rules.ports == ports::all && has_all_ports(me)};
}

/// Errors: invalid_argument for a scheme that does not fit.
[[nodiscard]] collective_scheme found_scheme(asked_collective const& asked,
                                             topology const& network) {
  auto const how = asked.neighbours_only ? std::optional(switching::neighbour) : std::nullopt;
  auto const fitting =
      schemes_of(asked.operation, network, how, asked.all_ports ? ports::all : ports::one);
  if (asked.scheme != automatic) {
    if (std::ranges::find(fitting, asked.scheme) != fitting.end()) return asked.scheme;
    std::vector<std::string_view> names;
    for (auto const each : fitting) names.push_back(lockstep::name_of(each));
    auto const by_all = schemes_of(asked.operation, network, how, ports::all);
    bool const lacks_ports = std::ranges::find(by_all, asked.scheme) != by_all.end();
    throw invalid_argument(fmt::format(
        "{}: the scheme {} does not fit {}{}; take {}, or leave the scheme out",
        lockstep::name_of(asked.operation), lockstep::name_of(asked.scheme), network.spec(),
        lacks_ports ? " unless processors use all ports" : "", fmt::join(names, ", ")));
  }
  if (is_part_with_links(network)) return tree;
  return asked.all_ports ? chosen_for_all_ports(asked, network, fitting)
                         : chosen_for_one_port(asked, network, fitting);
}

}  // namespace

bool has_all_ports(processor const& me) {
  if (message_rules_of(me).ports != ports::all) return false;
  auto const is_complete = [](topology const& network) {
    return dynamic_cast<complete_network const*>(&network) != nullptr;
  };
  return !is_complete(me.topology()) || is_complete(network_of_machine(me));
}

void require_messages(collective_operation operation, access how) {
  if (how != access::messages)
    throw invalid_argument(
        fmt::format("{}: access by {} is for the schemes of a crossbar: transpose, direct, k-ary; "
                    "leave it out, or "
                    "take one of these there",
                    lockstep::name_of(operation), lockstep::name_of(how)));
}

namespace {

[[nodiscard]] known_network const& known_of(topology const& network) {
  return derived_values_of(network).get<known_network>([&] {
    return known_network{axes_of(network), {}};
  });
}

template <bool NeighboursOnly>
struct memo_by_switching : collectives_memo {};

/// Makes the memo of a processor whose machine is such a one; nullptr for others.
[[nodiscard, gnu::noinline]] collectives_memo const* found_memo(processor const& me) {
  auto const rules = message_rules_of(me);
  if (rules.packet != 1 || rules.ports == ports::all) return nullptr;
  auto const of = [&]<bool NeighboursOnly>(std::bool_constant<NeighboursOnly> /*is*/) {
    return &derived_values_of(me.topology()).get<memo_by_switching<NeighboursOnly>>([&] {
      return memo_by_switching<NeighboursOnly>{{known_of(me.topology()), NeighboursOnly}};
    });
  };
  collectives_memo const* const found =
      rules.switching == switching::neighbour
          ? static_cast<collectives_memo const*>(of(std::true_type{}))
          : of(std::false_type{});
  memo_of_processor::write(me, found);
  return found;
}

/// Finds the memo of a processor, which looks it up once, or nullptr.
[[nodiscard]] collectives_memo const* memo_of(processor const& me) {
  if (auto const* const known = memo_of_processor::read(me)) [[likely]]
    return known;
  return found_memo(me);
}

}  // namespace

collective_scheme scheme_for(asked_collective const& asked, topology const& network) {
  return known_of(network).schemes.scheme(asked,
                                          {asked.neighbours_only, asked.packet, asked.all_ports},
                                          [&] { return found_scheme(asked, network); });
}

asked_collective asked_by(processor const& me, asked_collective const& asked) {
  auto const rules = rules_of(me);
  auto all = asked;
  all.neighbours_only = rules.neighbours_only;
  all.packet = rules.packet;
  all.all_ports = rules.all_ports;
  return all;
}

namespace {

/// Finds it where the answer is not at hand. The question is copied where it is not known only: each
/// processor of a machine asks.
[[nodiscard, gnu::noinline]] collective_scheme scheme_not_at_hand(asked_collective const& asked,
                                                                  processor const& me,
                                                                  known_network const& known) {
  return known.schemes.scheme(asked, rules_of(me),
                              [&] { return found_scheme(asked_by(me, asked), me.topology()); });
}

}  // namespace

fitted_scheme scheme_for(asked_collective const& asked, processor const& me) {
  if (auto const* const usual = memo_of(me)) [[likely]]
    if (auto const scheme = usual->network.schemes.usual(asked, usual->neighbours_only)) [[likely]]
      return {*scheme, &usual->network.axes};
  auto const& known = known_of(me.topology());
  return {scheme_not_at_hand(asked, me, known), &known.axes};
}

fitted_scheme checked_scheme_for(processor const& me, collective_operation operation,
                                 collective_options const& options, std::size_t elements,
                                 bool reorders) {
  int const root = operation == collective_operation::all_reduce ? 0 : options.root;
  auto with_root = options;
  with_root.root = root;
  require_collective(lockstep::name_of(operation), with_root, me.size());
  auto const found = scheme_for({.operation = operation,
                                 .scheme = options.scheme,
                                 .elements = elements,
                                 .reorders = reorders,
                                 .startup_words = options.startup_words,
                                 .root = root},
                                me);
  if (!is_of_crossbar(found) && found != collective_scheme::circulant)
    require_messages(operation, options.how);
  return found;
}

std::vector<rank_axis> ring_axes(collective_scheme scheme, topology const& network) {
  auto const p = network.size();
  if (p == 1) return {};
  if (scheme == ring) return {{p, 1}};
  if (scheme == bucket || scheme == two_way) return axes_of(network).list;
  return pair_axes(p);
}

std::vector<rank_line> ring_lines(collective_scheme scheme, topology const& network, int rank) {
  if (scheme == ring && network.size() > 1 && axes_of(network).kind == network_kind::hypercube)
    return {rank_line::in_gray_order(rank, network.size())};
  std::vector<rank_line> lines;
  for (auto const& axis : ring_axes(scheme, network)) lines.emplace_back(rank, axis);
  return lines;
}

}  // namespace lockstep::detail

namespace lockstep {

char const* name_of(collective_operation operation) {
  using enum collective_operation;
  switch (operation) {
    case broadcast:
      return "broadcast";
    case reduce:
      return "reduce";
    case all_reduce:
      return "all_reduce";
    case scan:
      return "scan";
    case scatter:
      return "scatter";
    case gather:
      return "gather";
    case all_gather:
      return "all_gather";
    case reduce_scatter:
      return "reduce_scatter";
    case all_to_all:
      return "all_to_all";
    case barrier:
      return "barrier";
  }
  detail::throw_no_such_value("collective_operation", static_cast<std::uint64_t>(operation),
                              {"collective_operation::broadcast", "collective_operation::barrier"});
}

std::vector<collective_scheme> schemes_of(collective_operation operation, topology const& network,
                                          std::optional<switching> how, ports with) {
  if (with == ports::all)
    return detail::with_all_ports(schemes_of(operation, network, how), operation, network);
  if (how.value_or(network.default_switching()) == switching::neighbour &&
      detail::axes_of(network).kind == detail::network_kind::grid)
    return detail::schemes_of_neighbours(operation,
                                         dynamic_cast<torus const*>(&network) != nullptr);
  if (detail::is_part_with_links(network)) {
    auto schemes = detail::schemes_of_crossbar(operation, network.size());
    schemes.insert(schemes.begin(), collective_scheme::tree);
    return schemes;
  }
  switch (detail::axes_of(network).kind) {
    case detail::network_kind::crossbar:
      return detail::schemes_of_crossbar(operation, network.size());
    case detail::network_kind::hypercube:
      return detail::schemes_of_hypercube(operation);
    case detail::network_kind::grid:
      return detail::schemes_of_grid(operation);
    case detail::network_kind::other:
      break;
  }
  return {collective_scheme::tree};
}

}  // namespace lockstep
