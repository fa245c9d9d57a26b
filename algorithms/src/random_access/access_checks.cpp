#include <lockstep/algorithms/random_access/detail/access_checks.hpp>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

void require_layout(processor const& me, bucket_layout const& layout) {
  if (layout.processors() == me.size()) return;
  throw invalid_argument(
      fmt::format("a layout for {} processors on {}: make it for as many as call",
                  layout.processors(), me.size()));
}

void require_length(processor const& me, std::string_view what, std::size_t length,
                    std::size_t required) {
  if (length == required) return;
  throw invalid_argument(
      fmt::format("processor {} has {} {}; give {}", me.rank(), length, what, required));
}

void require_addresses(processor const& me, bucket_layout const& layout,
                       std::span<std::size_t const> pointers) {
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    if (pointers[i] < layout.elements() || pointers[i] == no_pointer) continue;
    throw invalid_argument(fmt::format(
        "processor {}: pointer {} is to address {}; there are {} addresses, from 0 on, and "
        "no_pointer for none",
        me.rank(), i, pointers[i], layout.elements()));
  }
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

void require_sorted_ranks(processor const& me, std::optional<std::size_t> last_before,
                          std::optional<std::size_t> first) {
  if (!last_before || !first || *last_before <= *first) return;
  throw invalid_argument(
      fmt::format("processor {}: its first pointer is to address {}, and one of a lower rank to "
                  "{}: they have to be in order over the ranks, too",
                  me.rank(), *first, *last_before));
}

}  // namespace lockstep::detail
