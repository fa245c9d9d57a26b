// An error that is provoked inside an algorithm or a collective names the line of the program that called
// it, and the place inside second. Each kind of error is provoked in a call of each function that programs
// call (calls_of_algorithms.cpp); the headers are read to see that none is missing.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <regex>
#include <set>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>
#include <lockstep/topologies/torus.hpp>

#include "calls_of_algorithms.hpp"
#include "catch.hpp"
#include "core/machine/liar.hpp"

namespace {

using lockstep::engine;
using lockstep::machine;
using lockstep::processor;

/// The name of the called function without its namespace.
std::string_view bare_name(called const& one) {
  auto const bare = one.name.substr(one.name.rfind(':') + 1);
  return bare.substr(0, bare.find('<'));
}

/// Checks a place that an error names: the call, and a line of the algorithm inside; or, for what the
/// provocation itself does, a line of this file.
void check_place(called const& one, std::source_location where,
                 std::optional<lockstep::library_place> const& inside) {
  if (where.file_name() == std::string_view(__FILE__)) {
    CHECK_FALSE(inside.has_value());
    return;
  }
  CHECK(where.file_name() == file_of_calls());
  CHECK(static_cast<int>(where.line()) == one.line);
  CHECK(inside.has_value());
  if (!inside.has_value()) return;
  auto const text = to_string(*inside);
  CHECK(text.starts_with("in " + std::string(bare_name(one)) + ", "));
  CHECK(text.find("algorithms/") != std::string::npos);
}

void check_places(called const& one, lockstep::error const& thrown) {
  check_place(one, thrown.where(), thrown.inside());
  if (thrown.inside().has_value())
    CHECK(std::string(thrown.what()).find(" (" + to_string(*thrown.inside()) + ")") !=
          std::string::npos);
  if (thrown.details() == nullptr) return;
  for (auto const& waits : thrown.details()->waits) check_place(one, waits.where, waits.inside);
  for (auto const& sent : thrown.details()->messages) check_place(one, sent.where, sent.inside);
}

/// The class of an error; for what an algorithm throws by itself, of the error that it threw.
std::string kind_of(lockstep::error const& thrown) {
  try {
    std::rethrow_if_nested(thrown);
  } catch (lockstep::error const& nested) {
    return std::string(class_name(nested));
  }
  return std::string(class_name(thrown));
}

/// A call, and the same with twice the elements.
struct calls_of_row {
  called const& usual;
  called const& twice;
};

/// What a processor does so that a rule is broken in the call; `culprit` does other than the rest.
using mistake = std::function<void(processor& me, calls_of_row const& row, int culprit)>;

struct provocation {
  std::string_view name;
  std::function<machine(called const& one, engine on)> machine_for;
  mistake program;
  bool only_calls = false;  ///< nothing but the call can go wrong
};

// Machines

int processors_of(called const& one) { return lockstep::parse(one.network)->size(); }

machine usual_machine(called const& one, engine on) {
  return machine(lockstep::parse(one.network), {.engine = on});
}

/// Makes the machine on which any two processors may talk.
machine talkative_machine(called const& one, engine on) {
  return machine(lockstep::parse(one.network),
                 {.switching = lockstep::switching::cut_through, .engine = on});
}

machine strict_machine(called const& one, engine on) {
  return machine(lockstep::parse(one.network),
                 {.switching = lockstep::switching::cut_through, .strict = true, .engine = on});
}

/// Makes a ring whose processors, but the first and the last, believe to be the network of the call.
reference::liar ring_in_disguise(called const& one) {
  auto const claimed = lockstep::parse(one.network);
  auto const members_of_claimed = [](std::span<int const> members) {
    std::vector<int> ranks(members.begin(), members.end());
    for (int& rank : ranks) --rank;
    return ranks;
  };
  auto const part = [=](std::span<int const> members) {
    return std::ssize(members) == claimed->size() ? claimed
                                                  : claimed->part(members_of_claimed(members));
  };
  auto const dimensions_of_part = [=](std::span<int const> members) {
    return std::vector<int>(part(members)->axes().size(), 0);
  };
  return {{claimed->size() + 2}, {.part = part, .dimensions_of_part = dimensions_of_part}};
}

machine machine_without_links(called const& one, engine on) {
  return machine(ring_in_disguise(one),
                 {.switching = lockstep::switching::neighbour, .engine = on});
}

machine machine_with_shared_links(called const& one, engine on) {
  return machine(ring_in_disguise(one),
                 {.switching = lockstep::switching::cut_through, .strict = true, .engine = on});
}

machine larger_ring(called const& one, engine on) {
  return machine(lockstep::torus{processors_of(one) + 1}, {.engine = on});
}

// Mistakes

void one_alone_calls(processor& me, calls_of_row const& row, int culprit) {
  if (me.rank() == culprit) row.usual.call(me);
}

void all_but_one_call(processor& me, calls_of_row const& row, int culprit) {
  if (me.rank() != culprit) row.usual.call(me);
}

void all_call(processor& me, calls_of_row const& row, int /*culprit*/) { row.usual.call(me); }

template <class Values>
void send_to_all(processor& me, Values const& values) {
  for (int to = 0; to < me.size(); ++to)
    if (to != me.rank()) me.send(to, values);
}

/// An element that no algorithm sends.
struct stray {
  char letter;
};

// What one has sent before it calls comes in where the call asks for its first message.

void one_sends_another_type(processor& me, calls_of_row const& row, int culprit) {
  if (me.rank() == culprit) send_to_all(me, stray{'x'});
  row.usual.call(me);
}

void one_sends_another_size(processor& me, calls_of_row const& row, int culprit) {
  if (me.rank() == culprit) send_to_all(me, std::vector<int>(77, 1));
  row.usual.call(me);
}

void one_sends_nothing(processor& me, calls_of_row const& row, int culprit) {
  if (me.rank() == culprit) send_to_all(me, std::vector<int>());
  row.usual.call(me);
}

void one_has_twice_the_elements(processor& me, calls_of_row const& row, int culprit) {
  (me.rank() == culprit ? row.twice : row.usual).call(me);
}

void all_but_one_have_twice_the_elements(processor& me, calls_of_row const& row, int culprit) {
  (me.rank() == culprit ? row.usual : row.twice).call(me);
}

constexpr int late = 50;  // steps, longer than a call takes

/// The next one's port is taken until late.
void one_takes_in_a_late_message(processor& me, calls_of_row const& row, int culprit) {
  int const next = (culprit + 1) % me.size();
  if (me.rank() == culprit) {
    me.idle(late);
    me.send(next, stray{'x'});
  }
  if (me.rank() == next) static_cast<void>(me.receive_value<stray>(culprit));
  row.usual.call(me);
}

/// Lists the processors of the ring that call.
std::vector<int> all_but_both_ends(processor const& me) {
  std::vector<int> members(static_cast<std::size_t>(me.size()) - 2);
  std::iota(members.begin(), members.end(), 1);
  return members;
}

void ring_calls(processor& me, calls_of_row const& row, int /*culprit*/) {
  if (me.rank() == 0 || me.rank() == me.size() - 1) return;
  auto part = me.subset(all_but_both_ends(me));
  row.usual.call(part);
}

/// Both ends of the ring send to each other in each step, along all links between them.
void others_send_across(processor& me, calls_of_row const& row, int culprit) {
  int const last = me.size() - 1;
  if (me.rank() != 0 && me.rank() != last) return ring_calls(me, row, culprit);
  int const partner = last - me.rank();
  for (int step = 0; step < late; ++step) {
    me.send(lockstep::along{0, partner - me.rank()}, stray{'x'});
    static_cast<void>(me.receive_value<stray>(partner));
  }
}

provocation const all_provocations[] = {
    {"one alone calls", usual_machine, one_alone_calls, true},
    {"all but one call", usual_machine, all_but_one_call},
    {"one sends another type", talkative_machine, one_sends_another_type},
    {"one sends another size", talkative_machine, one_sends_another_size},
    {"one sends nothing", talkative_machine, one_sends_nothing},
    {"one has twice the elements", usual_machine, one_has_twice_the_elements},
    {"all but one have twice the elements", usual_machine, all_but_one_have_twice_the_elements},
    {"a port is taken", strict_machine, one_takes_in_a_late_message},
    {"links are missing", machine_without_links, ring_calls},
    {"links are shared", machine_with_shared_links, ring_calls},
    {"links are taken", machine_with_shared_links, others_send_across},
    {"another network", larger_ring, all_call},
};

/// Whether an error names the call: as its place, or as that of a message or a processor that waits.
bool names_a_call(lockstep::error const& thrown) {
  auto const is_inside = [](auto const& one) { return one.inside.has_value(); };
  auto const* const more = thrown.details();
  return thrown.inside().has_value() ||
         (more != nullptr && (std::ranges::any_of(more->waits, is_inside) ||
                              std::ranges::any_of(more->messages, is_inside)));
}

/// Runs a call with a mistake, and checks where the error says that it comes from. Result: the error's class;
/// nothing without an error, or for one that concerns only what the provocation does.
std::string error_of(provocation const& by, calls_of_row const& row, engine on, int culprit) {
  auto const& one = row.usual;
  INFO(one.file << ": " << one.name << " on " << one.network << ", line " << one.line << "; "
                << by.name << ", " << culprit
                << (on == engine::threads ? ", threads" : ", fibers"));
  try {
    by.machine_for(one, on).run([&](processor& me) { by.program(me, row, culprit); });
  } catch (lockstep::error const& thrown) {
    INFO(thrown.what());
    check_places(one, thrown);
    if (by.only_calls) CHECK(thrown.inside().has_value());
    if (names_a_call(thrown)) return kind_of(thrown);
  } catch (std::exception const& thrown) {
    FAIL_CHECK("not an error of lockstep's: " << thrown.what());
  }
  return {};
}

/// The calls, by their places in the table, that ended in an error of each class.
using calls_of_errors = std::map<std::string, std::set<std::size_t>>;

/// Makes every mistake in each call. `tries`: how many processors of each network make it, in turn.
calls_of_errors provoked_errors(engine on, int tries) {
  auto const& calls = all_calls();
  auto const& twice = calls_with_twice_the_elements();
  calls_of_errors met;
  for (auto const& by : all_provocations)
    for (std::size_t i = 0; i < calls.size(); ++i)
      for (int culprit = 0; culprit < std::min(processors_of(calls[i]), tries); ++culprit)
        met[error_of(by, {calls[i], twice[i]}, on, culprit)].insert(i);
  return met;
}

// Kinds of errors

/// Calls that cannot meet a kind of error.
struct exceptions {
  std::string_view reason;
  std::vector<std::string_view> calls;  ///< names and networks
};

struct error_kind {
  std::vector<std::string> classes{};
  std::vector<exceptions> others{};
  /// Whether it needs processors in different steps, which those behind a barrier are not.
  bool needs_no_barrier = false;
};

error_kind const all_kinds[] = {
    {.classes = {"deadlock", "barrier_mismatch"}},
    {.classes = {"type_mismatch"}},
    {.classes = {"link_contention"}},
    {.classes = {"size_mismatch"},
     .others = {{"receives any number of elements",
                 {"h_relation_direct crossbar:4", "monotone_sends crossbar:4",
                  "textbook::gather_binomial hypercube:2", "textbook::h_relation crossbar:4",
                  "textbook::transpose_lists crossbar:4"}},
                {"sends a type of its own, which stray integers meet as another type",
                 {"all_to_allv tree:2",
                  "balance crossbar:4",
                  "block_prefix hypercube:2",
                  "concentrate hypercube:2",
                  "concentrate_elements crossbar:4",
                  "concentrate_two hypercube:2",
                  "data_distribution hypercube:2",
                  "distribute_elements crossbar:4",
                  "generalize crossbar:4",
                  "greedy_route hypercube:2",
                  "h_relation crossbar:4",
                  "inverse_concentrate hypercube:2",
                  "inverse_concentrate_two hypercube:2",
                  "item_scan crossbar:4",
                  "lockstep::barrier crossbar:4",
                  "median_sort crossbar:4",
                  "merge hypercube:2",
                  "merge_sort hypercube:2",
                  "monotonic_write crossbar:4",
                  "msbt_gather hypercube:2",
                  "multiway_merge hypercube:4",
                  "multiway_merge_sort hypercube:4",
                  "pipelined_data_distribution hypercube:2",
                  "pipelined_segmented_prefix hypercube:2",
                  "prefix hypercube:2",
                  "prefix_broadcast hypercube:2",
                  "queued_route hypercube:2",
                  "radix_sort crossbar:4",
                  "random_access_read crossbar:4",
                  "randomized_routing crossbar:4",
                  "segmented_prefix hypercube:2",
                  "textbook::exchange torus:4x4",
                  "textbook::merge hypercube:2",
                  "textbook::merge_sort hypercube:2",
                  "textbook::multiway_merge hypercube:4",
                  "textbook::radix_sort crossbar:4",
                  "transportation crossbar:4",
                  "transportation_in_stages crossbar:4"}}}},
    {.classes = {"not_adjacent"},
     .others = {{"sends to neighbours on a ring as well",
                 {"all_gatherv tree:2", "all_to_allv tree:2", "column_sort crossbar:2",
                  "exclusive_scan tree:2", "monotone_sends crossbar:4",
                  "odd_even_transposition_sort mesh:4", "reduce tree:2"}},
                {"goes over the links that there are",
                 {"all_gather crossbar:4", "all_reduce crossbar:4", "balance crossbar:4",
                  "broadcast crossbar:4", "exclusive_scan crossbar:4", "gather crossbar:4",
                  "lockstep::barrier crossbar:4", "reduce crossbar:4", "reduce_scatter crossbar:4",
                  "scan crossbar:4", "scatter crossbar:4",
                  "transportation_in_stages crossbar:4"}}}},
    {.classes = {"port_conflict"},
     .others = {{"meets other messages on its links before",
                 {"all_to_all_binary mesh:4x4", "all_to_all_direct torus:4x4"}},
                {"gets messages of one other processor",
                 {"monotone_sends crossbar:4", "textbook::all_gather_ring crossbar:4",
                  "textbook::all_reduce_ring crossbar:4"}}},
     .needs_no_barrier = true},
};

std::string text_of(std::filesystem::path const& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Counts the functions of a header that are called with a processor, by name; those of namespaces
/// called detail, and of classes, are the library's own.
std::map<std::string, int> public_functions(std::string const& header) {
  static std::regex const opened(R"(^(?:inline )?namespace ([\w:]+) \{)");
  static std::regex const closed(R"(^\}  // namespace)");
  static std::regex const function(R"((\w+)\(\s*processor& me\b[^;{]*\{)");
  std::string text;  // what is not in detail, and no comment
  std::vector<bool> details;
  std::size_t begin = 0;
  while (begin < header.size()) {
    auto const end = std::min(header.find('\n', begin), header.size());
    auto const line = header.substr(begin, end - begin);
    begin = end + 1;
    std::smatch found;
    if (std::regex_search(line, found, opened))
      details.push_back(found[1].str().find("detail") != std::string::npos);
    else if (std::regex_search(line, closed))
      details.pop_back();
    bool const is_comment = line.find_first_not_of(' ') == line.find("//");
    bool const is_own = std::ranges::find(details, true) != details.end();
    if (!is_comment && !is_own) text += line + '\n';
  }
  std::map<std::string, int> functions;
  for (std::sregex_iterator at(text.begin(), text.end(), function), end; at != end; ++at)
    ++functions[(*at)[1].str()];
  return functions;
}

}  // namespace

TEST_CASE("the calls by which errors are provoked end without one", "[errors]") {
  for (auto const& one : all_calls()) {
    INFO(one.name << ", line " << one.line);
    CHECK_NOTHROW(usual_machine(one, engine::fibers).run(one.call));
  }
}

TEST_CASE("errors inside algorithms name the call, whatever the mistake", "[errors]") {
  auto const& calls = all_calls();
  auto met = provoked_errors(engine::fibers, 16);
  for (auto const& kind : all_kinds) {
    std::set<std::string> not_met;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      bool const is_met = std::ranges::any_of(
          kind.classes, [&](auto const& name) { return met[name].contains(i); });
      bool const is_aligned = kind.needs_no_barrier && met["barrier_mismatch"].contains(i);
      if (!is_met && !is_aligned)
        not_met.insert(std::string(calls[i].name) + " " + std::string(calls[i].network));
    }
    std::set<std::string> expected;
    for (auto const& others : kind.others)
      expected.insert(others.calls.begin(), others.calls.end());
    INFO(kind.classes.front());
    CHECK(not_met == expected);
  }
  CHECK(met["invalid_argument"].size() >=
        80);  // those that check their network, or arguments of others
}

