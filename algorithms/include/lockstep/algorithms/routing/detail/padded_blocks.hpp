#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/algorithms/routing/bin_bounds.hpp>
#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Room for an element, or for the number of a block's elements.
template <payload_element T>
struct numbered_slot {
  using counts_as = T;

  alignas(T) std::array<std::byte, std::max(sizeof(T), sizeof(std::uint32_t))> bytes{};
};

/// The content of a slot.
enum class slot_holds : std::uint8_t {
  nothing,
  element,
  refusal  ///< in the first slot of a block whose sender had more elements than room
};

/// Room for an element, which says whether there is one.
template <payload_element T>
struct marked_slot {
  using counts_as = T;

  alignas(T) std::array<std::byte, sizeof(T)> bytes{};
  slot_holds holds = slot_holds::nothing;
};

/// The bin in as many slots; the first one holds the number of its elements.
template <payload_element T>
[[nodiscard]] std::vector<numbered_slot<T>> numbered_block(std::span<T const> bin,
                                                           std::uint64_t slots) {
  std::vector<numbered_slot<T>> block(slots);
  auto const number = static_cast<std::uint32_t>(bin.size());
  std::memcpy(block.front().bytes.data(), &number, sizeof(number));
  for (std::size_t i = 0; i < bin.size(); ++i)
    std::memcpy(block[i + 1].bytes.data(), &bin[i], sizeof(T));
  return block;
}

/// A block that says in the place of a number that its sender had more elements than room.
template <payload_element T>
[[nodiscard]] std::vector<numbered_slot<T>> numbered_refusal() {
  std::vector<numbered_slot<T>> block(1);
  auto const number = std::numeric_limits<std::uint32_t>::max();
  std::memcpy(block.front().bytes.data(), &number, sizeof(number));
  return block;
}
template <payload_element T>
[[nodiscard]] bool is_refusal(std::vector<numbered_slot<T>> const& block) {
  std::uint32_t number = 0;
  std::memcpy(&number, block.front().bytes.data(), sizeof(number));
  return number == std::numeric_limits<std::uint32_t>::max();
}

/// The bin in as many slots, and each says whether it holds an element.
template <payload_element T>
[[nodiscard]] std::vector<marked_slot<T>> marked_block(std::span<T const> bin,
                                                       std::uint64_t slots) {
  std::vector<marked_slot<T>> block(slots);
  for (std::size_t i = 0; i < bin.size(); ++i) {
    std::memcpy(block[i].bytes.data(), &bin[i], sizeof(T));
    block[i].holds = slot_holds::element;
  }
  return block;
}

/// The element in a slot.
template <payload_element T, class Slot>
[[nodiscard]] T element_in(Slot const& slot) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), slot.bytes.data(), sizeof(T));
  return std::bit_cast<T>(bytes);
}

template <payload_element T>
[[nodiscard]] std::vector<T> bin_in(std::vector<numbered_slot<T>> const& block) {
  std::uint32_t number = 0;
  std::memcpy(&number, block.front().bytes.data(), sizeof(number));
  std::vector<T> bin;
  bin.reserve(number);
  for (std::size_t i = 1; i <= number; ++i) bin.push_back(element_in<T>(block[i]));
  return bin;
}

template <payload_element T>
[[nodiscard]] std::vector<T> bin_in(std::vector<marked_slot<T>> const& block) {
  std::vector<T> bin;
  for (auto const& slot : block)
    if (slot.holds == slot_holds::element) bin.push_back(element_in<T>(slot));
  return bin;
}

/// As `exchange_bins`, in whole blocks: `block_of(bin)` goes, whatever is in it.
template <payload_element T, class BlockOf, class Show>
[[nodiscard]] bins<T> exchange_blocks(processor& me, bins<T> out, std::uint64_t slots,
                                      BlockOf const& block_of, Show const& show) {
  bins<T> in(out.size());
  auto const own = static_cast<std::size_t>(me.rank());
  in[own] = std::move(out[own]);
  if (me.is_shown()) show(out, in);
  me.pipelined([&] {
    for (int shift = 1; shift < me.size(); ++shift) {
      int const to = shifted(me, shift);
      int const from = shifted(me, -shift);
      auto block = block_of(std::span<T const>(out[static_cast<std::size_t>(to)]));
      using slot = typename decltype(block)::value_type;
      me.send(to, std::move(block));
      in[static_cast<std::size_t>(from)] = bin_in<T>(me.receive<slot>(from, slots));
      if (!me.is_shown()) [[likely]]
        continue;
      out[static_cast<std::size_t>(to)].clear();
      show(out, in);
    }
  });
  return in;
}

/// As `exchange_bins`, in blocks of that rule, that many slots each; real sizes without slots.
template <payload_element T, class Show = show_nothing>
[[nodiscard]] bins<T> exchange_bins(processor& me, bins<T> out, block_rule rule,
                                    std::uint64_t slots, Show const& show = {},
                                    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  if (rule == block_rule::real) return exchange_bins(me, std::move(out), show);
  auto const numbered = [slots](std::span<T const> bin) { return numbered_block<T>(bin, slots); };
  auto const marked = [slots](std::span<T const> bin) { return marked_block<T>(bin, slots); };
  return has_number_slot(rule) ? exchange_blocks(me, std::move(out), slots, numbered, show)
                               : exchange_blocks(me, std::move(out), slots, marked, show);
}

/// Errors: invalid_argument, always: a bin of that step is larger than its block.
[[noreturn]] void throw_bin_too_large(int rank, int step, std::size_t bin, std::size_t elements,
                                      block_rule rule, std::uint64_t slots);

/// Errors: invalid_argument for a bin, the own one included, that does not fit in its block.
template <payload_element T>
void require_bins_fit(processor const& me, bins<T> const& made, int step, block_rule rule,
                      std::uint64_t slots) {
  if (rule == block_rule::real) return;
  auto const room = room_in(rule, slots);
  for (std::size_t bin = 0; bin < made.size(); ++bin)
    if (made[bin].size() > room)
      throw_bin_too_large(me.rank(), step, bin, made[bin].size(), rule, slots);
}

}  // namespace lockstep::detail
