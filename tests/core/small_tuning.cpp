#include "engine/tuning.hpp"

// In place of the library's: machines of eight processors have several shares already, and with
// more than one worker as many threads; what was counted is folded all the time.
lockstep::detail::tuning const lockstep::detail::usual_tuning{.processors_per_share = 3,
                                                              .processors_per_thread = 4,
                                                              .switches_per_turn = 40,
                                                              .switches_per_look = 5,
                                                              .entries_per_fold = 10};
