#include "engine/messages/message.hpp"

#include <new>
#include <utility>

namespace lockstep::detail {

// Without memory to sort a message, it stays in the list. Those of its channel that are
// sorted came later, for a channel that is there takes another message without memory.

void inbox::sort() noexcept {
  m_by_channel.make();
  if (m_by_channel.get() == nullptr) return;
  auto const all = std::exchange(m_list, {});
  for (auto* at = all.head; at != nullptr;) {
    auto* const next = at->next;
    push_sorted(at);
    at = next;
  }
  m_by_channel.note_use();
}

void inbox::sort_if_long() noexcept {
  int passed = 0;
  for (auto const* at = m_list.head; !m_by_channel.in_use() && at != nullptr; at = at->next)
    if (++passed > longest_search) return sort();
}

/// Whether no message of the same channel stands before it in the list, which is short.
bool inbox::is_oldest_listed(message const& one) const noexcept {
  for (auto const* at = m_list.head; at != &one; at = at->next)
    if (at->from == one.from && at->pass == one.pass) return false;
  return true;
}

void inbox::push_sorted(message* arrived) noexcept {
  try {
    (*m_by_channel.get())[channel(arrived->from, arrived->pass)].push(arrived);
  } catch (std::bad_alloc const&) {
    m_list.push(arrived);
  }
}

bool inbox::has(int from, std::uint8_t pass) noexcept {
  int passed = 0;
  for (auto const* at = m_list.head; at != nullptr; at = at->next) {
    if (at->from == from && at->pass == pass) return true;
    if (!m_by_channel.in_use() && ++passed > longest_search) {
      sort();
      return is_listed(from, pass) || is_sorted(from, pass);
    }
  }
  return is_sorted(from, pass);
}

bool inbox::is_listed(int from, std::uint8_t pass) const noexcept {
  for (auto const* at = m_list.head; at != nullptr; at = at->next)
    if (at->from == from && at->pass == pass) return true;
  return false;
}

bool inbox::is_sorted(int from, std::uint8_t pass) const noexcept {
  return m_by_channel.in_use() && m_by_channel.get()->contains(channel(from, pass));
}

message* inbox::take_listed(int from, std::uint8_t pass) noexcept {
  message* before = nullptr;
  for (auto* at = m_list.head; at != nullptr; before = at, at = at->next) {
    if (at->from != from || at->pass != pass) continue;
    m_list.remove(before, at);
    return at;
  }
  return nullptr;
}

message* inbox::take_sorted(int from, std::uint8_t pass) noexcept {
  if (auto* const unsorted = take_listed(from, pass)) return unsorted;
  if (!m_by_channel.in_use()) return nullptr;
  auto& queues = *m_by_channel.get();
  auto const found = queues.find(channel(from, pass));
  if (found == queues.end()) return nullptr;
  auto* const oldest = found->second.head;
  found->second.remove(nullptr, oldest);
  if (found->second.empty()) queues.erase(found);
  m_by_channel.note_use();
  return oldest;
}

}  // namespace lockstep::detail
