#include <lockstep/algorithms/collectives/schedule_counts.hpp>

#include <algorithm>
#include <lockstep/algorithms/detail/errors_at.hpp>
#include <numeric>
#include <utility>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/detail/circulant_all_gather.hpp>
#include <lockstep/algorithms/collectives/detail/movement_tree.hpp>
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/detail/checked_counts.hpp>

#include "collectives/phase_counter.hpp"

namespace lockstep {

using detail::checked_product;
using detail::checked_sum;
using detail::in_whole_packets;

schedule_counts operator+(schedule_counts const& a, schedule_counts const& b) {
  return {checked_sum(a.rounds, b.rounds), checked_sum(a.startups, b.startups),
          checked_sum(a.words, b.words), checked_sum(a.volume, b.volume),
          checked_sum(a.messages, b.messages)};
}

double time_of(schedule_counts const& schedule, std::uint64_t tau) {
  return static_cast<double>(schedule.startups) * static_cast<double>(tau) +
         static_cast<double>(schedule.words);
}

schedule_counts transpose_counts(int p, std::size_t rows, std::uint64_t packet,
                                 std::source_location where) {
  return detail::errors_at(where, [&]() -> schedule_counts {
    require_schedule(p, packet);
    auto const processors = static_cast<std::uint64_t>(p);
    auto const others = processors - 1;
    if (others == 0 || rows == 0) return {.rounds = others};
    auto const larger = rows % processors;  // pieces that have a row more
    auto const most = in_whole_packets(rows / processors + (larger > 0 ? 1 : 0), packet);
    auto const least = in_whole_packets(rows / processors, packet);
    auto const all =
        checked_sum(checked_product(larger, most), checked_product(processors - larger, least));
    return {.rounds = others,
            .startups = 1,
            .words = checked_product(others, most),
            .volume = checked_product(others, all),
            .messages = others * std::min<std::uint64_t>(processors, rows)};
  });
}

schedule_counts piece_tree_counts(pieces const& of, int k, int root, std::uint64_t packet,
                                  std::source_location where) {
  return detail::errors_at(where, [&] {
    detail::require_root("tree", root, of.count());
    auto const rank_of = [&](int member) {
      auto const to_the_last = of.count() - root;
      return member < to_the_last ? root + member : member - to_the_last;
    };
    detail::require_arity("tree", k);
    phase_counter counter(of.count(), packet);
    std::vector<detail::member_range> groups{{0, of.count()}};
    while (groups.front().size() > 1) {
      std::vector<detail::member_range> smaller;
      for (auto const& group : groups)
        for (int s = 0; s < group.parts(k); ++s) {
          auto const part = smaller.emplace_back(group.part(s, k));
          auto const first = rank_of(part.first);
          if (s > 0) counter.move(rank_of(group.first), first, of.run(first, part.size()));
        }
      counter.end_phase(static_cast<std::size_t>(groups.front().parts(k) - 1));
      groups = std::move(smaller);
    }
    return counter.counts();
  });
}

namespace {

/// A phase in which each processor, which has `had` pieces in a row from its own on, gets those that
/// follow, until it has `then`: in round r from the processor r * had further on, and in the last
/// round only as many as are missing.
class gathering_phase {
 public:
  gathering_phase(pieces const& of, int had, int then, std::uint64_t packet)
      : m_of(of),
        m_packet(packet),
        m_processors(static_cast<std::size_t>(of.count())),
        m_had(static_cast<std::size_t>(had)),
        m_rounds(detail::quotient_up(static_cast<std::uint64_t>(then - had), m_had)),
        m_last_shift(m_rounds * m_had),
        m_missing(std::min(m_had, m_processors - m_last_shift)) {}

  /// Counts the phase where all pieces are of one size.
  [[nodiscard]] schedule_counts counts_of_equal_pieces() const {
    auto const full = words_of(0, m_had);
    auto const words = checked_sum(checked_product(m_rounds - 1, full), words_of(0, m_missing));
    return {.rounds = m_rounds,
            .startups = words > 0 ? 1U : 0U,
            .words = words,
            .volume = checked_product(words, m_processors),
            .messages = words > 0 ? m_rounds * m_processors : 0};
  }

