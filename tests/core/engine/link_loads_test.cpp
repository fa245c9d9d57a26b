#include "engine/counting/link_loads.hpp"

#include <array>
#include <span>
#include <stdexcept>
#include <vector>

#include "catch.hpp"

namespace {

using lockstep::detail::link_loads;
using lockstep::detail::link_use;

/// A line of eight processors. Its routes can be made to fail.
class line : public lockstep::topology {
 public:
  [[nodiscard]] int size() const override { return 8; }
  [[nodiscard]] std::string spec() const override { return "line"; }
  [[nodiscard]] std::vector<lockstep::neighbour> neighbours(int rank) const override {
    std::vector<lockstep::neighbour> joined;
    if (rank > 0) joined.push_back({rank - 1, "-"});
    if (rank < 7) joined.push_back({rank + 1, "+"});
    return joined;
  }
  void append_links(int from, int to, std::vector<lockstep::link_number>& links) const override {
    if (fails && to == 7) throw std::runtime_error("no route");
    topology::append_links(from, to, links);
  }

  bool fails = false;
};

link_use row(std::uint64_t step, std::uint64_t steps, int from, int to, std::uint64_t words = 1) {
  return {step, steps, {}, words, from, to, 1, {}, 0};
}

std::vector<std::uint32_t> swept(link_loads& loads, std::vector<link_use> const& rows,
                                 std::vector<std::uint64_t> const& steps) {
  auto const largest = loads.sweep(steps, std::array{std::span(rows)});
  return {largest.begin(), largest.end()};
}

using largest = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("rows load their links from their first step to their last", "[core][link_loads]") {
  line const eight;
  link_loads loads(eight);
  std::vector const rows{row(1, 4, 0, 3), row(2, 2, 1, 2), row(3, 1, 2, 5), row(3, 9, 7, 0),
                         row(4, 1, 0, 7, 0)};
  CHECK(swept(loads, rows, {1, 2, 3, 4, 5}) == largest{1, 2, 2, 1, 1});
  CHECK(swept(loads, rows, {2, 4, 11, 12}) == largest{2, 1, 1, 0});
  CHECK(swept(loads, {row(5, 1, 0, 7), row(5, 1, 1, 6), row(5, 2, 3, 4)}, {5, 6}) == largest{3, 1});
  CHECK(swept(loads, rows, {20}) == largest{0});
  CHECK(swept(loads, rows, {}).empty());
}

TEST_CASE("a sweep that fails leaves nothing behind", "[core][link_loads]") {
  line eight;
  link_loads loads(eight);
  std::vector const rows{row(1, 3, 0, 6), row(1, 1, 1, 5), row(2, 2, 0, 7)};
  auto const expected = largest{2, 2, 2};
  CHECK(swept(loads, rows, {1, 2, 3}) == expected);
  eight.fails = true;
  CHECK_THROWS_AS(swept(loads, rows, {1, 2, 3}), std::runtime_error);
  eight.fails = false;
  CHECK(swept(loads, {}, {1, 2, 3}) == largest{0, 0, 0});
  CHECK(swept(loads, rows, {1, 2, 3}) == expected);
}
