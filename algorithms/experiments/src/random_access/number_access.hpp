#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/generalize.hpp>
#include <lockstep/algorithms/random_access/random_access_read.hpp>
#include <lockstep/algorithms/random_access/random_access_write.hpp>
#include <lockstep/processor.hpp>

// Accesses of 64-bit numbers, which a compiler takes many seconds for: each is compiled once, in the file of
// its experiment, and the papers' tables and figures run the same.

namespace lockstep {

/// An operator on numbers that is known at run time only.
using number_operator = std::int64_t (*)(std::int64_t, std::int64_t);

extern template written_block<std::int64_t> combined_writes(processor&, bucket_layout const&,
                                                            std::span<std::size_t const> const&,
                                                            std::span<std::int64_t const>,
                                                            number_operator const&,
                                                            random_access_options const&,
                                                            std::source_location);
extern template read_values<std::uint64_t> random_access_read(processor&, bucket_layout const&,
                                                              std::span<std::size_t const>,
                                                              std::span<std::uint64_t const>,
                                                              random_access_read_options const&,
                                                              std::source_location);
extern template std::vector<std::optional<std::uint64_t>> generalize(processor&,
                                                                     bucket_layout const&,
                                                                     std::span<std::size_t const>,
                                                                     std::span<std::uint64_t const>,
                                                                     std::source_location);

}  // namespace lockstep
