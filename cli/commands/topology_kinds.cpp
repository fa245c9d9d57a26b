#include "topology_kinds.hpp"

namespace lockstep::cli {

namespace {

constexpr topology_entry all_kinds[] = {
    {"torus:12x12", "1 to 8 dimensions of any size"},
    {"mesh:6x10x4", "1 to 8 dimensions of any size"},
    {"hypercube:10", "dimension; 2^10 processors"},
    {"shuffle-exchange:10", "dimension; 2^10 processors"},
    {"tree:4", "levels; 2^4 - 1 processors, numbered inorder"},
    {"crossbar:64", "processors"},
};

}  // namespace

std::span<topology_entry const> topology_kinds() { return all_kinds; }

}  // namespace lockstep::cli
