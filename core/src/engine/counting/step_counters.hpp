#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace lockstep::detail {

/// Later than every step.
inline constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// The counters of one step: what one worker saw come in during it. Each is a sum or a maximum, so
/// that the order in which processors run does not matter. They fill one cache line.
struct alignas(64) step_counters {
  std::uint64_t messages = 0;
  std::uint64_t volume = 0;
  std::uint64_t largest = 0;          ///< words of the largest message outside pipelined runs
  std::uint64_t largest_in_runs = 0;  ///< and in them
  std::uint64_t queued = 0;
  std::uint64_t contention = 0;  ///< messages on one link; where they were loaded
  std::uint32_t longest_route = 0;
  bool any_empty = false;        ///< an empty message arrived
  std::uint64_t link_words = 0;  ///< words over one link, outside pipelined runs; where shared

  [[nodiscard]] bool arrived() const { return messages > 0 || any_empty; }

  void add(step_counters const& other);
};

/// The counters of the steps that are not over. They lie in blocks, so that steps in which nothing
/// comes in take no memory, however many they are.
class step_counter_blocks {
 public:
  static constexpr std::uint64_t steps_in_block = 64;

  /// Whether the block of that step is selected.
  [[nodiscard]] bool holds(std::uint64_t step) const { return step - m_first < steps_in_block; }
  /// The counters of a step of the selected block.
  [[nodiscard]] step_counters& operator[](std::uint64_t step) { return m_selected[step - m_first]; }
  /// Selects the block of that step, and makes it if it is new.
  /// Errors: std::bad_alloc.
  void select_block_of(std::uint64_t step);
  /// Finds the counters of a step; nullptr if its block was never made.
  [[nodiscard]] step_counters const* find(std::uint64_t step) const;
  /// Finds them, and selects their block.
  [[nodiscard]] step_counters const* find(std::uint64_t step);

  /// Forgets the blocks that end before that step; their memory is used again.
  void drop_before(std::uint64_t step);

  /// Blocks that were made since the last call of drop_before.
  [[nodiscard]] std::size_t begun() const { return m_begun; }
  /// Blocks that exist.
  [[nodiscard]] std::size_t blocks() const { return m_blocks.size(); }
  [[nodiscard]] std::size_t bytes() const {
    return (m_blocks.size() + m_spare.size()) * sizeof(block_node);
  }
  /// Appends the numbers of the blocks with steps in [begin, end).
  void append_blocks(std::uint64_t begin, std::uint64_t end,
                     std::vector<std::uint64_t>& numbers) const;

 private:
  struct block {
    step_counters of[steps_in_block];
  };
  using block_map = std::map<std::uint64_t, block>;  ///< by step / steps_in_block
  struct block_node {                                // about what the map allocates for each
    void* links[4];
    block_map::value_type value;
  };
  static constexpr std::uint64_t no_step = std::uint64_t{1} << 63;
  static constexpr std::size_t most_spare = 2'048;

  std::uint64_t m_first = no_step;  ///< the first step of the selected block
  step_counters* m_selected = nullptr;
  block_map m_blocks;
  std::vector<block_map::node_type> m_spare;
  std::size_t m_begun = 0;
};

}  // namespace lockstep::detail
