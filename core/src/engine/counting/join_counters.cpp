// How the counters of all processes of a cluster come together: each has those of all steps that are over.

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/cluster/process_team.hpp"
#include "engine/counting/run_counters.hpp"

namespace lockstep::detail {

namespace {

struct labelled_messages {
  step_of_label at;
  labelled_step messages;
};

void put_tree(byte_writer& to, label_tree const& tree) {
  to.put(tree.size() - 1);
  tree.visit([&](label_number enclosing, std::uint64_t first_step, std::string const& name) {
    to.put(enclosing);
    to.put(first_step);
    to.put_text(name);
  });
}

/// Finds or makes the labels of another process in a tree. Result: by the other's numbers.
std::vector<label_number> get_tree(byte_reader& from, label_tree& into) {
  std::vector<label_number> numbers{0};
  for (auto left = from.get<std::size_t>(); left > 0; --left) {
    auto const enclosing = from.get<label_number>();
    auto const first_step = from.get<std::uint64_t>();
    numbers.push_back(into.inside(numbers.at(enclosing), from.get_text(), first_step));
  }
  return numbers;
}

struct counted_step {
  std::uint64_t step;
  step_counters counters;
};

/// Writes the part of a row in the steps [first, end) for a process, if there is any.
void put_row(byte_writer& to, link_use row, std::uint64_t first, std::uint64_t end) {
  first = std::max(first, row.step);
  end = std::min(end, row.step + row.steps);
  if (first >= end) return;
  row.step = first;
  row.steps = end - first;
  row.where = {};  // a place in the memory of this process
  to.put(row);
}

template <class Value>
std::vector<Value> all_from(std::vector<cluster::bytes> const& batches) {
  std::vector<Value> all;
  for (auto const& batch : batches)
    for (byte_reader from(batch); !from.empty();) all.push_back(from.get<Value>());
  return all;
}

void take_largest(std::vector<std::uint64_t>& into, std::vector<std::uint64_t> const& from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t at = 0; at < from.size(); ++at) into[at] = std::max(into[at], from[at]);
}

}  // namespace

void run_counters::count_with(process_team& team, rank_range own) {
  m_team = &team;
  m_own = own;
  m_by_worker.emplace_back();
  put_off_merging();
}

void run_counters::join_kinds() {
  struct kinds {
    bool long_routes = false;
    bool work = false;
    bool labels = false;
  };
  kinds own{false, counts_work(), m_counts_labels.load(std::memory_order_relaxed)};
  std::vector<std::uint64_t> hot_steps;
  for (auto const& one : own_workers()) {
    own.long_routes = own.long_routes || one.long_routes;
    hot_steps.insert(hot_steps.end(), one.hot_steps.begin(), one.hot_steps.end());
  }
  byte_writer mine;
  mine.put(own);
  mine.put_all(std::span<std::uint64_t const>(hot_steps));
  for (auto const& said : m_team->gather(topic::routes, std::move(mine))) {
    auto from = process_team::read(topic::routes, said);
    auto const other = from.get<kinds>();
    for (auto const step : from.get_all<std::uint64_t>()) m_hot_steps.insert(step);
    m_by_worker.back().long_routes = m_by_worker.back().long_routes || other.long_routes;
    if (other.work) begin_work();
    if (other.labels) begin_labels();
  }
}

void run_counters::join_steps(std::uint64_t end) {
  if (end <= m_joined) return;
  std::vector<std::uint64_t> blocks;
  for (auto const& one : own_workers()) one.steps.append_blocks(m_joined, end, blocks);
  std::ranges::sort(blocks);
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  std::vector<counted_step> counted;
  for (auto const block : blocks) {
    auto const first = block * step_counter_blocks::steps_in_block;
    auto const last = std::min(end - 1, first + step_counter_blocks::steps_in_block - 1);
    for (auto step = std::max(m_joined, first); step <= last; ++step) {
      counted_step one{step, {}};
      for (auto const& worker : own_workers())
        if (auto const* const found = std::as_const(worker.steps).find(step))
          one.counters.add(*found);
      if (one.counters.arrived()) counted.push_back(one);
    }
  }
  byte_writer mine;
  mine.put_all(std::span<counted_step const>(counted));
  auto& others = m_by_worker.back().steps;
  m_team->tell_others(topic::counters, std::move(mine), [&](int, byte_reader& from) {
    for (auto const& one : from.get_all<counted_step>()) {
      if (!others.holds(one.step)) others.select_block_of(one.step);
      others[one.step].add(one.counters);
    }
  });
  if (m_counts_labels.load(std::memory_order_relaxed)) join_labels(m_joined, end);
  m_joined = end;
}

