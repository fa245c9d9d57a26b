#include "traces/view/run_json.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/detail/built_in_network.hpp>

#include "engine/counting/step_sums.hpp"
#include "traces/view/json_text.hpp"
#include "traces/view/source_places.hpp"

namespace lockstep::detail {

namespace {

constexpr int most_coordinates = 4'096;     // processors
constexpr link_number most_links = 65'536;  // that are listed

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

/// The pipelined runs of a run: for each step 0, or the number of the one that spans it.
std::vector<std::uint64_t> pipelined_steps(run_recording const& of) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> spans;  // [begin, end)
  for (auto const& one : of.calls()) {
    if (one.end == 0) continue;
    if (one.kind == call_kind::begin_pipelined) spans.emplace_back(one.end, of.steps().size() + 1);
    if (one.kind == call_kind::end_pipelined) spans.back().second = one.end;
  }
  std::ranges::sort(spans);
  std::vector<std::uint64_t> by_step(of.steps().size());
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

/// Writes one run.
class run_writer {
 public:
  run_writer(run_recording const& of, view_notes const& notes)
      : m_of(of), m_notes(notes), m_places(notes.source) {}

  [[nodiscard]] std::string write() && {
    m_json.open('{');
    m_json.member("title").text(m_notes.title);
    m_json.member("algorithm").text(m_of.program());
    m_json.member("command").text(m_notes.command);
    write_machine();
    m_json.member("counts");
    write_counts(m_of.total());
    m_json.member("complete").truth(m_of.left_out().empty());
    m_json.member("incomplete_why").text(sentence_of(m_of.left_out()));
    write_phases();
    write_steps();
    write_calls();
    write_messages();
    write_shows();
    write_failure();
    write_members();
    write_places();  // last, for the others find them
    return std::move(m_json.close('}')).take();
  }

