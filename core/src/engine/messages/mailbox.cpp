#include "engine/messages/mailbox.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lockstep::detail {

void mailbox::post(int to, elements const& values, first_post const& at) {
  auto const bytes = values.count * values.type->size;
  auto const offset = m_bytes.size();
  m_bytes.insert(m_bytes.end(), values.data, values.data + bytes);
  if (m_type == nullptr) {
    m_type = values.type;
    m_first = at;
  }
  bool const goes_on = !m_posts.empty() && m_posts.back().to == to &&
                       values.count <= most_elements - m_posts.back().count;
  if (goes_on)
    m_posts.back().count += static_cast<std::uint32_t>(values.count);
  else
    m_posts.push_back({offset, to, static_cast<std::uint32_t>(values.count)});
}

void mailbox::sort_posts(int me) {
  m_outgoing.clear();
  m_has_own = false;
  if (m_posts.empty()) return;
  constexpr std::size_t worth_counting = 4;  // an empty counter takes a quarter of a post
  if (m_posts.size() * worth_counting >= static_cast<std::size_t>(m_group->size()))
    sort_by_counting(me);
  else
    sort_few(me);
}

void mailbox::sort_by_counting(int me) {
  struct pile {
    std::size_t posts = 0;
    std::size_t elements = 0;
    std::byte* next = nullptr;
  };
  std::vector<pile> piles(static_cast<std::size_t>(m_group->size()));
  for (auto const& posted : m_posts) {
    auto& pile = piles[static_cast<std::size_t>(offset_of(posted.to, me))];
    ++pile.posts;
    pile.elements += posted.count;
  }
  auto* at = make_space();
  for (int offset = 0; offset < m_group->size(); ++offset) {
    auto& pile = piles[static_cast<std::size_t>(offset)];
    if (pile.posts == 0) continue;
    pile.next = at;
    int const to = me + offset < m_group->size() ? me + offset : me + offset - m_group->size();
    add_mail(to, me, pile.elements, at);
    at += pile.elements * m_type->size;
  }
  for (auto const& posted : m_posts) {
    auto& next = piles[static_cast<std::size_t>(offset_of(posted.to, me))].next;
    copy(posted, next);
    next += posted.count * m_type->size;
  }
}

void mailbox::sort_few(int me) {
  std::ranges::stable_sort(m_posts, {},
                           [&](values_for const& posted) { return offset_of(posted.to, me); });
  auto* at = make_space();
  for (std::size_t first = 0; first < m_posts.size();) {
    int const to = m_posts[first].to;
    auto* const begin = at;
    std::size_t count = 0;
    for (; first < m_posts.size() && m_posts[first].to == to; ++first) {
      copy(m_posts[first], at);
      at += m_posts[first].count * m_type->size;
      count += m_posts[first].count;
    }
    add_mail(to, me, count, begin);
  }
}

void mailbox::add_mail(int to, int me, std::size_t count, std::byte const* data) {
  mail const made{{}, m_group->on_machine(to), count, data, m_type};
  m_has_own = m_has_own || to == me;
  if (to == me)
    m_own = made;
  else
    m_outgoing.push_back(made);
}

/// Makes space for all that was posted, which begins at an address that suits any element.
std::byte* mailbox::make_space() {
  auto const blocks = m_bytes.size() / sizeof(block) + 1;
  if (m_sorted_blocks < blocks) {
    m_sorted = std::make_unique_for_overwrite<block[]>(blocks);
    m_sorted_blocks = blocks;
  }
  return m_sorted[0].bytes;
}

void mailbox::copy(values_for const& posted, std::byte* to) const {
  auto const bytes = posted.count * m_type->size;
  if (bytes > 0) std::memcpy(to, m_bytes.data() + posted.offset, bytes);
}

void mailbox::announce(int me) {
  static std::uint64_t const word = 1;
  m_outgoing.clear();
  m_has_own = false;
  int const size = m_group->size();
  m_outgoing.reserve(static_cast<std::size_t>(size - 1));
  for (int offset = 1; offset < size; ++offset)
    m_outgoing.push_back({{},
                          m_group->on_machine((me + offset) % size),
                          1,
                          reinterpret_cast<std::byte const*>(&word),
                          &payload_type_of<std::uint64_t>});
}

std::span<delivered_mail const> mailbox::list_delivered(int me) {
  m_delivered.clear();
  m_delivered.reserve(arriving.size() + 1);
  bool own_is_due = m_has_own;
  auto const add_own = [&] {
    if (std::exchange(own_is_due, false)) m_delivered.push_back({me, m_own.data, m_own.count});
  };
  for (auto const& [from, sent] : arriving) {
    if (from > me) add_own();
    m_delivered.push_back({from, sent->data, sent->count});
  }
  add_own();
  return m_delivered;
}

void mailbox::clear() {
  m_type = nullptr;
  m_posts.clear();
  m_bytes.clear();
  m_outgoing.clear();
  m_has_own = false;
  arriving.clear();
  m_delivered.clear();
}

}  // namespace lockstep::detail
