#pragma once

/// All of lockstep: the machine, the topologies, the algorithms.
#include <lockstep/algorithms.hpp>
#include <lockstep/core.hpp>
#include <lockstep/topologies.hpp>
