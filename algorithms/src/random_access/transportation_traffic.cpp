#include <lockstep/algorithms/random_access/transportation_traffic.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/detail/enumerator_names.hpp>
#include <lockstep/errors.hpp>

#include "random_access/linear_congruences.hpp"
#include "random_access/option_names.hpp"

namespace lockstep {

namespace {

using matrix = std::vector<std::uint64_t>;

/// `traffic_of(i, j)` for all processors.
template <class Traffic>
[[nodiscard]] matrix row_by_row(std::size_t p, Traffic const& traffic_of) {
  matrix made;
  made.reserve(p * p);
  for (std::size_t i = 0; i < p; ++i)
    for (std::size_t j = 0; j < p; ++j) made.push_back(traffic_of(i, j));
  return made;
}

[[nodiscard]] matrix permutations(std::size_t p, std::uint64_t t, std::uint64_t seed) {
  constexpr std::uint64_t most = 0x7fffffff;
  if (t > most / p)
    throw invalid_argument(fmt::format(
        "traffic random draws each of {} permutations of {} processors; give at most {}", t, p,
        most / p));
  matrix made(p * p);
  linear_congruences random(seed);
  for (std::uint64_t number = 0; number < t; ++number) {
    auto const to = shuffled(random, p);
    for (std::size_t i = 0; i < p; ++i) ++made[i * p + to[i]];
  }
  return made;
}

[[nodiscard]] matrix adversary(std::size_t p, std::uint64_t t) {
  auto const half = p / 2;
  auto const even = t / p / p * p;
  auto made = row_by_row(p, [=](std::size_t, std::size_t j) { return j < half ? even : even + 2; });
  for (std::size_t i = 1; i < p && half > 0; ++i)
    for (std::size_t u = 0; u < p - i; ++u) ++made[i * p + (u + i) % half];
  return made;
}

void require_traffic_of(transportation_traffic traffic, int p) {
  constexpr int most = 1 << 14;  // numbers for all pairs of them take 2 GiB
  if (p < 1)
    throw invalid_argument(fmt::format("there is no traffic of {} processors; give at least 1", p));
  if (p > most)
    throw invalid_argument(fmt::format(
        "traffic between all pairs of {} processors is too much to be made; give at most {}", p,
        most));
  if (traffic == transportation_traffic::doubled && p % 2 == 0)
    throw invalid_argument(
        fmt::format("traffic double sends processor i's elements to 2i mod p, which an even p = {} "
                    "makes two processors' destination; take an odd p",
                    p));
  if (traffic == transportation_traffic::hot && p < 2)
    throw invalid_argument(
        "traffic hot has the lower half of the processors as destinations; take "
        "at least 2 processors");
}

/// Counts the elements first .. last - 1 of a layout that go by way of the processor `distance`
/// further on: those with e mod p = distance.
[[nodiscard]] std::uint64_t elements_by_way(std::uint64_t first, std::uint64_t last,
                                            std::uint64_t distance, std::uint64_t p) {
  auto const below = [&](std::uint64_t end) { return end / p + (distance < end % p ? 1 : 0); };
  return below(last) - below(first);
}

/// The largest message of each round in which processors deal out that many elements each.
[[nodiscard]] std::vector<std::uint64_t> dealt(std::vector<std::uint64_t> const& sent,
                                               std::vector<int> const& middles) {
  auto const p = sent.size();
  std::vector<std::uint64_t> largest(p - 1);
  for (std::size_t round = 1; round < p; ++round)
    for (std::size_t i = 0; i < p; ++i) {
      auto const first = static_cast<std::size_t>(middles[i]);
      auto const distance = (i + round + p - first) % p;  // from the middle of the first element
      largest[round - 1] = std::max(largest[round - 1], elements_by_way(0, sent[i], distance, p));
    }
  return largest;
}

/// Errors: invalid_argument for 2^64 elements or more.
[[nodiscard]] std::vector<std::uint64_t> sums_of_rows(matrix const& traffic, std::size_t p) {
  std::vector<std::uint64_t> sums(p);
  for (std::size_t i = 0; i < p; ++i)
    for (std::size_t j = 0; j < p; ++j) sums[i] = detail::checked_sum(sums[i], traffic[i * p + j]);
  return sums;
}

/// Counts the elements that each processor sends on to each other one. `middles`: by whose way the
/// first element of each goes. Those from i to j lie one after another in the layout of i, so that
/// all processors forward as many of them, and a run of processors one more: a run is noted where
/// it begins and where it ends.
[[nodiscard]] matrix forwarded(matrix const& traffic, std::vector<int> const& middles) {
  auto const p = middles.size();
  matrix made(p * p);  // of what a processor has more than the one before, modulo 2^64
  for (std::size_t i = 0; i < p; ++i) {
    auto first = static_cast<std::uint64_t>(middles[i]);  // modulo p
    for (std::size_t j = 0; j < p; ++j) {
      auto const elements = traffic[i * p + j];
      auto const begin = first;
      auto const end = begin + elements % p;
      made[j] += elements / p + (end < p ? 0 : 1);
      ++made[begin * p + j];
      --made[end % p * p + j];
      first = end % p;
    }
  }
  for (std::size_t at = p; at < made.size(); ++at) made[at] += made[at - p];
  return made;
}

/// The largest message of each round of a complete exchange.
[[nodiscard]] std::vector<std::uint64_t> largest_by_round(matrix const& traffic, std::size_t p) {
  std::vector<std::uint64_t> largest(p - 1);
  for (std::size_t round = 1; round < p; ++round)
    for (std::size_t i = 0; i < p; ++i)
      largest[round - 1] = std::max(largest[round - 1], traffic[i * p + (i + round) % p]);
  return largest;
}

}  // namespace

std::string_view name_of(transportation_traffic traffic) {
  return detail::shown_name("transportation_traffic", traffic,
                            detail::transportation_traffic_names);
}

std::vector<std::uint64_t> generated_traffic(transportation_traffic traffic, int processors,
                                             std::uint64_t t, std::uint64_t seed,
                                             std::source_location where) {
  return detail::errors_at(where, [&]() -> std::vector<std::uint64_t> {
    static_cast<void>(name_of(traffic));  // refuses any other number
    require_traffic_of(traffic, processors);
    auto const p = static_cast<std::size_t>(processors);
    auto const all_to = [&](auto const& destination_of) {
      return row_by_row(p, [&](std::size_t i, std::size_t j) {
        return j == destination_of(i) ? t : std::uint64_t{0};
      });
    };
    switch (traffic) {
      case transportation_traffic::uniform:
        return row_by_row(
            p, [=](std::size_t i, std::size_t j) { return t / p + ((i + j) % p < t % p ? 1 : 0); });
      case transportation_traffic::shift:
        return all_to([=](std::size_t i) { return (i + 1) % p; });
      case transportation_traffic::doubled:
        return all_to([=](std::size_t i) { return 2 * i % p; });
      case transportation_traffic::random:
        return permutations(p, t, seed);
      case transportation_traffic::hot:
        return row_by_row(p, [=](std::size_t, std::size_t j) {
          return j < p / 2 ? t / (p / 2) : std::uint64_t{0};
        });
      case transportation_traffic::gather:
        return all_to([](std::size_t) { return std::size_t{0}; });
      case transportation_traffic::worst_rounding:
        return adversary(p, t);
    }
    return {};
  });
}

transportation_loads loads_of(std::vector<std::uint64_t> const& traffic, int processors,
                              transportation_route route, std::optional<std::uint64_t> seed,
                              std::source_location where) {
  return detail::errors_at(where, [&]() -> transportation_loads {
    detail::require_processors("loads_of", processors);
    detail::require_seed_of_route(route, seed);
    auto const p = static_cast<std::size_t>(processors);
    if (traffic.size() != p * p)
      throw invalid_argument(fmt::format(
          "loads_of: {} numbers for {} processors; give {}, from each processor to each",
          traffic.size(), p, p * p));
    if (route == transportation_route::direct) return {largest_by_round(traffic, p), {}};
    for (std::size_t j = 0; j < p; ++j) {
      std::uint64_t forwarded_to = 0;  // by one processor, at most
      for (std::size_t i = 0; i < p; ++i)
        forwarded_to =
            detail::checked_sum(forwarded_to, detail::quotient_up(traffic[i * p + j], p));
    }
    auto const middles = detail::first_middles(processors, seed);
    return {dealt(sums_of_rows(traffic, p), middles),
            largest_by_round(forwarded(traffic, middles), p)};
  });
}

}  // namespace lockstep
