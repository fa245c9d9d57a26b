#include "numeric/textbook_time.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/cost_models.hpp>

#include "even_blocks.hpp"

namespace lockstep {

namespace {

constexpr double textbook_startup = 100;  ///< t_s, where a word and an operation take 1

void add_time(experiment_result& result) {
  block_distributed_model const prices{.tau_words = textbook_startup, .operation_words = 1};
  result.figures["T_p"] = static_cast<std::int64_t>(prices.time(result.record.counts(), 1));
}

void add_claims(experiment_result& result, std::vector<claim> const& more) {
  result.claims.insert(result.claims.end(), more.begin(), more.end());
}

}  // namespace

void claim_textbook_time(experiment_result& result, claim_list claims, std::string const& formula) {
  add_time(result);
  add_claims(result, claims.from("T_p as in textbooks, of lockstep's schedule")
                         .with("t_s", textbook_startup)
                         .equal("T_p", formula + ", with t_s = 100"));
}

void claim_textbook_order(experiment_result& result, claim_list claims, std::string const& section,
                          std::string const& formula) {
  add_claims(result, claims.from("Grama, Gupta, Karypis and Kumar 2003, section " + section)
                         .with("t_s", textbook_startup)
                         .compare("T_p", comparison::order, formula + ", with t_s = 100"));
}

void claim_textbook_bounds(experiment_result& result, claim_list claims,
                           std::vector<std::string> const& formulas,
                           std::vector<hypothesis> const& where) {
  claims.from("lockstep, by prices of Grama, Gupta, Karypis and Kumar 2003, table 4.1")
      .with("t_s", textbook_startup);
  for (auto const& formula : formulas) claims.at_most("T_p", formula + ", with t_s = 100");
  std::vector<claim> claimed = claims;
  for (auto& one : claimed) one.where = where;
  add_claims(result, claimed);
}

void claim_textbook_time_of_samples(experiment_result& result, int p, std::uint64_t n) {
  add_time(result);
  auto const processors = static_cast<std::uint64_t>(p);
  if (p < 2 || n <= processors) return;
  claim_list claims({{{"p", p}, {"n", static_cast<double>(n)}}});
  add_claims(result, claims.from("Grama, Gupta, Karypis and Kumar 2003, section 9.5")
                         .compare("T_p", comparison::order,
                                  "(n/p) log2 (n/p) + p^2 log2 p + p log2 (n/p) + n/p + p log2 p")
                         .where(detail::even_blocks(n, p)));
}

}  // namespace lockstep
