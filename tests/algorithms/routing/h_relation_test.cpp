#include <lockstep/algorithms/routing/h_relation.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "catch.hpp"
#include "routing/h_relation_samples.hpp"

using lockstep::processor;

namespace {

constexpr auto in_two_phases = [](processor& me, std::span<parcel const> mine) {
  return h_relation(me, mine, &parcel::home);
};

using bin_sizes = std::vector<std::vector<std::uint64_t>>;  ///< of each processor

/// What a plain loop over all elements makes of them.
struct plain_routing {
  explicit plain_routing(parcels const& all)
      : p(all.size()), out(p, bin_sizes::value_type(p)), through(out), arrived(p) {
    std::vector<parcels> by_intermediate(p, parcels(p));
    for (std::size_t i = 0; i < p; ++i) {
      std::vector<std::size_t> seen(p);
      for (auto const& one : all[i]) {
        auto const j = index(one.home);
        auto const l = (i + j + seen[j]++) % p;
        ++out[i][l];
        ++through[l][j];
        by_intermediate[j][l].push_back(one);
      }
    }
    for (std::size_t j = 0; j < p; ++j)
      for (auto const& part : by_intermediate[j])
        arrived[j].insert(arrived[j].end(), part.begin(), part.end());
  }

  /// Of a phase with these bins; the own one stays.
  [[nodiscard]] std::uint64_t words(bin_sizes const& bins) const {
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < p; ++i) {
      std::uint64_t sent = 0;
      std::uint64_t received = 0;
      for (std::size_t l = 0; l < p; ++l) {
        sent += l == i ? 0 : bins[i][l];
        received += l == i ? 0 : bins[l][i];
      }
      most = std::max({most, sent, received});
    }
    return most;
  }

  std::size_t p;
  bin_sizes out;      ///< of Step 2
  bin_sizes through;  ///< of Step 4
  parcels arrived;
};

}  // namespace

TEST_CASE("h_relation brings every element where it goes, by way of successive bins") {
  int const p = GENERATE(1, 2, 3, 4, 5, 7, 8, 16);
  for (auto const& all : sampled_parcels(p, 3 * p, 8)) {
    plain_routing const plain(all);
    auto const run = run_routing(all, in_two_phases);
    std::uint64_t h2 = 0;
    for (auto const& of_one : plain.arrived) h2 = std::max<std::uint64_t>(h2, of_one.size());
    for (std::size_t rank = 0; rank < plain.p; ++rank) {
      auto const& got = run.results()[rank];
      auto const& through = plain.through[rank];
      INFO("processor " << rank << " of " << p);
      CHECK(got.elements == plain.arrived[rank]);
      CHECK(got.largest_bin_out == std::ranges::max(plain.out[rank]));
      CHECK(got.largest_bin_through == std::ranges::max(through));
      CHECK(got.elements_through ==
            std::accumulate(through.begin(), through.end(), std::uint64_t{0}));
      CHECK(got.largest_bin_out <= lockstep::largest_bin(all[rank].size(), p));
      CHECK(got.largest_bin_through <= lockstep::largest_bin(h2, p));
    }
    auto const first = plain.words(plain.out);
    auto const second = plain.words(plain.through);
    CHECK(run.counts().words == first + second);
    CHECK(run.counts().startups == (first > 0 ? 1U : 0U) + (second > 0 ? 1U : 0U));
    CHECK(run.counts().rounds == 2 * (plain.p - 1));
    CHECK(run.counts().queued == 0);
  }
}

TEST_CASE("h_relation deals out from bin rank + destination on") {
  constexpr int p = 8;
  std::vector<std::vector<int>> numbers(p, std::vector<int>(p));
  for (auto& of_one : numbers) of_one[0] = p / 2;
  std::uint64_t largest = 0;
  auto const run = run_routing(parcels_of(numbers), in_two_phases);
  for (auto const& one : run.results()) largest = std::max(largest, one.largest_bin_through);
  CHECK(largest == p / 2);  // p if all began with the same bin
}

TEST_CASE("h_relation deals out evenly where p divides every n_ij") {
  constexpr int p = 4;
  auto const run = run_routing(
      parcels_of({{8, 0, 4, 0}, {12, 4, 0, 0}, {0, 8, 8, 4}, {4, 0, 0, 0}}, 1), in_two_phases);
  constexpr std::uint64_t sent = 20;
  constexpr std::uint64_t received = 24;
  constexpr std::uint64_t n = 52;
  constexpr std::uint64_t least = 4;  // that a processor sends, and that one receives
  for (auto const& one : run.results()) CHECK(one.largest_bin_through == received / p);
  CHECK(run.results()[2].largest_bin_out == sent / p);
  CHECK(run.results()[3].largest_bin_out == 1);
  CHECK(run.counts().words == std::max(sent - sent / p, (n - least) / p) +
                                  std::max(received - received / p, (n - least) / p));
}
