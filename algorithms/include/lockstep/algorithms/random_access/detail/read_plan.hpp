#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/bucket_plan.hpp>
#include <lockstep/algorithms/random_access/random_access_read_options.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Lays out buckets for a read. `hits`: requests of each bucket. `variant`: not `automatic`.
[[nodiscard]] bucket_plan plan_for_read(read_variant variant, bucket_layout const& layout,
                                        std::vector<std::uint64_t> const& hits);

/// The rows that a bucket has between the stages: one for each request, or one for each address.
[[nodiscard]] std::size_t rows_of_bucket(read_variant variant, stretched_buckets const& buckets,
                                         std::size_t bucket);

/// Whether a request is answered where it is made: the hybrid reads its own block at once.
[[nodiscard]] bool is_answered_here(read_variant variant, bucket_layout const& layout, int rank,
                                    std::size_t address);

/// The counts of a read before its requests go; the same on all processors.
struct counted_read {
  random_access_read_record record;   ///< with the variant that is taken
  std::vector<std::uint64_t> totals;  ///< requests that go, for each bucket
};

/// Counts requests in phase "combine bucket hits", and chooses the variant. To choose among all,
/// which `automatic` does, those that leave their processor are counted besides.
[[nodiscard]] counted_read counted_requests(
    processor& me, bucket_layout const& layout, std::span<std::size_t const> pointers,
    random_access_read_options const& options,
    std::source_location where = std::source_location::current());

/// Prices all variants, the cheapest first. `hits`: requests of each bucket; `leaving`: those that
/// leave their processor.
[[nodiscard]] std::vector<read_price> read_prices(bucket_layout const& layout,
                                                  std::vector<std::uint64_t> const& hits,
                                                  std::vector<std::uint64_t> const& leaving,
                                                  random_access_read_options const& options);

}  // namespace lockstep::detail
