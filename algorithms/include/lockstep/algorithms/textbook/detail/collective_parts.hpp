#pragma once

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/detail/piece_labels.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::textbook::detail {

/// Errors: invalid_argument unless p is a power of two.
void require_power_of_two(processor const& me, char const* function,
                          std::source_location where);

/// Errors: invalid_argument unless these are that many elements, in a piece for each processor.
void require_pieces(char const* function, pieces const& of,
                    std::size_t elements, int processors);

/// Errors: invalid_argument unless there is a list for each processor.
void require_lists(char const* function, std::size_t lists, processor const& me,
                   std::source_location where);

/// Says that two blocks are not of one size. Errors: size_mismatch, always.
[[noreturn]] void throw_blocks_differ(processor const& me, std::size_t left,
                                      std::size_t right);

/// Combines two blocks, element by element.
/// Errors: size_mismatch for blocks of two sizes.
template <payload_element T, class Operator>
[[nodiscard]] std::vector<T> combined(processor const& me, Operator const& plus,
                                      std::span<T const> left,
                                      std::span<T const> right) {
  if (left.size() != right.size())
    throw_blocks_differ(me, left.size(), right.size());
  std::vector<T> sums;
  sums.reserve(left.size());
  for (std::size_t i = 0; i < left.size(); ++i)
    sums.push_back(plus(left[i], right[i]));
  return sums;
}

/// Shows the elements of all lists, one list after another.
template <payload_element T>
void show_lists(processor& me, std::string_view name,
                std::vector<std::vector<T>> const& lists) {
  if (!me.is_shown()) return;
  std::vector<T> all;
  for (auto const& each : lists)
    all.insert(all.end(), each.begin(), each.end());
  lockstep::detail::show_values(me, name, all);
}

/// The pieces that a processor holds, as it shows them.
class held_pieces {
 public:
  held_pieces(processor& me, lockstep::detail::piece_labels const& labels)
      : m_me(me), m_labels(labels) {}

  void add(int piece) {
    if (std::ranges::find(m_pieces, piece) != m_pieces.end()) return;
    m_pieces.push_back(piece);
    show();
  }
  void add_all() {
    for (int piece = 0; piece < m_me.size(); ++piece) m_pieces.push_back(piece);
    show();
  }
  void remove(int piece) {
    std::erase(m_pieces, piece);
    show();
  }

 private:
  void show() const {
    if (m_labels.are_shown(m_me)) m_labels.show(m_me, m_pieces);
  }

  processor& m_me;
  lockstep::detail::piece_labels m_labels;
  std::vector<int> m_pieces{};
};

}  // namespace lockstep::textbook::detail
