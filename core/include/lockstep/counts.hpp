#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

namespace lockstep {

/// The cost of a run on the machine that it was written for: exact, and the same on every engine.
/// docs/figures.md says which figure answers which question, and what to watch for.
struct counts {
  std::uint64_t steps = 0;     ///< last step in which a message came in
  std::uint64_t rounds = 0;    ///< the same, empty messages included
  std::uint64_t startups = 0;  ///< steps (pipelined runs of steps) that pay a start-up
  /// The sum over steps of the words of the largest message. A run of pipelined rounds counts once
  /// instead, with the largest over processors of max(words sent, words received) in it; runs that
  /// overlap in time count as one (counting rule 5).
  std::uint64_t words = 0;
  std::uint64_t volume = 0;          ///< all words of all messages
  std::uint64_t messages = 0;        ///< all messages but empty ones
  std::uint64_t hops = 0;            ///< sum over steps of the longest route, in links
  std::uint64_t barriers = 0;        ///< steps - 1, or 0
  std::uint64_t rearrangements = 0;  ///< most calls of `rearrange` by one processor
  std::uint64_t rearranged = 0;      ///< sum over rearrangements of the largest, in words
  std::uint64_t contention = 0;  ///< largest number of messages on one directed link in one step
  std::uint64_t serialised_steps = 0;  ///< steps if messages that share a link take turns
  std::uint64_t queued = 0;            ///< longest wait of a message, in steps
  /// The words where messages that share a link take turns: the sum over steps of the most words
  /// over one directed link. A run of pipelined rounds counts once, with the larger of its words
  /// and the most words over one link in it. At least `words`, and equal where no link is shared.
  std::uint64_t link_words = 0;
  /// Start-ups of pipelined runs on a Block Distributed Memory machine, in addition to the one that
  /// each pays, where several processors ask one owner in one one-sided round: the steps of the run
  /// in which messages of such requests came in, less one (counting rule 10).
  std::uint64_t hot_startups = 0;
  /// Local operations (`processor::work`) on the critical path: the sum over steps, and over what
  /// barriers part within a step, of the most operations of a processor. A run of pipelined rounds
  /// counts once, with the most of a processor in it (counting rule 14).
  std::uint64_t work = 0;
  std::uint64_t operations = 0;  ///< all local operations of all processors
  /// Most memory that a processor held at a time of what it took from `processor::memory`, in words
  /// (`machine_options::word_bytes`). Of the whole run: 0 in a step or a phase.
  std::uint64_t memory = 0;

  friend bool operator==(counts const&, counts const&) = default;
};

/// Calls `visit(name, value)` for each figure, in the order of declaration.
template <class Visitor>
constexpr void for_each_figure(counts const& of, Visitor&& visit) {
  visit("steps", of.steps);
  visit("rounds", of.rounds);
  visit("startups", of.startups);
  visit("words", of.words);
  visit("volume", of.volume);
  visit("messages", of.messages);
  visit("hops", of.hops);
  visit("barriers", of.barriers);
  visit("rearrangements", of.rearrangements);
  visit("rearranged", of.rearranged);
  visit("contention", of.contention);
  visit("serialised_steps", of.serialised_steps);
  visit("queued", of.queued);
  visit("link_words", of.link_words);
  visit("hot_startups", of.hot_startups);
  visit("work", of.work);
  visit("operations", of.operations);
  visit("memory", of.memory);
}

/// The same for printed counts: `memory` only where the program took any, `work` and `operations`
/// only where it counts some, `hot_startups` only where pipelined requests meet, and `link_words`
/// only where they are not the words, since messages share links.
template <class Visitor>
constexpr void for_each_shown_figure(counts const& of, Visitor&& visit) {
  for_each_figure(of, [&](std::string_view name, std::uint64_t value) {
    bool const may_be_unused =
        name == "memory" || name == "hot_startups" || name == "work" || name == "operations";
    if (may_be_unused && value == 0) return;
    if (name == "link_words" && value == of.words) return;
    visit(name.data(), value);
  });
}

/// Whether messages share links: several of a step, or those of a pipelined run bring more words
/// over one than any processor sends or takes in.
[[nodiscard]] constexpr bool shares_links(counts const& of) {
  return of.contention > 1 || of.link_words > of.words;
}
/// The counts of the same run where messages that share a link take turns: `link_words` in place of
/// `words`, and `serialised_steps` in place of `steps`, where they are more. Start-ups stay as they
/// are: a message that waits for a link has been started.
[[nodiscard]] constexpr counts with_turns_on_links(counts of) {
  if (of.link_words > of.words) of.words = of.link_words;
  if (of.serialised_steps > of.steps) of.steps = of.serialised_steps;
  return of;
}

/// "steps 10, rounds 10, startups 10, ..."
[[nodiscard]] std::string to_string(counts const& of);
std::ostream& operator<<(std::ostream& out, counts const& of);

/// The index of no phase: that of a step before the first.
inline constexpr std::size_t no_phase = std::numeric_limits<std::size_t>::max();

/// The figures of one step. Summed (contention and queued: maximised) over the steps they give the
/// run's, but for these: `steps` is 1 in a step with a message, `rounds` 1 in a step with any,
/// empty ones included; barriers, rearrangements and rearranged are 0. The start-up and the words
/// of a pipelined run stand in the run's first step with a message, its work in its first step.
struct step_record : counts {
  std::uint64_t step = 0;        ///< its number, from 1
  std::size_t phase = no_phase;  ///< index into phases()
  std::uint64_t largest = 0;     ///< words of the largest message

