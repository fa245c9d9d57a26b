#include "engine/memory/moved_payloads.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include "engine/memory/sanitizer.hpp"
#include "engine/memory/stack_slab.hpp"

namespace lockstep::detail {

namespace {

constexpr std::byte overwritten{0xDB};

std::byte* next_page(std::byte* address) {
  auto const page = stack_slab::page();
  auto const past = reinterpret_cast<std::uintptr_t>(address) % page;
  return past == 0 ? address : address + (page - past);
}

}  // namespace

void moved_payloads::add(void* vector, payload_type const& type, sender const& by) {
  if (type.vector_size(vector) == 0) return;  // it stays its owner's
  auto& one = m_watched.emplace_back();
  auto const bytes = type.vector_size(vector) * type.size;
  one.type = &type;
  one.by = by;
  one.begin = const_cast<std::byte*>(type.vector_data(vector));
  one.end = one.begin + bytes;
  one.pages_begin = one.pages_end = one.end;
  if (next_page(one.begin) + stack_slab::page() <= one.end) {
    one.pages_begin = next_page(one.begin);
    one.pages_end =
        next_page(one.end) == one.end ? one.end : next_page(one.end) - stack_slab::page();
  }
  type.move_vector(vector, static_cast<std::byte*>(one.vector));
  close(one);
  m_bytes += held(one);
  while (m_bytes > most_bytes) note_first();
}

void moved_payloads::close(watched const& one) {
  std::fill(one.begin, one.pages_begin, overwritten);
  std::fill(one.pages_end, one.end, overwritten);
  auto const pages = static_cast<std::size_t>(one.pages_end - one.pages_begin);
  if (pages > 0) ::mprotect(one.pages_begin, pages, PROT_NONE);
  poison(one.begin, static_cast<std::size_t>(one.end - one.begin));
}

bool moved_payloads::reopen(watched const& one) {
  unpoison(one.begin, static_cast<std::size_t>(one.end - one.begin));
  auto const pages = static_cast<std::size_t>(one.pages_end - one.pages_begin);
  if (pages > 0) ::mprotect(one.pages_begin, pages, PROT_READ | PROT_WRITE);
  auto const as_left = [](std::byte found) { return found == overwritten; };
  return std::all_of(one.begin, one.pages_begin, as_left) &&
         std::all_of(one.pages_end, one.end, as_left);
}

bool moved_payloads::release_first() noexcept {
  auto& one = m_watched.front();
  bool const as_left = reopen(one);
  m_bytes -= held(one);
  one.type->destroy_vector(static_cast<std::byte*>(one.vector));
  m_watched.pop_front();
  return as_left;
}

void moved_payloads::note_first() {
  auto const by = m_watched.front().by;
  if (!release_first()) m_written.push_back(by);
}

std::vector<moved_payloads::sender> moved_payloads::give_back() {
  while (!m_watched.empty()) note_first();
  return std::exchange(m_written, {});
}

moved_payloads::sender const* moved_payloads::open(std::byte const* address) noexcept {
  for (auto const& one : m_watched) {
    if (address < one.pages_begin || address >= one.pages_end) continue;
    auto const pages = static_cast<std::size_t>(one.pages_end - one.pages_begin);
    return ::mprotect(one.pages_begin, pages, PROT_READ | PROT_WRITE) == 0 ? &one.by : nullptr;
  }
  return nullptr;
}

moved_payloads::~moved_payloads() {
  while (!m_watched.empty()) static_cast<void>(release_first());
}

}  // namespace lockstep::detail
