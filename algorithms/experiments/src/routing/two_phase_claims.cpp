#include "routing/two_phase_claims.hpp"

#include <algorithm>

#include "routing/row_sums.hpp"

namespace lockstep {

namespace {

/// Sizes of bins: floor(x/p + (p-1)/2) is a bound for every input.
constexpr char const* sizes_of_bins = R"(
  from Bader, Helman and JaJa 1996, equation (4)
  bin1 <= h1/p + (p-1)/2{0}
  from lockstep, of Bader, Helman and JaJa 1996, equations (1) to (5)
  bin1 <= largest that h1 elements can make{0}
  from Bader, Helman and JaJa 1996, equation (5)
  bin2 <= h2/p + (p-1)/2{0}
  from lockstep, of Bader, Helman and JaJa 1996, equations (1) to (5)
  bin2 <= largest that h2 elements can make, at most h1 from each processor{0}
  intermediate <= h1 + p(p-1)/2{0})";

/// Where p divides every n_ij, so that all is dealt out evenly.
constexpr char const* bins_dealt_out_evenly = R"(
  bin1 = h1/p, for p divides every n_ij{0}
  bin2 = h2/p, for p divides every n_ij{0})";
constexpr char const* words_dealt_out_evenly =
    "words = (1-1/p)(h1 + h2), for p divides every n_ij{0}";

/// Of the inputs that meet the bounds of both phases.
constexpr char const* tight_bins = R"(
  bin1 = n/p^2 + (p-1)/2{0}
  bin2 = h2/p + (p-1)/2{0}
  intermediate = h1 + p(p-1)/2{0})";
constexpr char const* tight_words = "words = 2(p-1)(n/p^2 + (p-1)/2){0}";

/// The paper's T_comm without its start-ups.
constexpr char const* papers_words = "(p-1)(h1/p + p/2 + h2/p + p/2)";
constexpr char const* both_sections = "Bader, Helman and JaJa 1996, sections 3 and 3.3";

/// Claims words by the limits that the blocks were made for.
void claim_padded_words(claim_list& claims, h_relation_run const& what,
                        block_format const& blocks) {
  auto const [h1, h2] = blocks.limits;
  auto const p = static_cast<std::uint64_t>(what.given.processors());
  auto const slots = blocks_of(blocks.rule, blocks.limits, what.given.processors());
  claims.with("b1", static_cast<double>(whole_packets(slots.out, what.packet)))
      .with("b2", static_cast<double>(whole_packets(slots.through, what.packet)))
      .equal("words", "(p-1)(b1 + b2)");
  bool const whole = p % 2 == 0 && h1 % p == 0 && h2 % p == 0;
  if (what.packet != 1) return;
  if (blocks.rule != block_rule::text && (blocks.rule != block_rule::bound || !whole)) return;
  auto of_blocks = what.claims();
  claims.add(of_blocks.with("h1", static_cast<double>(h1))
                 .with("h2", static_cast<double>(h2))
                 .from(both_sections)
                 .compare("words", whole ? comparison::equal : comparison::at_most, papers_words));
}

void claim_real_words(claim_list& claims, h_relation_run const& what, measured_bins const& bins) {
  auto const whole = [&](std::uint64_t words) {
    return static_cast<double>(whole_packets(words, what.packet));
  };
  auto const own = what.own_limits();
  auto const p = what.given.processors();
  auto const [h1, h2] = what.input.limits;
  claims.with("bin1", whole(bins.out))
      .with("bin2", whole(bins.through))
      .at_most("words", "(p-1)(bin1 + bin2)" + own)
      .from("Bader, Helman and JaJa 1996, equations (4) and (5)")
      .at_most("words", "(p-1)(floor(h1/p + (p-1)/2) + floor(h2/p + (p-1)/2))" + own,
               (p - 1) * (whole(largest_bin(h1, p)) + whole(largest_bin(h2, p))));
  if (what.packet == 1) claims.from(both_sections).at_most("words", papers_words + own);
}

}  // namespace

std::vector<claim> two_phase_claims(h_relation_run const& what, block_format const& blocks,
                                    measured_bins const& measured, int phases_with_words) {
  bool const real = blocks.rule == block_rule::real;
  int const p = what.given.processors();
  auto const [h1, h2] = what.input.limits;
  auto claims = what.claims();
  claims
      .with("largest that h1 elements can make", static_cast<double>(exact_largest_bin(h1, h1, p)))
      .with("largest that h2 elements can make, at most h1 from each processor",
            static_cast<double>(exact_largest_bin(h2, h1, p)))
      .with("phases in which something travels", phases_with_words)
      .from("Bader, Helman and JaJa 1996, Appendix B")
      .equal("rounds", "2(p-1)")
      .from("Bader, Helman and JaJa 1996, section 3")
      .equal("startups", real && phases_with_words < 2 ? "phases in which something travels"
                         : p > 1                       ? "2"
                                                       : "0");
  if (real)
    claim_real_words(claims, what, measured);
  else
    claim_padded_words(claims, what, blocks);
  what.claim_in(claims, sizes_of_bins);
  bool const by_words = real && what.packet == 1;
  auto const is_even = [p](std::uint64_t n) { return n % static_cast<std::uint64_t>(p) == 0; };
  if (std::ranges::all_of(elements_between(what.input), is_even)) {
    what.claim_in(claims, bins_dealt_out_evenly);
    if (by_words) what.claim_in(claims, words_dealt_out_evenly);
  }
  if (what.pattern == h_pattern::tight) {
    what.claim_in(claims, tight_bins);
    if (by_words) what.claim_in(claims, tight_words);
  }
  return claims;
}

}  // namespace lockstep
