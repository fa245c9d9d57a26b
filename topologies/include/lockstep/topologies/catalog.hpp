#pragma once

#include <array>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>

#include <lockstep/topology.hpp>

namespace lockstep {

/// A kind of network that a specification such as "hypercube:10" names.
struct topology_kind {
  std::string_view name;                     ///< the word before the colon: "hypercube"
  std::string_view syntax;                   ///< "hypercube:D"
  std::string_view summary;                  ///< what the numbers of the first example mean
  std::array<std::string_view, 3> examples;  ///< complete specifications, the typical one first

  /// Makes the network that a complete specification of this kind names.
  /// Errors: invalid_topology, for numbers that cannot be read, and for impossible ones.
  std::shared_ptr<topology const> (*make)(std::string_view spec, std::source_location where);

  std::string_view short_name{};  ///< of networks of one dimension: "ring" for "torus"; mostly none
  /// Makes the network that a specification with the short name stands for, "torus:8" for "ring:8".
  /// Errors: as `make`.
  std::shared_ptr<topology const> (*make_short)(std::string_view spec,
                                                std::source_location where) = nullptr;
};

/// Lists the kinds of networks. This catalog is the only such list: `parse`, `lockstep list`, help,
/// completion and manual read it.
[[nodiscard]] std::span<topology_kind const> topology_kinds();

/// Names the first example of each kind: "torus:12x12, mesh:6x10x4, hypercube:10 or ...".
[[nodiscard]] std::string topology_examples();

}  // namespace lockstep