/// Counts the loads of links in these steps, each process in a row of them.
std::vector<link_load> run_counters::share_loads(std::span<std::uint64_t const> steps,
                                                 std::span<std::uint64_t const> equal_words,
                                                 runs_by_processor const& runs) {
  if (steps.empty()) return {};
  auto const processes = static_cast<std::size_t>(m_team->processes());
  auto const first_of = [&](std::size_t process) { return steps.size() * process / processes; };
  auto const process_of = [&](std::size_t at) { return ((at + 1) * processes - 1) / steps.size(); };
  auto const place_of = [&](std::uint64_t step) {
    return static_cast<std::size_t>(std::ranges::lower_bound(steps, step) - steps.begin());
  };
  auto const fill = [&](std::vector<byte_writer>& to) {
    for (auto const& worker : own_workers())
      for (auto const& row : worker.link_uses) {
        auto const end = place_of(row.step + row.steps);
        for (auto at = place_of(row.step); at < end;) {
          auto const process = process_of(at);
          auto const next = first_of(process + 1);
          put_row(to[process], row, steps[at], steps[next - 1] + 1);
          at = next;
        }
      }
  };
  return m_team->share<link_load>(topic::link_loads, fill, [&](auto const& came) {
    auto const rows = all_from<link_use>(came);
    auto const me = static_cast<std::size_t>(m_team->process());
    auto const begin = first_of(me);
    auto const count = first_of(me + 1) - begin;
    return loads_in(steps.subspan(begin, count), equal_words.subspan(begin, count),
                    std::array{std::span<link_use const>(rows)}, runs);
  });
}

/// Finds the first conflict in the steps [begin, end) of a strict machine, each process in some of them.
std::optional<link_conflict> run_counters::share_check(std::uint64_t begin, std::uint64_t end) {
  auto const process_of = [processes = static_cast<std::size_t>(m_team->processes())](
                              std::uint64_t step) {  // mixed: programs may send in every other step
    return (step * 0x9e3779b97f4a7c15 >> 32) % processes;
  };
  auto const fill = [&](std::vector<byte_writer>& to) {
    for (auto const& worker : own_workers())
      for (auto const& use : worker.link_uses) put_row(to[process_of(use.step)], use, begin, end);
  };
  auto const found =
      m_team->share<link_conflict>(topic::link_conflicts, fill, [&](auto const& came) {
        auto uses = all_from<link_use>(came);
        std::vector<link_conflict> conflicts;
        check_uses(uses, conflicts);
        conflicts.resize(std::min<std::size_t>(conflicts.size(), 1));
        return conflicts;
      });
  auto const first =
      std::ranges::min_element(found, {}, [](auto const& one) { return one.later.step; });
  if (first == found.end()) return std::nullopt;
  auto conflict = *first;
  for (auto* const use : {&conflict.earlier, &conflict.later}) find_send(*use);
  return conflict;
}

/// Finds the place of a send on a strict machine, which the sender's process has.
void run_counters::find_send(link_use& sent) {
  byte_writer mine;
  for (auto const& worker : own_workers())
    for (auto const& use : worker.link_uses)
      if (!(use < sent) && !(sent < use)) {
        m_team->put_place(mine, use.where);
        sent.where = use.where;
      }
  m_team->tell_others(topic::sends, std::move(mine), [&](int process, byte_reader& from) {
    if (!from.empty()) sent.where = m_team->get_place(process, from);
  });
}

/// Finds the most words over a link in the pipelined runs that have ended before `end`. Each process counts
/// those of its own messages, and sums up some of the links.
void run_counters::share_words_of_runs(std::span<run_group const> groups, std::uint64_t end,
                                       runs_by_processor const& runs) {
  struct words_on_link {
    std::size_t group;
    std::size_t link;
    std::uint64_t words;
    [[nodiscard]] auto place() const { return std::pair(group, link); }
  };
  auto const processes = static_cast<std::size_t>(m_team->processes());
  auto const fill = [&](std::vector<byte_writer>& to) {
    add_words_of_runs(groups, end, runs, [&](std::size_t group) {
      m_run_words.take_all([&](std::size_t link, std::uint64_t words) {
        to[link % processes].put(words_on_link{group, link, words});
      });
    });
  };
  auto const most = m_team->share<words_on_link>(topic::link_words, fill, [](auto const& came) {
    auto all = all_from<words_on_link>(came);
    std::ranges::sort(all, {}, &words_on_link::place);
    std::vector<words_on_link> most_of_groups;
    for (auto first = all.begin(); first != all.end();) {
      words_on_link sum{first->group, first->link, 0};
      for (auto const place = first->place(); first != all.end() && first->place() == place;
           ++first)
        sum.words += first->words;
      if (most_of_groups.empty() || most_of_groups.back().group != sum.group)
        most_of_groups.push_back(sum);
      else
        most_of_groups.back().words = std::max(most_of_groups.back().words, sum.words);
    }
    return most_of_groups;
  });
  for (std::size_t group = 0; group < groups.size(); ++group)
    if (ends_before(groups[group], end)) m_most_run_words.try_emplace(groups[group].begin, 0);
  for (auto const& one : most) {
    auto& words = m_most_run_words[groups[one.group].begin];
    words = std::max(words, one.words);
  }
}

