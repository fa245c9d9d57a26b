#include "run_json.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/detail/add_step.hpp>
#include <lockstep/detail/built_in_network.hpp>
#include <lockstep/detail/sentences.hpp>

#include "json_shape.hpp"
#include "json_text.hpp"
#include "shows_on_page.hpp"
#include "source_places.hpp"

namespace lockstep::detail {

namespace {

using namespace std::string_view_literals;

constexpr int most_coordinates = 4'096;     // processors
constexpr link_number most_links = 65'536;  // that are listed
constexpr std::size_t most_labels = 1'000;

std::string_view name_of(ports each) {
  switch (each) {
    case ports::one:
      return "one";
    case ports::all:
      return "all";
    case ports::per_pass:
      return "per-pass";
  }
  return "one";
}

/// The pipelined runs of a run: for each step of the page 0, or the number of the one that spans it.
std::vector<std::uint64_t> pipelined_steps(run_recording const& of,
                                           std::span<step_stretch const> steps) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> spans;  // [begin, end)
  for (auto const& one : of.calls()) {
    if (one.end == 0) continue;
    auto const at = step_of_page(steps, one.end);
    if (one.kind == call_kind::begin_pipelined) spans.emplace_back(at, of.steps().size() + 1);
    if (one.kind == call_kind::end_pipelined) spans.back().second = at;
  }
  std::ranges::sort(spans);
  std::vector<std::uint64_t> by_step(steps.size());
  std::uint64_t number = 0;
  std::uint64_t last = 0;
  for (auto const& [first, end] : spans) {
    if (first >= end) continue;
    if (first >= last) ++number;
    for (auto step = std::max(first, std::uint64_t{1}); step < end && step <= by_step.size();
         ++step)
      by_step[step - 1] = number;
    last = std::max(last, end);
  }
  return by_step;
}

/// The members that a run has, whatever the notes say.
constexpr std::array members_of_run{
    "title"sv,  "algorithm"sv, "command"sv,   "machine"sv,   "counts"sv,   "complete"sv,
    "phases"sv, "steps"sv,     "places"sv,    "sources"sv,   "messages"sv, "routes"sv,
    "calls"sv,  "shows"sv,     "showNames"sv, "stretches"sv, "failure"sv,  "incomplete_why"sv,
    "labels"sv, "span"sv,      "makespan"sv};

/// A member of the notes that a page reads.
struct read_member {
  std::string_view name;
  json_kind kind;
  json_kind of;  ///< its elements, if it is a list
  std::string_view in_words;
};
constexpr std::array read_members{
    read_member{"bounds", json_kind::list, json_kind::object, "a list of objects"},
    read_member{"clock", json_kind::object, json_kind::null, "an object"},
    read_member{"call", json_kind::text, json_kind::null, "a text"},
    read_member{"claims", json_kind::list, json_kind::object, "a list of objects"},
    read_member{"explanation", json_kind::list, json_kind::text, "a list of texts"},
    read_member{"figures", json_kind::object, json_kind::null, "an object"},
    read_member{"header", json_kind::text, json_kind::null, "a text"},
    read_member{"parameters", json_kind::object, json_kind::null, "an object"},
    read_member{"reasons", json_kind::list, json_kind::object, "a list of objects"},
    read_member{"textbook", json_kind::text, json_kind::null, "a text"}};

bool is_what_is_read(json_shape const& shape, read_member const& known) {
  return shape.kind == known.kind && std::ranges::all_of(shape.elements, [&](json_kind element) {
           return element == known.of;
         });
}

/// Cuts a long text for an error message.
std::string beginning_of(std::string const& text) {
  constexpr std::size_t most = 40;
  if (text.empty()) return "it is empty";
  return text.size() <= most ? text : text.substr(0, most) + "...";
}

/// Counts the characters of a route on the page: the ranks, a comma after each, and brackets.
std::size_t characters_of(std::vector<int> const& route) {
  std::size_t characters = 2;
  for (int const rank : route) characters += fmt::formatted_size("{}", rank) + 1;
  return characters;
}

/// Writes a JSON array of texts.
std::string list_of_texts(std::vector<std::string> const& texts) {
  json_text list;
  list.open('[');
  for (auto const& text : texts) list.text(text);
  return std::move(list.close(']')).take();
}

/// Whether a call says or shows something, and does nothing.
bool is_remark(call_kind kind) {
  return kind == call_kind::show || kind == call_kind::label || kind == call_kind::note;
}

/// The steps of the messages that calls sent and received.
class steps_of_messages {
 public:
  explicit steps_of_messages(std::span<message_record const> all) {
    for (auto const& one : all) {
      if (one.sender_call > 0) m_steps.push_back({{one.from, one.sender_call}, one.sent});
      if (one.receiver_call > 0) m_steps.push_back({{one.to, one.receiver_call}, one.step});
    }
    std::ranges::sort(m_steps);
  }
  /// Finds the step of a call's first message, or the one in which it began.
  [[nodiscard]] std::uint64_t step_of(call_record const& made) const {
    std::pair const wanted(made.rank, made.number);
    auto const found = std::ranges::lower_bound(m_steps, wanted, {}, &entry::first);
    bool const has_message = made.number > 0 && found != m_steps.end() && found->first == wanted;
    return has_message ? found->second : made.begin;
  }

