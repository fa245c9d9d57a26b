#include <lockstep/algorithms/random_access/detail/stretched_buckets.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockstep::detail {

namespace {

/// The room below a level that elements leave.
[[nodiscard]] std::uint64_t room_below(std::uint64_t level,
                                       std::vector<std::uint64_t> const& elements_there) {
  std::uint64_t room = 0;
  for (auto const there : elements_there) room += level - std::min(level, there);
  return room;
}

[[nodiscard]] std::uint64_t least_level(std::uint64_t slots,
                                        std::vector<std::uint64_t> const& elements_there) {
  std::uint64_t too_low = 0;
  std::uint64_t enough = *std::ranges::max_element(elements_there) + slots;
  if (room_below(too_low, elements_there) >= slots) return too_low;
  while (enough - too_low > 1) {
    auto const level = too_low + (enough - too_low) / 2;
    (room_below(level, elements_there) >= slots ? enough : too_low) = level;
  }
  return enough;
}

}  // namespace

slot_blocks even_slots(std::uint64_t slots, int processors) {
  auto const p = static_cast<std::uint64_t>(processors);
  auto const block = std::max<std::uint64_t>(1, (slots + p - 1) / p);
  slot_blocks begins;
  for (std::uint64_t rank = 0; rank <= p; ++rank) begins.push_back(std::min(rank * block, slots));
  return begins;
}

slot_blocks levelled_slots(std::uint64_t slots, std::vector<std::uint64_t> const& elements_there) {
  auto const level = least_level(slots, elements_there);
  slot_blocks begins{0};
  for (auto const there : elements_there)
    begins.push_back(std::min(begins.back() + level - std::min(level, there), slots));
  return begins;
}

stretched_buckets::stretched_buckets(bucket_layout const& layout, std::vector<std::uint64_t> hits,
                                     slot_blocks begins, std::span<std::uint64_t const> extents)
    : m_layout(layout),
      m_hits(std::move(hits)),
      m_begins(std::move(begins)),
      m_first_slot(m_hits.size()),
      m_first(m_hits.size(), -1),
      m_last(m_hits.size(), -1),
      m_begin_on(as_index(layout.processors())),
      m_preceding(as_index(layout.processors())),
      m_succeeding(as_index(layout.processors())) {
  auto const slots = extents.empty() ? std::span<std::uint64_t const>(m_hits) : extents;
  std::exclusive_scan(slots.begin(), slots.end(), m_first_slot.begin(), std::uint64_t{0});
  find_near();
  lay_out();
  for (int rank = 0; rank < layout.processors(); ++rank)
    m_any_has_both = m_any_has_both || has_both(rank);
}

void stretched_buckets::find_near() {
  auto const entries = 8 * m_begins.size();  // few that have several processors
  while ((m_begins.back() >> m_shift) > entries) ++m_shift;
  int rank = 0;
  for (std::uint64_t slot = 0; slot < m_begins.back(); slot += std::uint64_t{1} << m_shift) {
    while (m_begins[as_index(rank) + 1] <= slot) ++rank;
    m_processor_near.push_back(rank);
  }
}

void stretched_buckets::lay_out() {
  for (std::size_t bucket = 0; bucket < m_hits.size(); ++bucket) {
    if (m_hits[bucket] == 0) continue;
    m_first[bucket] = processor_of(m_first_slot[bucket]);
    m_last[bucket] = processor_of(m_first_slot[bucket] + m_hits[bucket] - 1);
    m_begin_on[as_index(m_first[bucket])].push_back(bucket);
    if (is_full(bucket))
      ++m_full;
    else
      record_partial(bucket);
  }
}

void stretched_buckets::record_partial(std::size_t bucket) {
  ++m_partial;
  m_succeeding[as_index(m_first[bucket])] = bucket;
  for (int rank = m_first[bucket] + 1; rank <= m_last[bucket]; ++rank)
    if (slots_of(rank) > 0) m_preceding[as_index(rank)] = bucket;
}

std::vector<sender_and_receiver> stretched_buckets::from_last_to_first(
    bool where_last_has_both) const {
  std::vector<sender_and_receiver> messages;
  for (int rank = 0; rank < m_layout.processors(); ++rank) {
    auto const bucket = succeeding(rank);
    if (bucket && (!where_last_has_both || has_both(last(*bucket))))
      messages.push_back({last(*bucket), rank});
  }
  return messages;
}

monotone_schedule stretched_buckets::messages() const {
  std::vector<sender_and_receiver> all;
  for (std::size_t bucket = 0; bucket < m_hits.size(); ++bucket) {
    if (m_hits[bucket] == 0) continue;
    sender_and_receiver const message{m_first[bucket], m_layout.owner_of_bucket(bucket)};
    if (all.empty() || all.back() != message) all.push_back(message);
  }
  return monotone_schedule(all);
}

}  // namespace lockstep::detail
