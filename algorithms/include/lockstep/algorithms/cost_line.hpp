#pragma once

/// Forwards to where this header is now.
#include <lockstep/algorithms/affine_cost.hpp>
