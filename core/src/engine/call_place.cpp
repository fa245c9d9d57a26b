#include "engine/call_place.hpp"

#include <new>
#include <utility>

#include <fmt/format.h>

namespace lockstep::detail {

namespace {

std::uintptr_t bits_of(std::source_location where) { return std::bit_cast<std::uintptr_t>(where); }

/// Finds the place among those from `first` up to `end`; nullptr without one.
place_inside const* find_among(place_inside const* first, place_inside const* end,
                               place_inside const& wanted) {
  for (auto const* at = first; at != end; at = at->next)
    if (bits_of(at->call) == bits_of(wanted.call) &&
        bits_of(at->program) == bits_of(wanted.program) &&
        bits_of(at->algorithm) == bits_of(wanted.algorithm))
      return at;
  return nullptr;
}

}  // namespace

std::optional<library_place> call_place::in_library() const {
  auto const* const inside = place();
  if (inside == nullptr) return std::nullopt;
  return library_place{inside->algorithm, inside->call};
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

call_place places_inside::find(std::source_location program, std::source_location algorithm,
                               std::source_location call) noexcept {
  place_inside const wanted{program, algorithm, call, nullptr};
  // What lies apart in memory is some multiple of 32 bytes.
  auto& list = m_first[((bits_of(call) >> 5) ^ (bits_of(program) >> 9)) % lists];
  auto const* first = list.load(std::memory_order_acquire);
  if (auto const* const known = find_among(first, nullptr, wanted)) return call_place(*known);
  auto* const made = new (std::nothrow) place_inside(wanted);
  if (made == nullptr) return program;
  made->next = first;
  while (!list.compare_exchange_weak(first, made, std::memory_order_acq_rel,
                                     std::memory_order_acquire)) {
    if (auto const* const known = find_among(first, made->next, wanted)) {
      delete made;
      return call_place(*known);
    }
    made->next = first;
  }
  return call_place(*made);
}

}  // namespace lockstep::detail
