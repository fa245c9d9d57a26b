#include "engine/counting/label_counters.hpp"

#include <limits>
#include <ranges>

#include <lockstep/assert.hpp>

namespace lockstep::detail {

label_number label_tree::inside(label_number enclosing, std::string_view name, std::uint64_t step) {
  auto& named = m_labels[enclosing].inside;
  if (auto const found = named.find(name); found != named.end()) {
    auto& first_step = m_labels[found->second].first_step;
    first_step = std::min(first_step, step);
    return found->second;
  }
  LOCKSTEP_ASSERT(light, m_labels.size() <= std::numeric_limits<label_number>::max());
  auto const number = static_cast<label_number>(m_labels.size());
  m_labels.push_back({enclosing, step, std::string(name)});
  m_bytes += bytes_of_label + 2 * name.size();
  try {
    named.emplace(name, number);
  } catch (...) {
    m_labels.pop_back();
    m_bytes -= bytes_of_label + 2 * name.size();
    throw;
  }
  return number;
}

std::vector<label_number> label_tree::join(label_tree const& other) {
  std::vector<label_number> numbers{0};
  numbers.reserve(other.size());
  // A label has a higher number than the one that encloses it.
  for (label_number at = 1; at < other.size(); ++at) {
    auto const& theirs = other.m_labels[at];
    numbers.push_back(inside(numbers[theirs.enclosing], theirs.name, theirs.first_step));
  }
  return numbers;
}

std::string label_tree::path(label_number of) const {
  std::vector<label_number> inwards;
  for (; of != 0; of = m_labels[of].enclosing) inwards.push_back(of);
  std::string text;
  for (auto const at : inwards | std::views::reverse) {
    if (!text.empty()) text += " > ";
    text += m_labels[at].name;
  }
  return text;
}

// Without recursion: programs can nest labels as deep as their stacks.
std::vector<label_number> label_tree::in_order() const {
  std::vector<label_number> list;
  std::vector<label_number> left{0};  // the next at the end
  while (!left.empty()) {
    auto const of = left.back();
    left.pop_back();
    if (of != 0) list.push_back(of);
    auto const level = left.insert(left.end(), m_labels[of].inside.size(), 0);
    std::ranges::transform(m_labels[of].inside, level, [](auto const& one) { return one.second; });
    std::stable_sort(level, left.end(), [this](label_number one, label_number other) {
      return m_labels[one].first_step < m_labels[other].first_step;
    });
    std::reverse(level, left.end());
  }
  return list;
}

void label_tree::write_to(label_record& record, label_number of) const {
  record.name = m_labels[of].name;
  record.first_step = m_labels[of].first_step;
}

void label_counters::move_to(std::vector<std::pair<step_of_label, labelled_step>>& list,
                             std::uint64_t end, std::vector<label_number> const& numbers) {
  m_last = nullptr;
  std::erase_if(m_steps, [&](auto const& one) {
    auto const& [at, messages] = one;
    if (at.step >= end) return false;
    list.push_back({{at.step, numbers[at.label]}, messages});
    return true;
  });
}

std::size_t label_counters::bytes() const {
  struct node {  // about what the map allocates for each
    void* links[2];
    std::pair<step_of_label, labelled_step> value;
  };
  return m_steps.size() * sizeof(node) + m_steps.bucket_count() * sizeof(void*) + m_tree.bytes() +
         m_operations.capacity() * sizeof(std::uint64_t);
}

void label_sums::take(label_counters& of, std::uint64_t end) {
  if (of.tree().size() > 1) of.move_to(m_taken, end, m_tree.join(of.tree()));
}

void label_sums::sum_up() {
  m_records.resize(m_tree.size());
  // What counts under a label counts under those that enclose it.
  for (std::size_t at = 0; at < m_taken.size(); ++at) {
    auto outer = m_taken[at];
    outer.first.label = m_tree.enclosing(outer.first.label);
    if (outer.first.label != 0) m_taken.push_back(outer);
  }
  std::ranges::sort(m_taken, {}, [](auto const& one) { return one.first; });
  for (auto at = m_taken.begin(); at != m_taken.end();) {
    auto const [step, label] = at->first;
    labelled_step sum;
    for (; at != m_taken.end() && at->first == step_of_label{step, label}; ++at)
      sum.add(at->second);
    auto& record = m_records[label];
    record.steps += 1;
    record.words += sum.largest;
    record.volume += sum.volume;
    record.messages += sum.messages;
    record.hops += sum.longest_route;
  }
  constexpr std::size_t most_kept = std::size_t{1} << 16U;
  m_taken.clear();
  if (m_taken.capacity() > most_kept) m_taken.shrink_to_fit();
}

std::vector<label_record> label_sums::records(std::vector<label_counters const*> const& workers) {
  std::vector<std::vector<label_number>> numbers;
  for (auto const* const of : workers) numbers.push_back(m_tree.join(of->tree()));
  sum_up();
  for (std::size_t worker = 0; worker < workers.size(); ++worker) {
    auto const& operations = workers[worker]->operations();
    for (label_number label = 1; label < operations.size(); ++label)
      m_records[numbers[worker][label]].operations += operations[label];
  }
  // A label has a higher number than the one that encloses it.
  for (auto label = static_cast<label_number>(m_tree.size()); label-- > 1;)
    m_records[m_tree.enclosing(label)].operations += m_records[label].operations;
  std::vector<std::size_t> places(m_tree.size(), no_label);
  std::vector<label_record> list;
  for (auto const label : m_tree.in_order()) {
    places[label] = list.size();
    m_tree.write_to(m_records[label], label);
    m_records[label].inside = places[m_tree.enclosing(label)];
    list.push_back(std::move(m_records[label]));
  }
  return list;
}

}  // namespace lockstep::detail
