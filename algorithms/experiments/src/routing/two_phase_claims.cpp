#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "routing/h_relation_claims.hpp"
#include "routing/row_sums.hpp"

namespace lockstep {

namespace {

constexpr auto bins_source = "Bader, Helman and JaJa 1996, section 3";
constexpr auto exact_source = "lockstep, of Bader, Helman and JaJa 1996, equations (1) to (5)";

/// What the formulas are made of.
struct relation_setting {
  std::uint64_t p;
  std::uint64_t h1;
  std::uint64_t h2;
  std::uint64_t packet;

  /// floor(x/p + (p-1)/2) is a bound for every input; the paper's x/p + (p-1)/2, no whole number.
  [[nodiscard]] double bin_bound(std::uint64_t x) const {
    return as_double(x) / as_double(p) + as_double(p - 1) / 2;
  }
  /// The words of p - 1 blocks of each phase.
  [[nodiscard]] double blocks(std::uint64_t out, std::uint64_t through) const {
    return as_double((p - 1) * (whole_packets(out, packet) + whole_packets(through, packet)));
  }
  /// The paper's T_comm without its start-ups.
  [[nodiscard]] double paper_words() const {
    return as_double(p - 1) *
           (as_double(h1) / as_double(p) + as_double(h2) / as_double(p) + as_double(p));
  }
};

void add_schedule(std::vector<claim>& claims, relation_setting const& of, bool padded,
                  int phases_with_words) {
  claims.push_back({"rounds", "2(p-1)", as_double(2 * (of.p - 1)), comparison::equal,
                    "Bader, Helman and JaJa 1996, Appendix B"});
  int const startups = !padded ? phases_with_words : of.p > 1 ? 2 : 0;
  claims.push_back({"startups",
                    startups == 2 ? "2"
                    : padded      ? "0"
                                  : "phases in which something travels",
                    static_cast<double>(startups), comparison::equal, bins_source});
}

/// By the limits that the blocks were made for.
void add_padded_words(std::vector<claim>& claims, relation_setting of, block_format const& blocks) {
  of.h1 = blocks.limits.sent;
  of.h2 = blocks.limits.received;
  auto const slots = blocks_of(blocks.rule, blocks.limits, static_cast<int>(of.p));
  claims.push_back({"words", "(p-1)(b1 + b2)", of.blocks(slots.out, slots.through),
                    comparison::equal, bins_source});
  bool const whole = of.p % 2 == 0 && of.h1 % of.p == 0 && of.h2 % of.p == 0;
  if (of.packet == 1 &&
      (blocks.rule == block_rule::text || (blocks.rule == block_rule::bound && whole)))
    claims.push_back({"words", "(p-1)(h1/p + p/2 + h2/p + p/2)", of.paper_words(),
                      whole ? comparison::equal : comparison::at_most,
                      "Bader, Helman and JaJa 1996, sections 3 and 3.3"});
}

void add_real_words(std::vector<claim>& claims, relation_setting const& of,
                    measured_bins const& measured) {
  auto const p = static_cast<int>(of.p);
  claims.push_back({"words", "(p-1)(bin1 + bin2)", of.blocks(measured.out, measured.through),
                    comparison::at_most, bins_source});
  claims.push_back({"words", "(p-1)(floor(h1/p + (p-1)/2) + floor(h2/p + (p-1)/2))",
                    of.blocks(largest_bin(of.h1, p), largest_bin(of.h2, p)), comparison::at_most,
                    "Bader, Helman and JaJa 1996, equations (4) and (5)"});
  if (of.packet == 1)
    claims.push_back({"words", "(p-1)(h1/p + p/2 + h2/p + p/2)", of.paper_words(),
                      comparison::at_most, "Bader, Helman and JaJa 1996, sections 3 and 3.3"});
}

void add_bins(std::vector<claim>& claims, relation_setting const& of) {
  auto const p = static_cast<int>(of.p);
  claims.push_back({"bin1", "h1/p + (p-1)/2", of.bin_bound(of.h1), comparison::at_most,
                    "Bader, Helman and JaJa 1996, equation (4)"});
  claims.push_back({"bin1", "largest that h1 elements can make",
                    as_double(exact_largest_bin(of.h1, of.h1, p)), comparison::at_most,
                    exact_source});
  claims.push_back({"bin2", "h2/p + (p-1)/2", of.bin_bound(of.h2), comparison::at_most,
                    "Bader, Helman and JaJa 1996, equation (5)"});
  claims.push_back({"bin2", "largest that h2 elements can make, at most h1 from each processor",
                    as_double(exact_largest_bin(of.h2, of.h1, p)), comparison::at_most,
                    exact_source});
  claims.push_back({"intermediate", "h1 + p(p-1)/2", as_double(of.h1 + of.p * (of.p - 1) / 2),
                    comparison::at_most, exact_source});
}

/// Where p divides every n_ij all is dealt out evenly.
void add_even(std::vector<claim>& claims, relation_setting const& of, h_relation_input const& input,
              bool real) {
  auto const between = elements_between(input);
  if (std::ranges::any_of(between, [&](std::uint64_t n) { return n % of.p != 0; })) return;
  claims.push_back({"bin1", "h1/p, for p divides every n_ij", as_double(of.h1 / of.p),
                    comparison::equal, exact_source});
  claims.push_back({"bin2", "h2/p, for p divides every n_ij", as_double(of.h2 / of.p),
                    comparison::equal, exact_source});
  if (real && of.packet == 1)
    claims.push_back({"words", "(1-1/p)(h1 + h2), for p divides every n_ij",
                      as_double((of.h1 + of.h2) / of.p * (of.p - 1)), comparison::equal,
                      exact_source});
}

/// The inputs that meet the bounds of both phases.
void add_tight(std::vector<claim>& claims, relation_setting const& of, bool real) {
  claims.push_back(
      {"bin1", "n/p^2 + (p-1)/2", of.bin_bound(of.h1), comparison::equal, exact_source});
  claims.push_back(
      {"bin2", "h2/p + (p-1)/2", of.bin_bound(of.h2), comparison::equal, exact_source});
  claims.push_back({"intermediate", "h1 + p(p-1)/2", as_double(of.h1 + of.p * (of.p - 1) / 2),
                    comparison::equal, exact_source});
  if (real && of.packet == 1)
    claims.push_back({"words", "2(p-1)(n/p^2 + (p-1)/2)",
                      2 * as_double(of.p - 1) * of.bin_bound(of.h1), comparison::equal,
                      exact_source});
}

}  // namespace

std::vector<claim> two_phase_claims(asked_h_relation const& made, block_format const& blocks,
                                    measured_bins const& measured, int phases_with_words,
                                    std::uint64_t packet) {
  relation_setting const of{made.input.destinations.size(), made.input.limits.sent,
                            made.input.limits.received, packet};
  bool const real = blocks.rule == block_rule::real;
  std::vector<claim> claims;
  add_schedule(claims, of, !real, phases_with_words);
  if (!real) add_padded_words(claims, of, blocks);
  auto const of_the_limits = claims.size();
  if (real) add_real_words(claims, of, measured);
  add_bins(claims, of);
  add_even(claims, of, made.input, real);
  if (made.pattern == h_pattern::tight) add_tight(claims, of, real);
  for (auto& one : std::span(claims).subspan(of_the_limits)) one.formula += own_limits(made.input);
  return claims;
}

}  // namespace lockstep
