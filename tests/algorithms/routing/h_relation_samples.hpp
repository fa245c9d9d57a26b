#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

/// An element that says where it goes and where it comes from.
struct parcel {
  int home = 0;
  int source = 0;
  int number = 0;  ///< among those of its source

  friend auto operator<=>(parcel const&, parcel const&) = default;
};

/// Those of each processor.
using parcels = std::vector<std::vector<parcel>>;

/// n_ij parcels from i to j, by j or mixed.
inline parcels parcels_of(std::vector<std::vector<int>> const& numbers, std::uint32_t seed = 0) {
  std::mt19937 random(seed);
  parcels all(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t j = 0; j < numbers.size(); ++j)
      all[i].insert(all[i].end(), static_cast<std::size_t>(numbers[i][j]),
                    parcel{static_cast<int>(j), static_cast<int>(i), 0});
    if (seed != 0) std::ranges::shuffle(all[i], random);
    for (int number = 0; auto& one : all[i]) one.number = number++;
  }
  return all;
}

/// From a few to all n_ij are zero, the others up to `most`.
inline std::vector<std::vector<int>> random_numbers(int p, int most, std::uint32_t seed) {
  std::mt19937 random(seed);
  auto const below = [&](int bound) { return std::uniform_int_distribution(0, bound)(random); };
  int const sparse = below(4);
  std::vector<std::vector<int>> numbers(static_cast<std::size_t>(p),
                                        std::vector<int>(static_cast<std::size_t>(p)));
  for (auto& of_one : numbers)
    for (auto& number : of_one) number = below(sparse) == 0 ? below(most) : 0;
  return numbers;
}

/// The shapes that the others do not have: nothing, one, p - 1, p elements, all to one, all local.
inline std::vector<parcels> special_parcels(int p) {
  auto const size = static_cast<std::size_t>(p);
  std::vector<std::vector<int>> const none(size, std::vector<int>(size));
  std::vector<parcels> all{parcels_of(none)};
  auto const add = [&](int elements) {
    auto numbers = none;
    for (int e = 0; e < elements; ++e)
      ++numbers[static_cast<std::size_t>(e % p)][static_cast<std::size_t>(e * e % p)];
    all.push_back(parcels_of(numbers, 1));
  };
  add(1);
  add(p - 1);
  add(p);
  add(3 * p + 1);
  auto to_one = none;
  auto local = none;
  for (std::size_t i = 0; i < size; ++i) to_one[i][size / 2] = local[i][i] = 7;
  all.push_back(parcels_of(to_one));
  all.push_back(parcels_of(local));
  return all;
}
