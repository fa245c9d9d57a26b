#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/lower_bounds.hpp>
#include <lockstep/processor.hpp>

#include "files/field_texts.hpp"
#include "random_access/access_input.hpp"
#include "random_access/sequential_memory.hpp"
#include "random_access/written_operator.hpp"

namespace lockstep {

/// Says what any program needs that writes: a word into an owner for each address that others write to, and
/// one out of a processor for each address elsewhere. `kept`: where the operator needs no more than one
/// element of each address.
[[nodiscard]] traffic_requirement write_requirement(access_input const& input, kept_operand kept);

/// The elements of a processor, and what stands at its addresses before they are written.
template <class Number>
struct write_part {
  std::span<std::size_t const> pointers;
  std::span<Number const> values;
  std::span<Number const> before;  ///< none where nothing stands there
};

/// The write problem: each element writes its value to the address that its pointer says, where all that go
/// to one address are combined, in the order of elements.
template <class Number>
struct write_problem {
  access_input input;
  std::vector<Number> values;
  write_operator<Number> by;
  std::vector<Number> before{};    ///< of each address; nothing stands there where it is empty
  std::string file{};              ///< whose numbers these are, if any
  field_texts written_before{};    ///< how the array stands in a file
  std::vector<bool> is_changed{};  ///< by address, where the array is in a file

  using cells = std::vector<extended<Number>>;

  [[nodiscard]] write_part<Number> part_of(processor const& me) const;
  [[nodiscard]] static std::uint64_t pieces_to_check() { return 0; }
  /// Whether that is what a sequential memory has in the end: sums in double precision but for rounding.
  /// Errors: bad_input, with the index, for a sum of a file that overflowed on the way.
  [[nodiscard]] bool is_solved_by(std::vector<cells> const& blocks) const;
  [[nodiscard]] std::uint64_t pieces_to_write() const { return input.layout.elements(); }
  /// Writes the array as columns "index" and "value".
  void write(std::ostream& out, std::vector<cells> const& blocks) const;
  [[nodiscard]] traffic_requirement least_traffic(std::vector<cells> const& /*blocks*/) const {
    return before.empty() ? write_requirement(input, by.kept) : traffic_requirement{};
  }
  void add_size_to(experiment_result& result) const { record_layout(result, input.layout); }

  /// Requires that the sums of numbers of a file fit.
  /// Errors: bad_input, which names the index whose sum has no place in 64 bits or in double precision.
  void require_sums_fit() const;

 private:
  template <class Value, class ValueOf, class Plus>
  [[nodiscard]] sequential_cells<Value> in_turn(ValueOf const& value_of, Plus const& plus) const;
};

}  // namespace lockstep
