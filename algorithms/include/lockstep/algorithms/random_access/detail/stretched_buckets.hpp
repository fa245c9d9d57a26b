#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/monotone_schedule.hpp>
#include <lockstep/detail/debug_containers.hpp>

namespace lockstep::detail {

/// Slots that processors have in the order of ranks: rank q those from `begins[q]` to before
/// `begins[q + 1]`.
using slot_blocks = std::vector<std::uint64_t>;

/// Deals out blocks of L = max(1, ceil(slots/p)) slots.
[[nodiscard]] slot_blocks even_slots(std::uint64_t slots, int processors);

/// Deals out slots to processors that have other elements already, to each as many as it lacks to
/// the level W, the least one that leaves room for all; first to the lowest ranks.
[[nodiscard]] slot_blocks levelled_slots(std::uint64_t slots,
                                         std::vector<std::uint64_t> const& elements_there);

/// Buckets that are stretched to a slot for each element, and lie on the processors one after
/// another, however many elements each has. All processors know the same of them.
///
/// A bucket is full if all of its slots are on one processor, else partial: then it is the
/// succeeding one of the first processor, and the preceding one of all others.
///
/// **Source** Shankar and Ranka 1997, sections 4.1 and 4.3.
class stretched_buckets {
 public:
  /// `hits`: elements of each bucket of the layout; those with none have no place. `extents`: slots
  /// of each bucket, where they are not as many.
  stretched_buckets(bucket_layout const& layout, std::vector<std::uint64_t> hits,
                    slot_blocks begins, std::span<std::uint64_t const> extents = {});

  [[nodiscard]] bucket_layout const& layout() const { return m_layout; }
  [[nodiscard]] std::uint64_t hits(std::size_t bucket) const { return m_hits[bucket]; }
  [[nodiscard]] std::uint64_t first_slot(std::size_t bucket) const { return m_first_slot[bucket]; }

  /// Counts the slots of all processors.
  [[nodiscard]] std::uint64_t slots() const { return m_begins.back(); }
  /// The slots of a processor.
  [[nodiscard]] std::uint64_t first_slot_of(int rank) const { return m_begins[as_index(rank)]; }
  [[nodiscard]] std::size_t slots_of(int rank) const {
    return static_cast<std::size_t>(m_begins[as_index(rank) + 1] - m_begins[as_index(rank)]);
  }
  [[nodiscard]] int processor_of(std::uint64_t slot) const {
    auto rank = m_processor_near[static_cast<std::size_t>(slot >> m_shift)];
    while (m_begins[as_index(rank) + 1] <= slot) ++rank;
    return rank;
  }

  /// The first and the last processor on which a bucket with elements lies.
  [[nodiscard]] int first(std::size_t bucket) const { return m_first[bucket]; }
  [[nodiscard]] int last(std::size_t bucket) const { return m_last[bucket]; }
  /// Whether elements of a bucket lie on a processor.
  [[nodiscard]] bool is_on(std::size_t bucket, int rank) const {
    return hits(bucket) > 0 && first(bucket) <= rank && rank <= last(bucket) && slots_of(rank) > 0;
  }
  [[nodiscard]] bool is_full(std::size_t bucket) const { return first(bucket) == last(bucket); }
  /// Whether a full bucket has no more elements than addresses, and stays as it is.
  [[nodiscard]] bool is_sparse(std::size_t bucket) const {
    return is_full(bucket) && m_hits[bucket] <= m_layout.size(bucket);
  }

  /// The partial bucket that a processor has of those before it, and that which goes on behind it.
  [[nodiscard]] std::optional<std::size_t> preceding(int rank) const {
    return m_preceding[as_index(rank)];
  }
  [[nodiscard]] std::optional<std::size_t> succeeding(int rank) const {
    return m_succeeding[as_index(rank)];
  }
  [[nodiscard]] bool has_both(int rank) const { return preceding(rank) && succeeding(rank); }

  [[nodiscard]] bool any_partial() const { return m_partial > 0; }
  [[nodiscard]] bool any_has_both() const { return m_any_has_both; }

  [[nodiscard]] std::size_t full_buckets() const { return m_full; }
  [[nodiscard]] std::size_t partial_buckets() const { return m_partial; }

  /// The buckets that begin on a processor, in order.
  [[nodiscard]] std::vector<std::size_t> const& begin_on(int rank) const {
    return m_begin_on[as_index(rank)];
  }

  /// Lists the messages from the last processor of each partial bucket to its first one, or only of
  /// those whose last processor has both.
  [[nodiscard]] std::vector<sender_and_receiver> from_last_to_first(bool where_last_has_both) const;

  /// The messages of stage 2: from the first processor of each bucket to its owner, one for all
  /// buckets of both.
  [[nodiscard]] monotone_schedule messages() const;

 private:
  [[nodiscard]] static std::size_t as_index(int rank) { return static_cast<std::size_t>(rank); }
  void find_near();
  void lay_out();
  void record_partial(std::size_t bucket);

  bucket_layout m_layout;
  std::vector<std::uint64_t> m_hits;
  slot_blocks m_begins;
  unsigned m_shift = 0;
  std::vector<int> m_processor_near;  ///< of slots x 2^m_shift, where each 2^m_shift begin
  std::vector<std::uint64_t> m_first_slot;
  std::vector<int> m_first;
  std::vector<int> m_last;
  std::vector<std::vector<std::size_t>> m_begin_on;
  std::vector<std::optional<std::size_t>> m_preceding;
  std::vector<std::optional<std::size_t>> m_succeeding;
  std::size_t m_full = 0;
  std::size_t m_partial = 0;
  bool m_any_has_both = false;
};

}  // namespace lockstep::detail
