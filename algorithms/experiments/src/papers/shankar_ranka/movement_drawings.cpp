#include "papers/shankar_ranka/movement_drawings.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "papers/measured_algorithm.hpp"
#include "papers/shankar_ranka/drawn_write.hpp"
#include "papers/shankar_ranka/text_rows.hpp"
#include "random_access/number_access.hpp"

namespace lockstep {

namespace {

/// The remaining elements of a processor for one destination.
struct sorted_segment {
  int destination = 0;
  std::vector<std::uint64_t> pointers{};
  bool began_before = false;
  bool goes_on = false;
};

/// The segments of a processor, and their elements in Figure 11's letters.
struct sorted_processor {
  std::vector<sorted_segment> segments{};
  std::uint64_t alpha = 0;   ///< preceding partial
  std::uint64_t beta = 0;    ///< full
  std::uint64_t gamma = 0;   ///< succeeding partial
  std::uint64_t r_prec = 0;  ///< of lower ranks, where the first segment goes
};

[[nodiscard]] bool is_full_segment(sorted_segment const& of) {
  return !of.began_before && !of.goes_on;
}

/// Counts a processor's elements for a destination.
[[nodiscard]] std::uint64_t elements_for(sorted_processor const& of, int destination) {
  std::uint64_t elements = 0;
  for (auto const& segment : of.segments)
    if (segment.destination == destination) elements += segment.pointers.size();
  return elements;
}

/// Cuts the pointers that a processor has left where their owner changes.
[[nodiscard]] sorted_processor cut_by_owner(bucket_layout const& layout,
                                            bucket_numbers const& pointers) {
  sorted_processor made;
  for (auto const pointer : pointers) {
    auto const to = layout.owner(static_cast<std::size_t>(pointer));
    if (made.segments.empty() || made.segments.back().destination != to)
      made.segments.push_back({.destination = to});
    made.segments.back().pointers.push_back(pointer);
  }
  return made;
}

/// Finds the kinds of a processor's segments by what others have for the same destinations.
void find_kinds(std::vector<sorted_processor>& all, std::size_t rank) {
  auto& here = all[rank];
  for (std::size_t other = 0; other < all.size(); ++other) {
    if (other == rank) continue;
    for (auto& segment : here.segments)
      if (elements_for(all[other], segment.destination) > 0)
        (other < rank ? segment.began_before : segment.goes_on) = true;
    if (other < rank && !here.segments.empty())
      here.r_prec += elements_for(all[other], here.segments.front().destination);
  }
  for (auto const& segment : here.segments)
    (segment.began_before ? here.alpha
     : segment.goes_on    ? here.gamma
                          : here.beta) += segment.pointers.size();
}

/// Cuts what each processor has left into segments.
[[nodiscard]] std::vector<sorted_processor> segments_of(bucket_layout const& layout,
                                                        std::vector<bucket_numbers> const& left) {
  std::vector<sorted_processor> all;
  for (auto const& pointers : left) all.push_back(cut_by_owner(layout, pointers));
  for (std::size_t rank = 0; rank < all.size(); ++rank) find_kinds(all, rank);
  return all;
}

[[nodiscard]] std::string segment_text(sorted_segment const& of) {
  return fmt::format("{} -> {}", fmt::join(of.pointers, " "), processor_name(of.destination));
}

/// Counts the most processors that one sends to, or receives from: section 6's q.
[[nodiscard]] std::size_t most_partners(std::vector<message_record> const& messages) {
  std::map<int, std::size_t> sent;
  std::map<int, std::size_t> received;
  std::size_t most = 0;
  for (auto const& message : messages)
    most = std::max({most, ++sent[message.from], ++received[message.to]});
  return most;
}

/// Whether the segments of all processors are what section 6 says of them.
[[nodiscard]] bool are_as_said(drawn_write const& write, std::vector<sorted_processor> const& all) {
  auto const q = most_partners(write.told.messages_in("sends"));
  for (int rank = 0; rank < processors_of_figures; ++rank) {
    auto const& one = all[static_cast<std::size_t>(rank)];
    auto const s = one.alpha + one.beta + one.gamma;
    auto const own = std::ranges::count(one.segments, rank, &sorted_segment::destination);
    auto const to_others = one.segments.size() - static_cast<std::size_t>(own);
    if (s > write.layout.block_size() || to_others > q) return false;
    for (std::size_t i = 0; i < one.segments.size(); ++i)
      if ((one.segments[i].began_before && i != 0) ||
          (one.segments[i].goes_on && i + 1 != one.segments.size()))
        return false;
  }
  return true;
}

[[nodiscard]] printed_figure figure_10(drawn_write const& write,
                                       std::vector<sorted_processor> const& all) {
  text_rows rows{{"", "preceding partial", "full", "succeeding partial", "alpha", "beta", "gamma"}};
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    auto const& one = all[rank];
    std::string preceding;
    std::string succeeding;
    std::vector<std::string> full;
    for (auto const& segment : one.segments)
      if (is_full_segment(segment))
        full.push_back(segment_text(segment));
      else
        (segment.began_before ? preceding : succeeding) = segment_text(segment);
    rows.push_back({processor_name(static_cast<int>(rank)), preceding,
                    fmt::format("{}", fmt::join(full, ", ")), succeeding,
                    fmt::format("{}", one.alpha), fmt::format("{}", one.beta),
                    fmt::format("{}", one.gamma)});
  }
  return {
      "Figure 10: Segments in a processor during the Monotonic RAW algorithm",
      "Figure 4's pointers in order, the last of each run of equal ones; beta is for full segments "
      "and gamma for succeeding\nones, as Figure 11 uses them: section 6 has these two letters the "
      "other way round (number 4)\n" +
          aligned(rows),
      are_as_said(write, all),
      "our text lacks the drawing; compared: section 6, only the first segment can be "
      "preceding, and only the last succeeding, s <= n/p, and \"as many as q segments\", those "
      "of a processor for itself not counted"};
}

/// Finds the place of a segment in the order of Figure 11: succeeding, full, preceding.
[[nodiscard]] int turn_of(sorted_segment const& of) {
  return of.began_before ? 2 : of.goes_on ? 0 : 1;
}

/// The messages of a processor in its steps, and whether they are those of its segments, in the
/// order of Figure 11.
struct sent_in_steps {
  std::vector<std::string> steps;
  bool is_in_order = true;
};

/// Finds the messages of a processor. `first_step`: no message is from an earlier one.
[[nodiscard]] sent_in_steps sent_by(int rank, sorted_processor const& of,
                                    std::vector<message_record> const& messages,
                                    std::uint64_t first_step) {
  sent_in_steps made;
  std::size_t to_others = 0;
  int last_turn = 0;
  for (auto const& message : messages) {  // by step
    if (message.from != rank) continue;
    auto const step = static_cast<std::size_t>(message.step - first_step);
    if (step >= made.steps.size()) made.steps.resize(step + 1);
    made.steps[step] = fmt::format("{} to {}", message.words, processor_name(message.to));
    auto const segment = std::ranges::find(of.segments, message.to, &sorted_segment::destination);
    if (segment == of.segments.end() || segment->pointers.size() != message.words ||
        turn_of(*segment) < last_turn)
      made.is_in_order = false;
    else
      last_turn = turn_of(*segment);
    ++to_others;
  }
  auto const own = std::ranges::count(of.segments, rank, &sorted_segment::destination);
  made.is_in_order =
      made.is_in_order && to_others + static_cast<std::size_t>(own) == of.segments.size();
  return made;
}

[[nodiscard]] bool has_turn(sorted_processor const& of, int turn) {
  return std::ranges::any_of(of.segments,
                             [&](sorted_segment const& one) { return turn_of(one) == turn; });
}

/// Finds the first step of messages; 0 without any.
[[nodiscard]] std::uint64_t first_step_of(std::vector<message_record> const& messages) {
  if (messages.empty()) return 0;
  return std::ranges::min(messages, {}, &message_record::step).step;
}

[[nodiscard]] printed_figure figure_11(drawn_write const& write,
                                       std::vector<sorted_processor> const& all) {
  auto const messages = write.told.messages_in("sends");
  auto const first_step = first_step_of(messages);
  text_rows rows{{"", "s_bit", "s_data", "r_prec"}};
  bool is_as_said = !messages.empty();
  std::size_t steps = 0;
  for (int rank = 0; rank < processors_of_figures; ++rank) {
    auto const& one = all[static_cast<std::size_t>(rank)];
    auto const sent = sent_by(rank, one, messages, first_step);
    bool const begins = has_turn(one, 0) || has_turn(one, 1);
    rows.push_back({processor_name(rank), begins ? "1" : "0",
                    fmt::format("{}", begins ? one.gamma : one.alpha),
                    has_turn(one, 2) ? fmt::format("{}", one.r_prec) : "-"});
    rows.back().insert(rows.back().end(), sent.steps.begin(), sent.steps.end());
    is_as_said = is_as_said && sent.is_in_order && one.r_prec <= write.layout.block_size();
    steps = std::max(steps, sent.steps.size());
  }
  for (std::size_t step = 1; step <= steps; ++step)
    rows.front().push_back(fmt::format("step {}", step));
  return {"Figure 11: Algorithm for Monotonic RAW",
          "s_bit, s_data and r_prec computed from Figure 10's segments, not read from the run's "
          "scans;\nin each step the run's messages, without those of a processor to itself\n" +
              aligned(rows),
          is_as_said,
          "the paper prints an algorithm; compared: the order of its messages, the succeeding "
          "partial segment, full ones, and "
          "behind a wait the preceding partial one; the wait is a time there, and steps here; "
          "r_prec <= n/p"};
}

/// A movement of elements between the processors that have them and intermediate ones, or between
/// these and the owners of addresses.
struct movement {
  bool is_of_owners = false;
  std::string phases{};
  std::uint64_t startups = 0;
  std::uint64_t words = 0;  ///< of all messages
};

/// Finds the movements in the phases of a run: both stages of a transportation are one. What counts
/// hits and joins buckets moves nothing from one kind to another.
[[nodiscard]] std::vector<movement> movements_in(told_run const& told) {
  std::vector<movement> found;
  for (auto const& phase : told.phases()) {
    bool const is_stage = phase.name == "stage 1" || phase.name == "stage 2";
    if (!is_stage && phase.name != "sends") continue;
    bool const goes_on = is_stage && !found.empty() && !found.back().is_of_owners;
    if (!goes_on) found.push_back({.is_of_owners = !is_stage});
    auto& last = found.back();
    last.phases += fmt::format("{}{}", goes_on ? ", " : "", phase.name);
    last.startups += phase.startups;
    last.words += phase.volume;
  }
  return found;
}

/// A movement that section 7 describes.
struct said_movement {
  bool is_of_owners = false;
  std::string way{};  ///< "source -> intermediate"
};

/// Adds the movements of a run, by the names of those that section 7 describes.
/// Result: whether there are as many, in the order of those to owners of addresses and others.
[[nodiscard]] bool add_movements(text_rows& rows, std::string title,
                                 std::vector<movement> const& found,
                                 std::vector<said_movement> const& said) {
  rows.push_back({std::move(title)});
  bool is_as_said = found.size() == said.size();
  for (std::size_t i = 0; i < found.size(); ++i) {
    auto const& [is_of_owners, phases, startups, words] = found[i];
    bool const is_this = i < said.size() && said[i].is_of_owners == is_of_owners;
    is_as_said = is_as_said && is_this;
    rows.push_back({fmt::format("  {}", is_this ? said[i].way : "?"), fmt::format("{}", startups),
                    fmt::format("{}", words), phases});
  }
  return is_as_said;
}

}  // namespace

