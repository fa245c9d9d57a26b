#include "trace_events.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

namespace reference {

namespace {

using nlohmann::json;

double end_of(json const& slice) {
  return slice.at("ts").get<double>() + slice.at("dur").get<double>();
}

bool has_text(json const& event, char const* field) {
  return event.contains(field) && event.at(field).is_string();
}

bool has_number(json const& event, char const* field) {
  return event.contains(field) && event.at(field).is_number() && event.at(field).get<double>() >= 0;
}

bool has_arguments(json const& event) {
  return event.contains("args") && event.at("args").is_object() && !event.at("args").empty();
}

bool all_numbers(json const& object) {
  return std::all_of(object.begin(), object.end(), [](auto const& one) { return one.is_number(); });
}

bool is_named(json const& event) {
  if (!has_arguments(event)) return false;
  auto const& name = event.at("name");
  auto const& with = event.at("args");
  if (name == "process_name" || name == "thread_name") return has_text(with, "name");
  return name == "thread_sort_index" && with.contains("sort_index") &&
         with.at("sort_index").is_number_integer();
}

}  // namespace

trace_events::trace_events(std::string const& text) : m_all(json::parse(text)) {
  check(m_all.is_object() && m_all.contains("traceEvents") && m_all.at("traceEvents").is_array(),
        "no traceEvents");
  check(m_all.value("displayTimeUnit", "") == "ns" || m_all.value("displayTimeUnit", "") == "ms",
        "displayTimeUnit");
  check(m_all.contains("otherData") && m_all.at("otherData").is_object(), "otherData");
  for (auto const& event : m_all.at("traceEvents")) check_event(event);
  if (!m_faults.empty()) return;
  for (auto const& slice : events("X")) m_slices[slice.at("tid").get<int>()].push_back(slice);
  check_nesting();
  check_arrows();
  std::set<int> named;
  for (auto const& event : events("M"))
    if (event.at("name") == "thread_name") named.insert(event.at("tid").get<int>());
  for (auto const& [track, slices] : m_slices)
    check(named.contains(track), "track without a name: " + std::to_string(track));
}

void trace_events::check(bool holds, std::string const& what) {
  if (!holds) m_faults.push_back(what);
}

void trace_events::check_event(json const& event) {
  auto const kind = event.value("ph", "");
  check(kind.size() == 1 && std::string("XsfMC").find(kind) != std::string::npos,
        "kind of " + event.dump());
  check(has_text(event, "name"), "name of " + event.dump());
  for (auto const* field : {"pid", "tid"})
    check(event.contains(field) && event.at(field).is_number_integer(), field + event.dump());
  if (kind == "M") return check(is_named(event), "args of " + event.dump());
  check(has_number(event, "ts"), "ts of " + event.dump());
  if (kind == "C")
    return check(has_arguments(event) && all_numbers(event.at("args")), "args of " + event.dump());
  check(has_text(event, "cat"), "cat of " + event.dump());
  if (kind == "X") return check(has_number(event, "dur"), "dur of " + event.dump());
  check(has_number(event, "id"), "id of " + event.dump());
  if (kind == "f") check(event.value("bp", "") == "e", "bp of " + event.dump());
}

void trace_events::check_nesting() {
  for (auto& [track, slices] : m_slices) {
    std::stable_sort(slices.begin(), slices.end(), [](json const& left, json const& right) {
      return std::pair(left.at("ts").get<double>(), -left.at("dur").get<double>()) <
             std::pair(right.at("ts").get<double>(), -right.at("dur").get<double>());
    });
    std::vector<double> open;
    for (auto const& slice : slices) {
      while (!open.empty() && open.back() <= slice.at("ts").get<double>()) open.pop_back();
      check(open.empty() || end_of(slice) <= open.back(), "not nested: " + slice.dump());
      open.push_back(end_of(slice));
    }
  }
}

/// Name of the innermost slice of the event's track at its time.
std::string trace_events::slice_at(json const& event) const {
  auto const found = m_slices.find(event.at("tid").get<int>());
  if (found == m_slices.end()) return {};
  auto const at = event.at("ts").get<double>();
  std::string name;
  for (auto const& slice : found->second)
    if (slice.at("ts").get<double>() <= at && at < end_of(slice)) name = slice.at("name");
  return name;
}

void trace_events::check_arrows() {
  std::map<std::uint64_t, std::pair<std::vector<json>, std::vector<json>>> by_id;
  for (auto const& event : events("s"))
    by_id[event.at("id").get<std::uint64_t>()].first.push_back(event);
  for (auto const& event : events("f"))
    by_id[event.at("id").get<std::uint64_t>()].second.push_back(event);
  for (auto const& [id, ends] : by_id) {
    auto const& [begins, finishes] = ends;
    auto const name = "arrow " + std::to_string(id);
    check(begins.size() == 1 && finishes.size() == 1, name + " has not one beginning and end");
    if (begins.size() != 1 || finishes.size() != 1) continue;
    auto const& begin = begins.front();
    auto const& end = finishes.front();
    check(begin.at("cat") == end.at("cat") && begin.at("name") == end.at("name"),
          name + " differs");
    check(begin.at("ts") < end.at("ts"), name + " goes back in time");
    check(!slice_at(begin).empty(), name + " begins outside slices");
    check(!slice_at(end).empty(), name + " ends outside slices");
    m_arrows.push_back(slice_at(begin) + " => " + slice_at(end));
  }
}

std::vector<json> trace_events::events(std::string const& kind, int track) const {
  std::vector<json> found;
  for (auto const& event : m_all.at("traceEvents"))
    if (event.at("ph") == kind && (track < 0 || event.at("tid") == track)) found.push_back(event);
  return found;
}

std::vector<std::string> trace_events::slices(int track) const {
  std::vector<std::string> found;
  auto const of = m_slices.find(track);
  if (of == m_slices.end()) return found;
  for (auto const& slice : of->second) {
    std::ostringstream text;
    text << slice.at("name").get<std::string>() << " from " << slice.at("ts") << " for "
         << slice.at("dur");
    found.push_back(text.str());
  }
  return found;
}

}  // namespace reference