 private:
  using entry = std::pair<std::pair<int, std::uint64_t>, std::uint64_t>;
  std::vector<entry> m_steps;
};

/// Writes one run.
class run_writer {
 public:
  run_writer(run_recording const& of, view_notes const& notes, page_limits const& limits)
      : m_of(of),
        m_notes(notes),
        m_limits(limits),
        m_steps(of.steps()),
        m_messages(of.messages()),
        m_left_out(of.left_out()),
        m_places(notes.source) {}

  [[nodiscard]] written_run write() && {
    number_routes();
    m_json.open('{');
    m_json.member("title").text(m_notes.title);
    m_json.member("algorithm").text(m_of.program());
    m_json.member("command").text(m_notes.command);
    write_machine();
    m_json.member("counts").open('{');
    write_figures(m_of.figures());
    m_json.close('}');
    write_figures(m_of.lengths());
    write_labels();
    write_phases();
    write_steps();
    write_stretches();
    auto const calls_begin = m_json.size();
    write_calls();
    auto const calls_end = m_json.size();
    write_messages();
    write_failure();
    write_members();
    write_places();  // after the others, which find them
    if (m_json.size() > m_limits.characters && calls_begin < calls_end) {
      m_json.erase(calls_begin, calls_end);
      add_reason(m_left_out, fmt::format("lacks all that processors called: {}", most_data()));
    }
    write_what_fits_of_shows();
    write_left_out();
    return {std::move(m_json.close('}')).take(), std::move(m_left_out)};
  }

 private:
  [[nodiscard]] std::string most_data() const {
    return fmt::format("its data have {} characters at most", grouped(m_limits.characters));
  }

  void write_what_fits_of_shows() {
    auto const room = m_limits.characters - std::min(m_limits.characters, m_json.size());
    shows_on_page const shows(m_of.shows(), m_steps, room);
    shows.write(m_json);
    if (auto const last = shows.last_step(); shows.lacks_some())
      add_reason(m_left_out,
                 fmt::format("lacks what processors showed{}: {}",
                             last ? fmt::format(" after step {}", *last) : "", most_data()));
  }

  void write_left_out() {
    if (m_json.size() > m_limits.characters)
      add_reason(m_left_out, "is longer than a browser may read: " + most_data());
    m_json.member("complete").truth(m_left_out.empty());
    m_json.member("incomplete_why")
        .text(m_left_out.empty() ? "" : fmt::format("The page {}.", m_left_out));
  }

  void write_machine() {
    auto const& network = m_of.on().topology();
    auto const& options = m_of.on().options();
    bool const to_neighbours =
        options.switching.value_or(network.default_switching()) == lockstep::switching::neighbour;
    auto const spec = network.spec();
    bool const known = dynamic_cast<built_in_network const*>(&network) != nullptr;
    m_json.member("machine").open('{');
    m_json.member("spec").text(spec);
    m_json.member("kind").text(known ? spec.substr(0, spec.find(':')) : "");
    m_json.member("processors").number(network.size());
    m_json.member("ports").text(name_of(options.ports));
    m_json.member("switching").text(to_neighbours ? "neighbour" : "cut-through");
    m_json.member("strict").truth(options.strict);
    m_json.member("packet").number(options.packet);
    m_json.member("axes").open('[');
    for (auto const& axis : network.axes()) {
      m_json.open('{').member("size").number(axis.size);
      m_json.member("ring").truth(axis.is_ring).close('}');
    }
    m_json.close(']');
    write_picture(network);
    m_json.close('}');
  }

