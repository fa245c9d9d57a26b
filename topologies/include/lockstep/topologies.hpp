#pragma once

#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/graph.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/parse.hpp>
#include <lockstep/topologies/shuffle_exchange.hpp>
#include <lockstep/topologies/torus.hpp>
