#include <lockstep/algorithms/random_access/detail/access_checks.hpp>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

void require_layout(processor const& me, bucket_layout const& layout) {
  if (layout.processors() == me.size()) return;
  throw invalid_argument(
      fmt::format("a layout for {} processors on {}: make it for as many as call",
                  layout.processors(), me.size()));
}

void throw_address_elsewhere(std::size_t address, std::size_t first, std::size_t count) {
  throw invalid_argument(
      fmt::format("an element for address {} came to a processor with {} addresses from {} on: the "
                  "processors have different layouts; pass the same on all",
                  address, count, first));
}

void throw_no_place(std::size_t address) {
  throw invalid_argument(
      fmt::format("an element for address {} came to a processor in whose layout it has no place: "
                  "the processors have different layouts; pass the same on all",
                  address));
}

void throw_row_elsewhere(std::size_t address) {
  throw invalid_argument(fmt::format(
      "the value at address {} did not come to the processor that was asked for it: the "
      "processors have different layouts; pass the same on all",
      address));
}

void require_cells(std::size_t given, std::size_t cells) {
  if (given >= cells) return;
  throw invalid_argument(fmt::format(
      "{} cells of a bucket came where {} belong: the processors have different layouts; "
      "pass the same on all",
      given, cells));
}

void require_length(processor const& me, std::string_view what, std::size_t length,
                    std::size_t required) {
  if (length == required) return;
  throw invalid_argument(
      fmt::format("processor {} has {} {}; give {}", me.rank(), length, what, required));
}

namespace {

template <class Pointer>
void require_each_address(processor const& me, bucket_layout const& layout,
                          std::span<Pointer const> pointers) {
  constexpr auto none = std::numeric_limits<Pointer>::max();
  if (layout.elements() >= none) return;  // all numbers are addresses
  auto const n = static_cast<Pointer>(layout.elements());
  // One comparison for each, of the width of pointers and without a branch: several at once.
  Pointer beyond = 0;
  for (auto const pointer : pointers)
    beyond |=
        static_cast<Pointer>(static_cast<Pointer>(pointer - n) < static_cast<Pointer>(none - n));
  if (beyond == 0) return;
  auto const bad = std::ranges::find_if(
      pointers, [&](Pointer pointer) { return pointer >= n && pointer != none; });
  throw invalid_argument(fmt::format(
      "processor {}: pointer {} is to address {}; there are {} addresses, from 0 on, and "
      "no_pointer for none",
      me.rank(), bad - pointers.begin(), *bad, layout.elements()));
}

}  // namespace

void require_addresses(processor const& me, bucket_layout const& layout,
                       std::span<std::size_t const> pointers) {
  require_each_address(me, layout, pointers);
}

void require_addresses(processor const& me, bucket_layout const& layout,
                       std::span<std::uint32_t const> pointers) {
  require_each_address(me, layout, pointers);
}

void require_sorted(processor const& me, bucket_layout const& layout,
                    std::span<std::size_t const> pointers) {
  require_addresses(me, layout, pointers);
  std::size_t last = 0;
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    if (pointers[i] == no_pointer) continue;
    if (pointers[i] < last)
      throw invalid_argument(fmt::format(
          "processor {}: pointer {} is to address {}, behind one to {}: they have to be in order; "
          "sort them, or write with the variant arbitrary",
          me.rank(), i, pointers[i], last));
    last = pointers[i];
  }
}

void require_sorted_pointers(processor const& me, bucket_layout const& layout,
                             std::span<std::size_t const> pointers, std::size_t values) {
  require_layout(me, layout);
  require_length(me, "values", values, pointers.size());
  require_sorted(me, layout, pointers);
}

void require_sorted_ranks(processor const& me, std::optional<std::size_t> last_before,
                          std::optional<std::size_t> first) {
  if (!last_before || !first || *last_before <= *first) return;
  throw invalid_argument(
      fmt::format("processor {}: its first pointer is to address {}, and one of a lower rank to "
                  "{}: they have to be in order over the ranks, too",
                  me.rank(), *first, *last_before));
}

}  // namespace lockstep::detail
