#include "tuning.hpp"

namespace lockstep::detail {

tuning const usual_tuning{.processors_per_share = 2048,
                          .processors_per_worker = 8192,
                          .switches_per_turn = 64,
                          .switches_per_look = 256,
                          .entries_per_fold = std::size_t{1} << 16,
                          .most_untold = std::size_t{1} << 22,
                          .patience = std::chrono::milliseconds(20)};

}  // namespace lockstep::detail
