#include "papers/bader_helman_jaja/printed.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <span>
#include <string>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/h_relation.hpp>
#include <lockstep/algorithms/routing/h_relation_inputs.hpp>
#include <lockstep/algorithms/routing/place_by_offset.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

constexpr int drawn_processors = 16;              // of Figure 3; of Figure 1 our text does not tell
constexpr int group_of_figure_3 = 4;              // g
constexpr std::uint64_t share_of_figure_1 = 256;  // n/p
constexpr std::uint64_t block_of_figure_3 = 4;    // n/(pt)
constexpr std::uint64_t blocks_of_a_source = 4;   // t
constexpr std::uint64_t blocks_of_a_receiver = 2 * blocks_of_a_source;  // of h = 2n/p keys

/// A key that is routed: where it goes, and whence it comes.
struct drawn_key {
  int home = 0;
  int source = 0;
  std::uint64_t place = 0;  ///< at home
};

/// Routes an input in two phases.
/// Result: the keys where they end, as they come in.
[[nodiscard]] std::vector<std::vector<drawn_key>> routed_keys(h_relation_input const& input) {
  machine const on(crossbar{drawn_processors}, {.strict = true});
  auto const run = on.run([&](processor& me) {
    auto const rank = static_cast<std::size_t>(me.rank());
    std::vector<drawn_key> mine;
    for (auto const home : input.destinations[rank]) {
      auto const place = input.offsets.empty() ? 0 : input.offsets[rank][mine.size()];
      mine.push_back({home, me.rank(), place});
    }
    return h_relation(me, std::span<drawn_key const>(mine), &drawn_key::home).elements;
  });
  return {run.results().begin(), run.results().end()};
}

/// Routes an input of equation (7), and counts the keys that end on each processor.
[[nodiscard]] std::vector<std::uint64_t> keys_ended(std::uint64_t most) {
  auto const arrived = routed_keys(
      generated_h_relation(h_pattern::family, {.processors = drawn_processors,
                                               .elements = drawn_processors * share_of_figure_1,
                                               .received = most}));
  std::vector<std::uint64_t> ended;
  for (auto const& keys : arrived) ended.push_back(keys.size());
  return ended;
}

/// Draws "#### 512": a mark for each n/(2p) keys that are begun.
[[nodiscard]] std::string bar_of(std::uint64_t keys) {
  constexpr auto keys_of_a_mark = share_of_figure_1 / 2;
  std::string const marks((keys + keys_of_a_mark - 1) / keys_of_a_mark, '#');
  return marks.empty() ? "0" : fmt::format("{} {}", marks, keys);
}

