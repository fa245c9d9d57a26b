#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/counting_operator.hpp>
#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/access_checks.hpp>
#include <lockstep/algorithms/random_access/detail/access_entry.hpp>
#include <lockstep/algorithms/random_access/detail/keyed_value.hpp>
#include <lockstep/algorithms/random_access/detail/network_sums.hpp>
#include <lockstep/algorithms/random_access/detail/stretched_buckets.hpp>
#include <lockstep/algorithms/random_access/detail/vector_sums.hpp>
#include <lockstep/algorithms/random_access/monotone_sends.hpp>
#include <lockstep/algorithms/random_access/segmented_vector_scan.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// A processor's part of the stretched buckets, and its work on them between the two stages: it
/// resolves the collisions of dense and partial ones, and has the parts of partial buckets combined
/// on the first processor of each.
///
/// Elements of sparse buckets are kept by slot. So are the others where the order of operands
/// counts; else each is combined at once into its bucket's cells.
///
/// **Source** Shankar and Ranka 1997, sections 4.3 and 4.4.
template <payload_element T, class Operator>
class stored_buckets {
 public:
  /// `in_any_order`: whether elements may be combined as they come.
  stored_buckets(processor const& me, stretched_buckets const& buckets, Operator const& plus,
                 bool in_any_order)
      : m_buckets(buckets),
        m_layout(buckets.layout()),
        m_plus{plus},
        m_rank(me.rank()),
        m_in_any_order(in_any_order),
        m_places(m_layout.buckets()) {
    std::size_t kept = 0;
    std::size_t combined = 0;
    for (std::size_t bucket = 0; bucket < m_places.size(); ++bucket) {
      if (!buckets.is_on(bucket, m_rank)) continue;
      if (is_combined_at_once(bucket)) {
        m_places[bucket] = {combined - m_layout.first_in(bucket), true};
        combined += m_layout.bucket_size();
      } else {
        auto const here = slots_here(bucket);
        m_places[bucket] = {kept - static_cast<std::size_t>(here.first), false};
        kept += static_cast<std::size_t>(here.last - here.first);
      }
    }
    m_kept.resize(kept);
    m_kept_places = kept;
    m_combined.resize(combined);
  }

  /// Puts an element where it belongs.
  template <std::unsigned_integral Index>
  void store(slotted_value<T, Index> const& one) {
    if (one.address >= m_layout.elements()) [[unlikely]]
      throw_no_place(one.address);
    auto const place = m_places[m_layout.bucket(one.address)];
    if (place.is_combined) {
      auto& cell = m_combined[place.offset + one.address];  // of this bucket, whatever the slot
      cell = cell.is_there ? m_plus.plus(cell.value, one.value) : one.value;
    } else {
      auto const at = place.offset + static_cast<std::size_t>(one.slot);
      if (at >= m_kept_places) [[unlikely]]
        throw_no_place(one.address);
      m_kept[at] = {one.address, one.value};
    }
  }

  /// Combines partial buckets, if any: in phases "segmented scan" and, where a
  /// processor has parts of two, "one to one". On a torus or mesh each bucket is combined on its last
  /// processor, which sends it to the first one.
  void join_partial_buckets(processor& me,
                            std::source_location where = std::source_location::current()) {
    library_frame const frame(me, where);
    if (!m_buckets.any_partial()) return;
    if (sums_by_trees(me)) return join_on_last(me);
    auto const before = m_buckets.preceding(m_rank);
    auto const after = m_buckets.succeeding(m_rank);
    cells const put_in = before && !after ? cells_of(*before) : cells_of_none();
    me.phase("segmented scan");
    if (before && !after) me.work(operations_of_cells(*before));
    constexpr auto downward = scan_direction::downward;
    auto const others = scanned_in_segments<T>(
        m_plus.plus, put_in, after.has_value(), downward,
        [&](auto const& plus, auto const& vector) {
          return scanned_by_fold(me, counting_operator(me, plus), vector, downward);
        });
    if (after) {
      m_succeeding = cells_of(*after);
      me.work(operations_of_cells(*after) + others.size());
      append(m_succeeding, others);
    }
    if (m_buckets.any_has_both()) join_parts_left_out(me);
  }

  /// Makes the message of this processor for each owner of buckets that begin on it. Operations are the
  /// elements and cells in it, and the elements that are combined in cells first.
  [[nodiscard]] std::vector<addressed_elements<access_entry<T>>> messages(processor& me) const {
    std::vector<addressed_elements<access_entry<T>>> made;
    for (auto const bucket : m_buckets.begin_on(m_rank)) {
      auto const owner = m_layout.owner_of_bucket(bucket);
      if (made.empty() || made.back().rank != owner) made.push_back({owner, {}});
      auto const before = made.back().elements.size();
      add_bucket(made.back().elements, bucket);
      bool const is_combined_now = m_buckets.is_full(bucket) && !m_buckets.is_sparse(bucket);
      me.work(made.back().elements.size() - before +
              (is_combined_now ? operations_of_cells(bucket) : 0));
    }
    return made;
  }

 private:
  using cells = std::vector<extended<T>>;

