#pragma once

/// Forwards to where this header is now.
#include <lockstep/problem_instance.hpp>
