#pragma once

#include <span>
#include <string_view>

namespace lockstep::cli {

/// A kind of topology, as `lockstep list` shows it.
struct topology_entry {
  std::string_view spec;  ///< one to try: "torus:12x12"
  std::string_view summary;

  /// "torus:"
  [[nodiscard]] std::string_view kind() const { return spec.substr(0, spec.find(':') + 1); }
};

[[nodiscard]] std::span<topology_entry const> topology_kinds();

}  // namespace lockstep::cli
