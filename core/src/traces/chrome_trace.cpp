#include <lockstep/traces/chrome_trace.hpp>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <lockstep/detail/quoted.hpp>

namespace lockstep {

namespace {

using detail::json_quoted;

constexpr std::size_t most_links_named = 3;
constexpr auto arrives_in = "which arrives in";

std::string words_text(std::uint64_t words) {
  if (words == 0) return "an empty message";
  return fmt::format("{} {}", words, words == 1 ? "word" : "words");
}

}  // namespace

chrome_trace::chrome_trace(std::ostream& out, machine const& traced, trace_labels labels,
                           std::size_t most_kept)
    : trace(out, std::move(labels.name)),
      m_processors(traced.size()),
      m_most_kept(most_kept),
      m_spec(traced.topology().spec()),
      m_program(std::move(labels.program)) {}

/// Names the tracks at the first event, since a machine may be refused for its size before.
void chrome_trace::begin() {
  if (std::exchange(m_begun, true)) return;
  name_machine();
  for (int track = 0; track <= m_processors; ++track) name_track(track);
}

// The process has the number p, which no rank has. Viewers take the track of the same number for its
// main thread, and show it first: that of the phases.
void chrome_trace::name_machine() {
  auto const title = m_program.empty() ? m_spec : fmt::format("{} on {}", m_program, m_spec);
  write(fmt::format(R"({{"traceEvents":[
{{"ph":"M","name":"process_name","pid":{0},"tid":{0},"args":{{"name":{1}}}}})",
                    m_processors, json_quoted(title)));
}

void chrome_trace::name_track(int track) {
  bool const of_phases = track == m_processors;
  write_event(fmt::format(R"("ph":"M","name":"thread_name","tid":{},"args":{{"name":"{}"}})", track,
                          of_phases ? std::string("phases") : fmt::format("processor {}", track)));
  write_event(
      fmt::format(R"("ph":"M","name":"thread_sort_index","tid":{},"args":{{"sort_index":{}}})",
                  track, of_phases ? -1 : track));
}

/// Writes an event, and adds the number of the process.
void chrome_trace::write_event(std::string_view rest) {
  write(fmt::format(",\n{{\"pid\":{},{}}}", m_processors, rest));
}

void chrome_trace::phase(phase_start const& begun) {
  begin();
  end_phase(begun.step);
  m_phase = begun.name;
  m_phase_begin = begun.step;
}

void chrome_trace::end_phase(std::uint64_t step) {
  if (m_phase_begin == 0 || step <= m_phase_begin) return;
  write_event(fmt::format(R"("ph":"X","cat":"phase","name":{},"tid":{},"ts":{},"dur":{})",
                          json_quoted(m_phase), m_processors, m_phase_begin, step - m_phase_begin));
}

void chrome_trace::message(message_record const& seen) {
  begin();
  if (failed()) return;
  ++m_messages;
  bool const late = seen.sent <= m_written;
  if (late)
    write_late_send(seen);
  else
    m_open[seen.sent].push_back({seen.from, seen.to, true, seen.words, seen.step});
  m_open[seen.step].push_back({seen.to, seen.from, false, seen.words, seen.sent});
  m_ends += late ? 1 : 2;
  draw_arrow(seen, late);
}

/// Draws both ends inside slices. A late send's slice begins half a step after the step does.
void chrome_trace::draw_arrow(message_record const& seen, bool late) {
  constexpr auto* common = R"("cat":"message","name":"message")";
  write_event(fmt::format(R"("ph":"s","id":{},{},"tid":{},"ts":{}.{})", m_messages, common,
                          seen.from, seen.sent, late ? 6 : 2));
  write_event(fmt::format(R"("ph":"f","bp":"e","id":{},{},"tid":{},"ts":{}.4)", m_messages, common,
                          seen.to, seen.step));
}

void chrome_trace::write_late_send(message_record const& seen) {
  auto const name = fmt::format("step {}: sends {} to {} ({} step {})", seen.sent,
                                words_text(seen.words), seen.to, arrives_in, seen.step);
  write_event(fmt::format(R"("ph":"X","cat":"processor","name":{},"tid":{},"ts":{}.5,"dur":0.25)",
                          json_quoted(name), seen.from, seen.sent));
}

void chrome_trace::step(step_record const& seen) {
  begin();
  m_last_step = seen.step;
  if (failed()) return;
  count("messages", m_messages_shown, seen.messages, seen.step);
  count("words", m_words_shown, seen.volume, seen.step);
  while (m_ends > m_most_kept && m_ends - m_most_kept > m_most_kept &&
         m_open.begin()->first <= seen.step)
    write_oldest_step();
}

// The counters fall to 0 in the first of them; nothing happens between it and the last.
void chrome_trace::idle_steps(step_record const& first, std::uint64_t count) {
  auto last = first;
  last.step += count - 1;
  step(first);
  step(last);
}

