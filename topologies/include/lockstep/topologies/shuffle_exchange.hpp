#pragma once

#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include <lockstep/detail/built_in_network.hpp>

namespace lockstep {

/// A shuffle-exchange network of dimension d: 2^d processors with ranks of d bits. "exchange" leads
/// to the rank with the lowest bit turned over, "shuffle" to the rank rotated left, "unshuffle" to
/// the rank rotated right.
///
/// Ranks 0 and 2^d - 1 are their own shuffle, and have no such link. Where a rank's shuffle is its
/// unshuffle (0101... and 1010... of an even number of bits) it is one link, named "shuffle".
/// Links by formula. A message to a processor that is not a neighbour goes by breadth-first search.
/// Source of the names: Mayr and Plaxton 1989, section 2.3.
class shuffle_exchange final : public detail::built_in_network {
 public:
  static constexpr int most_dimensions = 30;

  /// dimension: 1 to 30. Errors: invalid_topology.
  explicit shuffle_exchange(int dimension,
                            std::source_location where = std::source_location::current());

  [[nodiscard]] int dimension() const noexcept { return m_dimension; }
  [[nodiscard]] int size() const override { return 1 << m_dimension; }
  /// "shuffle-exchange:10".
  [[nodiscard]] std::string spec() const override;
  /// "exchange", "shuffle", "unshuffle".
  [[nodiscard]] std::vector<neighbour> neighbours(int rank) const override;
  [[nodiscard]] switching default_switching() const override { return switching::neighbour; }

  [[nodiscard]] int exchange(int rank) const;
  /// Nothing for the ranks 0 and 2^d - 1.
  [[nodiscard]] std::optional<int> shuffle(int rank) const;
  /// Nothing for the ranks 0 and 2^d - 1.
  [[nodiscard]] std::optional<int> unshuffle(int rank) const;

  [[nodiscard]] link_number links() const override;
  [[nodiscard]] link link_at(link_number number) const override;
  [[nodiscard]] link_number number_of(link which) const override;

  /// 3, and less for d < 3.
  [[nodiscard]] int degree() const override;
  /// 2d - 1: from 0 to 2^d - 1, d exchanges and d - 1 shuffles.
  [[nodiscard]] int diameter() const override { return 2 * m_dimension - 1; }

  [[nodiscard]] int hops(int from, int to) const override;
  void append_links(int from, int to, std::vector<link_number>& links) const override;

  /// The bits of the rank, lowest first.
  [[nodiscard]] std::vector<int> coordinates(int rank) const override;
  using topology::rank_at;
  [[nodiscard]] int rank_at(std::span<int const> coordinates) const override;
  /// " 3 0011": the bits with the highest first.
  [[nodiscard]] std::string label(int rank) const override;

 private:
  [[nodiscard]] int rotated_left(int rank) const;
  [[nodiscard]] int rotated_right(int rank) const;

  int m_dimension;
  int m_alternating = -1;  ///< the rank 0101... if the number of bits is even; else -1
};

}  // namespace lockstep
