#include <bit>
#include <cmath>
#include <string>

#include <lockstep/algorithms/random_access/vector_combine.hpp>
#include <lockstep/claim_list.hpp>

namespace lockstep {

namespace {

constexpr char const* source_of_vectors = "lockstep, of Shankar and Ranka 1997, section 2";

/// Writes the formula of the words for that many copies of a vector.
[[nodiscard]] std::string words_formula(vector_method method, bool is_power, int copies) {
  auto const c = std::to_string(copies);
  if (method == vector_method::exchange) return c + "(p-1) ceil(m/p)";
  auto const halves = c + " sum of ceil(m/2^i), i = 1 .. d";
  return is_power ? halves : c + "m + " + halves + " - 1";
}

/// Claims what the paper says of each of the two operations.
void add_claims_of_paper(claim_list& claims, vector_method method, bool is_power, bool is_even) {
  claims.from("Shankar and Ranka 1997, section 2");
  claims.at_most("startups", "2 ceil(log2 p)")
      .erratum(method == vector_method::exchange ? "complete exchanges have 2(p-1), and fewer words"
                                                 : "");
  claims.at_most("words", "2m");
  if (method == vector_method::fold && !is_power)
    claims.erratum(
        "p is not a power of two: a fold sends vectors whole before and after; a combine by "
        "circulants keeps both bounds where p divides m");
  else
    claims.erratum(is_even ? "" : "holds where p divides m: elements are not cut");
}

}  // namespace

std::vector<claim> vector_combine_claims(int p, std::size_t words, int copies,
                                         vector_options const& options) {
  auto const method = method_for(options, p, words, copies);
  auto const processors = static_cast<unsigned>(p);
  bool const is_power = std::has_single_bit(processors);
  bool const is_even = words % processors == 0;
  claim_list claims(
      {{{"p", p}, {"m", static_cast<double>(words)}, {"d", std::bit_width(processors - 1)}}});
  claims.from(source_of_vectors);
  if (p == 1 || words == 0) return claims.equal("startups, words", "0");
  bool const exchanges = method == vector_method::exchange;
  bool const by_circulants = method == vector_method::circulant;
  claims.equal("startups, rounds", exchanges ? "2(p-1)" : "2d");
  if (by_circulants)
    claims.equal("words", "2 sum over phases of the busiest processor's elements",
                 static_cast<double>(vector_counts_of(method, p, words, copies).words));
  else
    claims.equal("words", words_formula(method, is_power, copies));
  if (is_even && (exchanges || is_power || by_circulants))
    claims.equal("words", std::to_string(copies) + "m(1-1/p)");
  if (copies == 2) add_claims_of_paper(claims, method, is_power, is_even);
  return claims;
}

}  // namespace lockstep
