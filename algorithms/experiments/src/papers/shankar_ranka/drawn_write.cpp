#include "papers/shankar_ranka/drawn_write.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <lockstep/algorithms/random_access/access_patterns.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "papers/measured_algorithm.hpp"
#include "papers/shankar_ranka/text_rows.hpp"
#include "random_access/number_access.hpp"

namespace lockstep {

namespace {

constexpr std::size_t elements_of_figure_4 = 32;
constexpr std::size_t buckets_of_figure_4 = 2;

[[nodiscard]] std::int64_t sum_of_two(std::int64_t a, std::int64_t b) { return a + b; }

}  // namespace

std::vector<std::size_t> pointers_of_figure_4() {
  bucket_layout const layout(elements_of_figure_4, processors_of_figures);
  return generated_pointers(access_pattern::figure_4, layout, 1);
}

drawn_write told_write(std::vector<std::size_t> pointers, access_variant variant) {
  drawn_write made{
      {elements_of_figure_4, processors_of_figures, buckets_of_figure_4}, std::move(pointers), {}};
  auto const& layout = made.layout;
  machine const on(crossbar{processors_of_figures}, {.strict = true});
  auto const run = on.run(
      [&](processor& me) {
        auto const mine = own_part(made.pointers, layout, me.rank());
        std::vector<std::int64_t> const ones(mine.size(), 1);
        return combined_writes(me, layout, mine, std::span<std::int64_t const>(ones),
                               number_operator{sum_of_two}, {.variant = variant, .commutes = true})
            .cells;
      },
      made.told);
  for (std::size_t address = 0; address < layout.elements(); ++address) {
    auto const owner = layout.owner(address);
    auto const& cell =
        run.results()[static_cast<std::size_t>(owner)][address - layout.first_of(owner)];
    if (cell.value != std::ranges::count(made.pointers, address) ||
        cell.is_there != (cell.value > 0))
      throw wrong_result("a write for a drawing");
  }
  return made;
}

}  // namespace lockstep
