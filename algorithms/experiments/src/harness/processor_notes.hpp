#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <lockstep/processor.hpp>

#include "harness/arguments.hpp"
#include "harness/process_parts.hpp"

namespace lockstep {

/// The notes that the processors of a run take of what they find, besides their results. Where several processes
/// run the machine, each has those of its own processors until `all`. A program that writes anywhere else
/// than into its results or here leaves other processes without it.
template <class Note>
class processor_notes {
 public:
  explicit processor_notes(arguments const& given)
      : m_given(given),
        m_first(own_ranks(given).first),
        m_notes(static_cast<std::size_t>(own_ranks(given).size())) {}

  [[nodiscard]] Note& of(processor const& me) {
    return m_notes[static_cast<std::size_t>(me.rank() - m_first)];
  }
  /// Those of the processors that this process ran.
  [[nodiscard]] std::vector<Note> const& own() const { return m_notes; }
  /// Gives the notes of all processors, after the run, in rank order. All processes call it.
  /// Errors: process_lost.
  [[nodiscard]] std::vector<Note> all() const { return of_all_ranks(m_given, m_notes); }
  /// The same of one member of each.
  template <class Member, class Noted>
  [[nodiscard]] std::vector<Member> all(Member Noted::*member) const {
    std::vector<Member> members;
    members.reserve(m_notes.size());
    for (auto const& one : m_notes) members.push_back(one.*member);
    return of_all_ranks(m_given, std::move(members));
  }

 private:
  arguments m_given;
  int m_first;
  std::vector<Note> m_notes;
};

}  // namespace lockstep
