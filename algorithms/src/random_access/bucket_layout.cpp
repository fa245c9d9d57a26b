#include <lockstep/algorithms/random_access/bucket_layout.hpp>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

[[nodiscard]] std::size_t quotient_rounded_up(std::size_t number, std::size_t parts) {
  return number / parts + (number % parts == 0 ? 0 : 1);
}

/// Errors: invalid_argument.
[[nodiscard]] std::size_t largest_block(std::size_t elements, int processors) {
  if (processors < 1)
    throw invalid_argument(
        fmt::format("{} elements lie on at least 1 processor, not {}", elements, processors));
  return quotient_rounded_up(elements, static_cast<std::size_t>(processors));
}

}  // namespace

bucket_layout::bucket_layout(std::size_t elements, int processors, std::size_t buckets_each)
    : m_elements(elements),
      m_processors(processors),
      m_buckets_each(buckets_each),
      m_block_size(largest_block(elements, processors)),
      m_by_block(m_block_size) {
  auto const most = std::max<std::size_t>(m_block_size, 1);
  if (buckets_each < 1 || buckets_each > most)
    throw invalid_argument(
        fmt::format("k = {} buckets for the ceil(n/p) = {} elements of a processor: take 1 to {}",
                    buckets_each, m_block_size, most));
  m_bucket_size = quotient_rounded_up(m_block_size, buckets_each);
  m_by_bucket = detail::same_divisor(m_bucket_size);
}

std::size_t best_buckets_each(std::size_t elements, int processors) {
  auto const most = std::max<std::size_t>(largest_block(elements, processors), 1);
  auto const p = static_cast<double>(processors);
  auto const n = static_cast<double>(elements);
  // One more bucket is better as long as n > k(k + 1) p^2.
  std::size_t k = 1;
  while (k < most && static_cast<double>(k) * static_cast<double>(k + 1) * p * p < n) ++k;
  return k;
}

}  // namespace lockstep
