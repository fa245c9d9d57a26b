#include <lockstep/algorithms/routing/msbt.hpp>

#include <algorithm>
#include <bit>
#include <string>

#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/detail/enumerator_check.hpp>
#include <lockstep/detail/rank_check.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

void require_scheme(msbt_scheme scheme) {
  detail::check_enumerator("msbt_scheme", scheme, {"msbt_scheme::optimal", "msbt_scheme::plain"});
}

}  // namespace

msbt_schedule::msbt_schedule(topology const& network, std::uint64_t packets, msbt_scheme scheme,
                             std::source_location where)
    : m_dimensions(detail::required_hypercube(network, "binomial trees", where).dimension()),
      m_packets(packets),
      m_scheme(scheme) {
  detail::errors_at(where, [&] { require_scheme(scheme); });
  if (packets == 0 || m_dimensions == 0) return;
  bool const has_leaf_phase = scheme == msbt_scheme::plain && m_dimensions > 1;
  auto const others = static_cast<std::uint64_t>(m_dimensions) - (has_leaf_phase ? 0 : 1);
  m_steps = detail::errors_at(where, [&] { return detail::checked_sum(packets, others); });
}

int msbt_schedule::dimension(std::uint64_t step) const noexcept {
  return m_dimensions == 0 ? 0 : static_cast<int>(step % static_cast<std::uint64_t>(m_dimensions));
}

/// The rank with dimension `by` in the place of dimension 0, the next one in that of 1, and so on.
unsigned msbt_schedule::rotated(unsigned rank, int by) const noexcept {
  auto const all = (1U << static_cast<unsigned>(m_dimensions)) - 1;
  return (rank >> static_cast<unsigned>(by) | rank << static_cast<unsigned>(m_dimensions - by)) &
         all;
}

std::optional<std::uint64_t> msbt_schedule::sent(int from_source,
                                                 std::uint64_t step) const noexcept {
  if (step >= m_steps) return std::nullopt;
  auto const rank = static_cast<unsigned>(from_source);
  auto const around = rotated(rank, dimension(step));
  if (around == 1) return std::nullopt;  // its neighbour over this dimension is the source

  // A packet crosses its tree's own dimension first, then one after the other all others, and at
  // last its own again. It is here if all other bits are in dimensions that it has crossed: its own
  // is that of the first bit, from the one that is crossed now upwards.
  auto const lag =
      around == 0 ? 0 : static_cast<std::uint64_t>(m_dimensions - std::countr_zero(around));
  if (step < lag) return std::nullopt;
  if (step - lag < m_packets) return step - lag;

  // There is no such packet. The last one has crossed these dimensions as well by now, and is here.
  return m_scheme == msbt_scheme::plain ? std::nullopt : std::optional(m_packets - 1);
}

std::vector<std::uint64_t> msbt_schedule::packets_before(int from_source,
                                                         std::uint64_t step) const {
  std::vector<bool> here(m_packets, from_source == 0);
  for (std::uint64_t s = 0; s < std::min(step, m_steps); ++s)
    if (auto const packet = sent(from_source ^ 1 << dimension(s), s)) here[*packet] = true;
  std::vector<std::uint64_t> packets;
  for (std::uint64_t i = 0; i < m_packets; ++i)
    if (here[i]) packets.push_back(i);
  return packets;
}

int detail::from_root(processor const& me, int root) {
  check_rank(me.topology(), me.size(), root);
  return me.rank() ^ root;
}

void detail::throw_two_values() {
  throw invalid_argument(
      "gather: two processors have a value of the same index; give each index one value in all");
}

std::vector<claim> msbt_claims(topology const& network, std::uint64_t k, msbt_scheme scheme) {
  require_scheme(scheme);
  int const d = detail::required_hypercube(network, "binomial trees").dimension();
  bool const any = k > 0 && d > 0;
  bool const last_leaf_phase = any && scheme == msbt_scheme::plain && d > 1;
  return claim_list({{{"k", static_cast<double>(k)},
                      {"d", d},
                      {"p", static_cast<double>(network.size())}}})
      .from("lockstep, the program's own steps")
      .equal("steps", !any              ? "0"
                      : last_leaf_phase ? "k + d"
                                        : "k + d - 1")
      .from("Mayr and Plaxton 1989, 4")
      .compare("steps", last_leaf_phase ? comparison::equal : comparison::at_most, "k + log p")
      .from("lockstep")
      .equal("messages", "(p - 1)k");
}

}  // namespace lockstep
