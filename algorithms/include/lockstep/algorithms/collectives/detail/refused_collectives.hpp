#pragma once

#include <ranges>
#include <source_location>
#include <type_traits>
#include <vector>

#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/detail/refused.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

// Collectives that cannot work, each with a text that says what to write. They give what the right call
// would, so that no second error follows.

namespace lockstep {
namespace detail {

/// An operator and the values that collectives combine by it.
template <class Operator, class Values>
concept combines = (payload_range<Values const&> &&
                    associative_operator<Operator, std::ranges::range_value_t<Values const&>>) ||
                   (payload_element<Values> && associative_operator<Operator, Values>);

/// The type of the values, where they may have changed places with their operator.
template <class Operator, class Values>
using values_of_operands =
    std::decay_t<std::conditional_t<combines<Values, Operator>, Operator, Values>>;

}  // namespace detail

/// @cond
template <class Values>
std::decay_t<Values> all_reduce(processor&, Values const&, collective_options const& = {},
                                std::source_location = {}) {
  static_assert(detail::is_never<Values>,
                "write all_reduce(me, std::plus<>{}, values): an operator on two of them, then "
                "numbers, flat structs or a range of these");
  detail::never_reached();
}
template <class Operator, class Values>
  requires(!detail::combines<Operator, Values>)
detail::values_of_operands<Operator, Values> all_reduce(processor&, Operator const&, Values const&,
                                                        collective_options const& = {},
                                                        std::source_location = {}) {
  static_assert(detail::is_never<Values>,
                "write all_reduce(me, std::plus<>{}, values): an operator on two of them, then "
                "numbers, flat structs or a range of these");
  detail::never_reached();
}
template <class Values>
std::decay_t<Values> reduce(processor&, Values const&, collective_options const& = {},
                            std::source_location = {}) {
  static_assert(detail::is_never<Values>,
                "write reduce(me, std::plus<>{}, values): an operator on two of them, then "
                "numbers, flat structs or a range of these");
  detail::never_reached();
}
template <class Operator, class Values>
  requires(!detail::combines<Operator, Values>)
detail::values_of_operands<Operator, Values> reduce(processor&, Operator const&, Values const&,
                                                    collective_options const& = {},
                                                    std::source_location = {}) {
  static_assert(detail::is_never<Values>,
                "write reduce(me, std::plus<>{}, values): an operator on two of them, then "
                "numbers, flat structs or a range of these");
  detail::never_reached();
}
template <class Values>
std::decay_t<Values> scan(processor&, Values const&, collective_options const& = {},
                          std::source_location = {}) {
  static_assert(detail::is_never<Values>,
                "write scan(me, std::plus<>{}, values): an operator on two of them, then numbers, "
                "flat structs or a range of these");
  detail::never_reached();
}
template <class Operator, class Values>
  requires(!detail::combines<Operator, Values>)
detail::values_of_operands<Operator, Values> scan(processor&, Operator const&, Values const&,
                                                  collective_options const& = {},
                                                  std::source_location = {}) {
  static_assert(detail::is_never<Values>,
                "write scan(me, std::plus<>{}, values): an operator on two of them, then numbers, "
                "flat structs or a range of these");
  detail::never_reached();
}
template <class Values>
std::decay_t<Values> exclusive_scan(processor&, Values const&, collective_options const& = {},
                                    std::source_location = {}) {
  static_assert(detail::is_never<Values>,
                "write exclusive_scan(me, std::plus<>{}, values): an operator on two of them, then "
                "numbers, flat structs or a range of these");
  detail::never_reached();
}
template <class Operator, class Values>
  requires(!detail::combines<Operator, Values>)
detail::values_of_operands<Operator, Values> exclusive_scan(processor&, Operator const&,
                                                            Values const&,
                                                            collective_options const& = {},
                                                            std::source_location = {}) {
  static_assert(detail::is_never<Values>,
                "write exclusive_scan(me, std::plus<>{}, values): an operator on two of them, then "
                "numbers, flat structs or a range of these");
  detail::never_reached();
}
template <class Values>
std::decay_t<Values> reduce_scatter(processor&, Values const&) {
  static_assert(detail::is_never<Values>,
                "write reduce_scatter(me, std::plus<>{}, values): an operator on two of them, then "
                "numbers, flat structs or a range of these");
  detail::never_reached();
}
template <class Operator, class Values>
  requires(!detail::combines<Operator, Values>)
detail::values_of_operands<Operator, Values> reduce_scatter(processor&, Operator const&,
                                                            Values const&) {
  static_assert(detail::is_never<Values>,
                "write reduce_scatter(me, std::plus<>{}, values): an operator on two of them, then "
                "numbers, flat structs or a range of these");
  detail::never_reached();
}

template <class Values>
  requires(!payload<Values>)
std::decay_t<Values> broadcast(processor&, Values&&, collective_options const& = {},
                               std::source_location = {}) {
  static_assert(detail::is_never<Values>,
                "pass numbers, flat structs, or a vector of these: no pointers, vectors of "
                "vectors, or vector<bool>");
  detail::never_reached();
}
template <payload_range Block>
  requires(!std::ranges::borrowed_range<Block>)
std::decay_t<Block> broadcast(processor&, Block&&, collective_options const& = {},
                              std::source_location = {}) {
  static_assert(detail::is_never<Block>,
                "broadcast writes to the block that it is given: pass a variable");
  detail::never_reached();
}
template <class Values>
  requires(!payload<Values>)
std::vector<std::decay_t<Values>> gather(processor&, Values const&) {
  static_assert(detail::is_never<Values>,
                "pass numbers, flat structs, or a vector of these: no pointers, vectors of "
                "vectors, or vector<bool>");
  return {};
}
template <class Values>
  requires(!payload<Values>)
std::vector<std::decay_t<Values>> all_gather(processor&, Values const&) {
  static_assert(detail::is_never<Values>,
                "pass numbers, flat structs, or a vector of these: no pointers, vectors of "
                "vectors, or vector<bool>");
  return {};
}
template <class Block>
std::vector<std::vector<Block>> all_to_all(processor&, std::vector<std::vector<Block>> const&,
                                           collective_options const& = {},
                                           std::source_location = {}) {
  static_assert(detail::is_never<Block>,
                "all_to_all takes blocks of one size in one vector, one after the other; a vector "
                "of vectors is for all_to_allv");
  return {};
}
/// @endcond

}  // namespace lockstep