 private:
  [[nodiscard]] static std::string sentence_of(std::string const& left_out) {
    return left_out.empty() ? "" : fmt::format("The page {}.", left_out);
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

  void write_counts(counts const& of) {
    m_json.open('{');
    for_each_shown_figure(
        of, [&](char const* name, std::uint64_t value) { m_json.member(name).number(value); });
    m_json.close('}');
  }

  void write_phases() {
    m_json.member("phases").open('[');
    for (auto const& one : m_of.phases()) {
      m_json.open('{').member("name").text(one.name);
      m_json.member("first").number(one.first);
      for_each_shown_figure(one.figures, [&](char const* name, std::uint64_t value) {
        m_json.member(name).number(value);
      });
      m_json.member("port_words").number(one.port_words).close('}');
    }
    m_json.close(']');
  }

  void write_steps() {
    auto const& steps = m_of.steps();
    m_json.member("steps").open('{');
    m_json.column("phase", steps, [](step_record const& one) {
      return one.phase == no_phase ? -1 : static_cast<std::int64_t>(one.phase);
    });
    m_json.column("messages", steps, &step_record::messages);
    m_json.column("words", steps, &step_record::words);
    m_json.column("volume", steps, &step_record::volume);
    m_json.column("hops", steps, &step_record::hops);
    m_json.column("contention", steps, &step_record::contention);
    m_json.column("serialised", steps, &step_record::serialised_steps);
    m_json.column("queued", steps, &step_record::queued);
    m_json.column("startups", steps, &step_record::startups);
    m_json.member("pipelined").numbers(pipelined_steps(m_of));
    write_totals();
    m_json.close('}');
  }

  void write_totals() {
    std::vector<counts> totals;
    totals.reserve(m_of.steps().size());
    counts total;
    for (auto const& one : m_of.steps()) {
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
    m_json.close('}');
  }

  void write_calls() {
    m_call_places.reserve(m_of.calls().size());
    for (auto const& one : m_of.calls()) m_call_places.push_back(m_places.add(one.where));
    if (m_of.calls().empty()) return;
    m_json.member("calls").open('{');
    m_json.differences("rank", m_of.calls(), &call_record::rank);
    m_json.column("kind", m_of.calls(),
                  [](call_record const& one) { return static_cast<int>(one.kind); });
    m_json.column("begin", m_of.calls(), &call_record::begin);
    m_json.column("end", m_of.calls(), &call_record::end);
    m_json.column("other", m_of.calls(), [](call_record const& one) {
      return one.kind == call_kind::rearrange ? static_cast<std::int64_t>(one.words) : one.other;
    });
    m_json.member("place").numbers(m_call_places);
    m_json.close('}');
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
    auto const& messages = m_of.messages();
    m_json.member("messages").open('{');
    m_json.differences("step", messages, &message_record::step);
    m_json.differences("sent", messages, &message_record::sent);
    m_json.column("from", messages, &message_record::from);
    m_json.column("to", messages, &message_record::to);
    m_json.column("words", messages, &message_record::words);
    if (std::ranges::any_of(messages, [](auto const& one) { return one.pass != 0; }))
      m_json.column("pass", messages, &message_record::pass);
    m_json.column("route", messages, [this](message_record const& one) { return route_of(one); });
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

  /// Finds the number of a message's route; -1 where it is the link between the two.
  [[nodiscard]] std::int64_t route_of(message_record const& one) {
    if (one.hops <= 1) return -1;
    auto const key = std::tuple(one.from, one.to, one.way.dimension, one.way.offset);
    auto const [found, is_new] =
        m_route_numbers.emplace(key, static_cast<std::int64_t>(m_routes.size()));
    if (is_new) {
      auto& route = m_routes.emplace_back(1, one.from);
      for (auto const& crossed : links_of(m_of.on().topology(), one)) route.push_back(crossed.to);
    }
    return found->second;
  }

  void write_shows() {
    std::map<std::string_view, int> numbers;
    std::vector<std::string_view> names;
    auto const number_of = [&](shown_record const& one) {
      auto const [found, is_new] = numbers.emplace(one.name, static_cast<int>(names.size()));
      if (is_new) names.push_back(one.name);
      return found->second;
    };
    m_json.member("shows").open('{');
    m_json.differences("rank", m_of.shows(), &shown_record::rank);
    m_json.column("step", m_of.shows(), &shown_record::step);
    m_json.column("name", m_of.shows(), number_of);
    m_json.member("value").open('[');
    for (auto const& one : m_of.shows())
      std::visit([this](auto const& value) { write_value(value); }, one.value);
    m_json.close(']').close('}').member("showNames").open('[');
    for (auto const name : names) m_json.text(name);
    m_json.close(']');
  }

  void write_numbers(shown_numbers const& numbers) {
    m_json.member("numbers");
    std::visit([this](auto const& list) { m_json.numbers(list); }, numbers);
  }
  void write_value(shown_number const& value) {
    m_json.open('{').member("number");
    std::visit([this](auto number) { m_json.number(number); }, value);
    m_json.close('}');
  }
  void write_value(shown_numbers const& value) {
    m_json.open('{');
    write_numbers(value);
    m_json.close('}');
  }
  void write_value(std::string const& value) {
    m_json.open('{').member("text").text(value).close('}');
  }
  void write_value(std::vector<block_label> const& value) {
    m_json.open('{').member("blocks").open('[');
    write_differences(value, &block_label::source);
    write_differences(value, &block_label::destination);
    m_json.close(']').close('}');
  }
  /// Neighbours in an array mostly differ alike, which makes a page a fraction as long.
  void write_differences(std::vector<block_label> const& of, int block_label::*rank) {
    m_json.open('[');
    int before = 0;
    for (auto const& one : of) m_json.number(one.*rank - std::exchange(before, one.*rank));
    m_json.close(']');
  }
  void write_value(std::vector<rank_interval> const& value) {
    m_json.open('{').member("intervals").open('[');
    for (auto const& one : value) m_json.number(one.first).number(one.last);
    m_json.close(']').close('}');
  }
  void write_value(shown_matrix const& value) {
    m_json.open('{').member("matrix").open('{');
    m_json.member("columns").number(value.columns);
    write_numbers(value.numbers);
    m_json.close('}').close('}');
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
    for (auto const* const list : {"claims", "bounds", "explanation"}) members.emplace(list, "[]");
    for (auto const* const text : {"call", "header"}) members.emplace(text, R"("")");
    members.emplace("parameters", "{}");
    for (auto const& [name, json] : members) m_json.member(name).raw(json);
  }

  void write_places() {
    m_json.member("places").open('[');
    for (auto const& one : m_places.places()) {
      m_json.open('{').member("file").number(one.file);
      m_json.member("line").number(one.line);
      m_json.member("function").text(one.function).close('}');
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
  source_places m_places;
  json_text m_json;
  std::vector<int> m_call_places;
  std::vector<numbered_call> m_numbered;
  std::vector<std::vector<int>> m_routes;
  std::map<std::tuple<int, int, int, int>, std::int64_t> m_route_numbers;
};

}  // namespace

std::string run_json(run_recording const& of, view_notes const& notes) {
  return run_writer(of, notes).write();
}

}  // namespace lockstep::detail