told_run told_read(read_variant variant) {
  constexpr std::size_t buckets = 2;
  auto const pointers = pointers_of_figure_4();
  bucket_layout const layout(pointers.size(), processors_of_figures, buckets);
  told_run told;
  machine const on(crossbar{processors_of_figures}, {.strict = true});
  auto const run = on.run(
      [&](processor& me) {
        std::vector<std::uint64_t> own(layout.size_of(me.rank()));
        for (std::size_t i = 0; i < own.size(); ++i) own[i] = layout.first_of(me.rank()) + i;
        auto const mine = own_part(pointers, layout, me.rank());
        return random_access_read(me, layout, mine, std::span<std::uint64_t const>(own),
                                  {.variant = variant})
                   .values == std::vector<std::uint64_t>(mine.begin(), mine.end());
      },
      told);
  if (!std::ranges::all_of(run.results(), [](bool is_right) { return is_right; }))
    throw wrong_result("a read for a drawing");
  return told;
}

std::vector<printed_figure> sorted_drawings() {
  auto pointers = pointers_of_figure_4();
  std::ranges::sort(pointers);
  auto const write = told_write(std::move(pointers), access_variant::monotonic);
  return sorted_drawings(write, pointers_left(write.told));
}

std::vector<bucket_numbers> pointers_left(told_run const& told) {
  std::vector<bucket_numbers> left;
  for (int rank = 0; rank < processors_of_figures; ++rank)
    left.push_back(told.last_numbers(rank, "equal pointers", "last pointers"));
  return left;
}

