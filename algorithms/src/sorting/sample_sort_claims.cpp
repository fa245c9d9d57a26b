#include <algorithm>
#include <string>

#include <lockstep/algorithms/sorting/sample_sort.hpp>

#include "even_blocks.hpp"
#include "routing/supposed_sizes.hpp"
#include "sorting/bucket_claims.hpp"

namespace lockstep {

namespace {

constexpr char const* sample_sort_theorem = "JaJa and Ryu 1994, Theorem 5.2, with high probability";

/// Says what Theorem 5.2 and Lemma 5.1 suppose: "n elements distributed evenly", as many samples of each
/// processor, and n large.
claim_list& suppose(claim_list& claims, bdm_machine const& on, std::uint64_t n,
                    bool drawn_as_printed) {
  return claims.where(detail::even_blocks(n, on.p))
      .where("5 ln n samples of each processor", drawn_as_printed)
      .where(detail::room_with_high_probability);
}

/// Claims Theorem 5.2, which ends with buckets as they are.
void claim_theorem(claim_list& claims, bdm_machine const& on, std::uint64_t n,
                   bool drawn_as_printed, int attempts) {
  claims.from(sample_sort_theorem)
      .at_most("time", "3 tau + (p - 1)m ceil(5 ln n/m) + 6n/p",
               claims.value("3 tau + (p - 1)m ceil(t/m) + 6n/p"));
  suppose(priced(claims, on), on, n, drawn_as_printed).erratum(erratum_of_slots(claims, on));
  std::string const mended = attempts == 1
                                 ? "3 tau + (p - 1)m ceil(s/m) + 2c n/p + 2(p - 1)m"
                                 : "(1 + 2a) tau + (p - 1)m ceil(s/m) + a(2c n/p + 2(p - 1)m)";
  claims.from("lockstep, Theorem 5.2 with whole elements and packets")
      .at_most("time", told_attempts(mended, attempts));
  priced(claims, on);
}

/// Claims exact counts, which are those of a schedule but for what evening out moves.
void claim_counts(claim_list& claims, bool samples_travel, bool travels,
                  sample_sort_options const& options, int attempts) {
  auto const told = [attempts](std::string const& formula) {
    return told_attempts(formula, attempts);
  };
  int const after = options.evened_out ? 2 : 0;
  auto const startups = told(written_phases((samples_travel ? 1 : 0) + after, attempts));
  auto const words = fmt::format("(p - 1)m ceil(s/m) + {}", words_of_slots(attempts));
  claims.from(source_of_bucket_counts)
      .equal("rounds", told(written_phases(1 + after, attempts) + "(p - 1)"));
  if (options.evened_out) {
    claims.at_most("startups", travels ? startups : "min(p - 1, 1)")
        .at_most("words", told(words + " + m(p - 1) + B + (p - 1)(m - 1)"));
  } else {
    claims.equal("startups", travels ? startups : "0").equal("words", told(words));
  }
}

}  // namespace

std::vector<claim> sample_sort_claims(bdm_machine const& on, std::uint64_t n,
                                      sample_sort_options const& options,
                                      sample_sort_outcome const& outcome) {
  auto claims = bucket_claims(on, n, options.c, outcome.attempts);
  auto const p = static_cast<std::uint64_t>(on.p);
  auto const largest_block = n / p + (n % p == 0 ? 0 : 1);
  auto const asked = options.samples == 0 ? samples_of(n) : options.samples;
  auto const drawn =
      options.with_replacement ? (n == 0 ? 0 : asked) : std::min(asked, largest_block);
  claims.with("s", static_cast<double>(drawn))
      .with("t", static_cast<double>(samples_of(n)))
      .with("B", static_cast<double>(outcome.largest_bucket));
  claim_counts(claims, drawn > 0, on.p > 1 && n > 0, options, outcome.attempts);
  bool const drawn_as_printed = drawn == samples_of(n);  // a processor has no more than its own
  if (!options.evened_out) claim_theorem(claims, on, n, drawn_as_printed, outcome.attempts);
  claims.from("JaJa and Ryu 1994, Lemma 5.1 for alpha = 2, with high probability")
      .at_most("largest_bucket", "2n/p");
  return suppose(claims, on, n, drawn_as_printed);
}

}  // namespace lockstep
