#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <source_location>

namespace lockstep {

/// The pointer of an element that takes part in nothing.
inline constexpr std::size_t no_pointer = std::numeric_limits<std::size_t>::max();

namespace detail {

/// Divides by the same number many times: by a shift where that is a power of two.
class same_divisor {
 public:
  /// `divisor`: 0 for one that nothing is divided by.
  explicit same_divisor(std::size_t divisor)
      : m_divisor(divisor),
        m_shift(std::has_single_bit(divisor) ? std::countr_zero(divisor) : -1) {}

  [[nodiscard]] std::size_t quotient_of(std::size_t number) const {
    return m_shift >= 0 ? number >> static_cast<unsigned>(m_shift) : number / m_divisor;
  }

  friend bool operator==(same_divisor const&, same_divisor const&) = default;

 private:
  std::size_t m_divisor;
  int m_shift;
};

}  // namespace detail

/// Where n elements, which are the addresses as well, lie on p processors: in blocks of
/// B = ceil(n/p), the last perhaps shorter or empty. The block of a processor is made of k
/// buckets of s = ceil(B/k), the last perhaps shorter or empty, too.
///
/// **Source** Shankar and Ranka, Random Data Accesses on a Coarse-grained Parallel Machine II,
/// section 4; sizes that do not divide are lockstep's.
class bucket_layout {
 public:
  /// `elements`: n. `processors`: p, at least 1. `buckets_each`: k, from 1 to B, and 1 where n = 0.
  /// Errors: invalid_argument for another number, and where p B or k s is 2^64 or more.
  bucket_layout(std::size_t elements, int processors, std::size_t buckets_each = 1,
                std::source_location where = std::source_location::current());

  [[nodiscard]] std::size_t elements() const { return m_elements; }          ///< n
  [[nodiscard]] int processors() const { return m_processors; }              ///< p
  [[nodiscard]] std::size_t buckets_each() const { return m_buckets_each; }  ///< k
  [[nodiscard]] std::size_t buckets() const { return m_buckets_each * as_size(m_processors); }
  [[nodiscard]] std::size_t block_size() const { return m_block_size; }    ///< B
  [[nodiscard]] std::size_t bucket_size() const { return m_bucket_size; }  ///< s

  /// The processor that an address lies on.
  [[nodiscard]] int owner(std::size_t address) const {
    return static_cast<int>(m_by_block.quotient_of(address));
  }
  /// The first address of a processor; n, where it has none.
  [[nodiscard]] std::size_t first_of(int rank) const {
    return std::min(as_size(rank) * m_block_size, m_elements);
  }
  /// How many addresses a processor has.
  [[nodiscard]] std::size_t size_of(int rank) const { return first_of(rank + 1) - first_of(rank); }

  /// The bucket that an address lies in.
  [[nodiscard]] std::size_t bucket(std::size_t address) const {
    auto const block = m_by_block.quotient_of(address);
    return block * m_buckets_each + m_by_bucket.quotient_of(address - block * m_block_size);
  }
  /// The processor whose block a bucket is a part of.
  [[nodiscard]] int owner_of_bucket(std::size_t bucket) const {
    return static_cast<int>(bucket / m_buckets_each);
  }
  /// The first address of a bucket; that of what follows, where it has none.
  [[nodiscard]] std::size_t first_in(std::size_t bucket) const {
    auto const block = bucket / m_buckets_each * m_block_size;
    auto const offset = std::min(bucket % m_buckets_each * m_bucket_size, m_block_size);
    return std::min(block + offset, m_elements);
  }
  /// How many addresses a bucket has.
  [[nodiscard]] std::size_t size(std::size_t bucket) const {
    return first_in(bucket + 1) - first_in(bucket);
  }

  friend bool operator==(bucket_layout const&, bucket_layout const&) = default;

 private:
  [[nodiscard]] static std::size_t as_size(int number) { return static_cast<std::size_t>(number); }

  std::size_t m_elements;
  int m_processors;
  std::size_t m_buckets_each;
  std::size_t m_block_size;
  std::size_t m_bucket_size = 0;
  detail::same_divisor m_by_block;
  detail::same_divisor m_by_bucket{0};
};

/// The number of buckets, from 1 to ceil(n/p), for which the vectors of the algorithms are
/// shortest: 4kp + 4n/(kp) is least, which it is near kp = sqrt n. Of two the smaller.
/// `elements`: n; `processors`: p.
/// Errors: invalid_argument for less than one processor.
/// **Source** Shankar and Ranka, section 4.5, which leaves the choice open.
[[nodiscard]] std::size_t best_buckets_each(
    std::size_t elements, int processors,
    std::source_location where = std::source_location::current());

}  // namespace lockstep
