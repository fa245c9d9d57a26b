#include <lockstep/topologies/catalog.hpp>

#include <iterator>

#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/butterfly.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/cube_connected_cycles.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/line.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/ring.hpp>
#include <lockstep/topologies/shuffle_exchange.hpp>
#include <lockstep/topologies/torus.hpp>

#include "graph_file.hpp"
#include "specification.hpp"

namespace lockstep {

namespace {

using detail::from_number;
using detail::from_sizes;

constexpr topology_kind all_kinds[] = {
    {"torus",
     "torus:AxBx...",
     "1 to 8 dimensions of any size; ring:8 is torus:8",
     {"torus:12x12", "torus:8", "torus:4x6x5"},
     from_sizes<torus>,
     "ring",
     from_number<ring>},
    {"mesh",
     "mesh:AxBx...",
     "1 to 8 dimensions of any size; line:8 is mesh:8",
     {"mesh:6x10x4", "mesh:8", "mesh:3x5"},
     from_sizes<mesh>,
     "line",
     from_number<line>},
    {"hypercube",
     "hypercube:D",
     "dimension; 2^10 processors",
     {"hypercube:10", "hypercube:3", "hypercube:0"},
     from_number<hypercube>},
    {"shuffle-exchange",
     "shuffle-exchange:D",
     "dimension; 2^10 processors",
     {"shuffle-exchange:10", "shuffle-exchange:3", "shuffle-exchange:1"},
     from_number<shuffle_exchange>},
    {"tree",
     "tree:D",
     "levels; 2^4 - 1 processors, numbered inorder",
     {"tree:4", "tree:3", "tree:1"},
     from_number<binary_tree>},
    {"crossbar",
     "crossbar:P",
     "processors",
     {"crossbar:64", "crossbar:5", "crossbar:1"},
     from_number<crossbar>},
    {"butterfly",
     "butterfly:D",
     "dimension; 2^3 rows in 3 + 1 levels",
     {"butterfly:3", "butterfly:2", "butterfly:0"},
     from_number<butterfly>},
    {"cube-connected-cycles",
     "cube-connected-cycles:D",
     "dimension; 2^3 cycles of 3 processors",
     {"cube-connected-cycles:3", "cube-connected-cycles:4", "cube-connected-cycles:1"},
     from_number<cube_connected_cycles>},
    {"graph",
     "graph:FILE",
     "a file with a link a line, or links: - both ways, > one way",
     {"graph:0-1,1-2,2-0,2-3", "graph:0-1,1-2,2-3,3-0,0-4", "graph:0-1"},
     detail::graph_from},
};

}  // namespace

std::span<topology_kind const> topology_kinds() { return all_kinds; }

std::string topology_examples() {
  std::string text;
  for (auto const& kind : all_kinds) {
    if (!text.empty()) text += &kind == std::end(all_kinds) - 1 ? " or " : ", ";
    text += kind.examples.front();
  }
  return text;
}

}  // namespace lockstep
