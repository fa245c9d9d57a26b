#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "routing/h_relation_claims.hpp"
#include "routing/row_sums.hpp"

namespace lockstep {

namespace {

constexpr char const* bins_source = "Bader, Helman and JaJa 1996, section 3";
constexpr char const* both_sections = "Bader, Helman and JaJa 1996, sections 3 and 3.3";
constexpr char const* exact_source =
    "lockstep, of Bader, Helman and JaJa 1996, equations (1) to (5)";

/// The paper's T_comm without its start-ups.
constexpr char const* papers_words = "(p-1)(h1/p + p/2 + h2/p + p/2)";

[[nodiscard]] bool has_single_words(h_relation_run const& what) {
  return what.given.request().options.packet == 1;
}

void claim_schedule(claim_list& claims, bool padded, int phases_with_words) {
  claims.from("Bader, Helman and JaJa 1996, Appendix B")
      .equal("rounds", "2(p-1)")
      .from(bins_source);
  if (padded || phases_with_words == 2)
    claims.equal("startups", claims.value("p") > 1 ? "2" : "0");
  else
    claims.equal("startups", "phases in which something travels", phases_with_words);
}

/// Claims words by the limits that the blocks were made for.
void claim_padded_words(claim_list& claims, h_relation_run const& what,
                        block_format const& blocks) {
  auto const [h1, h2] = blocks.limits;
  auto const p = static_cast<std::uint64_t>(what.given.processors());
  auto const packet = what.given.request().options.packet;
  auto const slots = blocks_of(blocks.rule, blocks.limits, what.given.processors());
  claims.with("h1", static_cast<double>(h1))
      .with("h2", static_cast<double>(h2))
      .with("b1", static_cast<double>(whole_packets(slots.out, packet)))
      .with("b2", static_cast<double>(whole_packets(slots.through, packet)))
      .equal("words", "(p-1)(b1 + b2)");
  bool const whole = p % 2 == 0 && h1 % p == 0 && h2 % p == 0;
  if (packet == 1 &&
      (blocks.rule == block_rule::text || (blocks.rule == block_rule::bound && whole)))
    claims.from(both_sections)
        .compare("words", whole ? comparison::equal : comparison::at_most, papers_words);
  claims.with("h1", static_cast<double>(what.input.limits.sent))
      .with("h2", static_cast<double>(what.input.limits.received));
}

void claim_real_words(claim_list& claims, h_relation_run const& what, measured_bins const& bins) {
  auto const packet = what.given.request().options.packet;
  auto const whole = [&](std::uint64_t words) {
    return static_cast<double>(whole_packets(words, packet));
  };
  auto const of_this_input = own_limits(what.input);
  auto const p = what.given.processors();
  auto const [h1, h2] = what.input.limits;
  claims.from(bins_source)
      .with("bin1", whole(bins.out))
      .with("bin2", whole(bins.through))
      .at_most("words", "(p-1)(bin1 + bin2)" + of_this_input)
      .from("Bader, Helman and JaJa 1996, equations (4) and (5)")
      .at_most("words", "(p-1)(floor(h1/p + (p-1)/2) + floor(h2/p + (p-1)/2))" + of_this_input,
               (p - 1) * (whole(largest_bin(h1, p)) + whole(largest_bin(h2, p))));
  if (packet == 1) claims.from(both_sections).at_most("words", papers_words + of_this_input);
}

/// Claims sizes of bins: floor(x/p + (p-1)/2) is a bound for every input.
void claim_bins(claim_list& claims, h_relation_run const& what) {
  auto const of_this_input = own_limits(what.input);
  auto const p = what.given.processors();
  auto const [h1, h2] = what.input.limits;
  claims.from("Bader, Helman and JaJa 1996, equation (4)")
      .at_most("bin1", "h1/p + (p-1)/2" + of_this_input)
      .from(exact_source)
      .at_most("bin1", "largest that h1 elements can make" + of_this_input,
               static_cast<double>(exact_largest_bin(h1, h1, p)))
      .from("Bader, Helman and JaJa 1996, equation (5)")
      .at_most("bin2", "h2/p + (p-1)/2" + of_this_input)
      .from(exact_source)
      .at_most("bin2",
               "largest that h2 elements can make, at most h1 from each processor" + of_this_input,
               static_cast<double>(exact_largest_bin(h2, h1, p)))
      .at_most("intermediate", "h1 + p(p-1)/2" + of_this_input);
}

/// Claims what holds where p divides every n_ij, so that all is dealt out evenly.
void claim_even(claim_list& claims, h_relation_run const& what, bool real) {
  auto const p = static_cast<std::uint64_t>(what.given.processors());
  auto const between = elements_between(what.input);
  if (std::ranges::any_of(between, [&](std::uint64_t n) { return n % p != 0; })) return;
  auto const all = ", for p divides every n_ij" + own_limits(what.input);
  claims.from(exact_source).equal("bin1", "h1/p" + all).equal("bin2", "h2/p" + all);
  if (real && has_single_words(what)) claims.equal("words", "(1-1/p)(h1 + h2)" + all);
}

/// Claims what holds of the inputs that meet the bounds of both phases.
void claim_tight(claim_list& claims, h_relation_run const& what, bool real) {
  auto const of_this_input = own_limits(what.input);
  claims.from(exact_source)
      .equal("bin1", "n/p^2 + (p-1)/2" + of_this_input)
      .equal("bin2", "h2/p + (p-1)/2" + of_this_input)
      .equal("intermediate", "h1 + p(p-1)/2" + of_this_input);
  if (real && has_single_words(what))
    claims.equal("words", "2(p-1)(n/p^2 + (p-1)/2)" + of_this_input);
}

}  // namespace

std::string own_limits(h_relation_input const& input) {
  auto const& [sent, received] = input.limits;
  if (sent == input.size.sent && received == input.size.received) return {};
  return fmt::format(", with h1 = {}, h2 = {} of this input", sent, received);
}

claim_list claims_of_h_relation(h_relation_run const& what) {
  return claim_list({{{"p", what.given.processors()},
                      {"n", static_cast<double>(what.input.size.elements)},
                      {"h1", static_cast<double>(what.input.limits.sent)},
                      {"h2", static_cast<double>(what.input.limits.received)}}});
}

std::vector<claim> two_phase_claims(h_relation_run const& what, block_format const& blocks,
                                    measured_bins const& measured, int phases_with_words) {
  bool const real = blocks.rule == block_rule::real;
  auto claims = claims_of_h_relation(what);
  claim_schedule(claims, !real, phases_with_words);
  if (real)
    claim_real_words(claims, what, measured);
  else
    claim_padded_words(claims, what, blocks);
  claim_bins(claims, what);
  claim_even(claims, what, real);
  if (what.pattern == h_pattern::tight) claim_tight(claims, what, real);
  return claims;
}

}  // namespace lockstep