std::vector<printed_figure> sorted_drawings(drawn_write const& write,
                                            std::vector<bucket_numbers> const& left) {
  auto const segments = segments_of(write.layout, left);
  return {figure_10(write, segments), figure_11(write, segments)};
}

printed_figure movement_drawing() {
  return movement_drawing(told_write(pointers_of_figure_4(), access_variant::arbitrary).told,
                          told_read(read_variant::requested),
                          told_read(read_variant::whole_buckets));
}

printed_figure movement_drawing(told_run const& write, told_run const& requested,
                                told_run const& whole_buckets) {
  text_rows rows{{"", "start-ups", "words in all", "phases"}};
  std::string const requests = "destination -> intermediate";
  std::string const values = "source -> intermediate";
  std::string const last = "intermediate -> destination";
  bool const is_write =
      add_movements(rows, "RAW", movements_in(write), {{false, values}, {true, last}});
  bool const is_read = add_movements(
      rows, "RAR", movements_in(requested),
      {{false, requests}, {true, "intermediate -> source"}, {true, values}, {false, last}});
  bool const is_shorter =
      add_movements(rows, "RAR, sources are not asked", movements_in(whole_buckets),
                    {{false, requests}, {true, values}, {false, last}});
  return {
      "Figure 13: Data Movement in the RAW/RAR Algorithms",
      "Figure 4's elements, k = 2, a word each; the movements' names are the paper's, phases and "
      "counts the run's\n" +
          aligned(rows),
      is_write && is_read && is_shorter,
      "our text lacks the drawing; compared: section 7, a read \"goes through twice the kind "
      "of communication that a RAW goes through\", "
      "and one way less where sources are not asked"};
}

}  // namespace lockstep
