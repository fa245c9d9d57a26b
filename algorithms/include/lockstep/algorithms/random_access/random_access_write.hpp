#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/random_access/agreed_value.hpp>
#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/access_checks.hpp>
#include <lockstep/algorithms/random_access/detail/access_entry.hpp>
#include <lockstep/algorithms/random_access/detail/access_loads.hpp>
#include <lockstep/algorithms/random_access/detail/bucket_writes.hpp>
#include <lockstep/algorithms/random_access/monotonic_write.hpp>
#include <lockstep/algorithms/random_access/random_access_options.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

namespace detail {

/// Requires an operator that commutes for the hybrid, and options that there are.
/// Errors: invalid_argument.
void require_variant(random_access_options const& options, bool commutes);

/// Requires a variant that the network has: prices, and what only a schedule of sends makes worth its
/// while, are for a crossbar. Errors: invalid_argument.
void require_variant_of_network(processor const& me, access_variant variant);

/// Finds the way of a variant that leaves no choice, and that of a monotonic write.
[[nodiscard]] access_choice choice_of(access_variant variant);
[[nodiscard]] monotonic_way way_of(access_variant variant);

/// The entries of a processor's elements that have a pointer, in their order.
template <payload_element T, class Pointer>
[[nodiscard]] std::vector<access_entry<T>> entries_from(
    access_elements<T, Pointer> const& elements) {
  std::vector<access_entry<T>> entries;
  entries.reserve(elements.values.size());
  elements.for_each([&](std::size_t address, T const& value) {
    entries.push_back({no_slot, address, value});
  });
  return entries;
}

/// Writes by pointers that are in order: nothing stands in the cells before.
template <payload_element T, class Pointer, class Operator>
void write_in_order(processor& me, bucket_layout const& layout,
                    access_elements<T, Pointer> const& elements, Operator const& plus,
                    std::span<extended<T>> cells, monotonic_way way) {
  std::vector<extended<T>> values;
  std::vector<std::size_t> pointers;
  elements.for_each([&](std::size_t address, T const& value) {
    pointers.push_back(address);
    values.push_back(value);
  });
  monotonic_write(me, layout, pointers, values, extended_operator<T, std::decay_t<Operator>>{plus},
                  cells, way);
}

/// Chooses the way of a write: by its variant, or, where that leaves a choice, by how many elements go
/// where.
template <payload_element T, class Pointer>
[[nodiscard]] random_access_record chosen_way(processor& me, bucket_layout const& layout,
                                              random_access_options const& options, bool commutes,
                                              access_elements<T, Pointer> const& elements) {
  using enum access_variant;
  bool const is_limited = options.variant == limited;
  if (!is_limited && options.variant != automatic) return {.choice = choice_of(options.variant)};
  std::vector<std::uint64_t> to_each(static_cast<std::size_t>(me.size()));
  pointer_order order;
  elements.for_each([&](std::size_t address, T const& /*value*/) {
    ++to_each[static_cast<std::size_t>(layout.owner(address))];
    order.add(address);
  });
  me.work(elements.values.size());
  auto const loads = counted_loads(me, to_each, order, is_limited);
  if (is_limited) return {.choice = choice_for(loads, layout)};
  auto prices = prices_for(loads, layout, commutes, options);
  auto const cheapest = prices.front().choice;
  return {.choice = cheapest, .prices = std::move(prices)};
}

}  // namespace detail

/// The addresses of elements, in 64 or in 32 bits, the largest number standing for none.
template <class Pointers>
concept pointer_list = std::ranges::contiguous_range<Pointers const&> &&
                       (std::same_as<std::ranges::range_value_t<Pointers const&>, std::size_t> ||
                        std::same_as<std::ranges::range_value_t<Pointers const&>, std::uint32_t>);

/// The values at a processor's addresses after a write.
template <payload_element T>
struct written_block {
  std::vector<extended<T>> cells;  ///< nothing where nobody wrote
  random_access_record record;
};

