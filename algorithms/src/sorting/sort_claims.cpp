#include <cmath>
#include <string>

#include <lockstep/algorithms/routing/bin_bounds.hpp>
#include <lockstep/algorithms/sorting/detail/digit_ranks.hpp>
#include <lockstep/algorithms/sorting/radix.hpp>
#include <lockstep/claim_list.hpp>

namespace lockstep {

namespace {

/// Passes of a sort of keys of b = `key_bits` bits. `times`: their number, before a formula.
struct sort_passes {
  std::uint64_t elements;
  int processors;
  std::uint64_t range;
  block_rule blocks;
  int key_bits;
  std::string times;
};

[[nodiscard]] formula_letters letters_of(sort_passes const& of) {
  return {{{"p", of.processors},
           {"n", static_cast<double>(of.elements)},
           {"q", static_cast<double>(detail::digits_each(of.range, of.processors))},
           {"b", of.key_bits},
           {"r", std::log2(static_cast<double>(of.range))}}};
}

/// Adds start-ups. With n > p elements, dealt out evenly, some processor has two, of which one
/// leaves it; and one that comes to an intermediate processor leaves that.
void claim_startups(claim_list& claims, sort_passes const& of, bool padded) {
  bool const always_words = padded || of.elements > static_cast<std::uint64_t>(of.processors);
  claims.compare("startups", always_words ? comparison::equal : comparison::at_most,
                 of.processors == 1 ? "0" : of.times + "4");
}

[[nodiscard]] std::vector<claim> claims_of(sort_passes const& of) {
  static_cast<void>(name_of(of.blocks));  // refuses any other number
  constexpr char const* page = "Bader, Helman and JaJa 1996, section 4 and Appendix C";
  bool const padded = of.blocks != block_rule::real;
  std::string const b = "floor(ceil(n/p)/p + (p-1)/2)";
  claim_list claims(letters_of(of));
  claims.from(page).equal("rounds", of.times + "4(p - 1)");
  claim_startups(claims, of, padded);
  claims.from("lockstep, messages of the program counted");
  if (padded)
    claims.equal("words", of.times + "(3q + 2 " + b + " + 2)(p - 1)")
        .equal("volume", of.times + "(3q + 2 " + b + " + 2)(p - 1)p")
        .equal("messages", of.times + "4p(p - 1)");
  else
    claims.at_most("words", of.times + "(3q + 2 " + b + ")(p - 1)");
  // The paper's blocks are n/p^2 + p/2; those of `bound` are the same where that is a whole number.
  auto const p = static_cast<std::uint64_t>(of.processors);
  bool const whole = p % 2 == 0 && of.elements % (p * p) == 0;
  if (!padded || whole)
    claims.from(page).compare("words", padded ? comparison::equal : comparison::at_most,
                              of.times + "(3q + 2(n/p^2 + p/2))(p - 1)");
  return claims;
}

}  // namespace

std::vector<claim> counting_sort_claims(std::uint64_t elements, int processors, std::uint64_t range,
                                        block_rule blocks) {
  return claims_of({elements, processors, range, blocks, 0, ""});
}

std::vector<claim> radix_sort_claims(std::uint64_t elements, int processors, int key_bits,
                                     std::uint64_t radix, block_rule blocks) {
  static_cast<void>(radix_passes(key_bits, radix));  // refuses what is not a radix
  return claims_of({elements, processors, radix, blocks, key_bits, "ceil(b/r) "});
}

}  // namespace lockstep
