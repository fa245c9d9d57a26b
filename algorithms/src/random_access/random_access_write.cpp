#include <lockstep/algorithms/random_access/random_access_write.hpp>

#include <fmt/format.h>

#include <lockstep/detail/enumerator_check.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

std::string_view name_of(access_variant variant) {
  switch (variant) {
    case access_variant::arbitrary:
      return "arbitrary";
    case access_variant::hybrid:
      return "hybrid";
    case access_variant::hybrid_plain:
      return "hybrid-plain";
    case access_variant::limited:
      return "limited";
    case access_variant::monotonic:
      return "monotonic";
    case access_variant::one_all_gather:
      return "one-all-gather";
    case access_variant::automatic:
      return "auto";
  }
  detail::throw_no_such_value(
      "access_variant", static_cast<std::uint64_t>(variant),
      {"access_variant::arbitrary", "access_variant::hybrid", "access_variant::hybrid_plain",
       "access_variant::limited", "access_variant::monotonic", "access_variant::one_all_gather",
       "access_variant::automatic"});
}

std::string_view name_of(bucket_route route) {
  switch (route) {
    case bucket_route::sends:
      return "sends";
    case bucket_route::linear:
      return "linear";
    case bucket_route::transportation:
      return "transportation";
  }
  detail::throw_no_such_value(
      "bucket_route", static_cast<std::uint64_t>(route),
      {"bucket_route::sends", "bucket_route::linear", "bucket_route::transportation"});
}

std::string_view name_of(access_choice choice) {
  switch (choice) {
    case access_choice::local:
      return "local";
    case access_choice::complete_exchange:
      return "complete-exchange";
    case access_choice::transportation:
      return "transportation";
    case access_choice::arbitrary:
      return "arbitrary";
    case access_choice::hybrid:
      return "hybrid";
    case access_choice::monotonic:
      return "monotonic";
  }
  detail::throw_no_such_value(
      "access_choice", static_cast<std::uint64_t>(choice),
      {"access_choice::local", "access_choice::complete_exchange", "access_choice::transportation",
       "access_choice::arbitrary", "access_choice::hybrid", "access_choice::monotonic"});
}

void detail::throw_different_values(std::size_t address) {
  throw invalid_argument(
      fmt::format("random access write: elements write different values to address {}; write the "
                  "same value from all of them, or take an operator that combines different ones",
                  address));
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
