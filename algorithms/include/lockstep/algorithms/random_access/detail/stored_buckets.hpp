#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/detail/access_entry.hpp>
#include <lockstep/algorithms/random_access/detail/stretched_buckets.hpp>
#include <lockstep/algorithms/random_access/detail/vector_sums.hpp>
#include <lockstep/algorithms/random_access/monotone_sends.hpp>
#include <lockstep/algorithms/random_access/segmented_vector_scan.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// What a processor does with its part of the stretched buckets between the two stages: it resolves
/// the collisions of dense and partial ones, and has the parts of partial buckets combined on the
/// first processor of each.
///
/// **Source** Shankar and Ranka 1997, sections 4.3 and 4.4.
template <payload_element T, class Operator>
class stored_buckets {
 public:
  stored_buckets(processor const& me, stretched_buckets const& buckets, Operator const& plus)
      : m_buckets(buckets), m_plus(plus), m_rank(me.rank()), m_entries(buckets.slots_of(m_rank)) {}

  /// Puts elements into their slots; those of no slot are left out.
  void store(std::span<access_entry<T> const> entries) {
    for (auto const& entry : entries)
      if (entry.slot != no_slot)
        m_entries[static_cast<std::size_t>(entry.slot - m_buckets.first_slot_of(m_rank))] = entry;
  }

  /// Combines partial buckets, where there are any: in phases "segmented scan" and, where a
  /// processor has parts of two, "one to one".
  void join_partial_buckets(processor& me) {
    if (!m_buckets.any_partial()) return;
    auto const before = m_buckets.preceding(m_rank);
    auto const after = m_buckets.succeeding(m_rank);
    vector_options const downward{.method = vector_method::fold,
                                  .direction = scan_direction::downward};
    cells const put_in = before && !after ? cells_of(*before) : cells_of_none();
    me.phase("segmented scan");
    auto const others = segmented_vector_scan(me, m_plus, std::span<extended<T> const>(put_in),
                                              after.has_value(), downward);
    if (after) {
      m_succeeding = cells_of(*after);
      append(m_succeeding, others);
    }
    if (m_buckets.any_has_both()) join_parts_left_out(me);
  }

  /// The message of this processor for each owner of buckets that begin on it.
  [[nodiscard]] std::vector<addressed_elements<access_entry<T>>> messages() const {
    std::vector<addressed_elements<access_entry<T>>> made;
    for (auto const bucket : m_buckets.begin_on(m_rank)) {
      auto const owner = m_buckets.layout().owner_of_bucket(bucket);
      if (made.empty() || made.back().rank != owner) made.push_back({owner, {}});
      add_bucket(made.back().elements, bucket);
    }
    return made;
  }

 private:
  using cells = std::vector<extended<T>>;

  /// The entries of a bucket that are here, in the order of slots.
  [[nodiscard]] std::span<access_entry<T> const> entries_of(std::size_t bucket) const {
    auto const here = m_buckets.first_slot_of(m_rank);
    auto const first = std::max(m_buckets.first_slot(bucket), here);
    auto const last = std::min(m_buckets.first_slot(bucket) + m_buckets.hits(bucket),
                               here + m_buckets.slots_of(m_rank));
    return std::span(m_entries).subspan(static_cast<std::size_t>(first - here),
                                        static_cast<std::size_t>(last - first));
  }

  [[nodiscard]] cells cells_of_none() const { return cells(m_buckets.layout().bucket_size()); }

  /// The cells of a bucket, s of them, with what is here combined in the order of slots.
  [[nodiscard]] cells cells_of(std::size_t bucket) const {
    auto made = cells_of_none();
    apply_entries<T>(std::span(made), m_buckets.layout().first_in(bucket), m_plus,
                     entries_of(bucket));
    return made;
  }

  void append(cells& to, cells const& what) const {
    extended_operator<T, std::decay_t<Operator>> const wider{m_plus};
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = wider(to[i], what[i]);
  }

  /// The round in which those with parts of two buckets send that which the scan left out to the
  /// bucket's first processor, behind whose parts it stands.
  void join_parts_left_out(processor& me) {
    auto const after = m_buckets.succeeding(m_rank);
    me.phase("one to one");
    auto const step = me.now();
    if (m_buckets.has_both(m_rank)) {
      auto const before = *m_buckets.preceding(m_rank);
      me.send(m_buckets.first(before), cells_of(before));
    }
    if (after && m_buckets.has_both(m_buckets.last(*after)))
      append(m_succeeding, me.receive<extended<T>>(m_buckets.last(*after)));
    if (me.now() == step) me.idle();
  }

  /// Sparse buckets go as they are, others as all of their cells, the empty ones, too.
  void add_bucket(std::vector<access_entry<T>>& message, std::size_t bucket) const {
    if (m_buckets.is_sparse(bucket)) {
      auto const entries = entries_of(bucket);
      message.insert(message.end(), entries.begin(), entries.end());
      return;
    }
    auto const& layout = m_buckets.layout();
    auto const combined = m_buckets.is_full(bucket) ? cells_of(bucket) : m_succeeding;
    for (std::size_t i = 0; i < layout.size(bucket); ++i)
      message.push_back({no_slot, layout.first_in(bucket) + i, combined[i]});
  }

  stretched_buckets const& m_buckets;
  Operator const& m_plus;
  int m_rank;
  std::vector<access_entry<T>> m_entries;  ///< by slot
  cells m_succeeding;                      ///< the whole bucket that begins here and goes on
};

}  // namespace lockstep::detail