  friend bool operator==(step_record const&, step_record const&) = default;
};

/// The figures of one phase (`processor::phase`), from the step in which it began to that of the
/// next. steps = last step with a message - first_step + 1, or 0 without one (counting rule 9).
struct phase_record : counts {
  std::string name;
  std::uint64_t first_step = 0;  ///< the step in which it began
  std::uint64_t port_words = 0;  ///< largest over processors of max(words sent, words received)

  friend bool operator==(phase_record const&, phase_record const&) = default;
};

/// The index of no label: that of a label at the outermost level.
inline constexpr std::size_t no_label = std::numeric_limits<std::size_t>::max();

/// The figures of one label (`processor::label`): of the messages that processors took in under it and
/// under labels inside of it, and of the work that they did there. They are sums over steps, in which
/// each step with a message counts once, in a run of pipelined rounds too.
struct label_record {
  std::string name{};
  std::size_t inside = no_label;  ///< index into labels() of the label that encloses it
  std::uint64_t first_step = 0;   ///< the first in which a processor gave it; messages under it may
                                  ///< have come in earlier, where they were asked for late
  std::uint64_t steps = 0;        ///< steps in which such messages came in
  std::uint64_t words = 0;        ///< the sum over these steps of the words of the largest message
  std::uint64_t volume = 0;       ///< all words
  std::uint64_t messages = 0;     ///< all of them but empty ones
  std::uint64_t hops = 0;         ///< sum over the steps of the longest route, in links
  std::uint64_t operations = 0;   ///< all local operations

  friend bool operator==(label_record const&, label_record const&) = default;
};

/// Calls `visit(name, value)` for each figure, in the order of declaration.
template <class Visitor>
constexpr void for_each_figure(label_record const& of, Visitor&& visit) {
  visit("steps", of.steps);
  visit("words", of.words);
  visit("volume", of.volume);
  visit("messages", of.messages);
  visit("hops", of.hops);
  visit("operations", of.operations);
}

/// The traffic of one processor, in words, in whole packets, its memory, and its local work.
struct processor_record {
  std::uint64_t words_sent = 0;
  std::uint64_t words_received = 0;
  std::uint64_t memory = 0;      ///< most that it held at a time, as `counts::memory`
  std::uint64_t operations = 0;  ///< that it did itself (`processor::work`)

  friend bool operator==(processor_record const&, processor_record const&) = default;
};

}  // namespace lockstep

template <>
struct fmt::formatter<lockstep::counts> : fmt::formatter<std::string_view> {
  /// In the library, so that a program needs no more of fmt than what prints.
  auto format(lockstep::counts const& of, fmt::format_context& context) const
      -> fmt::format_context::iterator;
  template <class Context>
  auto format(lockstep::counts const& of, Context& context) const {
    return fmt::formatter<std::string_view>::format(lockstep::to_string(of), context);
  }
};
