#include <lockstep/algorithms/prefix/prefix_schedule.hpp>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/detail/enumerator_check.hpp>
#include <lockstep/detail/enumerator_names.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/topologies/shuffle_exchange.hpp>

#include "network_kind.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::string needs(std::string_view scheme, std::string_view what,
                                topology const& network, std::string_view example) {
  return fmt::format("{} needs {}, not {}; take {}, for example", scheme, what, network.spec(),
                     example);
}

[[nodiscard]] std::string why_no_spanning_tree(topology const& network) {
  constexpr int most = spanning_tree::most_dimensions;
  auto const* const cube = dynamic_cast<hypercube const*>(&network);
  if (cube == nullptr) return needs("spanning-tree", "a hypercube", network, "hypercube:4");
  if (cube->dimension() <= most) return {};
  return fmt::format("spanning-tree knows trees up to hypercube:{}, and {} is larger; take halving",
                     most, network.spec());
}

[[nodiscard]] std::string why_no_fft(topology const& network, ports with) {
  if (!is<hypercube>(network)) return needs("fft", "a hypercube", network, "hypercube:4");
  if (with == ports::all) return {};
  return "fft needs all ports of a processor at once; take ports all";
}

[[nodiscard]] std::string why_not_trimmed(topology const& network, ports with) {
  constexpr int processors = 7;
  if (!is<binary_tree>(network) || network.size() != processors)
    return needs("trimmed", "a tree of seven processors", network, "tree:3");
  if (with == ports::one) return {};
  return "trimmed is for one port; take ports one, or the scheme lagged";
}

}  // namespace

std::string_view name_of(pipelined_scheme scheme) {
  return detail::shown_name("pipelined_scheme", scheme,
                            {{pipelined_scheme::lagged, "lagged"},
                             {pipelined_scheme::inorder, "inorder"},
                             {pipelined_scheme::spanning_tree, "spanning-tree"},
                             {pipelined_scheme::halving, "halving"},
                             {pipelined_scheme::fft, "fft"},
                             {pipelined_scheme::relay, "relay"},
                             {pipelined_scheme::combined, "combined"},
                             {pipelined_scheme::trimmed, "trimmed"}});
}

prefix_schedule::prefix_schedule(topology const& network, pipelined_scheme scheme, ports with,
                                 std::source_location where)
    : m_scheme(scheme), m_with(with), m_network(network.spec()) {
  auto const reason =
      detail::errors_at(where, [&] { return unsupported_reason(network, scheme, with); });
  if (!reason.empty()) throw invalid_argument("pipelined prefix: " + reason, where);
  if (scheme == pipelined_scheme::spanning_tree)
    m_tree.emplace(dynamic_cast<hypercube const&>(network));
}

std::string prefix_schedule::unsupported_reason(topology const& network, pipelined_scheme scheme,
                                                ports with) {
  static_cast<void>(name_of(scheme));
  detail::check_enumerator("ports", with, {"ports::one", "ports::all", "ports::per_pass"});
  if (with == ports::per_pass && scheme != pipelined_scheme::lagged)
    return fmt::format(
        "ports per pass are for the two passes of lagged prefixes on a tree, not for {} on {}: "
        "take ports one or all",
        name_of(scheme), network.spec());
  switch (scheme) {
    case pipelined_scheme::lagged:
      return is<binary_tree>(network) ? "" : needs("lagged", "a tree", network, "tree:4");
    case pipelined_scheme::inorder:
      return is<hypercube>(network) ? "" : needs("inorder", "a hypercube", network, "hypercube:4");
    case pipelined_scheme::spanning_tree:
      return why_no_spanning_tree(network);
    case pipelined_scheme::fft:
      return why_no_fft(network, with);
    case pipelined_scheme::relay:
    case pipelined_scheme::combined:
      if (is<shuffle_exchange>(network)) return {};
      return needs(name_of(scheme), "a shuffle-exchange", network, "shuffle-exchange:4");
    case pipelined_scheme::trimmed:
      return why_not_trimmed(network, with);
    case pipelined_scheme::halving:
      break;
  }
  if (is<hypercube>(network) || is<shuffle_exchange>(network)) return {};
  return needs("halving", "a hypercube or a shuffle-exchange", network, "hypercube:4");
}

void prefix_schedule::require_made_for(topology const& network, std::source_location where) const {
  if (network.spec() == m_network) return;
  throw invalid_argument(
      fmt::format("pipelined prefix on {}: its schedule was made for {}; make one for {}",
                  network.spec(), m_network, network.spec()),
      where);
}

}  // namespace lockstep
