#pragma once

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>

#include "core/machines.hpp"

/// The names that most tests of machines take: `using namespace usual_names;`.
namespace usual_names {

using lockstep::crossbar;
using lockstep::hypercube;
using lockstep::machine;
using lockstep::processor;
using lockstep::torus;
using reference::all_engines;
using reference::on;

}  // namespace usual_names