void end_line(std::string& text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

[[nodiscard]] std::string bars_text(keys_of_four_inputs const& ended) {
  auto text = fmt::format(
      "p = {}, n = {} and the four h, but for 8n/p, are ours; # stands for n/(2p) keys\n",
      drawn_processors, drawn_processors * share_of_figure_1);
  auto const add = [&](std::size_t input, std::string const& cell) {
    auto const width = (std::size_t{2} << input) + 9;  // of the longest bar, with its number
    text += fmt::format("{:<{}}", cell, width);
  };
  text += fmt::format("{:6}", "");
  for (std::size_t input = 0; input < ended.size(); ++input)
    add(input, input == 0 ? "h = n/p" : fmt::format("h = {}n/p", 1 << input));
  end_line(text);
  for (std::size_t rank = 0; rank < ended.front().size(); ++rank) {
    text += fmt::format("{:6}", fmt::format("P_{}", rank));
    for (std::size_t input = 0; input < ended.size(); ++input)
      add(input, bar_of(ended[input][rank]));
    end_line(text);
  }
  return text;
}

[[nodiscard]] printed_figure drawn_figure_1() {
  keys_of_four_inputs ended;
  for (std::size_t input = 0; input < ended.size(); ++input)
    ended[input] = keys_ended(share_of_figure_1 << input);
  return {
      .title = "Figure 1: final distribution of the keys, h = n/p, 2n/p, 4n/p and 8n/p",
      .text = bars_text(ended),
      .is_as_printed = is_as_section_3_1_says(ended),
      .compared =
          "equation (7), computed a second time, and what section 3.1 says in words; our text of "
          "the paper lacks the drawing, and says neither n nor p of it, and of the four h 8n/p "
          "alone"};
}

/// Finds the sources of blocks.
/// Errors: broken_invariant for a block of keys of several sources.
[[nodiscard]] std::vector<int> sources_of_blocks(std::span<drawn_key const> placed) {
  std::vector<int> sources;
  for (std::size_t at = 0; at < placed.size(); ++at) {
    if (at % block_of_figure_3 == 0) sources.push_back(placed[at].source);
    if (placed[at].source != sources.back()) throw own_mistake("a block of several sources");
  }
  return sources;
}

/// Routes the g-group input, and places its keys.
[[nodiscard]] block_sources blocks_ended() {
  constexpr auto elements = drawn_processors * blocks_of_a_source * block_of_figure_3;
  auto const arrived = routed_keys(
      generated_h_relation(h_pattern::g_group, {.processors = drawn_processors,
                                                .elements = elements,
                                                .received = 2 * elements / drawn_processors,
                                                .group = group_of_figure_3,
                                                .targets = blocks_of_a_source}));
  machine const on(crossbar{drawn_processors}, {.strict = true});
  auto const placed = on.run([&](processor& me) {  // Step (5)
    auto const& mine = arrived[static_cast<std::size_t>(me.rank())];
    return place_by_offset(me, std::span<drawn_key const>(mine), &drawn_key::place, mine.size());
  });
  block_sources ended;
  for (auto const& keys : placed.results()) ended.push_back(sources_of_blocks(keys));
  return ended;
}

[[nodiscard]] std::string blocks_text(block_sources const& ended) {
  auto text = fmt::format(
      "n = {} (ours); each number is a block of n/(pt) keys, by its source, in the order of "
      "places\n",
      drawn_processors * blocks_of_a_source * block_of_figure_3);
  for (std::size_t rank = 0; rank < ended.size(); ++rank) {
    text += fmt::format("{:6}", fmt::format("P_{}", rank));
    for (auto const source : ended[rank]) text += fmt::format("{:4}", source);
    end_line(text);
  }
  return text;
}

[[nodiscard]] printed_figure drawn_figure_3() {
  auto const ended = blocks_ended();
  return {
      .title =
          "Figure 3: final distribution of the g-group benchmark with h = 2n/p, p = 16, g = 4, "
          "t = 4",
      .text = blocks_text(ended),
      .is_as_printed = is_as_section_3_2_1_says(ended),
      .compared =
          "equation (8) and the blocks of (9), whose places of odd k are misprinted (number 3) and "
          "corrected here, computed a second time, and what section 3.2.1 says in words; our text "
          "of "
          "the paper lacks the drawing"};
}

/// Computes equation (7), or n/p each for h = n/p; nothing where h does not divide 2n.
[[nodiscard]] std::vector<std::uint64_t> sizes_of_equation_7(std::uint64_t n, std::uint64_t p,
                                                             std::uint64_t h) {
  if (h == n / p) return std::vector(p, h);
  if (2 * n % h != 0) return {};
  std::vector<std::uint64_t> sizes(p);
  sizes.back() = n;
  for (std::uint64_t i = 0; i < 2 * n / h; ++i) {
    auto const size = h * (2 * n - h - h * i) / (2 * n - h);
    if (i + 1 < p) sizes[i] = size;
    sizes.back() -= size;
  }
  return sizes;
}

/// Computes equations (8) and (9) for Figure 3, a block at a time: n/(pt) keys are 1, and h is 8.
[[nodiscard]] block_sources sources_of_equations_8_and_9() {
  constexpr int h = blocks_of_a_receiver;
  block_sources sources(drawn_processors);
  for (int i = 0; i < drawn_processors; ++i)
    for (int b = 0; b < static_cast<int>(blocks_of_a_source); ++b) {
      int const before = b * group_of_figure_3;
      int const receiver = (((drawn_processors / 2 + before) % drawn_processors) ^
                            (i / group_of_figure_3 * group_of_figure_3)) +
                           before / h;
      auto& of_receiver = sources[static_cast<std::size_t>(receiver)];
      of_receiver.resize(blocks_of_a_receiver, -1);
      of_receiver[static_cast<std::size_t>(before % h + i % group_of_figure_3)] = i;
    }
  return sources;
}

/// Whether t blocks of each source end somewhere, and no others.
[[nodiscard]] bool has_all_blocks(block_sources const& ended) {
  std::vector<std::uint64_t> blocks(drawn_processors);
  for (auto const& sources : ended)
    for (auto const source : sources) {
      if (source < 0 || source >= drawn_processors) return false;
      ++blocks[static_cast<std::size_t>(source)];
    }
  return std::ranges::count(blocks, blocks_of_a_source) == drawn_processors;
}

}  // namespace

bool is_as_section_3_1_says(keys_of_four_inputs const& ended) {
  auto const p = ended.front().size();
  for (std::size_t input = 0; input < ended.size(); ++input) {
    auto const& keys = ended[input];
    auto const n = std::accumulate(keys.begin(), keys.end(), std::uint64_t{0});
    auto const h = n / p << input;
    if (keys != sizes_of_equation_7(n, p, h)) return false;
    if (keys.front() != h || std::ranges::max(keys) != h) return false;
  }
  auto const without = std::ranges::count(ended.back(), 0U);
  return std::abs(without - 3 * static_cast<std::int64_t>(p) / 4) <= 1;
}

bool is_as_section_3_2_1_says(block_sources const& ended) {
  auto const receivers = std::ranges::count_if(
      ended, [](auto const& sources) { return sources.size() == blocks_of_a_receiver; });
  auto const idle =
      std::ranges::count_if(ended, [](auto const& sources) { return sources.empty(); });
  bool const is_half = receivers == idle && 2 * static_cast<std::size_t>(receivers) == ended.size();
  return is_half && has_all_blocks(ended) && ended == sources_of_equations_8_and_9();
}

std::vector<printed_figure> printed_figures_of_bader_helman_jaja(int most_processors) {
  if (most_processors < drawn_processors) return {};
  return {drawn_figure_1(), drawn_figure_3()};
}

}  // namespace lockstep
