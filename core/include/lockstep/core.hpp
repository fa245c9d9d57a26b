#pragma once

#include <lockstep/cost_model.hpp>
#include <lockstep/cost_models.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/memory.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/options.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/run.hpp>
#include <lockstep/topology.hpp>
#include <lockstep/trace.hpp>
