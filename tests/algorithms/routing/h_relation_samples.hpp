#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "experiments/refusal_of.hpp"
#include "index.hpp"
#include "routing/h_relation_problem.hpp"

// Shared by tests of algorithms for h-relations.

/// An element that says where it goes and where it comes from, and those of each processor.
using parcel = lockstep::labelled;
using parcels = lockstep::labelled_elements;

/// n_ij parcels from i to j, by j or mixed.
inline parcels parcels_of(std::vector<std::vector<int>> const& numbers, std::uint32_t seed = 0) {
  std::mt19937 random(seed);
  parcels all(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t j = 0; j < numbers.size(); ++j)
      all[i].insert(all[i].end(), index(numbers[i][j]),
                    parcel{static_cast<int>(j), static_cast<int>(i), 0});
    if (seed != 0) std::ranges::shuffle(all[i], random);
    for (std::uint32_t number = 0; auto& one : all[i]) one.number = number++;
  }
  return all;
}

/// From a few to all n_ij are zero, the others up to `most`.
inline parcels random_parcels(int p, int most, std::uint32_t seed) {
  std::mt19937 random(seed);
  auto const below = [&](int bound) { return std::uniform_int_distribution(0, bound)(random); };
  int const sparse = below(4);
  std::vector<std::vector<int>> numbers(index(p), std::vector<int>(index(p)));
  for (auto& of_one : numbers)
    for (auto& number : of_one) number = below(sparse) == 0 ? below(most) : 0;
  return parcels_of(numbers, seed);
}

/// Random ones, and the shapes that these do not have: nothing, one, p - 1, p elements, all to one,
/// all local.
inline std::vector<parcels> sampled_parcels(int p, int most, std::uint32_t seeds = 4) {
  std::vector<std::vector<int>> const none(index(p), std::vector<int>(index(p)));
  std::vector<parcels> all{parcels_of(none)};
  for (int const elements : {1, p - 1, p, 3 * p + 1}) {
    auto numbers = none;
    for (int e = 0; e < elements; ++e) ++numbers[index(e % p)][index(e * e % p)];
    all.push_back(parcels_of(numbers, 1));
  }
  auto to_one = none;
  auto local = none;
  for (int i = 0; i < p; ++i) to_one[index(i)][index(p / 2)] = local[index(i)][index(i)] = 7;
  all.push_back(parcels_of(to_one));
  all.push_back(parcels_of(local));
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) all.push_back(random_parcels(p, most, seed));
  return all;
}

inline std::uint64_t number_of(parcels const& all) {
  std::uint64_t n = 0;
  for (auto const& of_one : all) n += of_one.size();
  return n;
}

/// The same processor by processor, sorted.
inline parcels sorted(parcels all) {
  for (auto& of_one : all) std::ranges::sort(of_one);
  return all;
}

/// A strict crossbar for them.
inline lockstep::machine crossbar_for(parcels const& all, lockstep::machine_options options = {}) {
  options.strict = true;
  options.workers = 1;
  return lockstep::machine(lockstep::crossbar{static_cast<int>(all.size())}, options);
}

/// Runs `route(me, its parcels)` on that machine.
template <class Route>
auto run_routing(parcels const& all, Route const& route,
                 lockstep::machine_options const& options = {}) {
  return crossbar_for(all, options).run([&](lockstep::processor& me) {
    return route(me, std::span(all[index(me.rank())]));
  });
}

/// What the refusal of such a run says.
template <class Route>
std::string refusal_to_route(parcels const& all, Route const& route) {
  return refusal_of<lockstep::invalid_argument>(crossbar_for(all), [&](lockstep::processor& me) {
    static_cast<void>(route(me, std::span(all[index(me.rank())])));
  });
}
