#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Requires a layout for as many processors as call. Errors: invalid_argument.
void require_layout(processor const& me, bucket_layout const& layout);

/// Requires that many of them: "values". Errors: invalid_argument.
void require_length(processor const& me, std::string_view what, std::size_t length,
                    std::size_t required);

/// Requires pointers to addresses that the layout has, or none.
/// Errors: invalid_argument, with the first that is not.
void require_addresses(processor const& me, bucket_layout const& layout,
                       std::span<std::size_t const> pointers);
void require_addresses(processor const& me, bucket_layout const& layout,
                       std::span<std::uint32_t const> pointers);

/// Requires, besides, that they do not decrease, where they are there.
/// Errors: invalid_argument, with the first that does.
void require_sorted(processor const& me, bucket_layout const& layout,
                    std::span<std::size_t const> pointers);

/// Requires the same of a layout for this machine, and a value for each pointer.
/// Errors: invalid_argument.
void require_sorted_pointers(processor const& me, bucket_layout const& layout,
                             std::span<std::size_t const> pointers, std::size_t values);

/// Requires that the last pointer of lower ranks is not beyond the first one here.
/// Errors: invalid_argument.
void require_sorted_ranks(processor const& me, std::optional<std::size_t> last_before,
                          std::optional<std::size_t> first);

/// Shows the pointers that point to an address.
template <std::unsigned_integral Pointer>
void show_pointers(processor& me, std::span<Pointer const> pointers) {
  if (!me.is_shown()) [[likely]]
    return;
  std::vector<Pointer> addresses(pointers.begin(), pointers.end());
  std::erase(addresses, std::numeric_limits<Pointer>::max());
  me.show("pointers", addresses);
}

/// Says that an element came to another processor than its owner. Errors: invalid_argument, always.
[[noreturn]] void throw_address_elsewhere(std::size_t address, std::size_t first,
                                          std::size_t count);

/// Says that an element which a processor is to pass on has no place in its layout.
/// Errors: invalid_argument, always.
[[noreturn]] void throw_no_place(std::size_t address);

/// Says that the row of an address has not come to the processor that answers requests for it.
/// Errors: invalid_argument, always.
[[noreturn]] void throw_row_elsewhere(std::size_t address);

/// Requires the cells of a bucket that came from another processor. Errors: invalid_argument for fewer.
void require_cells(std::size_t given, std::size_t cells);

/// Finds an address among the `count` of this processor, from `first` on.
/// Errors: invalid_argument for another address, which comes where processors have different layouts.
[[nodiscard]] inline std::size_t place_of_own(std::size_t address, std::size_t first,
                                              std::size_t count) {
  auto const place = address - first;
  if (place >= count) [[unlikely]]
    throw_address_elsewhere(address, first, count);
  return place;
}

}  // namespace lockstep::detail