void chrome_trace::count(std::string_view what, std::uint64_t& last, std::uint64_t now,
                         std::uint64_t step) {
  if (std::exchange(last, now) == now) return;
  write_event(fmt::format(R"("ph":"C","name":"{}","tid":{},"ts":{},"args":{{"per step":{}}})", what,
                          m_processors, step, now));
}

void chrome_trace::write_oldest_step() {
  auto const oldest = m_open.begin();
  auto& ends = oldest->second;
  std::sort(ends.begin(), ends.end(), [](message_end const& left, message_end const& right) {
    auto const key = [](message_end const& of) {
      return std::tuple(of.rank, !of.sends, of.other, of.other_step, of.words);
    };
    return key(left) < key(right);
  });
  for (auto first = ends.begin(); first != ends.end();) {
    auto const last =
        std::find_if(first, ends.end(), [&](auto const& end) { return end.rank != first->rank; });
    write_slice(oldest->first, {first, last});
    first = last;
  }
  m_written = oldest->first;
  m_ends -= ends.size();
  m_open.erase(oldest);
}

namespace {

template <class End>
std::uint64_t sum_of_words(std::span<End const> ends) {
  std::uint64_t words = 0;
  for (auto const& end : ends) words += end.words;
  return words;
}

/// "sends 4 words to 7 and 4 words to 8".
template <class End>
std::string text_of(std::span<End const> ends, std::uint64_t step) {
  bool const sends = ends.front().sends;
  std::string text = sends ? "sends " : "takes in ";
  if (ends.size() > most_links_named)
    return text + fmt::format("{} messages, {} words in all", ends.size(), sum_of_words(ends));
  for (auto const& end : ends) {
    if (&end != &ends.front()) text += " and ";
    text += fmt::format("{} {} {}", words_text(end.words), sends ? "to" : "from", end.other);
    if (end.other_step != step)
      text += fmt::format(" ({} step {})", sends ? arrives_in : "sent in", end.other_step);
  }
  return text;
}

}  // namespace

/// `ends`: of one processor, those that it sends first.
void chrome_trace::write_slice(std::uint64_t step, std::span<message_end const> ends) {
  auto const sent = static_cast<std::size_t>(
      std::count_if(ends.begin(), ends.end(), [](auto const& end) { return end.sends; }));
  auto const out = ends.first(sent);
  auto const in = ends.subspan(sent);
  auto const name =
      fmt::format("step {}: {}{}{}", step, out.empty() ? "" : text_of(out, step),
                  out.empty() || in.empty() ? "" : ", ", in.empty() ? "" : text_of(in, step));
  auto const figures = fmt::format(
      R"("step":{},"messages sent":{},"words sent":{},"messages taken in":{},"words taken in":{})",
      step, out.size(), sum_of_words(out), in.size(), sum_of_words(in));
  write_event(
      fmt::format(R"("ph":"X","cat":"processor","name":{},"tid":{},"ts":{},"dur":1,"args":{{{}}})",
                  json_quoted(name), ends.front().rank, step, figures));
}

void chrome_trace::said(call_record const& made, std::string_view text) {
  if (made.kind != call_kind::label) return;
  begin();
  if (made.rank != m_labelling) end_labels(0, m_last_step + 1);
  m_labelling = made.rank;
  std::size_t kept = 0;
  while (!text.empty()) {
    constexpr std::string_view inside = " > ";
    auto const end = text.find(inside);
    auto const name = text.substr(0, end);
    text = end == text.npos ? std::string_view() : text.substr(end + inside.size());
    if (kept == m_labelled.size() || m_labelled[kept].name != name) {
      end_labels(kept, made.begin);
      m_labelled.push_back({std::string(name), made.begin});
    }
    ++kept;
  }
  end_labels(kept, made.begin);
}

/// Ends the processor's labels but the first of them.
void chrome_trace::end_labels(std::size_t kept, std::uint64_t step) {
  for (; m_labelled.size() > kept; m_labelled.pop_back()) {
    auto const& [name, from] = m_labelled.back();
    if (step > from)
      write_event(fmt::format(R"("ph":"X","cat":"label","name":{},"tid":{},"ts":{},"dur":{})",
                              json_quoted(name), m_labelling, from, step - from));
  }
}

void chrome_trace::complete() {
  if (!std::exchange(m_begun, true)) name_machine();
  if (failed()) return;
  while (!m_open.empty()) write_oldest_step();
  end_labels(0, m_last_step + 1);
  end_phase(m_last_step + 1);
  count("messages", m_messages_shown, 0, m_last_step + 1);
  count("words", m_words_shown, 0, m_last_step + 1);
  write(fmt::format(
      "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{{\"program\":{},\"machine\":{},"
      "\"processors\":{},\"steps\":{},\"messages\":{},"
      "\"time unit\":\"step s is the time from s us to s + 1 us\"}}}}\n",
      json_quoted(m_program), json_quoted(m_spec), m_processors, m_last_step, m_messages));
}

}  // namespace lockstep
