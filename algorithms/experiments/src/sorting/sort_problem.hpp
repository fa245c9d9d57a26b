#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <vector>

#include <lockstep/experiments/experiment.hpp>
#include <lockstep/lower_bounds.hpp>

#include "harness/arguments.hpp"
#include "sorting/key_file.hpp"
#include "sorting/sort_element.hpp"
#include "sorting/sort_input.hpp"

namespace lockstep {

/// How a sort runs, and what it promises of its result.
struct sort_promises {
  keys_taken taken = keys_taken::whole_numbers;
  std::uint64_t packet = 0;    ///< words; 0: as it is asked for
  bool stable = true;          ///< whether equal keys stay in the order of the input
  bool even_blocks = true;     ///< whether processor i ends with even_block i; else with any number
  std::size_t full_block = 0;  ///< if not 0, each ends with that many until there are no more
  bool one_port = true;        ///< whether its rounds are steps of a machine with one port only
  /// The rank whose block is i-th in the sorted order; nothing where that is i.
  std::vector<int> order_of_ranks{};
  needs_of_keys needs{};  ///< the memory that a run holds
};

/// The sort problem: keys, an even block of them on each processor at first, are to lie in order, one
/// processor's after the other's. All sorts solve this one; the types of keys in files do not concern them.
///
/// Of several processes each judges the blocks of its own processors, its part of `blocks` below; all of them
/// call these functions.
class sort_problem {
 public:
  static constexpr bool is_judged_by_shares = true;

  /// The input has to live as long as this.
  sort_problem(arguments const& given, sort_input const& input, sort_promises promises);

  [[nodiscard]] std::vector<sort_element> part_of(processor const& me) const;
  [[nodiscard]] std::uint64_t pieces_to_check() const;
  /// Finds out whether the blocks, one after the other, are the keys, each once, in order, equal ones in that of the
  /// input where the sort is stable.
  [[nodiscard]] bool is_solved_by(own_blocks blocks) const;
  [[nodiscard]] std::uint64_t pieces_to_write() const { return m_input.size(); }
  /// Writes the sorted keys as they were in the input, or the rows that they are in: of all blocks.
  void write(std::ostream& out, sort_blocks const& blocks) const;
  /// Says what every sort needs that leaves as many keys on each processor: where equal ones need not
  /// stay in order, a processor takes in the keys of its sorted block that it does not have.
  [[nodiscard]] traffic_requirement least_traffic(own_blocks blocks) const;
  /// Adds the parameter n.
  void add_size_to(experiment_result& result) const;

 private:
  /// The rank whose block is at that place of the sorted order.
  [[nodiscard]] std::size_t rank_at(std::size_t place) const;
  /// The place of a rank's block.
  [[nodiscard]] std::size_t place_of(int rank) const;
  /// The elements that a block at that place has to have; nothing where it may have any number.
  [[nodiscard]] std::optional<std::size_t> size_at(std::size_t place) const;
  /// Finds out whether the blocks of all processes have their sizes, and lie in order.
  [[nodiscard]] bool lie_in_order(own_blocks blocks) const;
  /// Finds out whether the elements of all blocks are those of the input, each once.
  [[nodiscard]] bool are_of_input(own_blocks blocks) const;

  arguments m_given;
  sort_input const& m_input;
  sort_promises m_promises;
  std::vector<std::size_t> m_places;  ///< of the ranks; nothing where that is the rank
  std::optional<key_type> m_format;   ///< of files; nothing for a text
};

/// Computes the traffic of every program that takes elements from the ranks `source_of(number)` to
/// these blocks; none for more than `max_processors_for_pairwise_bounds`.
[[nodiscard]] traffic_requirement elements_that_move(
    arguments const& given, own_blocks blocks,
    std::function<int(std::uint64_t number)> const& source_of);

/// Sorts the keys of the input by `program`, in lock step: this is what the sorts claim. Checks the
/// result, and writes the output file.
/// Errors: those of `solve`.
[[nodiscard]] experiment_result solve_sort(arguments const& given, sort_input const& input,
                                           sort_promises const& promises,
                                           sort_program const& program);

}  // namespace lockstep
