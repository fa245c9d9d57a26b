#include <lockstep/algorithms/random_access/bucket_layout.hpp>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

/// Errors: invalid_argument.
[[nodiscard]] std::size_t largest_block(std::size_t elements, int processors,
                                        std::source_location where) {
  if (processors < 1)
    throw invalid_argument(
        fmt::format("{} elements lie on at least 1 processor, not {}", elements, processors),
        where);
  return detail::quotient_up(elements, static_cast<std::size_t>(processors));
}

}  // namespace

bucket_layout::bucket_layout(std::size_t elements, int processors, std::size_t buckets_each,
                             std::source_location where)
    : m_elements(elements),
      m_processors(processors),
      m_buckets_each(buckets_each),
      m_block_size(largest_block(elements, processors, where)),
      m_by_block(m_block_size) {
  auto const most = std::max<std::size_t>(m_block_size, 1);
  if (buckets_each < 1 || buckets_each > most)
    throw invalid_argument(
        fmt::format("k = {} buckets for the ceil(n/p) = {} elements of a processor: take 1 to {}",
                    buckets_each, m_block_size, most),
        where);
  m_bucket_size = detail::quotient_up(m_block_size, buckets_each);
  // So that no address that a block or a bucket might begin with passes 64 bits.
  detail::errors_at(where, [&] {
    static_cast<void>(detail::checked_product(m_block_size, as_size(processors)));
    static_cast<void>(detail::checked_product(m_bucket_size, buckets_each));
  });
  m_by_bucket = detail::same_divisor(m_bucket_size);
}

std::size_t best_buckets_each(std::size_t elements, int processors, std::source_location where) {
  auto const most = std::max<std::size_t>(largest_block(elements, processors, where), 1);
  auto const p = static_cast<double>(processors);
  auto const n = static_cast<double>(elements);
  // One more bucket is better as long as n > k(k + 1) p^2.
  auto const is_better = [&](std::size_t k) {
    return static_cast<double>(k) * static_cast<double>(k + 1) * p * p < n;
  };
  std::size_t too_few = 0;
  auto enough = most;
  while (enough - too_few > 1) {
    auto const middle = too_few + (enough - too_few) / 2;
    (is_better(middle) ? too_few : enough) = middle;
  }
  return enough;
}

}  // namespace lockstep
