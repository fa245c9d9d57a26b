#pragma once

/// Forwards to where this header is now.
#include <lockstep/experiments/output_file.hpp>
