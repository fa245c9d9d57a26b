#include <lockstep/algorithms/random_access/detail/run_ends.hpp>

#include <algorithm>

#include <lockstep/algorithms/random_access/detail/access_checks.hpp>

namespace lockstep::detail {

namespace {

/// The destinations that a processor surely has, of runs that it keeps: the owners of its first and
/// its last address. The addresses between them are its own alone.
struct sure_destinations {
  int first = -1;
  int last = -1;  ///< -1 where no run for that owner is kept

  [[nodiscard]] bool has(int to) const { return to >= 0 && (to == first || to == last); }
};

/// `of_all`: of all processors.
[[nodiscard]] sure_destinations destinations_by_ends(bucket_layout const& layout,
                                                     std::span<run_ends const> of_all, int rank) {
  auto const& ends = of_all[static_cast<std::size_t>(rank)];
  if (!ends.are_there) return {};
  auto const dropped = last_run_goes_on(of_all, rank) ? 1U : 0U;
  bool const keeps_last = ends.runs_of_last_owner > dropped;
  auto const first = layout.owner(ends.first);
  auto const last = layout.owner(ends.last);
  if (first == last && !keeps_last) return {};
  return {first, keeps_last ? last : -1};
}

/// Whether a processor might send to one between the owners of its ends.
[[nodiscard]] bool might_send(bucket_layout const& layout, run_ends const& ends, int to) {
  return ends.are_there && layout.owner(ends.first) < to && to < layout.owner(ends.last);
}

void find_carriers(processor const& me, std::span<run_ends const> of_all, known_neighbours& found) {
  auto const& own = of_all[static_cast<std::size_t>(me.rank())];
  bool is_nearest = true;
  for (int rank = me.rank() - 1; own.are_there && rank >= 0; --rank) {
    auto const& ends = of_all[static_cast<std::size_t>(rank)];
    if (!ends.are_there) continue;
    if (is_nearest) require_sorted_ranks(me, ends.last, own.first);
    is_nearest = false;
    if (ends.last != own.first) return;
    found.carriers.push_back(rank);
    if (ends.first != ends.last) return;
  }
}

void find_place(processor const& me, bucket_layout const& layout, std::span<run_ends const> of_all,
                std::span<int const> destinations, known_neighbours& found) {
  if (destinations.empty()) return;
  for (int rank = 0; rank < me.size(); ++rank) {
    auto const sure = destinations_by_ends(layout, of_all, rank);
    if (rank < me.rank() && sure.has(destinations.front())) {
      found.place.first_began_before = true;
      if (rank != destinations.front()) ++found.place.messages_before;
    }
    if (rank > me.rank() && sure.has(destinations.back())) found.place.last_goes_on = true;
  }
}

}  // namespace

bool last_run_goes_on(std::span<run_ends const> of_all, int rank) {
  auto const& own = of_all[static_cast<std::size_t>(rank)];
  auto const higher = of_all.subspan(static_cast<std::size_t>(rank) + 1);
  auto const next = std::ranges::find(higher, true, &run_ends::are_there);
  return own.are_there && next != higher.end() && next->first == own.last;
}

known_neighbours neighbours_by_ends(processor const& me, bucket_layout const& layout,
                                    std::span<run_ends const> of_all,
                                    std::span<int const> destinations) {
  known_neighbours found{.last_goes_on = last_run_goes_on(of_all, me.rank())};
  find_carriers(me, of_all, found);
  find_place(me, layout, of_all, destinations, found);
  for (int rank = 0; rank < me.size(); ++rank) {
    auto const& ends = of_all[static_cast<std::size_t>(rank)];
    bool const sends = destinations_by_ends(layout, of_all, rank).has(me.rank()) ||
                       might_send(layout, ends, me.rank());
    if (rank != me.rank() && sends) found.senders.push_back(rank);
  }
  auto const& own = of_all[static_cast<std::size_t>(me.rank())];
  for (int to = 0; to < me.size(); ++to)
    if (to != me.rank() && might_send(layout, own, to) &&
        std::ranges::find(destinations, to) == destinations.end())
      found.skipped.push_back(to);
  return found;
}

}  // namespace lockstep::detail
