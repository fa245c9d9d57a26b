#pragma once

#include <cstddef>
#include <vector>

#include <lockstep/cluster.hpp>
#include <lockstep/detail/gathered.hpp>
#include <lockstep/processor.hpp>

#include "harness/arguments.hpp"

namespace lockstep {

/// The notes that the processors of a run take of what they find, besides their results. Where several processes
/// run the machine, each has those of its own processors until `all`. A program that writes anywhere else
/// than into its results or here leaves other processes without it.
template <class Note>
class processor_notes {
 public:
  explicit processor_notes(arguments const& given)
      : m_processes(given.request().options.cluster), m_own{0, given.processors()} {
    if (m_processes != nullptr)
      m_own = detail::process_shares(given.processors(), m_processes->processes())
                  .of(m_processes->process());
    m_notes.resize(static_cast<std::size_t>(m_own.size()));
  }

  [[nodiscard]] Note& of(processor const& me) {
    return m_notes[static_cast<std::size_t>(me.rank() - m_own.first)];
  }
  /// Those of the processors that this process ran.
  [[nodiscard]] std::vector<Note> const& own() const { return m_notes; }
  /// Gives the notes of all processors, after the run, in rank order. All processes call it.
  /// Errors: process_lost.
  [[nodiscard]] std::vector<Note> all() const { return gathered(m_notes); }
  /// The same of one member of each.
  template <class Member, class Noted>
  [[nodiscard]] std::vector<Member> all(Member Noted::*member) const {
    std::vector<Member> members;
    members.reserve(m_notes.size());
    for (auto const& one : m_notes) members.push_back(one.*member);
    return gathered(members);
  }

 private:
  template <detail::gatherable T>
  [[nodiscard]] std::vector<T> gathered(std::vector<T> const& own) const {
    return m_processes == nullptr ? own : detail::results_of_all(*m_processes, own);
  }

  cluster* m_processes;
  rank_range m_own;
  std::vector<Note> m_notes;
};

}  // namespace lockstep
