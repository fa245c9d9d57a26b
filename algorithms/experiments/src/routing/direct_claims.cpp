#include <algorithm>
#include <bit>
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

/// A processor's blocks of n/(pt) elements go out in t g rounds, in each of which all send one.
void add_g_group(std::vector<claim>& claims, h_relation_size const& size) {
  auto const p = static_cast<std::uint64_t>(size.processors);
  bool const one_is_local = 2 * size.targets * size.group > p;
  auto const rounds = size.targets * size.group - (one_is_local ? 1 : 0);
  auto const block = size.elements / (p * size.targets);
  claims.push_back({"startups", one_is_local ? "t g - 1" : "t g", as_double(rounds),
                    comparison::equal, own_source});
  claims.push_back({"words", one_is_local ? "g n/p - n/(pt)" : "g n/p", as_double(rounds * block),
                    comparison::equal, own_source});
}

void add_stepwise(std::vector<claim>& claims, asked_h_relation const& made, round_order order,
                  std::uint64_t packet) {
  auto const p = static_cast<std::uint64_t>(made.input.size.processors);
  traffic const of(made.input, packet);
  std::uint64_t startups = 0;
  std::uint64_t words = 0;
  for (int round = 1; round <= rounds_of(order, made.input.size.processors); ++round) {
    auto const largest = of.largest_in(order, round);
    startups += largest > 0 ? 1 : 0;
    words += largest;
  }
  claims.push_back({"startups", "rounds in which something travels", as_double(startups),
                    comparison::equal, direct_source});
  claims.push_back({"words", "sum over rounds of the largest block", as_double(words),
                    comparison::equal, direct_source});
  if (order != round_order::pex || packet != 1) return;
  if (made.pattern == h_pattern::g_group) add_g_group(claims, made.input.size);
  if (made.pattern == h_pattern::orth && made.input.size.elements % p == 0)
    claims.push_back({"words", "(p-1) n/p", as_double((p - 1) * (made.input.size.elements / p)),
                      comparison::equal, own_source});
}

void add_pipelined(std::vector<claim>& claims, asked_h_relation const& made, std::uint64_t packet) {
  auto const words = traffic(made.input, packet).largest_of_a_processor();
  claims.push_back({"startups", words > 0 ? "1" : "0, for nothing travels", words > 0 ? 1.0 : 0.0,
                    comparison::equal, direct_source});
  claims.push_back({"words", "max over processors of max(sent, received)", as_double(words),
                    comparison::equal, direct_source});
  if (packet == 1)
    claims.push_back({"words", "max(h1, h2)" + own_limits(made.input),
                      as_double(std::max(made.input.limits.sent, made.input.limits.received)),
                      comparison::at_most, own_source});
}

}  // namespace

std::vector<claim> direct_claims(asked_h_relation const& made, round_order order,
                                 round_timing timing, std::uint64_t packet) {
  std::vector<claim> claims;
  claims.push_back({"rounds", order == round_order::lp ? "p-1" : "2^ceil(log2 p) - 1",
                    static_cast<double>(rounds_of(order, made.input.size.processors)),
                    comparison::equal, direct_source});
  if (timing == round_timing::stepwise)
    add_stepwise(claims, made, order, packet);
  else
    add_pipelined(claims, made, packet);
  return claims;
}

std::vector<claim> randomized_claims(asked_h_relation const& made, double c, std::uint64_t slot,
                                     int attempts, std::uint64_t packet) {
  constexpr auto source = "JaJa and Ryu 1994, Theorem 3.4";
  auto const p = static_cast<std::uint64_t>(made.input.size.processors);
  auto const n = made.input.size.elements;
  auto const times = static_cast<std::uint64_t>(attempts);
  bool const travels = p > 1 && slot > 0;
  std::string const each =
      attempts == 1 ? "" : " in each of " + std::to_string(attempts) + " attempts";
  std::vector<claim> claims{
      {"rounds", "2(p-1)" + each, as_double(times * 2 * (p - 1)), comparison::equal, source},
      {"startups", travels ? "2" + each : "0", travels ? 2.0 * attempts : 0.0, comparison::equal,
       source},
      {"words", "2(p-1) m ceil(slot/m)" + each,
       as_double(times * 2 * (p - 1) * whole_packets(slot, packet)), comparison::equal, source}};
  claim words{"words", "2 c n/p", 2 * c * as_double(n) / as_double(p), comparison::at_most, source};
  if (attempts > 1)
    words.erratum =
        "overflow in Step 3, which the theorem has with low probability, costs an attempt";
  else if (packet != 1 || as_double(p) * as_double(slot) > c * as_double(n) / as_double(p))
    words.erratum =
        "slots are rounded up to whole elements and packets, which the theorem leaves out";
  claims.push_back(words);
  return claims;
}

}  // namespace lockstep
