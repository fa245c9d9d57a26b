#pragma once

/// Forwards to where this header is now.
#include <lockstep/experiments/registry.hpp>
