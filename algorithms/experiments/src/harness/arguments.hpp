#pragma once

#include <lockstep/experiments/arguments.hpp>
