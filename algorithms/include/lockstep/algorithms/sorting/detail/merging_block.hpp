#pragma once

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <utility>
#include <vector>

#include <lockstep/detail/library_frame.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// The sorted values of a processor that merges them with a partner's, and splits the result.
/// Both see the values of the one that keeps the low half first, so that of values which `less`
/// does not tell apart each stays once.
template <payload_element T, class Less>
class merging_block {
 public:
  merging_block(std::vector<T> values, Less less)
      : m_values(std::move(values)), m_less(std::move(less)) {
    std::ranges::stable_sort(m_values, m_less);
    m_others.reserve(m_values.size());
    m_kept.reserve(m_values.size());
  }

  [[nodiscard]] std::size_t size() const { return m_values.size(); }
  [[nodiscard]] std::vector<T> const& values() const { return m_values; }
  [[nodiscard]] std::vector<T> take() { return std::move(m_values); }

  /// Exchanges the values one by one, `exchange(value)` for the partner's, and keeps the lower or
  /// the higher half of all. The partner has as many.
  template <class Exchange>
  void merge_split(processor& me, bool keeps_low, Exchange const& exchange,
                   std::source_location where = std::source_location::current()) {
    library_frame const frame(me, where);
    m_others.clear();
    m_kept.clear();
    for (auto const& value : m_values) {
      me.note(keeps_low ? "keeps the smaller half" : "keeps the larger half");
      m_others.push_back(exchange(value));
    }
    if (keeps_low)
      keep_low(m_values, m_others);
    else
      keep_high(m_others, m_values);
    m_values.swap(m_kept);
  }

 private:
  void keep_low(std::vector<T> const& low, std::vector<T> const& high) {
    auto from_low = low.begin();
    auto from_high = high.begin();
    while (m_kept.size() < low.size())
      m_kept.push_back(m_less(*from_high, *from_low) ? *from_high++ : *from_low++);
  }
  void keep_high(std::vector<T> const& low, std::vector<T> const& high) {
    auto from_low = low.rbegin();
    auto from_high = high.rbegin();
    while (m_kept.size() < low.size())
      m_kept.push_back(m_less(*from_high, *from_low) ? *from_low++ : *from_high++);
    std::ranges::reverse(m_kept);
  }

  std::vector<T> m_values;
  Less m_less;
  std::vector<T> m_others;  ///< the partner's
  std::vector<T> m_kept;    ///< the half that is being chosen
};

}  // namespace lockstep::detail
