#pragma once

/// The functions that make the experiments; CMake generates the list (lockstep_add_algorithm).
#include <harness/generated_experiments.hpp>