  /// Where elements of a bucket are put: behind their address or their slot. Offsets wrap around.
  struct place_of_bucket {
    std::size_t offset = 0;
    bool is_combined = false;
  };

  struct slot_range {
    std::uint64_t first;
    std::uint64_t last;
  };

  [[nodiscard]] bool is_combined_at_once(std::size_t bucket) const {
    return m_in_any_order && !m_buckets.is_sparse(bucket);
  }

  /// The slots of a bucket that are here.
  [[nodiscard]] slot_range slots_here(std::size_t bucket) const {
    auto const first = m_buckets.first_slot(bucket);
    return {std::max(first, m_buckets.first_slot_of(m_rank)),
            std::min(first + m_buckets.hits(bucket), m_buckets.first_slot_of(m_rank + 1))};
  }

  /// The elements of a bucket that are kept here, in the order of slots.
  [[nodiscard]] std::span<keyed_value<T> const> kept_of(std::size_t bucket) const {
    auto const here = slots_here(bucket);
    return std::span(m_kept).subspan(m_places[bucket].offset + static_cast<std::size_t>(here.first),
                                     static_cast<std::size_t>(here.last - here.first));
  }

  /// Counts the elements that `cells_of` combines.
  [[nodiscard]] std::size_t operations_of_cells(std::size_t bucket) const {
    return is_combined_at_once(bucket) ? 0 : kept_of(bucket).size();
  }

  [[nodiscard]] cells cells_of_none() const { return cells(m_layout.bucket_size()); }

  /// The cells of a bucket, s of them, with the elements here combined in the order of slots.
  [[nodiscard]] cells cells_of(std::size_t bucket) const {
    auto const first = m_layout.first_in(bucket);
    if (is_combined_at_once(bucket)) {
      auto const begin =
          m_combined.begin() + static_cast<std::ptrdiff_t>(m_places[bucket].offset + first);
      return cells(begin, begin + static_cast<std::ptrdiff_t>(m_layout.bucket_size()));
    }
    auto made = cells_of_none();
    auto const places = made.size();
    for (auto const& [address, value] : kept_of(bucket)) {
      auto& cell = made[place_of_own(address, first, places)];
      cell = m_plus(cell, value);
    }
    return made;
  }

  /// Errors: invalid_argument for fewer cells than there are here, which come where processors have
  /// different layouts.
  void append(cells& to, cells const& what) const {
    require_cells(what.size(), to.size());
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = m_plus(to[i], what[i]);
  }

  /// The round in which those with parts of two buckets send that which the scan left out to the
  /// bucket's first processor, behind whose parts it stands.
  void join_parts_left_out(processor& me) {
    me.phase("one to one");
    cells left_out;
    if (m_buckets.has_both(m_rank)) {
      left_out = cells_of(*m_buckets.preceding(m_rank));
      me.work(operations_of_cells(*m_buckets.preceding(m_rank)));
    }
    auto const received =
        send_over_intervals(me, m_buckets.from_last_to_first(true), std::move(left_out));
    if (received.empty()) return;
    me.work(received.size());
    append(m_succeeding, received);
  }

  /// Combines each partial bucket by a scan upwards, in which its last processor gets what the others
  /// have of it.
  void join_on_last(processor& me) {
    auto const before = m_buckets.preceding(m_rank);
    auto const after = m_buckets.succeeding(m_rank);
    auto const own_part = before ? cells_of(*before) : cells_of_none();
    me.phase("segmented scan");
    for (auto const& bucket : {before, after})
      if (bucket) me.work(operations_of_cells(*bucket));
    auto whole = prefixes_since_begin<T>(me, m_plus.plus, after ? cells_of(*after) : own_part,
                                         after.has_value());
    append(whole, own_part);
    me.work(whole.size());
    me.phase("one to one");
    if (!before || m_buckets.last(*before) != m_rank) whole.clear();
    m_succeeding = send_over_intervals(me, m_buckets.from_last_to_first(false), std::move(whole));
  }

  /// Sparse buckets go as they are, others as all of their cells, the empty ones, too.
  void add_bucket(std::vector<access_entry<T>>& message, std::size_t bucket) const {
    if (m_buckets.is_sparse(bucket)) {
      for (auto const& [address, value] : kept_of(bucket))
        message.push_back({no_slot, address, value});
      return;
    }
    auto const combined = m_buckets.is_full(bucket) ? cells_of(bucket) : m_succeeding;
    require_cells(combined.size(), m_layout.size(bucket));
    for (std::size_t i = 0; i < m_layout.size(bucket); ++i)
      message.push_back({no_slot, m_layout.first_in(bucket) + i, combined[i]});
  }

  stretched_buckets const& m_buckets;
  bucket_layout m_layout;
  extended_operator<T, std::decay_t<Operator>> m_plus;
  int m_rank;
  bool m_in_any_order;
  std::vector<place_of_bucket> m_places;
  std::vector<keyed_value<T>> m_kept;  ///< by slot
  std::size_t m_kept_places = 0;  ///< its size, which takes a division for each element to compute
  cells m_combined;               ///< by address
  cells m_succeeding;             ///< the whole bucket that begins here and goes on
};

}  // namespace lockstep::detail
