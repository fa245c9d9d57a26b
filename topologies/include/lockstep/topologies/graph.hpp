#pragma once

#include <filesystem>
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
/// where there are several. In pictures they stand where they were placed; else springs place up to
/// 300 of them, which takes time O(p^2), and a circle more.
class graph final : public detail::built_in_network {
 public:
  /// processors: p >= 1. links: between two different processors of 0 to p - 1, in any order; a
  /// link in both directions is listed twice. name: what `spec` gives.
  /// Errors: invalid_topology.
  graph(int processors, std::vector<link> links, std::string name = "graph",
        std::source_location where = std::source_location::current());

  /// Reads a graph from a text file: a link a line, its two processors with blanks or a comma between
  /// them for a link both ways, or with "->" for one way. There are as many processors as the largest
  /// number tells. "at 4 1.5 2" places processor 4 in pictures. "#" begins a comment.
  ///
  ///   0 1        # both ways
  ///   1 -> 2
  ///   at 0  0 1.5
  ///
  /// Its specification is "graph:" and the file's name, as for `parse` and `--on graph:links.txt`; that
  /// of a file called like a list of links has "./" before the name.
  /// Errors: invalid_topology for a file that cannot be read, with the line for one that is not so
  /// written, and where some processors are placed and others are not, or two at one point.
  [[nodiscard]] static graph from_file(
      std::filesystem::path const& file,
      std::source_location where = std::source_location::current());

  /// Places the processors in pictures, in rank order.
  /// Errors: invalid_topology unless there is a place for each, and each has one of its own.
  void place(std::vector<layout_point> places,
             std::source_location where = std::source_location::current());

  [[nodiscard]] int size() const override { return m_size; }
  [[nodiscard]] std::string spec() const override { return m_name; }
  [[nodiscard]] std::vector<neighbour> neighbours(int rank) const override;
  [[nodiscard]] std::vector<layout_point> layout() const override;

  [[nodiscard]] link_number links() const override;
  [[nodiscard]] link link_at(link_number number) const override;
  [[nodiscard]] link_number number_of(link which) const override;

 private:
  int m_size;
  std::vector<link> m_links;  ///< sorted, each once
  std::string m_name;
  std::vector<layout_point> m_places;  ///< empty: not placed
};

}  // namespace lockstep
