// A matrix transposed by the complete exchange, and by one thread in tiles.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/exchange/all_to_all.hpp>

#include "exchange/transpose_matrix.hpp"
#include "measure.hpp"
#include "themes.hpp"

namespace bench {

namespace {

using matrix = lockstep::square_matrix<double>;

matrix numbered(std::size_t size) {
  matrix made{size, std::vector<double>(size * size)};
  for (std::size_t at = 0; at < made.entries.size(); ++at)
    made.entries[at] = static_cast<double>(at);
  return made;
}

/// As one does it where all is in one memory: tiles of both matrices that fit into a cache.
void transpose_in_tiles(matrix const& from, matrix& to) {
  constexpr std::size_t tile = 32;
  auto const size = from.size;
  for (std::size_t top = 0; top < size; top += tile)
    for (std::size_t left = 0; left < size; left += tile)
      for (std::size_t row = top; row < std::min(top + tile, size); ++row)
        for (std::size_t column = left; column < std::min(left + tile, size); ++column)
          to.entries[column * size + row] = from.entries[row * size + column];
}

}  // namespace

void add_transpositions(scope const& of) {
  std::size_t const size = of.quick ? 512 : 8192;
  int const side = of.quick ? 8 : 32;
  auto const name = fmt::format("transpose/torus:{0}x{0}/{1}x{1}", side, size);
  add(name, 1, [=](benchmark::State& state) {
    auto const input = numbered(size);
    matrix transposed{size, std::vector<double>(size * size)};
    lockstep::experiment_request asked{
        .network = std::make_shared<lockstep::torus>(std::vector{side, side}),
        .options = {.strict = true, .workers = 1}};
    lockstep::machine const on(asked.network, asked.options);
    lockstep::exchange_schedule const schedule(*asked.network);
    lockstep::transpose_problem<double> const of_input{asked, input};
    std::optional<lockstep::run_of<std::vector<double>>> run;
    least in_tiles;
    least exchanged;
    for ([[maybe_unused]] auto _ : state)
      for (int repetition = 0; repetition < 3; ++repetition) {
        in_tiles.add(seconds_of([&] { transpose_in_tiles(input, transposed); }));
        run.reset();
        exchanged.add(seconds_of([&] {
          run.emplace(on.run([&](lockstep::processor& me) {
            return lockstep::transpose_rows(me, of_input.part_of(me), size, schedule);
          }));
        }));
      }
    if (!of_input.is_solved_by(run->results())) return state.SkipWithError("not the transpose");
    state.counters[run_seconds] = exchanged.seconds();
    state.counters[seconds_in_tiles] = in_tiles.seconds();
  });
}

}  // namespace bench
