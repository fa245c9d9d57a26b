#include <algorithm>
#include <string>

#include "routing/h_relation_claims.hpp"
#include "routing/row_sums.hpp"

namespace lockstep {

namespace {

constexpr auto direct_source = "Bader, Helman and JaJa 1996, section 3.2";
constexpr auto own_source = "lockstep, of Bader, Helman and JaJa 1996, section 3.2";

/// The words that go from i to j: its own elements stay.
class traffic {
 public:
  traffic(h_relation_input const& input, std::uint64_t packet)
      : m_p(input.destinations.size()), m_words(elements_between(input)) {
    for (std::uint64_t i = 0; i < m_p; ++i) m_words[i * m_p + i] = 0;
    for (auto& words : m_words) words = whole_packets(words, packet);
  }

  /// The largest block of a round.
  [[nodiscard]] std::uint64_t largest_in(round_order order, int round) const {
    std::uint64_t largest = 0;
    for (std::uint64_t i = 0; i < m_p; ++i) {
      auto const to = partners_in(order, round, static_cast<int>(i), static_cast<int>(m_p)).to;
      if (to >= 0) largest = std::max(largest, m_words[i * m_p + static_cast<std::uint64_t>(to)]);
    }
    return largest;
  }

  /// Over processors, of what they send and receive.
  [[nodiscard]] std::uint64_t largest_of_a_processor() const {
    return std::max(std::ranges::max(row_sums(m_words, m_p)),
                    std::ranges::max(column_sums(m_words, m_p)));
  }

 private:
  std::uint64_t m_p;
  std::vector<std::uint64_t> m_words;
};

/// Adds what holds of groups: a processor's blocks of n/(pt) elements go out in t g rounds, in each
/// of which all send one.
void claim_g_group(claim_list& claims, h_relation_size const& size) {
  auto const p = static_cast<std::uint64_t>(size.processors);
  bool const one_is_local = 2 * size.targets * size.group > p;
  claims.from(own_source)
      .with("g", static_cast<double>(size.group))
      .with("t", static_cast<double>(size.targets))
      .equal("startups", one_is_local ? "t g - 1" : "t g")
      .equal("words", one_is_local ? "g n/p - n/(pt)" : "g n/p");
}

void claim_stepwise(claim_list& claims, h_relation_run const& what, round_order order) {
  auto const& size = what.input.size;
  auto const packet = what.given.request().options.packet;
  traffic const of(what.input, packet);
  std::uint64_t startups = 0;
  std::uint64_t words = 0;
  for (int round = 1; round <= rounds_of(order, size.processors); ++round) {
    auto const largest = of.largest_in(order, round);
    startups += largest > 0 ? 1 : 0;
    words += largest;
  }
  claims.equal("startups", "rounds in which something travels", static_cast<double>(startups))
      .equal("words", "sum over rounds of the largest block", static_cast<double>(words));
  if (order != round_order::pex || packet != 1) return;
  if (what.pattern == h_pattern::g_group) claim_g_group(claims, size);
  if (what.pattern == h_pattern::orth &&
      size.elements % static_cast<std::uint64_t>(size.processors) == 0)
    claims.from(own_source).equal("words", "(p-1) n/p");
}

void claim_pipelined(claim_list& claims, h_relation_run const& what) {
  auto const packet = what.given.request().options.packet;
  auto const words = traffic(what.input, packet).largest_of_a_processor();
  claims.equal("startups", words > 0 ? "1" : "0, for nothing travels", words > 0 ? 1 : 0)
      .equal("words", "max over processors of max(sent, received)", static_cast<double>(words));
  if (packet == 1) claims.from(own_source).at_most("words", "max(h1, h2)" + own_limits(what.input));
}

}  // namespace

std::vector<claim> direct_claims(h_relation_run const& what, round_order order,
                                 round_timing timing) {
  auto claims = claims_of_h_relation(what);
  claims.from(direct_source)
      .equal("rounds", order == round_order::lp ? "p-1" : "2^ceil(log2 p) - 1");
  if (timing == round_timing::stepwise)
    claim_stepwise(claims, what, order);
  else
    claim_pipelined(claims, what);
  return claims;
}

std::vector<claim> randomized_claims(h_relation_run const& what, double c, std::uint64_t slot,
                                     int attempts) {
  auto const packet = what.given.request().options.packet;
  bool const travels = what.input.size.processors > 1 && slot > 0;
  std::string const each =
      attempts == 1 ? "" : " in each of " + std::to_string(attempts) + " attempts";
  auto claims = claims_of_h_relation(what);
  claims.from("JaJa and Ryu 1994, Theorem 3.4")
      .with("c", c)
      .with("slot", static_cast<double>(slot))
      .with("m", static_cast<double>(packet))
      .equal("rounds", "2(p-1)" + each)
      .equal("startups", travels ? "2" + each : "0")
      .equal("words", "2(p-1) m ceil(slot/m)" + each)
      .at_most("words", "2 c n/p");
  if (attempts > 1)
    return claims.erratum(
        "overflow in Step 3, which the theorem has with low probability, costs an attempt");
  if (packet != 1 || claims.value("p slot") > claims.value("c n/p"))
    return claims.erratum(
        "slots are rounded up to whole elements and packets, which the theorem leaves out");
  return claims;
}

}  // namespace lockstep
