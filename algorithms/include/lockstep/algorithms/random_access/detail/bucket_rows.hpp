#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/counting_operator.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/random_access/detail/access_checks.hpp>
#include <lockstep/algorithms/random_access/detail/access_entry.hpp>
#include <lockstep/algorithms/random_access/detail/latest_operator.hpp>
#include <lockstep/algorithms/random_access/detail/network_sums.hpp>
#include <lockstep/algorithms/random_access/detail/read_plan.hpp>
#include <lockstep/algorithms/random_access/detail/stretched_buckets.hpp>
#include <lockstep/algorithms/random_access/monotone_sends.hpp>
#include <lockstep/algorithms/random_access/vector_combine.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// The values of stretched buckets on a processor between the two stages, in rows, one for each
/// address, or one for each request: what owners send to the first processor of a bucket, it hands
/// on to the others.
///
/// **Source** Shankar and Ranka 1997, section 7.
template <payload_element T>
class bucket_rows {
 public:
  /// `row_size`: elements of a row. `received`: of each owner, in the order of ranks.
  bucket_rows(processor const& me, stretched_buckets const& buckets, read_variant variant,
              std::size_t row_size, std::vector<addressed_elements<T>> const& received)
      : m_buckets(buckets), m_variant(variant), m_row_size(row_size), m_rank(me.rank()) {
    for (auto const& message : received)
      m_rows.insert(m_rows.end(), message.elements.begin(), message.elements.end());
    std::size_t next = 0;
    for (auto const bucket : buckets.begin_on(m_rank)) {
      m_begins.push_back(next);
      next += rows_of_bucket(variant, buckets, bucket);
    }
  }

  /// Hands partial buckets on, if any: in phases "one to one", where a processor has
  /// parts of two, and "segmented scan".
  void hand_on_partial_buckets(processor& me,
                               std::source_location where = std::source_location::current()) {
    library_frame const frame(me, where);
    if (!m_buckets.any_partial()) return;
    auto const own = succeeding_cells();
    auto const before = m_buckets.preceding(m_rank);
    if (m_buckets.any_has_both()) m_preceding = handed_on_directly(me, own);
    me.phase("segmented scan");
    extended_operator<T, latest_operator<T>> const latest{};
    auto const copied = scanned_on_network(me, counting_operator(me, latest), std::span(own));
    if (!before || m_buckets.has_both(m_rank)) return;
    for (auto const& cell : *copied) m_preceding.push_back(cell.value);
  }

  /// The row that answers a request of this processor's slots.
  [[nodiscard]] std::span<T const> row_for(access_entry<std::uint8_t> const& request) const {
    auto const& layout = m_buckets.layout();
    if (request.address >= layout.elements()) [[unlikely]]
      throw_no_place(request.address);
    auto const bucket = layout.bucket(request.address);
    auto number = request.address - layout.first_in(bucket);
    bool const begins_here = m_buckets.first(bucket) == m_rank;
    if (begins_here) {
      bool const by_slot = m_variant == read_variant::requested && m_buckets.is_sparse(bucket);
      if (by_slot) number = static_cast<std::size_t>(request.slot - m_buckets.first_slot(bucket));
      number += begin_of(bucket);
    }
    return row(begins_here ? m_rows : m_preceding, number, request.address);
  }

 private:
  using cells = std::vector<extended<T>>;

  /// Errors: invalid_argument for a row that is not here, which is asked for where processors have
  /// different layouts.
  [[nodiscard]] std::span<T const> row(std::vector<T> const& rows, std::size_t number,
                                       std::size_t address) const {
    auto const begin = number * m_row_size;  // of a row that may be below the first, and wraps
    if (begin >= rows.size() || rows.size() - begin < m_row_size) [[unlikely]]
      throw_row_elsewhere(address);
    return std::span(rows).subspan(begin, m_row_size);
  }

  /// Finds the first row of a bucket that begins here.
  /// Errors: invalid_argument for another, which is asked for where processors have different layouts.
  [[nodiscard]] std::size_t begin_of(std::size_t bucket) const {
    auto const& all = m_buckets.begin_on(m_rank);
    auto const found = std::ranges::lower_bound(all, bucket);
    if (found == all.end() || *found != bucket) [[unlikely]]
      throw_row_elsewhere(m_buckets.layout().first_in(bucket));
    return m_begins[static_cast<std::size_t>(found - all.begin())];
  }

  /// The cells of the bucket that goes on behind this processor, s of them; else nothing.
  [[nodiscard]] cells succeeding_cells() const {
    auto const& layout = m_buckets.layout();
    cells made(layout.bucket_size() * m_row_size);
    auto const bucket = m_buckets.succeeding(m_rank);
    if (!bucket) return made;
    auto const from = begin_of(*bucket) * m_row_size;
    auto const elements = layout.size(*bucket) * m_row_size;
    if (m_rows.size() < from + elements) throw_row_elsewhere(layout.first_in(*bucket));
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = i < elements ? m_rows[from + i] : T{};
    return made;
  }

  /// The round in which the first processor of a bucket sends it to the last one, where that has
  /// another one that goes on.
  [[nodiscard]] std::vector<T> handed_on_directly(processor& me, cells const& own) const {
    me.phase("one to one");
    auto messages = m_buckets.from_last_to_first(true);
    for (auto& [from, to] : messages) std::swap(from, to);
    std::vector<T> values;
    values.reserve(own.size());
    for (auto const& cell : own) values.push_back(cell.value);
    return send_over_intervals(me, messages, std::move(values));
  }

  stretched_buckets const& m_buckets;
  read_variant m_variant;
  std::size_t m_row_size;
  int m_rank;
  std::vector<T> m_rows;              ///< of buckets that begin here
  std::vector<std::size_t> m_begins;  ///< the first row of each
  std::vector<T> m_preceding;         ///< of the bucket that begins before
};

}  // namespace lockstep::detail