  void write_picture(topology const& network) {
    m_json.member("layout").open('[');
    for (auto const& place : network.layout())
      m_json.raw(fmt::format("{:.6g}", place.x)).raw(fmt::format("{:.6g}", place.y));
    m_json.close(']').member("coordinates").open('[');
    for (int rank = 0; network.size() <= most_coordinates && rank < network.size(); ++rank)
      m_json.numbers(network.coordinates(rank));
    m_json.close(']').member("links").open('[');
    bool const listed = !network.always_one_link() && network.links() <= most_links;
    for (link_number number = 0; listed && number < network.links(); ++number) {
      auto const one = network.link_at(number);
      m_json.number(one.from).number(one.to);
    }
    m_json.close(']');
  }

  void write_figures(std::vector<named_figure> const& figures) {
    for (auto const& one : figures) m_json.member(one.name).number(one.value);
  }

  void write_labels() {
    auto const all = std::span(m_of.labels()).first(std::min(m_of.labels().size(), most_labels));
    if (all.empty()) return;
    if (all.size() < m_of.labels().size())
      add_reason(m_left_out, fmt::format("lacks the counts of labels after the first {}",
                                         grouped(most_labels)));
    m_json.member("labels").open('[');
    for (auto const& one : all) {
      m_json.open('{').member("name").text(one.name);
      if (one.inside != no_label) m_json.member("inside").number(one.inside);
      for_each_figure(one, [&](std::string_view name, std::uint64_t value) {
        if (name != "operations" || value > 0) m_json.member(name).number(value);
      });
      m_json.close('}');
    }
    m_json.close(']');
  }

  void write_phases() {
    m_json.member("phases").open('[');
    for (auto const& one : m_of.phases()) {
      m_json.open('{').member("name").text(one.name);
      m_json.member("first").number(on_page(one.first));
      write_figures(run_recording::figures_of(one));
      m_json.close('}');
    }
    m_json.close(']');
  }

  [[nodiscard]] std::uint64_t on_page(std::uint64_t step) const {
    return step_of_page(m_steps, step);
  }

  void write_steps() {
    auto const column = [this](std::string_view name, auto figure) {
      m_json.column(name, m_steps, [figure](step_stretch const& one) { return one.first.*figure; });
    };
    m_json.member("steps").open('{');
    m_json.column("phase", m_steps, [](step_stretch const& one) {
      return one.first.phase == no_phase ? -1 : static_cast<std::int64_t>(one.first.phase);
    });
    column("messages", &step_record::messages);
    column("words", &step_record::words);
    column("volume", &step_record::volume);
    column("hops", &step_record::hops);
    column("contention", &step_record::contention);
    column("serialised", &step_record::serialised_steps);
    column("queued", &step_record::queued);
    column("startups", &step_record::startups);
    m_json.member("pipelined").numbers(pipelined_steps(m_of, m_steps));
    if (std::ranges::any_of(m_steps, [](step_stretch const& one) { return one.first.work > 0; }))
      column("work", &step_record::work);
    write_totals();
    m_json.close('}');
  }

  /// Writes which steps of the page show several of the run, and how many.
  void write_stretches() {
    auto const several = [](step_stretch const& one) { return one.steps > 1; };
    if (std::ranges::none_of(m_steps, several)) return;
    m_json.member("stretches").open('[');
    for (std::size_t at = 0; at < m_steps.size(); ++at)
      if (several(m_steps[at]))
        m_json.open('[').number(at + 1).number(m_steps[at].steps).close(']');
    m_json.close(']');
  }

