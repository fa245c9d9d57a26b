#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/detail/fitting_scheme.hpp>
#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/errors.hpp>

#include "collectives/network_counts.hpp"
#include "collectives/schedule_formulas.hpp"

namespace lockstep {

namespace {

using detail::network_kind;

[[nodiscard]] bool has_root(collective_operation operation) {
  using enum collective_operation;
  return operation == broadcast || operation == reduce || operation == scatter ||
         operation == gather;
}

/// Finds the collective that is asked for. Errors: invalid_argument, invalid_rank.
[[nodiscard]] network_collective asked_for(collective_operation operation, topology const& network,
                                           std::size_t elements, collective_options const& options,
                                           std::uint64_t packet, ports with) {
  bool const all_ports = with == ports::all;
  detail::require_machine_of_claims(name_of(operation), {.p = network.size(), .packet = packet});
  detail::require_root(name_of(operation), options.root, network.size());
  auto const scheme = detail::scheme_for({.operation = operation,
                                          .scheme = options.scheme,
                                          .elements = elements,
                                          .reorders = options.commutes,
                                          .startup_words = options.startup_words,
                                          .packet = packet,
                                          .all_ports = all_ports,
                                          .root = options.root},
                                         network);
  bool const goes_at_once = all_ports && scheme != collective_scheme::k_ary;
  bool const has_claims_of_its_own = operation != collective_operation::all_to_all &&
                                     operation != collective_operation::reduce_scatter;
  if (detail::is_of_crossbar(scheme) && !goes_at_once &&
      (has_claims_of_its_own || scheme != collective_scheme::direct))
    throw invalid_argument(
        fmt::format("collective_counts: {} by {} is counted by {}_claims; name another scheme",
                    name_of(operation), name_of(scheme), name_of(operation)));
  auto const root = has_root(operation) ? options.root : 0;
  return {operation, scheme, network, elements, root, packet, options.commutes, all_ports};
}

/// Formulas of a stage.
struct written_stage {
  std::string rounds;
  std::string words;
};

/// Writes down the stages of an operation, one after another. n: words of the vector, or of the blocks of
/// all processors; m: of a block of an all-to-all; n_i: sizes of the dimensions.
class stage_writer {
 public:
  explicit stage_writer(network_collective const& of)
      : m_of(of), m_kind(detail::axes_of(of.network).kind) {}

  [[nodiscard]] std::vector<written_stage> stages() const {
    using enum collective_operation;
    auto const scheme = m_of.scheme;
    if (scheme == collective_scheme::tree) return of_tree();
    if (m_of.all_ports && detail::is_of_crossbar(scheme)) return at_once();
    if (scheme == collective_scheme::direct)
      return {{"p - 1", m_of.operation == all_to_all ? "m (p - 1)" : all_but_own}};
    if (scheme == collective_scheme::bruck)
      return {{rounds_of_doubling, m_of.operation == all_gather
                                       ? all_but_own
                                       : "m times the numbers below p with bit i, for all i"}};
    if (scheme == collective_scheme::circulant) {
      written_stage const once{rounds_of_doubling,
                               m_of.operation == all_reduce ? words_of_pieces() : all_but_own};
      if (m_of.operation == all_reduce) return {once, once};
      return {once};
    }
    if (scheme == collective_scheme::dissemination)
      return {{rounds_of_doubling, rounds_of_doubling}};
    switch (m_of.operation) {
      case broadcast:
      case reduce:
        if (scheme == collective_scheme::binomial) return {whole("n")};
        return {dealt(), around(true)};
      case all_reduce:
        if (scheme == collective_scheme::binomial) return {whole("n"), whole("n")};
        if (scheme == collective_scheme::recursive_doubling) return with_fold({doubled("n")});
        if (scheme != collective_scheme::halving_doubling) return {around(true), around(true)};
        return with_fold({around(true), around(true)});
      case scan:
        if (scheme == collective_scheme::binomial) return {whole("n"), whole("n")};
        return {{rounds_of_doubling, "n " + std::string(rounds_of_doubling)}};
      case barrier:
        if (scheme == collective_scheme::binomial) return {whole("1"), whole("1")};
        return with_fold({doubled("1")});
      case scatter:
      case gather:
        return {dealt()};
      case reduce_scatter:
        if (scheme == collective_scheme::binomial) return {whole("n"), dealt()};
        return {around(false)};
      case all_gather:
        return {around(false)};
      case all_to_all:
        return {{rounds_of_lines, std::string(rounds_of_lines) + " p m/2"}};
    }
    return {};
  }

