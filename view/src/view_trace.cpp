#include <lockstep/traces/view_trace.hpp>

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/detail/quoted.hpp>

#include "run_json.hpp"
#include "run_page.hpp"
#include "run_recording.hpp"
#include "view_page.hpp"

namespace lockstep {

view_trace::view_trace(std::ostream& out, machine const& viewed, trace_labels labels,
                       std::size_t most_messages)
    : trace(out, std::move(labels.name)),
      m_recording(std::make_unique<detail::run_recording>(viewed, std::move(labels.program),
                                                          most_messages)) {}

view_trace::~view_trace() = default;

void view_trace::describe(view_notes notes) {
  detail::check_members(notes);
  m_notes = std::move(notes);
  m_page.clear();
}
void view_trace::put_beside(view_trace const& other) {
  m_beside = &other;
  m_page.clear();
}

void view_trace::phase(phase_start const& begun) { m_recording->phase(begun); }
void view_trace::message(message_record const& seen) { m_recording->message(seen); }
void view_trace::step(step_record const& seen) { m_recording->step(seen); }
void view_trace::idle_steps(step_record const& first, std::uint64_t count) {
  m_recording->idle_steps(first, count);
}
void view_trace::call(call_record const& made) { m_recording->call(made); }
void view_trace::shown(shown_record const& value) { m_recording->shown(value); }
void view_trace::said(call_record const& made, std::string_view text) {
  m_recording->said(made, text);
}
void view_trace::ended(run_end const& how) { m_recording->ended(how); }
void view_trace::cut_off(std::string const& why) { m_recording->cut_off(why); }

std::size_t view_trace::prepare() {
  bool const alone = m_beside == nullptr;
  auto const limits = detail::limits_of_each(alone ? 1 : 2);
  auto notes = m_notes;
  notes.title = detail::title_of(*m_recording, notes);
  auto written = detail::run_json(*m_recording, notes, limits);
  std::vector<std::string> runs{std::move(written.json)};
  auto title = notes.title;
  if (!alone) {
    auto others = m_beside->notes();
    others.title = detail::title_of(*m_beside->m_recording, others);
    auto beside = detail::run_json(*m_beside->m_recording, others, limits);
    runs.push_back(std::move(beside.json));
    title = fmt::format("{} beside {}", title, others.title);
  }
  m_page = detail::view_page(detail::as_utf8(title), m_recording->figures(), runs);
  if (!written.left_out.empty()) leave_out(written.left_out);
  return m_page.size();
}

void view_trace::complete() {
  if (m_page.empty()) prepare();
  write(m_page);
  m_page = {};
}

}  // namespace lockstep