  void write_totals() {
    std::vector<counts> totals;
    totals.reserve(m_steps.size());
    counts total;
    for (auto const& [one, equal] : m_steps) {
      add_step(total, one, one.step);
      totals.push_back(total);
    }
    m_json.member("totals").open('{');
    m_json.column("steps", totals, &counts::steps);
    m_json.column("startups", totals, &counts::startups);
    m_json.column("words", totals, &counts::words);
    m_json.column("volume", totals, &counts::volume);
    m_json.column("messages", totals, &counts::messages);
    m_json.column("hops", totals, &counts::hops);
    m_json.column("contention", totals, &counts::contention);
    m_json.column("queued", totals, &counts::queued);
    if (shares_links(total)) m_json.column("serialised_steps", totals, &counts::serialised_steps);
    if (total.link_words > total.words) m_json.column("link_words", totals, &counts::link_words);
    if (total.operations > 0) {
      m_json.column("work", totals, &counts::work);
      m_json.column("operations", totals, &counts::operations);
    }
    m_json.close('}');
  }

  void write_calls() {
    m_call_places.reserve(m_of.calls().size());
    place_frames();
    for (std::size_t at = 0; at < m_of.calls().size(); ++at)
      m_call_places.push_back(place_in(m_of.frame_of_call()[at], m_of.calls()[at].where));
    if (m_of.calls().empty()) return;
    m_json.member("calls").open('{');
    m_json.differences("rank", m_of.calls(), &call_record::rank);
    m_json.column("kind", m_of.calls(),
                  [](call_record const& one) { return static_cast<int>(one.kind); });
    m_json.column("begin", m_of.calls(),
                  [this](call_record const& one) { return on_page(one.begin); });
    m_json.member("end").numbers(ends_of_calls());
    m_json.column("other", m_of.calls(), [](call_record const& one) {
      bool const has_text = one.kind == call_kind::label || one.kind == call_kind::note;
      bool const has_amount = one.kind == call_kind::rearrange || one.kind == call_kind::work;
      return has_text || has_amount ? static_cast<std::int64_t>(one.words) : one.other;
    });
    m_json.member("place").numbers(m_call_places);
    m_json.close('}');
    write_texts();
  }

  /// Places the calls of libraries in which processors made theirs: callers come first.
  void place_frames() {
    for (auto const& one : m_of.frames()) m_frame_places.push_back(place_in(one.caller, one.line));
  }
  int place_in(int frame, std::source_location const& where) {
    return m_places.add(where, frame < 0 ? -1 : m_frame_places[static_cast<std::size_t>(frame)]);
  }

  void write_texts() {
    if (m_of.texts().empty()) return;
    m_json.member("texts").open('[');
    for (auto const& text : m_of.texts()) m_json.text(text);
    m_json.close(']');
  }

  /// Finds the ends of calls. A note ends in the step of the call after it: of its message, if it has one.
  [[nodiscard]] std::vector<std::uint64_t> ends_of_calls() const {
    auto const& calls = m_of.calls();
    std::vector<std::uint64_t> ends(calls.size());
    std::optional<steps_of_messages> steps;
    std::size_t about = calls.size();  // the next call that does something
    for (auto at = calls.size(); at-- > 0;) {
      auto const& one = calls[at];
      ends[at] = on_page(one.end);
      if (one.kind == call_kind::note) {
        if (!steps) steps.emplace(m_messages);
        bool const has_next = about < calls.size() && calls[about].rank == one.rank;
        auto const step = on_page(has_next ? steps->step_of(calls[about]) : one.begin);
        ends[at] = std::min<std::uint64_t>(step, m_steps.size());
      } else if (!is_remark(one.kind) && one.kind != call_kind::work) {
        about = at;
      }
    }
    return ends;
  }

  /// Finds the place of the call in which a processor sends or receives its message of that number.
  [[nodiscard]] int place_of(int rank, std::uint64_t number) const {
    if (number == 0) return -1;
    auto const& calls = m_numbered;
    auto const after = std::ranges::upper_bound(
        calls, std::pair(rank, number), {},
        [](numbered_call const& one) { return std::pair(one.rank, one.number); });
    if (after == calls.begin() || std::prev(after)->rank != rank) return -1;
    return std::prev(after)->place;
  }

