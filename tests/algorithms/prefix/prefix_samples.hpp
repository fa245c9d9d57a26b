#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/shown.hpp>
#include <lockstep/topologies/parse.hpp>

#include "algorithms/stretch.hpp"

/// 2 x 2 matrices of unsigned numbers: their product is associative, and not commutative.
struct matrix2 {
  std::array<std::uint32_t, 4> of{1, 0, 0, 1};

  friend bool operator==(matrix2 const&, matrix2 const&) = default;
  friend matrix2 operator*(matrix2 const& a, matrix2 const& b) {
    return {{a.of[0] * b.of[0] + a.of[1] * b.of[2], a.of[0] * b.of[1] + a.of[1] * b.of[3],
             a.of[2] * b.of[0] + a.of[3] * b.of[2], a.of[2] * b.of[1] + a.of[3] * b.of[3]}};
  }
};

inline std::vector<matrix2> random_matrices(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<matrix2> matrices(static_cast<std::size_t>(count));
  for (auto& each : matrices)
    for (auto& entry : each.of) entry = static_cast<std::uint32_t>(random());
  return matrices;
}

inline constexpr std::array all_prefix_kinds{
    lockstep::prefix_kind::inclusive, lockstep::prefix_kind::exclusive,
    lockstep::prefix_kind::backward, lockstep::prefix_kind::backward_exclusive};

/// The places that prefix i of n values covers; none where the last is before the first.
inline lockstep::rank_interval covered_by(lockstep::prefix_kind kind, int i, int n) {
  int const own = lockstep::is_inclusive(kind) ? 0 : 1;
  if (lockstep::is_forward(kind)) return {0, i - own};
  return {i + own, n - 1};
}

/// The prefixes of n stretches of one place each, beginning at 0.
inline std::vector<std::optional<stretch>> joined_stretches(lockstep::prefix_kind kind, int n) {
  std::vector<std::optional<stretch>> prefixes(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    if (auto const [first, last] = covered_by(kind, i, n); first <= last)
      prefixes[static_cast<std::size_t>(i)] = stretch{first, last};
  return prefixes;
}

/// A network on which prefixes run, and the steps that one takes there.
struct prefix_network {
  std::string spec;
  std::uint64_t steps = 0;

  /// A machine of it, in lock step where the algorithm is.
  [[nodiscard]] lockstep::machine on(lockstep::machine_options options) const {
    options.strict = !spec.starts_with("tree");
    return lockstep::machine(lockstep::parse(spec), options);
  }
};

/// All networks of d = 1 to `largest`.
inline std::vector<prefix_network> prefix_networks(int largest, int least = 1) {
  std::vector<prefix_network> all;
  for (int d = least; d <= largest; ++d) {
    auto const size = std::to_string(d);
    auto const number = static_cast<std::uint64_t>(d);
    all.push_back({"tree:" + size, 4 * (number - 1)});
    all.push_back({"hypercube:" + size, number});
    all.push_back({"shuffle-exchange:" + size, d == 1 ? 1 : 3 * number});
  }
  return all;
}

/// What std::inclusive_scan and std::exclusive_scan make of it, from one end or the other.
template <class T, class Operator>
std::vector<T> scanned(std::vector<T> const& values, lockstep::prefix_kind kind, T const& identity,
                       Operator const& plus) {
  std::vector<T> result(values.size());
  auto const reversed = [&](T const& a, T const& b) { return plus(b, a); };
  switch (kind) {
    case lockstep::prefix_kind::inclusive:
      std::inclusive_scan(values.begin(), values.end(), result.begin(), plus);
      break;
    case lockstep::prefix_kind::exclusive:
      std::exclusive_scan(values.begin(), values.end(), result.begin(), identity, plus);
      break;
    case lockstep::prefix_kind::backward:
      std::inclusive_scan(values.rbegin(), values.rend(), result.rbegin(), reversed);
      break;
    case lockstep::prefix_kind::backward_exclusive:
      std::exclusive_scan(values.rbegin(), values.rend(), result.rbegin(), identity, reversed);
      break;
  }
  return result;
}

inline std::vector<matrix2> scanned(std::vector<matrix2> const& values,
                                    lockstep::prefix_kind kind) {
  return scanned(values, kind, matrix2{}, std::multiplies<matrix2>{});
}

/// The number of prefixes, k in each processor, that differ from those by std::inclusive_scan and the like.
/// `values`: by prefix, then by processor.
inline int wrong_prefixes(std::vector<std::vector<matrix2>> const& found,
                          std::vector<std::vector<matrix2>> const& values,
                          lockstep::prefix_kind kind) {
  int wrong = 0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    auto const expected = scanned(values[j], kind);
    for (std::size_t rank = 0; rank < expected.size(); ++rank)
      if (!(found[rank][j] == expected[rank])) ++wrong;
  }
  return wrong;
}
