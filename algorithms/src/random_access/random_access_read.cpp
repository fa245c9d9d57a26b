#include <lockstep/algorithms/random_access/random_access_read.hpp>

#include <fmt/format.h>

#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/detail/enumerator_names.hpp>
#include <lockstep/errors.hpp>

#include "random_access/option_names.hpp"

namespace lockstep {

std::string_view name_of(read_variant variant) {
  return detail::shown_name("read_variant", variant, detail::read_variant_names);
}

void detail::require_read(processor const& me, bucket_layout const& layout,
                          std::span<std::size_t const> pointers, std::size_t array,
                          random_access_read_options const& options) {
  static_cast<void>(name_of(options.variant));  // refuses any other number
  static_cast<void>(name_of(options.stage_1));
  if (options.elements_each == 0)
    throw invalid_argument(
        "random access read: 0 elements at each address of the array; take 1 at least");
  if (options.variant == read_variant::automatic && !reaches_anybody(me))
    throw invalid_argument(
        fmt::format("random access read: the variant auto is for a crossbar, whose prices it "
                    "knows, and this is "
                    "{}; take 1, 2, weighted or hybrid",
                    me.topology().spec()));
  require_layout(me, layout);
  require_length(me, "elements of the array", array,
                 checked_product(layout.size_of(me.rank()), options.elements_each));
  require_addresses(me, layout, pointers);
}

}  // namespace lockstep