TEST_CASE("errors inside algorithms name the call on threads, too", "[errors][threads]") {
  auto const met = provoked_errors(engine::threads, 1);
  for (auto const& kind : all_kinds)
    for (auto const& name : kind.classes) {
      INFO(name);
      CHECK(met.contains(name));
    }
  auto waiting = met.at("deadlock");
  waiting.merge(std::set(met.at("barrier_mismatch")));
  CHECK(waiting.size() == all_calls().size());
}

TEST_CASE("errors inside algorithms name the call: each function of the headers is in the table",
          "[errors]") {
  std::filesystem::path const headers = LOCKSTEP_ALGORITHMS_HEADERS;
  std::map<std::string, std::map<std::string, int>> called_of;
  for (auto const& one : all_calls()) {
    auto const bare = one.name.substr(one.name.rfind(':') + 1);
    ++called_of[std::string(one.file)][std::string(bare.substr(0, bare.find('<')))];
  }
  std::size_t functions = 0;
  for (auto const& entry : std::filesystem::recursive_directory_iterator(headers)) {
    auto const file = std::filesystem::relative(entry.path(), headers).generic_string();
    if (entry.path().extension() != ".hpp" || file.find("detail/") != std::string::npos) continue;
    INFO(file);
    auto const found = public_functions(text_of(entry.path()));
    CHECK(called_of[file] == found);
    functions += found.size();
  }
  CHECK(functions > 60);
}