  void number_calls() {
    for (std::size_t at = 0; at < m_of.calls().size(); ++at)
      if (auto const& one = m_of.calls()[at]; one.number > 0)
        m_numbered.push_back({one.rank, one.number, m_call_places[at]});
    // A one-sided call that moved no message has the number of the next call.
    std::ranges::stable_sort(
        m_numbered, {}, [](numbered_call const& one) { return std::pair(one.rank, one.number); });
  }

  void write_messages() {
    number_calls();
    auto const& messages = m_messages;
    m_json.member("messages").open('{');
    m_json.differences("step", messages,
                       [this](message_record const& one) { return on_page(one.step); });
    m_json.differences("sent", messages,
                       [this](message_record const& one) { return on_page(one.sent); });
    m_json.column("from", messages, &message_record::from);
    m_json.column("to", messages, &message_record::to);
    m_json.column("words", messages, &message_record::words);
    if (std::ranges::any_of(messages, [](auto const& one) { return one.pass != 0; }))
      m_json.column("pass", messages, &message_record::pass);
    m_json.member("route").numbers(m_route_of);
    m_json.column("sendPlace", messages, [this](message_record const& one) {
      return place_of(one.from, one.sender_call);
    });
    m_json.column("receivePlace", messages, [this](message_record const& one) {
      return place_of(one.to, one.receiver_call);
    });
    m_json.close('}').member("routes").open('[');
    for (auto const& route : m_routes) m_json.numbers(route);
    m_json.close(']');
  }

  /// Numbers the routes of the messages. The page ends before the step whose routes do not fit.
  void number_routes() {
    m_route_of.reserve(m_messages.size());
    for (auto const& one : m_messages) {
      m_route_of.push_back(route_of(one));
      if (m_route_characters > m_limits.route_characters) return end_before(one.step);
    }
  }

  void end_before(std::uint64_t step) {
    auto const end = std::ranges::lower_bound(m_messages, step, {}, &message_record::step);
    m_messages = m_messages.first(static_cast<std::size_t>(end - m_messages.begin()));
    auto const shown = std::ranges::lower_bound(
        m_steps, step, {}, [](step_stretch const& one) { return one.first.step; });
    m_steps = m_steps.first(static_cast<std::size_t>(shown - m_steps.begin()));
    m_route_of.resize(m_messages.size());
    auto const last = std::ranges::max_element(m_route_of);
    m_routes.resize(last == m_route_of.end() ? 0 : static_cast<std::size_t>(*last + 1));
    add_reason(m_left_out,
               fmt::format("ends after step {}: a page has room for routes of {} characters",
                           step - 1, grouped(m_limits.route_characters)));
  }

  /// Finds the number of a message's route; -1 where it is the link between the two.
  [[nodiscard]] std::int64_t route_of(message_record const& one) {
    if (one.hops <= 1) return -1;
    auto const key = std::tuple(one.from, one.to, one.way.dimension, one.way.offset);
    auto const [found, is_new] =
        m_route_numbers.emplace(key, static_cast<std::int64_t>(m_routes.size()));
    if (is_new) {
      auto& route = m_routes.emplace_back(1, one.from);
      for (auto const& crossed : links_of(m_of.on().topology(), one)) route.push_back(crossed.to);
      m_route_characters += characters_of(route);
    }
    return found->second;
  }

  void write_failure() {
    m_json.member("failure");
    auto const* const failure = m_of.failure();
    if (failure == nullptr) return static_cast<void>(m_json.raw("null"));
    auto const& at = failure->at;
    m_json.open('{').member("kind").text(failure->kind);
    m_json.member("message").text(failure->message);
    m_json.member("rank").number(at.rank);
    m_json.member("step").number(at.step);
    m_json.member("phase").text(at.phase);
    m_json.member("place").number(at.rank < 0 ? -1 : m_places.add(at.where));
    write_details(at.details == nullptr ? failure_details{} : *at.details);
    m_json.close('}');
  }

