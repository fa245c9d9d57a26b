#include <string>

#include <lockstep/algorithms/routing/bin_bounds.hpp>
#include <lockstep/algorithms/sorting/detail/digit_ranks.hpp>
#include <lockstep/algorithms/sorting/radix.hpp>

namespace lockstep {

namespace {

constexpr char const* page = "Bader, Helman and JaJa 1996, section 4 and Appendix C";
constexpr char const* counted = "lockstep, messages of the program counted";

/// What the passes of a sort cost.
struct passes_cost {
  std::uint64_t elements;
  int processors;
  std::uint64_t range;
  block_rule blocks;
  int passes;
  std::string times;  ///< the number of passes, before a formula

  [[nodiscard]] double p() const { return processors; }
  [[nodiscard]] double all(double of_one) const { return passes * of_one; }
  [[nodiscard]] double q() const {
    return static_cast<double>(detail::digits_each(range, processors));
  }
  [[nodiscard]] bool is_padded() const { return blocks != block_rule::real; }
  [[nodiscard]] double largest_bin() const {
    auto const whole = static_cast<std::uint64_t>(processors);
    return static_cast<double>(lockstep::largest_bin((elements + whole - 1) / whole, processors));
  }
  /// Words of a pass, with bins or blocks of that size.
  [[nodiscard]] double words(double block) const { return (3 * q() + 2 * block) * (p() - 1); }
};

/// With n > p elements, dealt out evenly, some processor has two, of which one leaves it; and one
/// that comes to an intermediate processor leaves that.
[[nodiscard]] claim startups_claim(passes_cost const& of) {
  bool const always_words =
      of.is_padded() || of.elements > static_cast<std::uint64_t>(of.processors);
  auto const bound = always_words ? comparison::equal : comparison::at_most;
  if (of.processors == 1) return {"startups", "0", 0, bound, page};
  return {"startups", of.times + "4", of.all(4), bound, page};
}

/// The paper's blocks are n/p^2 + p/2; those of `bound` are the same where that is a whole number.
void add_claim_of_the_paper(std::vector<claim>& claims, passes_cost const& of) {
  auto const p = static_cast<std::uint64_t>(of.processors);
  bool const is_whole = p % 2 == 0 && of.elements % (p * p) == 0;
  if (of.is_padded() && !is_whole) return;
  auto const block = static_cast<double>(of.elements) / (of.p() * of.p()) + of.p() / 2;
  claims.push_back({"words", of.times + "(3q + 2(n/p^2 + p/2))(p - 1)", of.all(of.words(block)),
                    of.is_padded() ? comparison::equal : comparison::at_most, page});
}

[[nodiscard]] std::vector<claim> claims_of(passes_cost const& of) {
  static_cast<void>(name_of(of.blocks));  // refuses any other number
  std::vector<claim> claims{
      {"rounds", of.times + "4(p - 1)", of.all(4 * (of.p() - 1)), comparison::equal, page},
      startups_claim(of)};
  std::string const b = "floor(ceil(n/p)/p + (p-1)/2)";
  if (of.is_padded()) {
    auto const words = of.all(of.words(of.largest_bin() + 1));
    auto const formula = "(3q + 2 " + b + " + 2)(p - 1)";
    claims.push_back({"words", of.times + formula, words, comparison::equal, counted});
    claims.push_back(
        {"volume", of.times + formula + "p", words * of.p(), comparison::equal, counted});
    claims.push_back({"messages", of.times + "4p(p - 1)", of.all(4 * of.p() * (of.p() - 1)),
                      comparison::equal, counted});
  } else {
    claims.push_back({"words", of.times + "(3q + 2 " + b + ")(p - 1)",
                      of.all(of.words(of.largest_bin())), comparison::at_most, counted});
  }
  add_claim_of_the_paper(claims, of);
  return claims;
}

}  // namespace

std::vector<claim> counting_sort_claims(std::uint64_t elements, int processors, std::uint64_t range,
                                        block_rule blocks) {
  return claims_of({elements, processors, range, blocks, 1, ""});
}

std::vector<claim> radix_sort_claims(std::uint64_t elements, int processors, int key_bits,
                                     std::uint64_t radix, block_rule blocks) {
  return claims_of(
      {elements, processors, radix, blocks, radix_passes(key_bits, radix), "ceil(b/r) "});
}

}  // namespace lockstep
