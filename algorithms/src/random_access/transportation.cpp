#include <lockstep/algorithms/random_access/transportation.hpp>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/randomized_routing.hpp>
#include <lockstep/detail/enumerator_names.hpp>
#include <lockstep/errors.hpp>

#include "random_access/option_names.hpp"

namespace lockstep {

std::string_view name_of(transportation_route route) {
  return detail::shown_name("transportation_route", route, detail::transportation_route_names);
}

std::vector<std::uint32_t> detail::elements_for_each(int processors,
                                                     std::span<int const> destinations) {
  std::vector<std::uint32_t> elements(static_cast<std::size_t>(processors));
  for (auto const to : destinations) ++elements[static_cast<std::size_t>(to)];
  return elements;
}

int detail::first_middle(int rank, int processors, std::optional<std::uint64_t> seed) {
  if (!seed) return rank;
  auto random = randomness_of(*seed, rank, 1);
  return static_cast<int>(drawn_below(static_cast<std::size_t>(processors), random));
}

std::vector<int> detail::first_middles(int processors, std::optional<std::uint64_t> seed) {
  std::vector<int> first;
  for (int rank = 0; rank < processors; ++rank)
    first.push_back(first_middle(rank, processors, seed));
  return first;
}

void detail::require_seed_of_route(transportation_route route, std::optional<std::uint64_t> seed) {
  if (!seed || route != transportation_route::direct) return;
  throw invalid_argument(
      fmt::format("transportation: a seed draws by whose way elements go, and elements that go "
                  "straight go by way of nobody; leave the seed {} out, or take "
                  "transportation_route::two_stages",
                  *seed));
}

detail::dealt_layout::dealt_layout(int first, std::span<std::uint32_t const> elements)
    : m_first(static_cast<std::size_t>(first)) {
  for (auto const of_destination : elements) {
    m_next.push_back((m_elements + m_first) % elements.size());
    m_elements += of_destination;
  }
}

std::vector<std::uint32_t> detail::dealt_layout::sizes() const {
  auto const p = m_next.size();
  std::vector<std::uint32_t> all(p);
  for (std::size_t e = 0; e < p; ++e)
    all[(e + m_first) % p] = static_cast<std::uint32_t>((m_elements + p - 1 - e) / p);
  return all;
}

void detail::require_answers(int rank, std::size_t answers, std::size_t elements) {
  if (answers == elements) return;
  throw invalid_argument(
      fmt::format("transportation back: processor {} gives {} answers to the {} elements that came "
                  "to it; give one to each",
                  rank, answers, elements));
}

void detail::require_route_of(processor const& me, recorded_route const& route) {
  auto const p = static_cast<std::size_t>(me.size());
  for (auto const& stage : route.stages)
    if (auto const recorded = stage.received_from.size(); recorded != p)
      throw invalid_argument(fmt::format(
          "transportation back: the route is one of {} processors, and {} call; give that of a "
          "transportation on these",
          recorded, p));
}

void detail::throw_other_answers(processor const& me, std::size_t answers, std::size_t elements) {
  throw invalid_argument(fmt::format(
      "transportation back: processor {} gets {} answers to the {} elements that it sent; "
      "give the route of the same transportation on all processors",
      me.rank(), answers, elements));
}

}  // namespace lockstep