  void write_details(failure_details const& details) {
    m_json.member("waits").open('[');
    for (auto const& one : details.waits) {
      m_json.open('{').member("rank").number(one.rank);
      m_json.member("for").number(one.waits_for);
      m_json.member("since").number(one.since);
      m_json.member("in").text(one.in);
      m_json.member("place").number(m_places.add(one.where)).close('}');
    }
    m_json.close(']').member("cycle").numbers(details.cycle);
    m_json.member("messages").open('[');
    for (auto const& one : details.messages) {
      m_json.open('{').member("from").number(one.from);
      m_json.member("to").number(one.to);
      if (auto const words = words_of(one)) m_json.member("words").number(*words);
      m_json.member("step").number(one.step);
      m_json.member("place").number(m_places.add(one.where));
      m_json.member("route").numbers(one.route).close('}');
    }
    m_json.close(']');
  }

  /// Finds the words of a message, where it came in or the error knows them.
  [[nodiscard]] std::optional<std::uint64_t> words_of(failed_message const& of) const {
    if (of.words) return of.words;
    auto const came = std::ranges::find_if(m_of.messages(), [&](message_record const& one) {
      return one.from == of.from && one.to == of.to && one.sent == of.step;
    });
    if (came == m_of.messages().end()) return std::nullopt;
    return came->words;
  }

  /// Writes what the notes say, and what they do not say as empty.
  void write_members() {
    auto members = m_notes.members;
    if (!m_notes.explanation.empty())
      members.emplace("explanation", list_of_texts(sentences_of(m_notes.explanation)));
    for (auto const* const list : {"claims", "bounds", "explanation", "reasons"})
      members.emplace(list, "[]");
    for (auto const* const text : {"call", "header"}) members.emplace(text, R"("")");
    members.emplace("parameters", "{}");
    for (auto const& [name, json] : members) m_json.member(name).raw(json);
  }

  void write_places() {
    m_json.member("places").open('[');
    for (auto const& one : m_places.places()) {
      m_json.open('{').member("file").number(one.file);
      m_json.member("line").number(one.line);
      m_json.member("function").text(one.function);
      if (one.from >= 0) m_json.member("from").number(one.from);
      m_json.close('}');
    }
    m_json.close(']').member("sources").open('[');
    for (auto const& one : m_places.sources()) {
      m_json.open('{').member("name").text(one.name).member("text");
      if (one.text)
        m_json.text(*one.text);
      else
        m_json.raw("null");
      m_json.close('}');
    }
    m_json.close(']');
  }

  struct numbered_call {
    int rank;
    std::uint64_t number;
    int place;
  };

  run_recording const& m_of;
  view_notes const& m_notes;
  page_limits m_limits;
  std::span<step_stretch const> m_steps;       ///< that the page has
  std::span<message_record const> m_messages;  ///< of these steps
  std::string m_left_out;
  source_places m_places;
  json_text m_json;
  std::vector<int> m_frame_places;
  std::vector<int> m_call_places;
  std::vector<numbered_call> m_numbered;
  std::vector<std::int64_t> m_route_of;  ///< by message
  std::vector<std::vector<int>> m_routes;
  std::size_t m_route_characters = 0;
  std::map<std::tuple<int, int, int, int>, std::int64_t> m_route_numbers;
};

}  // namespace

written_run run_json(run_recording const& of, view_notes const& notes, page_limits const& limits) {
  return run_writer(of, notes, limits).write();
}

void check_members(view_notes const& notes) {
  if (!notes.explanation.empty() && notes.members.contains("explanation"))
    throw invalid_argument(
        "view_notes with an explanation, and with a member explanation too: give one of them");
  for (auto const& [name, json] : notes.members) {
    if (std::ranges::find(members_of_run, name) != members_of_run.end())
      throw invalid_argument(fmt::format(
          "view_notes with a member {}, which the run itself has: choose another name", name));
    auto const shape = shape_of_json(json);
    if (!shape)
      throw invalid_argument(
          fmt::format("view_notes with a member {} that is not JSON: {}; give it one JSON value, "
                      "texts in quotes",
                      name, beginning_of(json)));
    auto const known = std::ranges::find(read_members, name, &read_member::name);
    if (known != read_members.end() && !is_what_is_read(*shape, *known))
      throw invalid_argument(fmt::format(
          "view_notes with a member {} that is {}: a page reads there {}; give it that, "
          "or leave it out",
          name, beginning_of(json), known->in_words));
  }
}

}  // namespace lockstep::detail
