#include "engine/messages/message.hpp"

namespace lockstep::detail {

void inbox::sort() {
  if (m_by_channel == nullptr) m_by_channel = std::make_unique<channels>();
  for (auto* at = m_list.head; at != nullptr;) {
    auto* const next = at->next;
    push_sorted(at);
    at = next;
  }
  m_list = {};
  m_sorted = true;
}

void inbox::push_sorted(message* arrived) {
  (*m_by_channel)[channel(arrived->from, arrived->pass)].push(arrived);
}

bool inbox::has(int from, std::uint8_t pass) {
  int passed = 0;
  for (auto const* at = m_list.head; at != nullptr; at = at->next) {
    if (at->from == from && at->pass == pass) return true;
    if (++passed > longest_search) {
      sort();
      break;
    }
  }
  return m_sorted && m_by_channel->contains(channel(from, pass));
}

message* inbox::take_sorted(int from, std::uint8_t pass) {
  auto const found = m_by_channel->find(channel(from, pass));
  if (found == m_by_channel->end()) return nullptr;
  auto* const oldest = found->second.head;
  found->second.remove(nullptr, oldest);
  if (found->second.empty()) m_by_channel->erase(found);
  m_sorted = !m_by_channel->empty();
  return oldest;
}

}  // namespace lockstep::detail
