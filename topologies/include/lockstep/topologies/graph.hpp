#pragma once

#include <source_location>
#include <string>
#include <vector>

#include <lockstep/detail/built_in_network.hpp>

namespace lockstep {

/// Any network: p processors and a list of directed links.
///
///   graph star{4, {{0, 1}, {1, 0}, {0, 2}, {2, 0}, {0, 3}, {3, 0}}, "star of 4"};
///
/// Links are a set: one that is listed twice is one link. They are numbered in order (from, to).
/// Neighbours are named "processor 5". Messages go a shortest way, to the lowest-numbered processor
/// where there are several.
class graph final : public detail::built_in_network {
 public:
  /// processors: p >= 1. links: between two different processors of 0 to p - 1, in any order; a
  /// link in both directions is listed twice. name: what `spec` gives.
  /// Errors: invalid_topology.
  graph(int processors, std::vector<link> links, std::string name = "graph",
        std::source_location where = std::source_location::current());

  [[nodiscard]] int size() const override { return m_size; }
  [[nodiscard]] std::string spec() const override { return m_name; }
  [[nodiscard]] std::vector<neighbour> neighbours(int rank) const override;

  [[nodiscard]] link_number links() const override;
  [[nodiscard]] link link_at(link_number number) const override;
  [[nodiscard]] link_number number_of(link which) const override;

 private:
  int m_size;
  std::vector<link> m_links;  ///< sorted, each once
  std::string m_name;
};

}  // namespace lockstep
