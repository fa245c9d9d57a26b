#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include <lockstep/detail/built_in_network.hpp>

namespace lockstep::detail {

/// A network in which every processor has a link to every other. It is the crossbar of the
/// topologies' catalog, and the network of any group of processors where nothing better is known.
/// Everything by formula: p may be in the millions.
class complete_network : public built_in_network {
 public:
  /// p = `processors` >= 1. Errors: invalid_topology.
  explicit complete_network(int processors,
                            std::source_location where = std::source_location::current());

  [[nodiscard]] int size() const final { return m_size; }
  /// "processor 5".
  [[nodiscard]] std::vector<neighbour> neighbours(int rank) const final;
  /// "crossbar:5", so that the network of a group can be named and made again.
  [[nodiscard]] std::string spec() const final;

  [[nodiscard]] link_number links() const final;
  [[nodiscard]] link link_at(link_number number) const final;
  [[nodiscard]] link_number number_of(link which) const final;
  [[nodiscard]] bool adjacent(int from, int to) const final;

  /// p - 1.
  [[nodiscard]] int degree() const final { return m_size - 1; }
  /// 1, or 0 for a single processor.
  [[nodiscard]] int diameter() const final { return m_size > 1 ? 1 : 0; }
  /// floor(p/2) * ceil(p/2): any two halves are joined by all the pairs between them.
  [[nodiscard]] std::optional<std::int64_t> bisection_width() const final;

  [[nodiscard]] bool always_one_link() const final { return true; }
  using topology::route;
  [[nodiscard]] std::vector<int> route(int from, int to) const final;
  [[nodiscard]] int hops(int from, int to) const final;
  void append_links(int from, int to, std::vector<link_number>& links) const final;

 private:
  int m_size;
};

}  // namespace lockstep::detail
