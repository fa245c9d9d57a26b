#pragma once

#include <string>

namespace lockstep {

/// The papers, as `lockstep list` and the tables name them.
inline constexpr char const* suh_shin_2001 =
    "Suh and Shin, All-to-All Personalized Communication in Multidimensional Torus and "
    "Mesh Networks, 2001";
inline constexpr char const* mayr_plaxton_1989 =
    "Mayr and Plaxton, Pipelined Parallel Prefix Computations, and Sorting on a Pipelined "
    "Hypercube, 1989";
inline constexpr char const* bader_helman_jaja_1996 =
    "Bader, Helman and JaJa, Practical Parallel Algorithms for Personalized Communication "
    "and Integer Sorting, 1996";
inline constexpr char const* jaja_ryu_1994 =
    "JaJa and Ryu, The Block Distributed Memory Model, 1994";
inline constexpr char const* shankar_ranka_1997 =
    "Shankar and Ranka, Random Data Accesses on a Coarse-grained Parallel Machine II: "
    "One-to-many and Many-to-one Mappings, 1997";
inline constexpr char const* after_shankar_ranka_1997 =
    "lockstep, after Shankar and Ranka, Random Data Accesses on a Coarse-grained Parallel Machine "
    "II: One-to-many and Many-to-one Mappings, 1997";
inline constexpr char const* cannon_1969 =
    "Cannon, A Cellular Computer to Implement the Kalman Filter Algorithm, 1969";
inline constexpr char const* van_de_geijn_watts_1997 =
    "van de Geijn and Watts, SUMMA: Scalable Universal Matrix Multiplication Algorithm, 1997";

/// Names a place in a paper.
[[nodiscard]] inline std::string cited(std::string const& paper, std::string const& place) {
  return paper + ", " + place;
}

}  // namespace lockstep