 private:
  static constexpr char const* longest_messages = "sum over rounds of the longest message";
  static constexpr char const* all_but_own = "n (p - 1)/p";  ///< parts of a vector

  /// Of a crossbar whose processors use all ports.
  [[nodiscard]] std::vector<written_stage> at_once() const {
    using enum collective_operation;
    if (m_of.network.size() == 1) return {{"0", "0"}};
    if (m_of.scheme == collective_scheme::transpose) {
      bool const divides = m_of.elements % static_cast<std::size_t>(m_of.network.size()) == 0;
      written_stage const once{"1", divides ? "n/p" : longest_messages};
      return {once, once};
    }
    bool const has_blocks = m_of.operation == scatter || m_of.operation == gather ||
                            m_of.operation == all_gather || m_of.operation == reduce_scatter;
    if (m_of.operation == barrier) return {{"1", "1"}};
    return {{"1", has_blocks ? "n/p" : m_of.operation == all_to_all ? "m" : "n"}};
  }

  [[nodiscard]] std::string tree_rounds() const {
    return rounds_of_binomial(m_kind == network_kind::grid);
  }
  [[nodiscard]] written_stage whole(std::string const& words) const {
    return {tree_rounds(), words + " " + tree_rounds()};
  }
  [[nodiscard]] written_stage dealt() const {
    using enum collective_operation;
    bool const in_pieces = m_of.operation == broadcast || m_of.operation == reduce;
    if (!halves_evenly()) return {tree_rounds(), longest_messages};
    return {tree_rounds(), in_pieces ? words_of_pieces() : all_but_own};
  }
  /// Words of pieces of a vector that all go to or from all, or the root.
  [[nodiscard]] std::string words_of_pieces() const {
    auto const p = static_cast<std::size_t>(m_of.network.size());
    bool const is_folded = m_of.scheme == collective_scheme::halving_doubling &&
                           m_of.network.size() != detail::power_of_two_within(m_of.network.size());
    if (is_folded || m_of.elements % p != 0) return longest_messages;
    return all_but_own;
  }
  /// Whether lines are cut into halves of one size to the end.
  [[nodiscard]] bool halves_evenly() const {
    return m_of.network.size() == detail::power_of_two_within(m_of.network.size());
  }
  [[nodiscard]] static written_stage doubled(std::string const& words) {
    return {rounds_of_halving, words + " " + rounds_of_halving};
  }
  [[nodiscard]] written_stage around(bool in_pieces) const {
    auto const rounds = m_of.scheme == collective_scheme::ring      ? "p - 1"
                        : m_of.scheme == collective_scheme::bucket  ? rounds_of_lines
                        : m_of.scheme == collective_scheme::two_way ? "sum floor(n_i/2)"
                                                                    : rounds_of_halving;
    if (m_of.scheme == collective_scheme::two_way) return {rounds, longest_messages};
    if (!in_pieces) return {rounds, all_but_own};
    return {rounds,
            m_of.scheme == collective_scheme::ring ? "(p - 1) ceil(n/p)" : words_of_pieces()};
  }
  [[nodiscard]] std::vector<written_stage> with_fold(std::vector<written_stage> stages) const {
    auto const p = m_of.network.size();
    if (p != detail::power_of_two_within(p))
      stages.push_back({"2", m_of.operation == collective_operation::barrier ? "2" : "2 n"});
    return stages;
  }
  [[nodiscard]] std::vector<written_stage> of_tree() const {
    using enum collective_operation;
    bool const at_once = m_of.all_ports;  // to or from all children
    written_stage const whole{
        at_once ? "depth of the tree" : "rounds of the tree",
        at_once ? "n times the depth of the tree" : "n times the rounds of the tree"};
    written_stage const blocks{whole.rounds, longest_messages};
    switch (m_of.operation) {
      case broadcast:
        return {whole};
      case reduce:
        return {m_of.reorders ? whole : blocks};
      case scatter:
      case gather:
        return {blocks};
      case all_reduce:
      case barrier:
        if (m_of.reorders) return {whole, whole};
        return {blocks, whole};
      default:
        return {blocks, blocks};
    }
  }

