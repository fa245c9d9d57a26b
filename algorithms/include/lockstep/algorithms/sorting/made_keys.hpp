#pragma once

/// Forwards to where this header is now.
#include <lockstep/algorithms/sorting/generated_keys.hpp>