namespace detail {

template <payload_element T, class Pointer, associative_operator<T> Operator>
[[nodiscard]] written_block<T> combined_writes_of(
    processor& me, bucket_layout const& layout, access_elements<T, Pointer> const& elements,
    Operator const& plus, random_access_options const& options,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  bool const commutes = options.commutes || is_commutative<Operator>;
  require_variant(options, commutes);
  require_layout(me, layout);
  require_length(me, "values", elements.values.size(), elements.pointers.size());
  require_addresses(me, layout, elements.pointers);
  show_pointers(me, elements.pointers);
  show_values(me, "values", elements.values);
  written_block<T> made{std::vector<extended<T>>(layout.size_of(me.rank())),
                        chosen_way(me, layout, options, commutes, elements)};
  addressed_cells<T, Operator> const cells(made.cells, layout.first_of(me.rank()), plus);
  auto const go = [&](transportation_route route) {
    write_entries(me, layout, entries_from(elements), {.route = route, .keeps_route = false},
                  cells);
  };
  using enum access_choice;
  switch (made.record.choice) {
    case local:
      me.work(elements.values.size());
      cells.add(entries_from(elements));
      break;
    case complete_exchange:
      go(transportation_route::direct);
      break;
    case transportation:
      go(transportation_route::two_stages);
      break;
    case monotonic:
      write_in_order(me, layout, elements, plus, std::span(made.cells), way_of(options.variant));
      break;
    case arbitrary:
    case hybrid:
      bucket_writes<T, Operator>(me, layout, plus, options, cells).write(elements, made.record);
      break;
  }
  show_values(me, "written", made.cells);
  return made;
}

/// Combines what was written with what stands in an array, as the left operand.
template <payload_element T, class Operator>
random_access_record apply_block(written_block<T> const& written, Operator const& plus,
                                 std::span<T> array) {
  for (std::size_t i = 0; i < array.size(); ++i)
    if (auto const& cell = written.cells[i]; cell.is_there) array[i] = plus(array[i], cell.value);
  return written.record;
}

}  // namespace detail

/// Combines what all elements write to each address of an array that is spread over the processors,
/// however many write to the same one. Called by all processors of a crossbar, of a hypercube that cuts
/// through, or of a torus or mesh.
///
/// `layout`: n addresses in blocks of B = ceil(n/p), each of k buckets of s addresses, the same on
/// all processors. `pointers`: the address of each element of this processor, or `no_pointer`, in 64
/// bits, or in 32 with the largest number for no address; `values`: the value that each writes, of any
/// trivially copyable type. A processor has any number of elements; the bounds are for at most B.
/// `plus`: any associative operator; for the hybrid it has to commute. Operands are combined in the order of elements: by rank, of each in its order;
/// those of an operator that commutes, on values that are not rounded, in any order.
/// Shows: "pointers", "values", "hits" of buckets, and the values "written"; between the stages
/// "buckets", to which the elements in slots belong, and "buckets for owners", those of the values that
/// are sent on.
/// Result: for each address of this processor the combination, or nothing.
/// Errors: invalid_argument for a pointer that is neither an address nor `no_pointer`, other
/// numbers of pointers than of values, a layout for another number of processors, an operator
/// that is not known to commute with a hybrid, or a variant for crossbars elsewhere; pointers that are not in order with `monotonic`;
/// those of the machine.
///
/// An element travels as the words of its value, as in the paper: its address, and in stage 1 its
/// slot, are not counted.
///
/// `arbitrary`: counts the hits of each of the kp buckets, gives each element a slot, so that a
/// bucket is stretched to the number of its elements and processors get L = ceil(n/p) slots each,
/// brings elements to slots (stage 1), resolves collisions there, and sends buckets on to their
/// owners (stage 2). Phases "combine bucket hits", "scan bucket hits", "stage 1", "stage 2" (both
/// of the transportation that is the algorithm's stage 1), "segmented scan" and "one to one" where
/// buckets lie on several processors, "sends".
/// `hybrid`: elements of the own block stay, those of buckets with no more elements than addresses
/// go straight, the others in two stages.
/// `limited`: counts messages in phase "choice", then nothing leaves, or a complete exchange or a
/// transportation is enough, or else `arbitrary`. `automatic`: counts them, too, then nothing
/// leaves, or the cheapest of a complete exchange, a transportation, `arbitrary`, where the
/// operator commutes `hybrid`, and where pointers are in order `monotonic`, by what each costs at
/// most with the stages of `options`.
/// `monotonic`, `one_all_gather`: as `monotonic_write`, for pointers that are in order.
///
/// **Cost** on a crossbar, one-port, strict, d = ceil(log2 p), for at most B elements of one word
/// each: of `arbitrary` and the hybrid at most 3(p-1) + 6d + 1 start-ups; by the most words in or
/// out of a processor in each phase, where p is a power of two, at most
/// 3 ceil(n/p) + 4kp + 4 ceil(n/(kp)) + p(p-1). On the other networks the bounds of
/// `network_write_claims`, with contention 1: both stages go by way of all processors
/// (`bucket_route::sends`, too), vectors on a torus or mesh by trees, and there are no choices of the
/// variant `automatic` and no `one_all_gather`.
///
/// **Source** Shankar and Ranka 1997, sections 3 to 6 and 8, mended as docs/errata says.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// lockstep::bucket_layout const histogram{8, 4};
/// auto run = machine.run([&](lockstep::processor& me) {
///   std::vector<std::size_t> const bins{0, 5, 5};
///   std::vector<long> const ones(3, 1);
///   return lockstep::combined_writes(me, histogram, bins, std::span(ones), std::plus<long>{})
///       .cells;
/// });
/// run.results()[2][1].value;     // 8
/// run.results()[2][0].is_there;  // false
/// ```
template <payload_element T, associative_operator<T> Operator, pointer_list Pointers>
[[nodiscard]] written_block<T> combined_writes(
    processor& me, bucket_layout const& layout, Pointers const& pointers, std::span<T const> values,
    Operator const& plus, random_access_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_variant_of_network(me, options.variant);
  using pointer = std::ranges::range_value_t<Pointers const&>;
  return detail::combined_writes_of(
      me, layout, detail::access_elements<T, pointer>{pointers, values}, plus, options);
}

