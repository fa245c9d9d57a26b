#include "engine/tuning.hpp"

#include <tbb/info.h>

namespace lockstep::detail {

tuning const usual_tuning{.cores = [] { return tbb::info::default_concurrency(); }};

}  // namespace lockstep::detail