  network_collective const& m_of;
  network_kind m_kind;
};

/// Joins the formulas of stages: "2 (A)" for the same one twice.
[[nodiscard]] std::string joined(std::vector<written_stage> const& stages,
                                 std::string written_stage::*of) {
  std::string text;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    bool const is_next_alike = i + 1 < stages.size() && stages[i].*of == stages[i + 1].*of;
    text += text.empty() ? "" : " + ";
    text += is_next_alike ? "2 (" + stages[i].*of + ")" : stages[i].*of;
    if (is_next_alike) ++i;
  }
  return text;
}

}  // namespace

schedule_counts collective_counts(collective_operation operation, topology const& network,
                                  std::size_t elements, collective_options const& options,
                                  std::uint64_t packet, ports with, std::source_location where) {
  return detail::errors_at(where, [&] {
    return network_counts(asked_for(operation, network, elements, options, packet, with));
  });
}

namespace {

/// Leaves what claims of a machine with one port say of one with all ports. There no message goes later,
/// and some go earlier, so that rounds are no more; those that meet in one are others, so that words and
/// hops may be more. The same messages are sent, and strict machines have no links that are shared.
void weaken_for_all_ports(std::vector<claim>& claims) {
  constexpr std::array<std::string_view, 4> kept{"rounds", "volume", "messages", "contention"};
  std::erase_if(claims, [&](claim const& each) {
    return std::ranges::find(kept, each.figure) == kept.end();
  });
  for (auto& each : claims)
    if (each.figure == "rounds") each.bound = comparison::at_most;
}

/// Tells whether the rounds of a scheme are counted for the ports that a machine has.
[[nodiscard]] bool is_exact(network_collective const& of) {
  return !of.all_ports || of.scheme == collective_scheme::tree ||
         of.scheme == collective_scheme::two_way || detail::is_of_crossbar(of.scheme);
}

}  // namespace

std::vector<claim> collective_claims(collective_operation operation, topology const& network,
                                     std::size_t elements, collective_options const& options,
                                     std::uint64_t packet, ports with) {
  auto const of = asked_for(operation, network, elements, options, packet, with);
  auto const counts = network_counts(of);
  auto const stages = stage_writer(of).stages();
  auto const rounds = joined(stages, &written_stage::rounds);
  bool const all_have_words = counts.startups == counts.rounds;
  auto claims = exact_claims(
      {counts, rounds,
       all_have_words                                            ? rounds
       : of.scheme == collective_scheme::direct && !of.all_ports ? "1"
                                                                 : "rounds with words",
       packet == 1 ? joined(stages, &written_stage::words)
                   : "sum over rounds of the longest message's packets",
       "sum over all messages of their packets", "messages of all rounds that are not empty"},
      "lockstep, the schedule counted");
  if (counts.messages > 0)
    claims.push_back({"contention", "1", 1, comparison::equal, "lockstep, the schedule counted"});
  if (!is_exact(of)) weaken_for_all_ports(claims);
  return claims;
}

}  // namespace lockstep