/// Takes over the messages under labels that arrived in other processes, in the steps [begin, end).
void run_counters::join_labels(std::uint64_t begin, std::uint64_t end) {
  byte_writer mine;
  mine.put(own_workers().size());
  for (auto const& one : own_workers()) {
    put_tree(mine, one.labels.tree());
    std::vector<labelled_messages> list;
    one.labels.visit_steps(begin, end, [&](step_of_label const& at, labelled_step const& messages) {
      list.push_back({at, messages});
    });
    mine.put_all(std::span<labelled_messages const>(list));
  }
  auto& others = m_by_worker.back().labels;
  m_team->tell_others(topic::labels, std::move(mine), [&](int, byte_reader& from) {
    for (auto workers = from.get<std::size_t>(); workers > 0; --workers) {
      auto const numbers = get_tree(from, others.tree());
      for (auto const& [at, messages] : from.get_all<labelled_messages>())
        others.add({at.step, numbers.at(at.label)}, messages);
    }
  });
}

/// Takes over the operations under labels, at the end of a run.
void run_counters::join_operations_of_labels() {
  byte_writer mine;
  mine.put(own_workers().size());
  for (auto const& one : own_workers()) {
    put_tree(mine, one.labels.tree());
    mine.put_all(std::span<std::uint64_t const>(one.labels.operations()));
  }
  auto& others = m_by_worker.back().labels;
  m_team->tell_others(topic::labels, std::move(mine), [&](int, byte_reader& from) {
    for (auto workers = from.get<std::size_t>(); workers > 0; --workers) {
      auto const numbers = get_tree(from, others.tree());
      auto const operations = from.get_all<std::uint64_t>();
      for (std::size_t label = 1; label < operations.size(); ++label)
        if (operations[label] > 0) others.count_operations(numbers.at(label), operations[label]);
    }
  });
}

/// Adds the work of other processes.
void run_counters::join_work(std::vector<work_then>& apart) {
  byte_writer mine;
  mine.put_all(std::span<work_then const>(apart));
  apart.clear();
  for (auto const& said : m_team->gather(topic::work, std::move(mine))) {
    auto const more = process_team::read(topic::work, said).get_all<work_then>();
    apart.insert(apart.end(), more.begin(), more.end());
  }
}

/// Appends the work in pipelined runs of all processes, which know these by their places in the list.
void run_counters::join_work_in_runs(std::vector<work_in_run>& all) {
  struct numbered_work {
    std::uint64_t run;
    std::uint64_t operations;
    work_moment at;
    int rank;
  };
  std::vector<work_in_run> own;
  for (auto& one : own_workers()) one.work.move_runs_to(own);
  std::vector<numbered_work> numbered;
  for (auto const& one : own) {
    auto const at = std::ranges::find(m_runs, one.run, [](auto const& run) { return run.get(); });
    numbered.push_back(
        {static_cast<std::uint64_t>(at - m_runs.begin()), one.operations, one.at, one.rank});
  }
  byte_writer mine;
  mine.put_all(std::span<numbered_work const>(numbered));
  for (auto const& said : m_team->gather(topic::work, std::move(mine)))
    for (auto const& one : process_team::read(topic::work, said).get_all<numbered_work>())
      all.push_back({m_runs.at(one.run).get(), one.rank, one.at, one.operations});
}

/// Takes over the sums of the end of a run.
void run_counters::join_ends() {
  if (m_counts_labels.load(std::memory_order_relaxed)) join_operations_of_labels();
  std::vector<std::uint64_t> rearranged;
  std::vector<std::vector<std::uint64_t>> by_phase(m_phases.size());
  std::vector<kept_message> kept;
  for (auto const& one : own_workers()) {
    take_largest(rearranged, one.rearranged);
    for (std::size_t phase = 0; phase < one.phase_rearranged.size(); ++phase)
      take_largest(by_phase[phase], one.phase_rearranged[phase]);
    kept.insert(kept.end(), one.kept.begin(), one.kept.end());
  }
  byte_writer mine;
  mine.put_all(std::span<std::uint64_t const>(rearranged));
  for (auto const& one : by_phase) mine.put_all(std::span<std::uint64_t const>(one));
  mine.put_all(std::span<kept_message const>(kept));
  auto& others = m_by_worker.back();
  others.phase_rearranged.resize(m_phases.size());
  m_team->tell_others(topic::summary, std::move(mine), [&](int, byte_reader& from) {
    take_largest(others.rearranged, from.get_all<std::uint64_t>());
    for (auto& one : others.phase_rearranged) take_largest(one, from.get_all<std::uint64_t>());
    auto const more = from.get_all<kept_message>();
    others.kept.insert(others.kept.end(), more.begin(), more.end());
  });
}

}  // namespace lockstep::detail
