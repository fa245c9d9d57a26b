#include <lockstep/algorithms/collectives/schedule_counts.hpp>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/detail/circulant_all_gather.hpp>
#include <lockstep/algorithms/collectives/detail/movement_tree.hpp>

#include "collectives/phase_counter.hpp"

namespace lockstep {

namespace {

/// Goes through a tree of phases: moved(leader, part) for each part but the leader's own.
template <class Moved>
[[nodiscard]] schedule_counts counts_of_tree(int p, int k, std::uint64_t packet,
                                             Moved const& moved) {
  detail::require_arity("tree", k);
  phase_counter counter(p, packet);
  std::vector<detail::member_range> groups{{0, p}};
  while (groups.front().size() > 1) {
    std::vector<detail::member_range> smaller;
    for (auto const& group : groups)
      for (int s = 0; s < group.parts(k); ++s) {
        smaller.push_back(group.part(s, k));
        if (s > 0) moved(counter, group.first, smaller.back());
      }
    counter.end_phase(static_cast<std::size_t>(groups.front().parts(k) - 1));
    groups = std::move(smaller);
  }
  return counter.counts();
}

}  // namespace

schedule_counts operator+(schedule_counts const& a, schedule_counts const& b) {
  return {a.rounds + b.rounds, a.startups + b.startups, a.words + b.words, a.volume + b.volume,
          a.messages + b.messages};
}

double time_of(schedule_counts const& schedule, std::uint64_t tau) {
  return static_cast<double>(schedule.startups) * static_cast<double>(tau) +
         static_cast<double>(schedule.words);
}

schedule_counts transpose_counts(int p, std::size_t rows, std::uint64_t packet) {
  phase_counter counter(p, packet);
  pieces const of(rows, p);
  for (int from = 0; from < p; ++from)
    for (int to = 0; to < p; ++to)
      if (from != to) counter.move(from, to, of.size(to));
  counter.end_phase(static_cast<std::size_t>(p - 1));
  return counter.counts();
}

schedule_counts piece_tree_counts(pieces const& of, int k, int root, std::uint64_t packet) {
  detail::require_root("tree", root, of.count());
  auto const rank_of = [&](int member) {
    auto const to_the_last = of.count() - root;
    return member < to_the_last ? root + member : member - to_the_last;
  };
  return counts_of_tree(of.count(), k, packet,
                        [&](phase_counter& counter, int leader, detail::member_range const& part) {
                          auto const first = rank_of(part.first);
                          counter.move(rank_of(leader), first, of.run(first, part.size()));
                        });
}

schedule_counts circulant_all_gather_counts(pieces const& of, int first_k, int k,
                                            std::uint64_t packet) {
  detail::require_arity("all-gather", first_k);
  detail::require_arity("all-gather", k);
  auto const p = of.count();
  auto const count = static_cast<std::size_t>(p);
  // With pieces of one size all do the same: then one is counted, and talks to itself.
  bool const alike = of.elements() % count == 0;
  phase_counter counter(alike ? 1 : p, packet);
  auto const growth = detail::growth_of_pieces(p, first_k, k);
  for (std::size_t phase = 0; phase + 1 < growth.size(); ++phase) {
    auto const rounds = detail::rounds_of_phase(p, growth[phase], growth[phase + 1]);
    for (auto const& round : rounds)
      for (int from = 0; from < (alike ? 1 : p); ++from) {
        auto const to = from >= round.shift ? from - round.shift : from - round.shift + p;
        counter.move(from, alike ? 0 : to, of.run(from, round.pieces));
      }
    counter.end_phase(rounds.size());
  }
  auto counts = counter.counts();
  if (alike) {
    counts.volume *= count;
    counts.messages *= count;
  }
  return counts;
}

schedule_counts block_tree_counts(int p, std::size_t elements, int k, std::uint64_t packet) {
  return counts_of_tree(p, k, packet,
                        [&](phase_counter& counter, int leader, detail::member_range const& part) {
                          counter.move(leader, part.first, elements);
                        });
}

}  // namespace lockstep
