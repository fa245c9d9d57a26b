#include "run_recording.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <lockstep/detail/add_step.hpp>
#include <lockstep/detail/overloaded.hpp>
#include <lockstep/traces/view_trace.hpp>

namespace lockstep::detail {

namespace {

std::size_t length_of(shown_numbers const& numbers) {
  return std::visit([](auto const& list) { return list.size(); }, numbers);
}

std::vector<named_figure> shown_figures(counts const& of) {
  std::vector<named_figure> figures;
  for_each_shown_figure(of, [&](char const* name, std::uint64_t value) {
    figures.push_back({name, value});
  });
  return figures;
}

bool is_of_rearrangements(named_figure const& one) {
  return one.name == "rearrangements" || one.name == "rearranged";
}

/// Says of calls and shows that all are missing, where `why` says that some may be.
std::string said_of_all(std::string_view why) {
  constexpr std::string_view some = "lacks what ";
  return why.starts_with(some) ? fmt::format("lacks all that {}", why.substr(some.size()))
                               : std::string(why);
}

}  // namespace

run_recording::run_recording(machine on, std::string program, std::size_t most_messages,
                             std::size_t most_shown)
    : m_machine(std::move(on)),
      m_program(std::move(program)),
      m_most_messages(most_messages),
      m_most_shown(most_shown) {}

run_recording::run_recording(run_record const& of)
    : run_recording(machine(of.network(), of.options()), {}, view_trace::default_most_messages) {
  keep_steps(of);
  m_ended = true;
}

void run_recording::keep_steps(run_record const& of) {
  keep_totals(of);
  for (auto const& equal : of.steps().stretches()) {
    if (equal.first.rounds == 0) {
      idle_steps(equal.first, equal.steps);
    } else {
      for (std::uint64_t later = 0; later < equal.steps && !m_full; ++later) {
        auto const one = equal.record(later);
        for (auto const& seen : of.messages_in(one.step)) message(seen);
        step(one);
      }
    }
    if (m_full) return;
  }
  if (of.steps_kept() < of.counts().rounds)
    leave_out(
        fmt::format("lacks the messages after step {}, and all that processors called and showed: "
                    "set machine_options::recorded, or give the run a view_trace",
                    of.steps_kept()));
  else
    leave_out(
        "lacks what processors called and showed: set machine_options::recorded, or give the run a "
        "view_trace");
}

std::string grouped(std::uint64_t number) {
  auto digits = fmt::format("{}", number);
  for (auto at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::size_t numbers_in(shown_value const& value) {
  return std::visit(overloaded{[](shown_number const&) { return std::size_t{1}; },
                               [](shown_numbers const& numbers) { return length_of(numbers); },
                               [](shown_matrix const& matrix) { return length_of(matrix.numbers); },
                               [](auto const& list) { return list.size(); }},
                    value);
}

std::uint64_t step_of_page(std::span<step_stretch const> shown, std::uint64_t step) {
  auto const last = shown.empty() ? 0 : shown.back().last_step();
  if (step > last) return shown.size() + std::min(step - last, most_equal_rows);
  auto const first_of = [](step_stretch const& one) { return one.first.step; };
  return static_cast<std::uint64_t>(std::ranges::upper_bound(shown, step, {}, first_of) -
                                    shown.begin());
}

void add_reason(std::string& left_out, std::string const& why) {
  left_out += left_out.empty() ? why : "; it " + why;
}

std::string run_recording::left_out() const {
  if (m_ended) return m_left_out;
  return "has no run, for none has ended that was told to it";
}

std::vector<named_figure> run_recording::figures() const {
  auto figures = shown_figures(m_total);
  if (!m_knows_rearrangements) std::erase_if(figures, is_of_rearrangements);
  return figures;
}

std::vector<named_figure> run_recording::lengths() const {
  std::vector<named_figure> all;
  if (m_span > 0) all.push_back({"span", m_span});
  if (m_makespan > m_total.rounds) all.push_back({"makespan", m_makespan});
  return all;
}

std::vector<named_figure> run_recording::figures_of(recorded_phase const& phase) {
  auto figures = shown_figures(phase.figures);
  if (phase.port_words)
    figures.push_back({"port_words", *phase.port_words});
  else
    std::erase_if(figures, is_of_rearrangements);
  return figures;
}

void run_recording::check_is_first_run() const {
  if (m_ended)
    throw invalid_argument(
        "a view_trace that was told of a second run: a page has room for one; give each run a "
        "view_trace of its own");
}

void run_recording::check_rank(int rank) const {
  if (rank >= m_machine.size())
    throw invalid_argument(
        fmt::format("a view_trace for {} that was told of processor {}: give it the machine that "
                    "runs",
                    m_machine.topology().spec(), rank));
}

void run_recording::check_network(topology const& ran_on) const {
  auto const expected = m_machine.topology().spec();
  if (auto const spec = ran_on.spec(); spec != expected)
    throw invalid_argument(fmt::format(
        "a view_trace for {} that was told of a run on {}: give it the machine that runs", expected,
        spec));
}

void run_recording::cut_off(std::string const& why) {
  check_is_first_run();
  leave_out(why);
}

void run_recording::phase(phase_start const& begun) {
  check_is_first_run();
  m_phases.push_back({std::string(begun.name), begun.step, {}, {}});
}

void run_recording::message(message_record const& seen) {
  check_is_first_run();
  check_rank(std::max(seen.from, seen.to));
  if (!m_full) m_messages.push_back(seen);
}

// The messages of a step are told before it.
void run_recording::step(step_record const& seen) {
  check_is_first_run();
  if (m_full) return;
  if (!has_room_for(1)) join_idle_steps();
  m_full = m_messages.size() > m_most_messages || !has_room_for(1);
  if (!m_full) return m_steps.push_back({seen, 1});
  leave_out(fmt::format("ends after step {}: a page has room for {} messages and {} steps",
                        last_step(), grouped(m_most_messages), grouped(view_trace::most_steps)));
  auto const first_left_out = std::ranges::find_if(
      m_messages, [&](message_record const& one) { return one.step >= seen.step; });
  m_messages.erase(first_left_out, m_messages.end());
}

bool run_recording::has_room_for(std::uint64_t steps) const {
  return m_steps.size() + steps <= view_trace::most_steps;
}

/// Makes one step of the page of idle ones in a row, those that come later included.
void run_recording::join_idle_steps() {
  if (m_joins_idle_steps) return;
  m_joins_idle_steps = true;
  std::vector<step_stretch> joined;
  for (auto const& one : m_steps) {
    bool const goes_on = !joined.empty() && one.first.rounds == 0 &&
                         joined.back().first.rounds == 0 &&
                         joined.back().first.phase == one.first.phase;
    if (goes_on)
      joined.back().steps += one.steps;
    else
      joined.push_back(one);
  }
  m_steps = std::move(joined);
}

// Up to as many as `table` shows one by one are, if the page has room for them.
void run_recording::idle_steps(step_record const& first, std::uint64_t count) {
  bool const is_long = count > most_equal_rows;
  if (!is_long && !has_room_for(count)) join_idle_steps();
  step(first);
  if (m_full || count <= 1) return;
  if (is_long || m_joins_idle_steps) {
    m_steps.back().steps = count;
    return;
  }
  for (std::uint64_t later = 1; later < count; ++later) {
    auto one = first;
    one.step += later;
    step(one);
  }
}

void run_recording::call(call_record const& made) {
  check_is_first_run();
  check_rank(made.rank);
  m_calls.push_back(made);
  m_frame_of_call.push_back(number_of(made.frame));
}

/// Finds the number of a frame, which with those around it is kept at first.
int run_recording::number_of(call_frame const* frame) {
  if (frame == nullptr) return -1;
  if (auto const known = m_frame_numbers.find(frame); known != m_frame_numbers.end())
    return known->second;
  int const caller = number_of(frame->caller);
  m_frames.push_back({frame->line, caller});
  return m_frame_numbers[frame] = static_cast<int>(m_frames.size()) - 1;
}

void run_recording::said(call_record const& /*made*/, std::string_view text) {
  auto const [at, is_new] = m_text_numbers.try_emplace(std::string(text), m_texts.size());
  if (is_new) m_texts.push_back(at->first);
  m_calls.back().words = at->second;
}

// Shows come by rank, so that the step from which on they do not fit goes back as they come.
void run_recording::shown(shown_record const& value) {
  bool const is_of_page = !m_full || value.step <= last_step();
  if (!is_of_page || value.step >= m_shows_end) return;
  auto const numbers = numbers_in(value.value);
  m_shows.push_back(value);
  m_shown_after[value.step] += numbers;
  m_shown_numbers += numbers;
  while (m_shown_numbers > m_most_shown) leave_out_last_shown_step();
  if (m_left_out_numbers > m_most_shown) forget_left_out_shows();
}

void run_recording::leave_out_last_shown_step() {
  auto const last = std::prev(m_shown_after.end());
  m_shows_end = last->first;
  m_shown_numbers -= last->second;
  m_left_out_numbers += last->second;
  m_shown_after.erase(last);
}

void run_recording::forget_left_out_shows() {
  std::erase_if(m_shows, [&](shown_record const& one) { return one.step >= m_shows_end; });
  m_left_out_numbers = 0;
}

void run_recording::end_shows() {
  if (m_shows_end == std::numeric_limits<std::uint64_t>::max()) return;
  forget_left_out_shows();
  leave_out(fmt::format("lacks what processors showed{}: {} numbers fit",
                        m_shows_end == 0 ? "" : fmt::format(" after step {}", m_shows_end - 1),
                        grouped(m_most_shown)));
}

void run_recording::ended(run_end const& how) {
  check_is_first_run();
  if (how.record != nullptr && how.record->network() != nullptr)
    check_network(*how.record->network());
  m_ended = true;
  if (!how.calls_left_out.empty()) leave_out(said_of_all(how.calls_left_out));
  end_shows();
  if (how.failure != nullptr) note_failure(how.failure);
  if (how.record == nullptr) return sum_up_what_came(how.calls_left_out.empty());
  keep_totals(*how.record);
}

void run_recording::keep_totals(run_record const& of) {
  m_total = of.counts();
  m_span = of.span();
  m_makespan = of.makespan();
  m_labels = of.labels();
  m_phases.clear();
  for (auto const& one : of.phases())
    m_phases.push_back({one.name, one.first_step, one, one.port_words});
}

void run_recording::note_failure(std::exception_ptr const& failure) {
  m_failed = true;
  try {
    std::rethrow_exception(failure);
  } catch (error const& thrown) {
    m_failure = {std::string(class_name(thrown)), thrown.message(), thrown.at()};
  } catch (std::exception const& thrown) {
    m_failure = {"exception", thrown.what(), {}};
  } catch (...) {
    m_failure = {"exception", "an exception that is not a std::exception", {}};
  }
}

/// Sums up what a run that failed did.
void run_recording::sum_up_what_came(bool with_calls) {
  m_knows_rearrangements = with_calls;
  if (with_calls) sum_up_rearrangements();
  for (auto const& [one, equal] : m_steps) {  // idle steps add 0
    add_step(m_total, one, one.step);
    if (one.phase >= m_phases.size()) continue;
    auto& phase = m_phases[one.phase];
    add_step(phase.figures, one, one.step - phase.first + 1);
  }
}

/// Sums up the largest over processors of each one's first rearrangement, second, and so on.
void run_recording::sum_up_rearrangements() {
  std::vector<std::uint64_t> largest;
  std::map<int, std::size_t> made;  // by rank
  for (auto const& one : m_calls) {
    if (one.kind != call_kind::rearrange) continue;
    auto const number = made[one.rank]++;
    largest.resize(std::max(largest.size(), number + 1));
    largest[number] = std::max(largest[number], one.words);
  }
  m_total.rearrangements = largest.size();
  m_total.rearranged = std::accumulate(largest.begin(), largest.end(), std::uint64_t{0});
}

}  // namespace lockstep::detail
