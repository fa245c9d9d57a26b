#include <lockstep/traces/view_trace.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "traces/quoted.hpp"
#include "traces/view/run_json.hpp"
#include "traces/view/run_recording.hpp"
#include "traces/view/view_page.hpp"
#include "traces/view/whole_file.hpp"

namespace lockstep {

namespace {

std::string title_of(detail::run_recording const& of, view_notes const& notes) {
  if (!notes.title.empty()) return notes.title;
  auto const spec = of.on().topology().spec();
  return of.program().empty() ? fmt::format("a run on {}", spec)
                              : fmt::format("{} on {}", of.program(), spec);
}

}  // namespace

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
void view_trace::ended(run_end const& how) { m_recording->ended(how); }
void view_trace::cut_off(std::string const& why) { m_recording->cut_off(why); }

std::size_t view_trace::prepare() {
  bool const alone = m_beside == nullptr;
  auto const limits = detail::limits_of_each(alone ? 1 : 2);
  auto notes = m_notes;
  notes.title = title_of(*m_recording, notes);
  auto written = detail::run_json(*m_recording, notes, limits);
  std::vector<std::string> runs{std::move(written.json)};
  auto title = notes.title;
  if (!alone) {
    auto others = m_beside->notes();
    others.title = title_of(*m_beside->m_recording, others);
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

void run_record::view(std::filesystem::path const& file, view_notes const& notes) const {
  if (network() == nullptr)
    throw invalid_argument(
        "view of a record without a network: take the record of a machine's run");
  detail::check_members(notes);
  auto const made = m_evidence.recording == nullptr
                        ? std::make_shared<detail::run_recording const>(*this)
                        : m_evidence.recording;
  auto named = notes;
  named.title = title_of(*made, notes);
  std::vector<std::string> const runs{detail::run_json(*made, named).json};
  detail::write_whole_file(file,
                           detail::view_page(detail::as_utf8(named.title), made->figures(), runs));
}

}  // namespace lockstep
