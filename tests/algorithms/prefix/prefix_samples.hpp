#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include <lockstep/algorithms/prefix/prefix.hpp>

/// 2 x 2 matrices of unsigned numbers: their product is associative, and not commutative.
struct matrix2 {
  std::array<std::uint32_t, 4> of{1, 0, 0, 1};

  friend bool operator==(matrix2 const&, matrix2 const&) = default;
  friend matrix2 operator*(matrix2 const& a, matrix2 const& b) {
    return {{a.of[0] * b.of[0] + a.of[1] * b.of[2], a.of[0] * b.of[1] + a.of[1] * b.of[3],
             a.of[2] * b.of[0] + a.of[3] * b.of[2], a.of[2] * b.of[1] + a.of[3] * b.of[3]}};
  }
};

/// The last eight letters of a text: joining two of them is associative, and not commutative.
struct last_letters {
  std::array<char, 8> letters{};  ///< at the end; before them there are zeros

  last_letters() = default;
  explicit last_letters(char one) { letters.back() = one; }

  friend bool operator==(last_letters const&, last_letters const&) = default;
  friend last_letters operator+(last_letters const& a, last_letters const& b) {
    auto const size = static_cast<std::size_t>(
        std::ranges::count_if(b.letters, [](char letter) { return letter != '\0'; }));
    last_letters joined = b;
    for (std::size_t i = 0; i + size < joined.letters.size(); ++i)
      joined.letters[i] = a.letters[i + size];
    return joined;
  }
};

inline std::vector<matrix2> random_matrices(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<matrix2> matrices(static_cast<std::size_t>(count));
  for (auto& each : matrices)
    for (auto& entry : each.of) entry = static_cast<std::uint32_t>(random());
  return matrices;
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

inline constexpr std::array all_prefix_kinds{
    lockstep::prefix_kind::inclusive, lockstep::prefix_kind::exclusive,
    lockstep::prefix_kind::backward, lockstep::prefix_kind::backward_exclusive};
