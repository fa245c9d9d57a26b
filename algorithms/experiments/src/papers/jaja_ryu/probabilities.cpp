#include "papers/jaja_ryu/probabilities.hpp"

#include <algorithm>
#include <functional>
#include <random>
#include <span>

#include <lockstep/algorithms/routing/randomized_routing.hpp>
#include <lockstep/algorithms/sorting/sample_sort.hpp>

#include "harness/stages.hpp"

namespace lockstep {

int slot_setting::destination_of(std::size_t index) const {
  auto const destinations = std::max(1, processors / alpha);
  return static_cast<int>(index % static_cast<std::size_t>(destinations));
}

std::uint64_t slot_setting::slot() const { return randomized_slot(elements, processors, c); }

bool slot_setting::is_of_theorem() const {
  return has_room_with_high_probability(processors, elements);
}

slot_loads drawn_loads(slot_setting const& of, std::uint64_t seed) {
  auto const p = static_cast<std::size_t>(of.processors);
  slot_loads most;
  std::vector<std::uint64_t> to_destination(p * p);  // by processor in between
  for (int rank = 0; rank < of.processors; ++rank) {
    auto random = detail::randomness_of(seed, rank, 1);
    std::vector<std::uint64_t> to_between(p);
    for (std::size_t i = 0; i < of.elements / p; ++i) {
      auto const between = detail::drawn_below(p, random);
      ++to_between[between];
      ++to_destination[between * p + static_cast<std::size_t>(of.destination_of(i))];
    }
    most.step_1 = std::max(most.step_1, std::ranges::max(to_between));
  }
  most.step_3 = std::ranges::max(to_destination);
  return most;
}

slot_overflows count_overflows(slot_setting const& of, std::uint64_t runs, std::uint64_t seed) {
  slot_overflows counted{.of = of, .slot = of.slot(), .runs = runs, .seed = seed};
  for (std::uint64_t run = 0; run < runs; ++run) {
    auto const most = drawn_loads(of, seed + run);
    bool const first = most.step_1 > counted.slot;
    bool const second = most.step_3 > counted.slot;
    counted.in_step_1 += first ? 1 : 0;
    counted.in_step_3 += second ? 1 : 0;
    counted.in_either += first || second ? 1 : 0;
    note_done(1);
  }
  return counted;
}

std::vector<slot_setting> slot_settings() {
  return {{4, 1024, 1, 1.71},    {8, 4096, 1, 1.71}, {16, 16'384, 1, 1.71}, {8, 4096, 1, 1.5},
          {16, 16'384, 1, 1.5},  {8, 1024, 1, 1.71}, {16, 2048, 1, 1.71},   {8, 4096, 2, 2.71},
          {16, 16'384, 2, 2.71}, {4, 1024, 2, 3},    {8, 4096, 2, 3},       {16, 16'384, 2, 3},
          {8, 1024, 2, 3},       {16, 2048, 2, 3}};
}

std::vector<std::uint64_t> keys_of_run(std::uint64_t elements, std::uint64_t seed) {
  std::vector<std::uint64_t> keys(elements);
  std::ranges::generate(keys, std::mt19937_64(seed));
  return keys;
}

std::uint64_t drawn_largest_bucket(int processors, std::uint64_t elements, std::uint64_t seed) {
  auto const p = static_cast<std::size_t>(processors);
  auto const q = elements / p;
  auto const keys = keys_of_run(elements, seed);
  std::vector<std::uint64_t> samples;
  for (int rank = 0; rank < processors; ++rank) {
    auto const block = std::span(keys).subspan(static_cast<std::size_t>(rank) * q, q);
    for (auto const index : detail::drawn_sample(q, samples_of(elements), false,
                                                 detail::randomness_of_samples(seed, rank)))
      samples.push_back(block[index]);
  }
  std::ranges::sort(samples);
  std::vector<std::uint64_t> pivots;
  if (!samples.empty())
    for (auto const rank : detail::ranks_of_pivots(samples.size(), processors))
      pivots.push_back(samples[rank]);
  std::vector<std::uint64_t> buckets(p);
  for (auto const key : keys)
    ++buckets[static_cast<std::size_t>(std::ranges::upper_bound(pivots, key) - pivots.begin())];
  return std::ranges::max(buckets);
}

bucket_spread measured_buckets(int processors, std::uint64_t elements, std::uint64_t runs,
                               std::uint64_t seed) {
  bucket_spread spread{.processors = processors, .elements = elements, .runs = runs, .seed = seed};
  auto const share = static_cast<double>(elements) / processors;
  double sum = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    auto const bucket =
        static_cast<double>(drawn_largest_bucket(processors, elements, seed + run)) / share;
    sum += bucket;
    spread.largest = std::max(spread.largest, bucket);
    spread.beyond += bucket > 2 ? 1 : 0;
    note_done(1);
  }
  spread.mean = runs == 0 ? 0 : sum / static_cast<double>(runs);
  return spread;
}

std::vector<bucket_setting> bucket_settings() { return {{4, 1024}, {8, 4096}, {16, 16'384}}; }

}  // namespace lockstep
