#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ostream>
#include <span>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/lower_bounds.hpp>
#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/shuffle_exchange.hpp>

#include "files/csv_file.hpp"
#include "harness/arguments.hpp"
#include "harness/stages.hpp"
#include "network_kind.hpp"
#include "prefix/check_prefixes.hpp"
#include "prefix/named_operator.hpp"
#include "prefix/tree_intake.hpp"

namespace lockstep {

/// The prefix problem: numbers, an even block of them on each processor, are to be combined, each with
/// those before it in its interval, or with those after it.
template <class Number>
struct prefix_problem {
  arguments given;
  std::vector<Number> values;
  named_operator<Number> plus;
  prefix_kind kind = prefix_kind::inclusive;
  /// Where intervals begin, as the values are; all one interval where it is empty.
  std::vector<bool> begins{};
  std::size_t instances = 1;  ///< problems at once, each with one number of every processor
  column_of_file const* column = nullptr;  ///< of the input file, if the numbers are from one
  bool is_copy = false;                    ///< whether all of an interval get its first value

  /// Whether an interval of an instance begins at a processor, where each has a number of it.
  [[nodiscard]] bool begins_at(int rank, std::size_t instance = 0) const {
    return !begins.empty() && begins[static_cast<std::size_t>(rank) * instances + instance];
  }
  /// Calls `with(first, values)` for each interval of one instance, and where it begins.
  void for_each_interval(auto const& with) const {
    for (std::size_t first = 0, next = 0; first < values.size(); first = next) {
      for (next = first + 1; next < values.size() && (begins.empty() || !begins[next]);) ++next;
      with(first, std::span(values).subspan(first, next - first));
    }
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
        for_each_interval([&](std::size_t first, std::span<Number const> interval) {
          require_no_overflow(std::span(prefixes).subspan(first, interval.size()), kind,
                              given.request().input->string(), first);
        });
    auto const are_right = [&](std::span<Number const> found, std::span<Number const> numbers,
                               std::vector<bool> const& beginnings) {
      note_done(numbers.size());
      return are_prefixes<Number>(found, numbers, plus, kind, beginnings);
    };
    if (instances == 1) return are_right(prefixes, values, begins);
    for (std::size_t i = 0; i < instances; ++i)
      if (!are_right(of_instance(i, prefixes), of_instance(i, values), of_instance(i, begins)))
        return false;
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
    auto const p = static_cast<std::size_t>(given.processors());
    port_words words{std::vector<std::uint64_t>(p), std::vector<std::uint64_t>(p)};
    auto intervals = intervals_looked_at(given.network());
    if (begins.empty())
      add_traffic_of(0, instances, intervals, words, needed);
    else
      for (std::size_t i = 0; i < instances; ++i) add_traffic_of(i, 1, intervals, words, needed);
    needed.taken_in = std::ranges::max(words.taken_in);
    if (auto const node = most_taken_in([](tree_intake const& each) { return each.words; }))
      needed.taken_in = std::max(needed.taken_in, node->words);
    needed.sent = std::ranges::max(words.sent);
    return needed;
  }
  /// Adds, on a tree of one port, the words that come into a node, and go on.
  void add_bounds_to(std::vector<lower_bound>& bounds) const {
    if (given.request().options.ports != ports::one) return;
    auto const node = most_taken_in([](tree_intake const& each) { return each.least_words(); });
    if (node && node->least_words() > 0) bounds.push_back(bound_by_intake(*node));
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
  /// Finds the node of a tree that has to take in most by that measure; none elsewhere, nor where
  /// messages cut through nodes, or an operator can drop values, as min does.
  template <class Measure>
  [[nodiscard]] std::optional<tree_intake> most_taken_in(Measure const& measure) const {
    auto const* const tree = dynamic_cast<binary_tree const*>(&given.network());
    bool const by_nodes = given.request().options.switching != switching::cut_through;
    if (tree == nullptr || !by_nodes || column != nullptr || !(is_copy || plus.is_addition))
      return {};
    prefixes_on_tree of{.alike = begins.empty() ? instances : 1, .is_copy = is_copy};
    if (!begins.empty()) {
      of.begins.clear();
      for (std::size_t i = 0; i < instances; ++i) of.begins.push_back(of_instance(i, begins));
    }
    auto const nodes = tree_intakes(*tree, of);
    if (nodes.empty()) return {};
    auto node = *std::ranges::max_element(nodes, {}, measure);
    if (!is_forward(kind)) node.processor = tree->size() - 1 - node.processor;
    return node;
  }
  /// The words that each processor has to take in, or to send, at the least.
  struct port_words {
    std::vector<std::uint64_t> taken_in;
    std::vector<std::uint64_t> sent;
  };
  /// Adds what any program needs for an instance, or for that many alike: each takes in something of
  /// those before it, and the first of an interval sends what all others need.
  void add_traffic_of(std::size_t instance, std::uint64_t alike, std::size_t& intervals,
                      port_words& words, traffic_requirement& needed) const {
    auto const& network = given.network();
    int first = 0;
    for (int rank = 1; rank < network.size(); ++rank) {
      if (begins_at(rank, instance)) {
        first = rank;
        if (intervals > 0) --intervals;
      }
      if (rank == first) continue;
      words.taken_in[static_cast<std::size_t>(rank)] += alike;
      if (rank == first + 1) words.sent[static_cast<std::size_t>(first)] += alike;
      needed.moved += alike;
      if (intervals > 0) needed.distance = std::max(needed.distance, network.hops(rank, first));
      needed.joined = std::max(needed.joined, static_cast<std::uint64_t>(rank - first) + 1);
    }
  }
  /// Picks what one of the instances has of every processor.
  template <class Value>
  [[nodiscard]] std::vector<Value> of_instance(std::size_t instance,
                                               std::vector<Value> const& numbers) const {
    std::vector<Value> own;
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
