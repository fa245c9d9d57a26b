#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <lockstep/counts.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Names of labels, each inside another or at the outermost level.
class label_tree {
 public:
  label_tree() { m_labels.emplace_back(); }

  /// Finds the label of that name inside of another, and makes it if it is new. `step`: in which a
  /// processor gave it.
  /// Errors: std::bad_alloc.
  [[nodiscard]] label_number inside(label_number enclosing, std::string_view name,
                                    std::uint64_t step);
  /// Finds the same for each label of another tree. Result: by the other's numbers.
  [[nodiscard]] std::vector<label_number> join(label_tree const& other);
  [[nodiscard]] label_number enclosing(label_number of) const { return m_labels[of].enclosing; }
  [[nodiscard]] std::size_t size() const { return m_labels.size(); }
  [[nodiscard]] std::size_t bytes() const { return m_bytes; }
  /// Writes the names of a label and of those that enclose it, the outermost first: "ring > skew".
  [[nodiscard]] std::string path(label_number of) const;
  /// Lists all labels, each before those inside of it, and those of one level by their first step and
  /// name.
  [[nodiscard]] std::vector<label_number> in_order() const;
  /// Calls visit(enclosing, first_step, name) for each label, in the order of their numbers from 1 on.
  template <class Visitor>
  void visit(Visitor&& visit) const {
    for (std::size_t at = 1; at < m_labels.size(); ++at)
      visit(m_labels[at].enclosing, m_labels[at].first_step, m_labels[at].name);
  }
  /// Names a label, with the step in which it was first given.
  void write_to(label_record& record, label_number of) const;

 private:
  struct label {
    label_number enclosing = 0;
    std::uint64_t first_step = 0;
    std::string name{};
    std::map<std::string, label_number, std::less<>> inside{};
  };
  static constexpr std::size_t bytes_of_label = sizeof(label) + 80;  ///< and its place in a map

  std::deque<label> m_labels;  ///< by number
  std::size_t m_bytes = 0;
};

/// The messages under one label that came in during one step.
struct labelled_step {
  std::uint64_t messages = 0;
  std::uint64_t volume = 0;
  std::uint64_t largest = 0;  ///< words
  std::uint64_t longest_route = 0;

  void add(labelled_step const& other) {
    messages += other.messages;
    volume += other.volume;
    largest = std::max(largest, other.largest);
    longest_route = std::max(longest_route, other.longest_route);
  }
};

/// A step of a label.
struct step_of_label {
  std::uint64_t step = 0;
  label_number label = 0;

  friend auto operator<=>(step_of_label const&, step_of_label const&) = default;
};

/// The messages and operations under the labels of one worker's processors, which it alone writes
/// while processors run.
class label_counters {
 public:
  [[nodiscard]] label_tree& tree() { return m_tree; }
  [[nodiscard]] label_tree const& tree() const { return m_tree; }
  /// Counts a message of `words` > 0. Errors: std::bad_alloc.
  void count(step_of_label const& at, std::uint64_t words, std::uint64_t hops) {
    if (m_last == nullptr || m_last->first != at) m_last = &*m_steps.try_emplace(at).first;
    m_last->second.add({1, words, words, hops});
  }
  void count_operations(label_number label, std::uint64_t operations) {
    if (m_operations.size() <= label) m_operations.resize(m_tree.size());
    m_operations[label] += operations;
  }
  /// Calls visit(at, messages) for the steps of labels in [begin, end).
  template <class Visitor>
  void visit_steps(std::uint64_t begin, std::uint64_t end, Visitor&& visit) const {
    for (auto const& [at, messages] : m_steps)
      if (begin <= at.step && at.step < end) visit(at, messages);
  }
  /// Adds messages that were counted elsewhere. Errors: std::bad_alloc.
  void add(step_of_label const& at, labelled_step const& messages) {
    m_steps[at].add(messages);
    m_last = nullptr;
  }
  /// Moves the messages before step `end`, with the numbers that another tree has for their labels.
  void move_to(std::vector<std::pair<step_of_label, labelled_step>>& list, std::uint64_t end,
               std::vector<label_number> const& numbers);
  /// The operations by label.
  [[nodiscard]] std::vector<std::uint64_t> const& operations() const { return m_operations; }
  [[nodiscard]] std::size_t entries() const { return m_steps.size(); }
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct hash {
    [[nodiscard]] std::size_t operator()(step_of_label const& of) const {
      constexpr std::uint64_t spread = 0x9E37'79B9'7F4A'7C15;  // 2^64 / golden ratio
      return (of.step * spread + of.label) * spread;
    }
  };

  label_tree m_tree;
  using step_map = std::unordered_map<step_of_label, labelled_step, hash>;
  step_map m_steps;
  step_map::value_type* m_last = nullptr;  ///< the one that was counted in last
  std::vector<std::uint64_t> m_operations;
};

/// The sums over the labels of a run, as far as its steps are over.
class label_sums {
 public:
  /// Adds the steps before `end` of one worker to those that wait to be summed up.
  void take(label_counters& of, std::uint64_t end);
  /// Sums up what was taken: all of the steps that it lies in.
  void sum_up();
  /// Gives the records of all labels; afterwards there are none.
  [[nodiscard]] std::vector<label_record> records(
      std::vector<label_counters const*> const& workers);
  [[nodiscard]] std::size_t bytes() const {
    return m_tree.bytes() + m_records.capacity() * sizeof(label_record) +
           m_taken.capacity() * sizeof(m_taken.front());
  }

 private:
  label_tree m_tree;
  std::vector<label_record> m_records;  ///< by number
  std::vector<std::pair<step_of_label, labelled_step>> m_taken;
};

}  // namespace lockstep::detail
