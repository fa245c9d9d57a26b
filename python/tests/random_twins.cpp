// The core's random programs, for test_random_twins.py: random_twins SEED PROGRAMS prints, a line of JSON each, the
// programs of that many seeds, from SEED on, as Python has them, and how their runs end.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <lockstep/topologies/graph.hpp>

#include "core/random_programs/random_check.hpp"
#include "core/random_programs/random_generator.hpp"

namespace {

using nlohmann::json;
using reference::action;
using reference::element_type;
using reference::operation;

/// Whether Python can write the network down: else it gets the links.
bool has_specification(lockstep::topology const& network) {
  auto const spec = network.spec();
  return spec.find(':') != std::string::npos && !spec.starts_with("graph");
}

std::vector<lockstep::link> links_of(lockstep::topology const& network) {
  std::vector<lockstep::link> links;
  for (int rank = 0; rank < network.size(); ++rank)
    for (auto const& neighbour : network.neighbours(rank)) links.push_back({rank, neighbour.rank});
  return links;
}

/// Elements without words are for templates only.
element_type in_python(element_type type) {
  return type == element_type::weightless ? element_type::byte : type;
}

operation in_python(operation call) {
  for (auto* const type : {&call.out.type, &call.in.type, &call.asked.type, &call.mine.type})
    *type = in_python(*type);
  constexpr std::uint64_t bytes_of_word = 8;
  if (call.what == action::allocate) call.number *= bytes_of_word;
  return call;
}

/// The experiment with what Python has only: words of eight bytes, networks by name or by their links.
reference::experiment in_python(reference::experiment of) {
  of.options.word_bytes = 8;
  if (!has_specification(*of.network))
    of.network = std::make_shared<lockstep::graph>(of.network->size(), links_of(*of.network));
  for (auto& calls : of.calls)
    std::ranges::transform(calls, calls.begin(), [](auto const& call) { return in_python(call); });
  return of;
}

/// Whether Python makes the call so: it writes elements of its own memory's type, and bytes are counted in messages
/// alone.
bool is_in_python(operation const& call, lockstep::machine_options const& options) {
  bool const writes = call.what == action::write;
  bool const is_one_sided = writes || call.what == action::read;
  if (options.count == lockstep::words::bytes) return !is_one_sided && call.what != action::post;
  return !writes || call.asked.type == call.mine.type;
}

json json_of(lockstep::counts const& counts) {
  json figures = json::object();
  lockstep::for_each_figure(
      counts, [&](char const* figure, std::uint64_t value) { figures[figure] = value; });
  return figures;
}

json json_of(operation const& call) {
  auto made = json::object();
  made["what"] = static_cast<int>(call.what);
  made["through"] = call.through;
  made["number"] = static_cast<std::int64_t>(call.number);
  made["name"] = call.name;
  made["caught"] = call.caught;
  made["members"] = call.of.members;
  if (call.of.varying) made["varying"] = *call.of.varying;
  made["to"] = call.out.to;
  if (call.out.way) made["way"] = {call.out.way->dimension, call.out.way->offset};
  made["sent"] = {static_cast<int>(call.out.type), elements_sent(call), call.out.seed};
  made["is_value"] = call.out.how == reference::giving::value;
  made["from"] = call.in.from;
  made["asked"] = {call.asked.owner, call.asked.offset, call.asked.count, call.asked.seed};
  made["mine"] = {static_cast<int>(call.mine.type), call.mine.count, call.mine.seed};
  made["constant"] = call.mine.constant;
  made["taken"] = static_cast<int>(call.in.type);
  return made;
}

json json_of(lockstep::topology const& network) {
  if (has_specification(network)) return network.spec();
  auto pairs = json::array();
  for (auto const& [from, to] : links_of(network)) pairs.push_back({from, to});
  return pairs;
}

json json_of(lockstep::machine_options const& options, lockstep::topology const& network) {
  using lockstep::ports;
  auto const switching = options.switching.value_or(network.default_switching());
  return {{"ports", options.ports == ports::one   ? "one"
                    : options.ports == ports::all ? "all"
                                                  : "per-pass"},
          {"switching", switching == lockstep::switching::neighbour ? "neighbour" : "cut-through"},
          {"strict", options.strict},
          {"packet", options.packet},
          {"max_steps", options.max_steps},
          {"count", options.count == lockstep::words::bytes ? "bytes" : "elements"}};
}

json json_of(reference::outcome const& came) {
  if (came.error)
    return {{"error", came.error->kinds.front()},
            {"step", came.error->step},
            {"rank", came.error->rank}};
  auto phases = json::array();
  for (auto const& one : came.phases) phases.push_back({one.name, json_of(one)});
  return {{"results", came.results}, {"counts", json_of(came.total)},
          {"phases", phases},        {"makespan", came.makespan},
          {"span", came.span},       {"choices", came.choices}};
}

void print(std::uint64_t seed) {
  auto const of = in_python(reference::random_program(seed));
  json made{{"seed", seed},
            {"size", of.network->size()},
            {"network", json_of(*of.network)},
            {"options", json_of(of.options, *of.network)},
            {"came", json_of(reference::run_on(of, {}))}};
  bool fits = true;
  for (auto const& calls : of.calls) {
    auto& listed = made["calls"].emplace_back(json::array());
    for (auto const& call : calls) {
      listed.push_back(json_of(call));
      fits = fits && is_in_python(call, of.options);
    }
  }
  if (fits) std::printf("%s\n", made.dump().c_str());
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  auto const first = std::strtoull(words[1], nullptr, 10);
  auto const programs = std::strtoull(words[2], nullptr, 10);
  for (auto seed = first; seed < first + programs; ++seed) print(seed);
}
