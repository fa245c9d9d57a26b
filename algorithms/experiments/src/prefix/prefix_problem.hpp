#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <span>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/lower_bounds.hpp>
#include <lockstep/topologies/shuffle_exchange.hpp>

#include "files/csv_file.hpp"
#include "harness/arguments.hpp"
#include "harness/stages.hpp"
#include "network_kind.hpp"
#include "prefix/check_prefixes.hpp"
#include "prefix/named_operator.hpp"

namespace lockstep {

/// The prefix problem: numbers, an even block of them on each processor, are to be combined, each with
/// those before it in its interval, or with those after it.
template <class Number>
struct prefix_problem {
  arguments given;
  std::vector<Number> values;
  named_operator<Number> plus;
  prefix_kind kind = prefix_kind::inclusive;
  std::vector<bool> begins{};  ///< where intervals begin; all one interval where it is empty
  std::size_t instances = 1;   ///< problems at once, each with one number of every processor
  column_of_file const* column = nullptr;  ///< of the input file, if the numbers are from one

  [[nodiscard]] bool begins_at(int rank) const {
    return !begins.empty() && begins[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] std::span<Number const> part_of(processor const& me) const {
    auto const [first, count] = even_block(values.size(), me.size(), me.rank());
    return std::span(values).subspan(first, count);
  }
  [[nodiscard]] std::uint64_t pieces_to_check() const { return values.size(); }
  /// Finds out whether these are the prefixes that one gets by combining one number after another, as
  /// many on each processor as it has numbers.
  /// Errors: bad_input for sums of a file's rows that fit, but overflowed on the way to one.
  [[nodiscard]] bool is_solved_by(auto const& results) const {
    if (!are_where_numbers_are(results)) return false;
    auto const& prefixes = joined(results);
    if constexpr (std::floating_point<Number>)
      if (column != nullptr && plus.is_addition)
        require_no_overflow(prefixes, kind, given.request().input->string());
    auto const are_right = [&](std::span<Number const> found, std::span<Number const> numbers) {
      note_done(numbers.size());
      return are_prefixes<Number>(found, numbers, plus, kind, begins);
    };
    if (instances == 1) return are_right(prefixes, values);
    for (std::size_t i = 0; i < instances; ++i)
      if (!are_right(of_instance(i, prefixes), of_instance(i, values))) return false;
    return true;
  }
  [[nodiscard]] std::uint64_t pieces_to_write() const { return values.size(); }
  /// Writes the prefixes, beside the column if there is one, under names that can be told apart when
  /// they are read again. An exclusive min or max in double precision has inf or -inf where nothing
  /// has to be combined.
  void write(std::ostream& out, auto const& results) const {
    auto const& prefixes = joined(results);
    if (column == nullptr)
      return write_csv<Number>(out, std::array{written_column<Number>{"prefix", prefixes}});
    auto const* const name = column->name == "prefix" ? "prefix of prefix" : "prefix";
    write_csv_beside<Number>(out, *column, {name, prefixes});
  }
  /// Says what any program needs with one number on each processor: something of all before it in its
  /// interval, whatever the operator. All these networks have links both ways.
  [[nodiscard]] traffic_requirement least_traffic(auto const& /*results*/) const {
    traffic_requirement needed;
    if (column != nullptr) return needed;
    auto const& network = given.network();
    int first = 0;
    auto intervals = intervals_looked_at(network);
    for (int rank = 1; rank < network.size(); ++rank) {
      if (begins_at(rank)) {
        first = rank;
        if (intervals > 0) --intervals;
      }
      if (rank == first) continue;
      needed.taken_in = needed.sent = instances;
      needed.moved += instances;
      if (intervals > 0) needed.distance = std::max(needed.distance, network.hops(rank, first));
      needed.joined = std::max(needed.joined, static_cast<std::uint64_t>(rank - first) + 1);
    }
    return needed;
  }
  /// Adds the rows of a file, its longest block, and the name of its column.
  void add_size_to(experiment_result& result) const {
    if (column == nullptr) return;
    auto const block = even_block(values.size(), given.processors(), 0).count;
    result.figures["rows"] = static_cast<std::int64_t>(values.size());
    result.figures["block"] = static_cast<std::int64_t>(block);
    result.parameters["column"] = column->name;
  }

 private:
  [[nodiscard]] bool are_where_numbers_are(std::vector<Number> const& one_each) const {
    return one_each.size() == values.size();
  }
  [[nodiscard]] bool are_where_numbers_are(std::vector<std::vector<Number>> const& blocks) const {
    int const p = given.processors();
    if (blocks.size() != static_cast<std::size_t>(p)) return false;
    for (int rank = 0; auto const& block : blocks)
      if (block.size() != even_block(values.size(), p, rank++).count) return false;
    return true;
  }
  /// Puts the results of all processors one after the other.
  [[nodiscard]] static std::vector<Number> const& joined(std::vector<Number> const& one_each) {
    return one_each;
  }
  [[nodiscard]] std::vector<Number> joined(std::vector<std::vector<Number>> const& blocks) const {
    std::vector<Number> all;
    all.reserve(values.size());
    for (auto const& block : blocks) all.insert(all.end(), block.begin(), block.end());
    return all;
  }
  /// Picks every processor's number of one of the instances.
  [[nodiscard]] std::vector<Number> of_instance(std::size_t instance,
                                                std::vector<Number> const& numbers) const {
    std::vector<Number> own;
    own.reserve(numbers.size() / instances);
    for (auto i = instance; i < numbers.size(); i += instances) own.push_back(numbers[i]);
    return own;
  }
  /// Finds how many intervals' distances are looked at on this network. A shuffle-exchange searches for
  /// them, and keeps a table of 4 p bytes for each processor that others are asked their way to.
  [[nodiscard]] static std::size_t intervals_looked_at(topology const& network) {
    constexpr std::size_t most_bytes = std::size_t{1} << 26;
    if (!is<shuffle_exchange>(network)) return std::numeric_limits<std::size_t>::max();
    return most_bytes / (4 * static_cast<std::size_t>(network.size())) + 1;
  }
};

}  // namespace lockstep