/// Writes to an array: at each address, what stands there is combined with what `combined_writes`
/// makes of all elements for it, as their leftmost operand; other addresses stay as they are.
///
/// `array`: this processor's block of the array, layout.size_of(rank) values.
/// Result: the record of the run.
/// Errors: those of `combined_writes`; invalid_argument for a block of another size.
/// **Cost**, **Source**: those of `combined_writes`.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// lockstep::bucket_layout const table{8, 4};
/// auto run = machine.run([&](lockstep::processor& me) {
///   std::vector<std::size_t> const pointers{2, 7};
///   std::vector<long> const ones(2, 1);
///   std::vector<long> array(2, 100);
///   lockstep::random_access_write(me, table, pointers, std::span<long const>(ones),
///                                 std::plus<long>{}, array);
///   return array;
/// });
/// run.results()[1];  // {104, 100}
/// ```
template <payload_element T, associative_operator<T> Operator, pointer_list Pointers>
random_access_record random_access_write(
    processor& me, bucket_layout const& layout, Pointers const& pointers, std::span<T const> values,
    Operator const& plus, std::span<std::type_identity_t<T>> array,
    random_access_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_layout(me, layout);
  detail::require_length(me, "elements of the array", array.size(), layout.size_of(me.rank()));
  return detail::apply_block(combined_writes(me, layout, pointers, values, plus, options), plus,
                             array);
}

/// Writes values on which all elements that name an address have to agree: as `combined_writes`
/// with `agreement`, where the owner of an address requires that nothing differs.
///
/// Result: for each address of this processor the value, or nothing.
/// Errors: those of `combined_writes`; invalid_argument for an address with different values.
/// **Cost** that of `combined_writes`: a value and its mark count as the words of the value.
///
/// **Source** Shankar and Ranka 1997, section 1, the first way to resolve a collision. How
/// different values become an error is lockstep's.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// lockstep::bucket_layout const table{8, 4};
/// auto run = machine.run([&](lockstep::processor& me) {
///   std::vector<std::size_t> const pointers{2, 7};
///   std::vector<int> const values{20, 70};
///   return lockstep::agreed_writes(me, table, pointers, std::span<int const>(values)).cells;
/// });
/// run.results()[1][0].value;     // 20
/// run.results()[1][1].is_there;  // false
/// ```
template <payload_element T>
  requires std::equality_comparable<T>
[[nodiscard]] written_block<T> agreed_writes(
    processor& me, bucket_layout const& layout, std::span<std::size_t const> pointers,
    std::span<T const> values, random_access_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  std::vector<agreed_value<T>> const own(values.begin(), values.end());
  auto written =
      combined_writes(me, layout, pointers, std::span(std::as_const(own)), agreement{}, options);
  require_agreement<T>(layout.first_of(me.rank()), written.cells, call.where());
  written_block<T> made{std::vector<extended<T>>(written.cells.size()), std::move(written.record)};
  for (std::size_t i = 0; i < made.cells.size(); ++i)
    if (written.cells[i].is_there) made.cells[i] = written.cells[i].value.value;
  return made;
}

/// Claims what a random access write of elements of one word costs, at most ceil(n/p) of each
/// processor, with packets of one word. `options`: any variant but monotonic; `record`: what was
/// done. About "port_words", the most words in or out of a processor in each phase together, and
/// "stage_2_port_words", those of phase "sends", too; the steps of that, "sends_steps"; and words
/// of phases: "combine_words" and "scan_words" of the bucket hits, "segmented_scan_words" and
/// "one_to_one_words".
[[nodiscard]] std::vector<claim> random_access_write_claims(bucket_layout const& layout,
                                                            random_access_options const& options,
                                                            random_access_record const& record);

}  // namespace lockstep
