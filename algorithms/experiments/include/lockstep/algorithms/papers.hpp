#pragma once

/// Forwards to where this header is now.
#include <lockstep/experiments/papers.hpp>