  /// Counts the phase.
  [[nodiscard]] schedule_counts counts() const {
    schedule_counts all{.rounds = m_rounds};
    std::vector<std::uint64_t> full(m_processors);  // words that a processor sends in other rounds
    for (std::size_t from = 0; from < m_processors; ++from) {
      full[from] = words_of(from, m_had);
      auto const last = words_of(from, m_missing);
      auto const sent = checked_sum(checked_product(m_rounds - 1, full[from]), last);
      all.words = std::max(all.words, sent);
      all.volume = checked_sum(all.volume, sent);  // no other sum is larger
      all.messages += (full[from] > 0 ? m_rounds - 1 : 0) + (last > 0 ? 1 : 0);
    }
    all.words = std::max(all.words, most_received(full));
    all.startups = all.words > 0 ? 1 : 0;
    return all;
  }

 private:
  [[nodiscard]] std::size_t after(std::size_t rank, std::size_t shift) const {
    return rank + shift < m_processors ? rank + shift : rank + shift - m_processors;
  }
  [[nodiscard]] std::uint64_t words_of(std::size_t first, std::size_t length) const {
    return in_whole_packets(m_of.run(static_cast<int>(first), static_cast<int>(length)), m_packet);
  }

  /// The most words that a processor receives. From a processor to the one `had` further on, the
  /// words of all rounds but the last lose one summand, and get another: so all sums are found by
  /// going round from each of the first processors until one is met again.
  [[nodiscard]] std::uint64_t most_received(std::vector<std::uint64_t> const& full) const {
    std::uint64_t most = 0;
    for (std::size_t first = 0; first < std::gcd(m_had, m_processors); ++first) {
      std::uint64_t others = 0;
      for (std::size_t round = 1; round < m_rounds; ++round)
        others += full[after(first, round * m_had)];
      auto rank = first;
      do {
        auto const last = words_of(after(rank, m_last_shift), m_missing);
        most = std::max(most, others + last);
        rank = after(rank, m_had);
        others = others - full[rank] + full[after(rank, m_last_shift - m_had)];
      } while (rank != first);
    }
    return most;
  }

  pieces m_of;
  std::uint64_t m_packet;
  std::size_t m_processors;
  std::size_t m_had;
  std::size_t m_rounds;
  std::size_t m_last_shift;
  std::size_t m_missing;
};

}  // namespace

schedule_counts circulant_all_gather_counts(pieces const& of, int first_k, int k,
                                            std::uint64_t packet, std::source_location where) {
  return detail::errors_at(where, [&] {
    detail::require_arity("all-gather", first_k);
    detail::require_arity("all-gather", k);
    require_schedule(of.count(), packet);
    // With pieces of one size all do the same, and one is counted.
    bool const alike = of.elements() % static_cast<std::size_t>(of.count()) == 0;
    if (!alike) detail::require_counted_processors("schedule", of.count());
    auto const growth = detail::growth_of_pieces(of.count(), first_k, k);
    schedule_counts counts;
    for (std::size_t phase = 0; phase + 1 < growth.size(); ++phase) {
      gathering_phase const next(of, growth[phase], growth[phase + 1], packet);
      counts = counts + (alike ? next.counts_of_equal_pieces() : next.counts());
    }
    return counts;
  });
}

schedule_counts block_tree_counts(int p, std::size_t elements, int k, std::uint64_t packet,
                                  std::source_location where) {
  return detail::errors_at(where, [&]() -> schedule_counts {
    detail::require_arity("tree", k);
    require_schedule(p, packet);
    if (p == 1) return {};
    auto const words = in_whole_packets(elements, packet);
    schedule_counts counts;
    for (detail::member_range largest{0, p}; largest.size() > 1; largest = largest.part(0, k)) {
      auto const rounds = static_cast<std::uint64_t>(largest.parts(k) - 1);
      counts = counts + schedule_counts{.rounds = rounds,
                                        .startups = words > 0 ? 1U : 0U,
                                        .words = checked_product(rounds, words)};
    }
    auto const others = static_cast<std::uint64_t>(p) - 1;
    counts.volume = checked_product(others, words);
    counts.messages = words > 0 ? others : 0;
    return counts;
  });
}

}  // namespace lockstep
