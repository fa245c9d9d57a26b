#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/bucket_plan.hpp>
#include <lockstep/algorithms/random_access/random_access_read_options.hpp>

namespace lockstep::detail {

/// Lays out buckets for a read. `hits`: requests of each bucket. `variant`: not `automatic`.
[[nodiscard]] bucket_plan plan_for_read(read_variant variant, bucket_layout const& layout,
                                        std::vector<std::uint64_t> const& hits);

/// The rows that a bucket has between the stages: one for each request, or one for each address.
[[nodiscard]] std::size_t rows_of_bucket(read_variant variant, stretched_buckets const& buckets,
                                         std::size_t bucket);

/// Prices all variants for these hits, the cheapest first.
[[nodiscard]] std::vector<read_price> read_prices(bucket_layout const& layout,
                                                  std::vector<std::uint64_t> const& hits,
                                                  random_access_read_options const& options);

}  // namespace lockstep::detail
