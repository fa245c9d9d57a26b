#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>

#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/detail/enumerator_check.hpp>

namespace lockstep {

/// Which pieces get one element more where p does not divide n.
enum class piece_sizes : std::uint8_t {
  even,          ///< piece j begins with element floor(jn/p)
  larger_first,  ///< the first n mod p pieces have one more
};

/// n elements, cut into p >= 1 pieces one after another, whose sizes differ by one at most.
///
/// **Source** JaJa and Ryu 1994, section 3, which assumes that p divides n; `larger_first` Bader,
/// Helman and JaJa 1996, section 1, likewise.
class pieces {
 public:
  /// `elements`: n. `count`: p.
  /// Errors: invalid_argument for p < 1.
  pieces(std::size_t elements, int count, piece_sizes sizes = piece_sizes::even,
         std::source_location where = std::source_location::current())
      : m_elements(elements), m_count(static_cast<std::size_t>(count)), m_sizes(sizes) {
    detail::errors_at(where, [&] {
      detail::require_processors("pieces", count);
      detail::check_enumerator("piece_sizes", sizes,
                               {"piece_sizes::even", "piece_sizes::larger_first"});
    });
  }

  [[nodiscard]] std::size_t elements() const { return m_elements; }
  [[nodiscard]] int count() const { return static_cast<int>(m_count); }

  /// Elements before piece j, 0 <= j <= p.
  [[nodiscard]] std::size_t before(int j) const {
    auto const piece = static_cast<std::size_t>(j);
    auto const rest = m_elements % m_count;
    auto const extra =
        m_sizes == piece_sizes::even ? piece * rest / m_count : std::min(piece, rest);
    return piece * (m_elements / m_count) + extra;
  }

  [[nodiscard]] std::size_t size(int j) const { return before(j + 1) - before(j); }

  /// Elements of that many successive pieces, at most p, from piece `first` on; piece 0 follows
  /// piece p - 1.
  [[nodiscard]] std::size_t run(int first, int length) const {
    auto const to_the_end = count() - first;
    if (length <= to_the_end) return before(first + length) - before(first);
    return m_elements - before(first) + before(length - to_the_end);
  }

 private:
  std::size_t m_elements;
  std::size_t m_count;
  piece_sizes m_sizes;
};

}  // namespace lockstep
