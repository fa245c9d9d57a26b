#include <lockstep/algorithms/random_access/random_access_write.hpp>

#include <fmt/format.h>

#include <lockstep/detail/enumerator_names.hpp>
#include <lockstep/errors.hpp>

#include "random_access/option_names.hpp"

namespace lockstep {

std::string_view name_of(access_variant variant) {
  return detail::shown_name("access_variant", variant, detail::access_variant_names);
}

std::string_view name_of(bucket_route route) {
  return detail::shown_name("bucket_route", route, detail::bucket_route_names);
}

std::string_view name_of(access_choice choice) {
  return detail::shown_name("access_choice", choice,
                            {{access_choice::local, "local"},
                             {access_choice::complete_exchange, "complete-exchange"},
                             {access_choice::transportation, "transportation"},
                             {access_choice::arbitrary, "arbitrary"},
                             {access_choice::hybrid, "hybrid"},
                             {access_choice::monotonic, "monotonic"}});
}

void detail::throw_different_values(std::size_t address, std::source_location where) {
  throw invalid_argument(
      fmt::format("random access write: elements write different values to address {}; write the "
                  "same value from all of them, or take an operator that combines different ones",
                  address),
      where);
}

void detail::require_variant(random_access_options const& options, bool commutes) {
  static_cast<void>(name_of(options.variant));  // refuses any other number
  static_cast<void>(name_of(options.stage_1));
  static_cast<void>(name_of(options.stage_2));
  bool const is_hybrid =
      options.variant == access_variant::hybrid || options.variant == access_variant::hybrid_plain;
  if (is_hybrid && !commutes)
    throw invalid_argument(
        "random access write: the hybrid combines local elements last, and the operator is not "
        "known to commute; set options.commutes or specialise is_commutative if it does, or take "
        "the "
        "variant arbitrary, which keeps the order of elements");
}

void detail::require_variant_of_network(processor const& me, access_variant variant) {
  if (reaches_anybody(me)) return;
  if (variant != access_variant::automatic && variant != access_variant::one_all_gather) return;
  throw invalid_argument(
      fmt::format("random access write: the variant {} is for a crossbar, whose prices it knows, "
                  "and this is {}; "
                  "take arbitrary, hybrid, limited or monotonic",
                  name_of(variant), me.topology().spec()));
}

access_choice detail::choice_of(access_variant variant) {
  if (variant == access_variant::arbitrary) return access_choice::arbitrary;
  if (variant == access_variant::monotonic || variant == access_variant::one_all_gather)
    return access_choice::monotonic;
  return access_choice::hybrid;
}

monotonic_way detail::way_of(access_variant variant) {
  return variant == access_variant::one_all_gather ? monotonic_way::one_all_gather
                                                   : monotonic_way::scans;
}

}  // namespace lockstep
