#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/algorithms/random_access/access_patterns.hpp>
#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/claim_list.hpp>

#include "choices.hpp"
#include "harness/arguments.hpp"
#include "harness/harness.hpp"
#include "random_access/option_names.hpp"

namespace lockstep {

/// Parameters of all that reads or writes by pointers.
inline constexpr integer_parameter number_of_elements{
    "n",        "elements, and addresses, on all processors together; 32 in the figures",
    4096,       0,
    0x7fffffff, true};
inline constexpr integer_parameter lost_pointers{
    "dots", "per cent of the elements that have no pointer", 0, 0, 100, true};
inline constexpr text_parameter number_of_buckets{
    "k",
    "buckets of a processor, 1 to ceil(n/p); auto or nothing takes the number for which the "
    "vectors are shortest"};
inline constexpr choice_parameter pattern_of_pointers{
    "pattern",
    "pointers that are generated: random, monotonic, one-hot, few-hot, local, permutation, "
    "singles, figure-3a, figure-3b, figure-3c or figure-4",
    choices_of(detail::access_pattern_names), true};

/// Reads k: a number, or the best one where none is given.
/// Errors: invalid_argument for anything else, or a number that `bucket_layout` refuses.
[[nodiscard]] bucket_layout layout_from(arguments const& given, std::size_t n);

/// The pointers that are asked for.
struct access_input {
  /// Generates `pattern` on a crossbar, if there is memory for n elements of `bytes_of_element`.
  /// Errors: invalid_argument for another network or value; out_of_memory, with the figures.
  access_input(arguments const& given, access_pattern pattern, double bytes_of_element);

  /// Takes pointers to the n addresses of an array, and lays them out in blocks of their own, if
  /// there is memory for as many. Errors: those of the other.
  access_input(arguments const& given, std::vector<std::size_t> of_elements, std::size_t n,
               double bytes_of_element);

  /// The elements of a processor: their pointers.
  [[nodiscard]] std::span<std::size_t const> of(int rank) const {
    return std::span(pointers).subspan(elements.first_of(rank), elements.size_of(rank));
  }
  /// Whether processors have as many elements as bounds are for, ceil(n/p) at most.
  [[nodiscard]] bool keeps_bounds() const { return elements.block_size() <= layout.block_size(); }

  bucket_layout layout;  ///< of the addresses
  std::vector<std::size_t> pointers;
  bucket_layout elements;  ///< their processors; as `layout`, where they are generated
};

/// Counts the most pointers of a processor, or, without those to its own addresses, the most that
/// leave one.
[[nodiscard]] std::int64_t most_sent(access_input const& input, bool without_own);

/// Requires memory for the hits of all buckets on each processor. Errors: out_of_memory, with the
/// figures.
void require_memory_of_buckets(arguments const& given, bucket_layout const& layout);

/// Records n and, if the experiment has buckets, k as they were used.
void record_layout(experiment_result& result, bucket_layout const& layout);

}  // namespace lockstep
