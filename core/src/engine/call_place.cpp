#include "engine/call_place.hpp"

#include <new>
#include <utility>

#include <fmt/format.h>

namespace lockstep::detail {

std::optional<library_place> call_place::in_library() const {
  auto const* const inside = place();
  if (inside == nullptr) return std::nullopt;
  return library_place{inside->entry.algorithm, inside->call};
}

std::string place_text(call_place const& where) {
  auto const line = where.in_program();
  auto text = fmt::format("{}:{}", line.file_name(), line.line());
  if (auto const inside = where.in_library()) text += fmt::format(" ({})", to_string(*inside));
  return text;
}

places_inside::~places_inside() {
  for (auto const& list : m_first)
    for (auto const* at = list.load(); at != nullptr;) delete std::exchange(at, at->next);
}

place_inside const* places_inside::find_among_others(list_of_places& list,
                                                     place_inside const* first,
                                                     library_entry const& entry,
                                                     std::source_location call) noexcept {
  auto const find = [&](place_inside const* begin, place_inside const* end) {
    while (begin != end && !begin->is(entry, call)) begin = begin->next;
    return begin == end ? nullptr : begin;
  };
  if (auto const* const known = find(first, nullptr)) return known;
  auto* const made = new (std::nothrow) place_inside{entry, call, nullptr};
  if (made == nullptr) return nullptr;
  made->next = first;
  while (!list.compare_exchange_weak(first, made, std::memory_order_acq_rel,
                                     std::memory_order_acquire)) {
    if (auto const* const known = find(first, made->next)) {
      delete made;
      return known;
    }
    made->next = first;
  }
  return made;
}

}  // namespace lockstep::detail
