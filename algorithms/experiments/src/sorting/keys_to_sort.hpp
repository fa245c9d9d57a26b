#pragma once

#include <cstddef>
#include <cstdint>

#include <lockstep/algorithms/sorting/generated_keys.hpp>
#include <lockstep/experiments/registry.hpp>

#include "sorting/key_file.hpp"

namespace lockstep {

/// The parameter "format".
[[nodiscard]] key_format format_from(experiment_request const& asked);

/// Of what type keys are to be: by the parameter "keys", or by "format" unless that is text.
/// Errors: invalid_argument where they say different types.
[[nodiscard]] key_type type_from(experiment_request const& asked);

/// How many keys are made where there is no input file: the parameter "n".
/// Errors: invalid_argument; out_of_memory for more than there is memory for.
[[nodiscard]] std::uint64_t keys_from(experiment_request const& asked);

/// The keys as keys of that type, which has room for them; 32 bits where any will do.
[[nodiscard]] key_vector as_type(std::vector<std::int32_t> keys, key_type type);

/// How many there are, and what bits each has.
[[nodiscard]] std::uint64_t count_of(key_vector const& keys);
[[nodiscard]] int bits_of(key_vector const& keys);

/// Asks whether there is memory to sort so many keys with that radix or range on the machine, and to
/// check the result.
/// Errors: invalid_argument for 2^32 keys or more; out_of_memory, with the figures.
void require_memory_to_sort(experiment_request const& asked, std::uint64_t keys,
                            std::uint64_t range);

}  // namespace lockstep
