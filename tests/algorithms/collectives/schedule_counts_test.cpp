// Counts of schedules, which are found by formulas or in one go, beside those of every message counted.

#include <lockstep/algorithms/collectives/schedule_counts.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/detail/circulant_all_gather.hpp>
#include <lockstep/algorithms/collectives/detail/movement_tree.hpp>

#include "catch.hpp"
#include "collectives/phase_counter.hpp"

namespace {

using lockstep::one_phase;
using lockstep::piece_sizes;
using lockstep::pieces;
using lockstep::schedule_counts;

schedule_counts counted_transposition(int p, std::size_t rows, std::uint64_t packet) {
  lockstep::phase_counter counted(p, packet);
  pieces const of(rows, p);
  for (int from = 0; from < p; ++from)
    for (int to = 0; to < p; ++to)
      if (from != to) counted.move(from, to, of.size(to));
  counted.end_phase(static_cast<std::size_t>(p - 1));
  return counted.counts();
}

schedule_counts counted_gathering(pieces const& of, int first_k, int k, std::uint64_t packet) {
  auto const p = of.count();
  lockstep::phase_counter counted(p, packet);
  auto const growth = lockstep::detail::growth_of_pieces(p, first_k, k);
  for (std::size_t phase = 0; phase + 1 < growth.size(); ++phase) {
    auto const rounds = lockstep::detail::rounds_of_phase(p, growth[phase], growth[phase + 1]);
    for (auto const& round : rounds)
      for (int from = 0; from < p; ++from)
        counted.move(from, (from - round.shift + p) % p, of.run(from, round.pieces));
    counted.end_phase(rounds.size());
  }
  return counted.counts();
}

schedule_counts counted_block_tree(int p, std::size_t elements, int k, std::uint64_t packet) {
  lockstep::phase_counter counted(p, packet);
  std::vector<lockstep::detail::member_range> groups{{0, p}};
  while (groups.front().size() > 1) {
    std::vector<lockstep::detail::member_range> smaller;
    for (auto const& group : groups)
      for (int s = 0; s < group.parts(k); ++s) {
        smaller.push_back(group.part(s, k));
        if (s > 0) counted.move(group.first, smaller.back().first, elements);
      }
    counted.end_phase(static_cast<std::size_t>(groups.front().parts(k) - 1));
    groups = smaller;
  }
  return counted.counts();
}

}  // namespace

TEST_CASE("a transposition is counted as message by message", "[collectives]") {
  for (int p = 1; p <= 9; ++p)
    for (std::size_t rows = 0; rows <= 30; ++rows)
      for (std::uint64_t const packet : {1, 2, 3, 7}) {
        INFO("p " << p << ", rows " << rows << ", packet " << packet);
        CHECK(lockstep::transpose_counts(p, rows, packet) ==
              counted_transposition(p, rows, packet));
      }
}

TEST_CASE("pieces that go round are counted as message by message", "[collectives]") {
  for (int p = 1; p <= 20; ++p)
    for (int const k : {2, 3, 4, 7, one_phase})
      for (int const first_k : {2, 3, 5, one_phase})
        for (std::size_t const elements : {0, 1, 5, 12, 20, 37, 200})
          for (auto const sizes : {piece_sizes::even, piece_sizes::larger_first})
            for (std::uint64_t const packet : {1, 3, 4}) {
              INFO("p " << p << ", k " << first_k << " and " << k << ", elements " << elements
                        << ", packet " << packet);
              pieces const of(elements, p, sizes);
              CHECK(lockstep::circulant_all_gather_counts(of, first_k, k, packet) ==
                    counted_gathering(of, first_k, k, packet));
            }
}

TEST_CASE("whole blocks along a tree are counted as message by message", "[collectives]") {
  for (int p = 1; p <= 40; ++p)
    for (int const k : {2, 3, 5, one_phase})
      for (std::size_t const elements : {0, 1, 5})
        for (std::uint64_t const packet : {1, 3}) {
          INFO("p " << p << ", k " << k << ", elements " << elements << ", packet " << packet);
          CHECK(lockstep::block_tree_counts(p, elements, k, packet) ==
                counted_block_tree(p, elements, k, packet));
        }
}
