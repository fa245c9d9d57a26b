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
  std::uint64_t packet = 0;  ///< words; 0: as it is asked for
  bool stable = true;        ///< whether equal keys stay in the order of the input
  bool even_blocks = true;   ///< whether processor i ends with even_block i; else with any number
  bool one_port = true;      ///< whether its rounds are steps of a machine with one port only
  /// The rank whose block is i-th in the sorted order; nothing where that is i.
  std::vector<int> order_of_ranks{};
  needs_of_keys needs{};  ///< the memory that a run holds
};

/// The sort problem: keys, an even block of them on each processor at first, are to lie in order, one
/// processor's after the other's. All sorts solve this one; the types of keys in files do not concern them.
class sort_problem {
 public:
  /// The input has to live as long as this.
  sort_problem(arguments const& given, sort_input const& input, sort_promises promises);

  [[nodiscard]] std::vector<sort_element> part_of(processor const& me) const;
  [[nodiscard]] std::uint64_t pieces_to_check() const;
  /// Finds out whether the blocks, one after the other, are what std::stable_sort makes of the keys; of
  /// a sort that is not stable, whether they are the keys, each once, in order.
  [[nodiscard]] bool is_solved_by(sort_blocks const& blocks) const;
  [[nodiscard]] std::uint64_t pieces_to_write() const { return m_input.size(); }
  /// Writes the sorted keys as they were in the input, or the rows that they are in.
  void write(std::ostream& out, sort_blocks const& blocks) const;
  /// Says what every sort needs that leaves as many keys on each processor: where equal ones need not
  /// stay in order, a processor takes in the keys of its sorted block that it does not have.
  [[nodiscard]] traffic_requirement least_traffic(sort_blocks const& blocks) const;
  /// Adds the parameter n.
  void add_size_to(experiment_result& result) const;

 private:
  [[nodiscard]] std::vector<sort_element> const& block(sort_blocks const& blocks,
                                                       std::size_t place) const;

  arguments m_given;
  sort_input const& m_input;
  sort_promises m_promises;
  std::optional<key_type> m_format;  ///< of files; nothing for a text
};

/// Computes the traffic of every program that takes elements from the ranks `source_of(number)` to
/// these blocks; none for more than `max_processors_for_pairwise_bounds`.
[[nodiscard]] traffic_requirement elements_that_move(
    topology const& network, sort_blocks const& blocks,
    std::function<int(std::uint32_t number)> const& source_of);

/// Computes the traffic of every program that sorts keys that lie in even blocks,
/// into these blocks: a processor takes in the keys of its sorted block that it does not have.
/// `keys`, `sorted`: their places in the order.
[[nodiscard]] traffic_requirement keys_that_move(
    std::span<std::uint64_t const> keys, std::vector<std::vector<std::uint64_t>> const& sorted);

/// Sorts the keys of the input by `program`, in lock step: this is what the sorts claim. Checks the
/// result, and writes the output file.
/// Errors: those of `solve`.
[[nodiscard]] experiment_result solve_sort(arguments const& given, sort_input const& input,
                                           sort_promises const& promises,
                                           sort_program const& program);

}  // namespace lockstep
