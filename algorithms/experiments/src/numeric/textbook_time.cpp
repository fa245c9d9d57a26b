#include "numeric/textbook_time.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <lockstep/cost_models.hpp>

namespace lockstep {

void claim_textbook_time(experiment_result& result, claim_list claims, std::string const& formula) {
  block_distributed_model const prices{.tau_words = 100, .operation_words = 1};
  auto const time = prices.time(result.record.counts(), 1);
  result.figures["T_p"] = static_cast<std::int64_t>(time);
  std::vector<claim> const claimed = claims.from("T_p as in textbooks, of lockstep's schedule")
                                         .with("t_s", prices.tau_words)
                                         .equal("T_p", formula + ", with t_s = 100");
  result.claims.insert(result.claims.end(), claimed.begin(), claimed.end());
}

}  // namespace lockstep
