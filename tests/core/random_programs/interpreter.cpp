#include "interpreter.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>
#include <utility>

#include <lockstep/errors.hpp>

namespace reference {
namespace {

constexpr int longest_way = 1 << 24;
constexpr step_number never = ~step_number{0};

std::vector<std::uint64_t> codes_of(std::uint64_t seed, std::size_t count) {
  std::vector<std::uint64_t> codes;
  for (std::size_t index = 0; index < count; ++index) codes.push_back(code_of(seed, index));
  return codes;
}

}  // namespace

interpreter::interpreter(experiment const& of, wrong_rule wrong)
    : m_of(of),
      m_network(*of.network),
      m_options(of.options),
      m_wrong(wrong),
      m_neighbour_only(of.options.switching.value_or(of.network->default_switching()) ==
                       lockstep::switching::neighbour),
      m_processors(of.calls.size()) {
  std::vector<int> everybody(m_processors.size());
  std::iota(everybody.begin(), everybody.end(), 0);
  auto const dimensions = m_network.dimensions_of_part(everybody);
  m_groups.push_back({true, everybody, of.network, dimensions});
}

void interpreter::run() {
  bool progress = true;
  while (progress) {
    progress = false;
    for (int rank = 0; rank < size(); ++rank)
      while (advance(rank)) progress = true;
    progress = progress || release_barriers() || decide() || serve_round();
  }
}

std::optional<failure> interpreter::error() const {
  auto candidates = m_failures;
  if (auto const found = first_link_contention()) candidates.push_back(*found);
  if (candidates.empty()) return error_at_the_end();
  if (gets_wrong(wrong_rule::first_error_found)) return candidates.front();
  auto const place = [](failure const& one) { return std::tuple{one.step, one.rank}; };
  auto least = *std::ranges::min_element(candidates, {}, place);
  least.kinds.clear();
  for (auto const& one : candidates)
    if (place(one) == place(least))
      least.kinds.insert(least.kinds.end(), one.kinds.begin(), one.kinds.end());
  return least;
}

bool interpreter::fail(int rank, std::vector<std::string> kinds, step_number step) {
  m_failures.push_back({std::move(kinds), step, rank});
  at(rank).is = condition::stopped;
  return false;
}

/// Makes one call of this processor. Result: whether it went on.
bool interpreter::advance(int rank) {
  auto& me = at(rank);
  if (me.is != condition::runs && me.is != condition::in_receive) return false;
  if (me.label_before && me.next >= me.label_until) {
    me.label = *me.label_before;
    me.label_before.reset();
  }
  if (me.next >= calls(rank).size()) return at_the_end(rank);
  auto const& call = call_of(rank);
  if (!me.subsets.contains(call.through)) {
    ++me.next;
    return true;
  }
  if (call.what == action::exchange && !me.sent_half) {
    me.sent_half = send(rank, call);
    return me.sent_half;
  }
  if (call.what == action::deliver) return deliver(rank, call);
  if (!act(rank, call)) return false;
  go_on(rank);
  return true;
}

/// Rounds that have begun end with the program.
bool interpreter::at_the_end(int rank) {
  auto& me = at(rank);
  if (me.pipelined) return wait_in_barrier(rank, *me.pipelined, "end of pipelined");
  me.is = condition::finished;
  return false;
}

void interpreter::go_on(int rank) {
  auto& me = at(rank);
  me.is = condition::runs;
  me.sent_half = false;
  me.result.push_back(me.now);
  ++me.next;
}

/// Result: whether the call is done; otherwise the processor waits or has failed.
bool interpreter::act(int rank, operation const& call) {
  auto& me = at(rank);
  auto const group = me.subsets.at(call.through);
  switch (call.what) {
    case action::send:
      return send(rank, call);
    case action::receive:
    case action::exchange:  // the other half is done
      return receive(rank, call);
    case action::receive_any:
    case action::pending:
    case action::try_receive:
      return wait_for_answer(rank, call);
    case action::post:
      return post(rank, call);
    case action::barrier:
      return wait_in_barrier(rank, group, "barrier");
    case action::phase:
      return wait_in_barrier(rank, group, "phase " + call.name);
    case action::pipelined_begin:
      if (me.pipelined) return fail(rank, {"invalid_argument"}, me.now);
      return wait_in_barrier(rank, group, "begin of pipelined");
    case action::pipelined_end:
      return !me.pipelined || wait_in_barrier(rank, *me.pipelined, "end of pipelined");
    case action::read:
    case action::write:
    case action::serve:
      return wait_in_round(rank, call);
    default:
      return act_alone(rank, call);
  }
}

/// The calls that concern nobody else.
bool interpreter::act_alone(int rank, operation const& call) {
  auto& me = at(rank);
  switch (call.what) {
    case action::idle:
      return idle(rank, call.number);
    case action::rearrange:
      m_rearrangements.push_back({rank, call.number, m_phases.size()});
      return true;
    case action::work:
      return work(rank, call.number);
    case action::label:
      return label(rank, call);
    case action::pass:
      if (static_cast<int>(call.number) < 0 || static_cast<int>(call.number) > 254)
        return fail(rank, {"invalid_argument"}, me.now);
      if (m_options.ports == lockstep::ports::per_pass) me.pass = static_cast<int>(call.number);
      return true;
    case action::tag:
      if (static_cast<int>(call.number) < 0 || static_cast<int>(call.number) > 254 ||
          m_options.ports == lockstep::ports::per_pass)
        return fail(rank, {"invalid_argument"}, me.now);
      me.pass = static_cast<int>(call.number);
      return true;
    case action::subset:
      return make_subset(rank, call);
    case action::allocate:
      return allocate(rank, call.number);
    case action::free_memory:
      if (!me.held.empty()) me.held.pop_back();
      return true;
    default:
      return fail(rank, {"processor_failed"}, me.now);
  }
}

bool interpreter::idle(int rank, std::uint64_t steps) {
  auto& me = at(rank);
  if (steps > m_options.max_steps + 1 - me.now)
    return fail(rank, {"step_limit"}, m_options.max_steps + 1);
  me.now += steps;
  me.clock += loggp_of_model().idle_us * static_cast<double>(steps);
  return true;
}

bool interpreter::allocate(int rank, std::uint64_t bytes) {
  auto& me = at(rank);
  me.held.push_back(bytes);
  auto const all = std::accumulate(me.held.begin(), me.held.end(), std::uint64_t{0});
  me.peak = gets_wrong(wrong_rule::peak_at_the_end) ? all : std::max(me.peak, all);
  return true;
}

/// Finds a label inside of another, or gives that for an empty name.
std::vector<std::string> interpreter::label_inside(std::vector<std::string> path,
                                                   std::string const& name, step_number step) {
  if (name.empty()) return path;
  path.push_back(name);
  auto& first = m_labels.try_emplace(path, step).first->second;
  first = std::min(first, step);
  return path;
}

bool interpreter::label(int rank, operation const& call) {
  auto& me = at(rank);
  if (call.number == 0) {
    me.label.current = label_inside(me.label.enclosing, call.name, me.now);
    return true;
  }
  auto const before = me.label;
  auto const path = label_inside(before.current, call.name, me.now);
  me.label = {path, path};
  if (call.number == 2) me.label.current = label_inside(path, inner_label, me.now);
  auto const next = me.next + 1;
  if (next < calls(rank).size() && goes_inside(calls(rank)[next])) {
    me.label_before = before;
    me.label_until = next + 1;
  } else {
    me.label = before;
  }
  return true;
}

/// Rule 14: the operations belong to the step and to the barriers passed, or to a pipelined run.
bool interpreter::work(int rank, std::uint64_t operations) {
  auto& me = at(rank);
  local_work done{rank, me.now, me.barriers, {}, m_phases.size(), operations, me.label.current};
  if (me.pipelined)
    done.run = static_cast<std::size_t>(std::ranges::find(m_pipelined_runs.rbegin(),
                                                          m_pipelined_runs.rend(), *me.pipelined,
                                                          &pipelined_run::group)
                                            .base() -
                                        m_pipelined_runs.begin()) -
               1;
  m_work.push_back(done);
  me.operations += operations;
  me.path += operations;
  me.clock += loggp_of_model().operation_us * static_cast<double>(operations);
  return true;
}

// --- subsets ---

bool interpreter::make_subset(int rank, operation const& call) {
  auto& me = at(rank);
  auto members = call.of.members;
  if (call.of.varying) {
    auto const found = members_by_dimensions(rank, call);
    if (!found) return fail(rank, {"invalid_argument"}, me.now);
    members = *found;
  } else {
    auto const& parent = group_of(rank, call).members;
    std::vector<std::string> broken;
    for (int const member : members)
      if (std::ranges::count(parent, member) == 0) broken = {"invalid_rank"};
    if (std::set<int>(members.begin(), members.end()).size() != members.size())
      broken.emplace_back("invalid_argument");
    if (std::ranges::count(members, rank) == 0) broken.emplace_back("invalid_argument");
    if (!broken.empty()) return fail(rank, std::move(broken), me.now);
  }
  auto const same = [&](auto const& one) { return !one.whole && one.members == members; };
  auto found = std::ranges::find_if(m_groups, same);
  if (found == m_groups.end())
    found = m_groups.insert(
        found, {false, members, m_network.part(members), m_network.dimensions_of_part(members)});
  me.subsets[call.number] = static_cast<std::size_t>(found - m_groups.begin());
  me.result.push_back(static_cast<std::uint64_t>(rank_in(members, rank, size())));
  me.result.push_back(members.size());
  me.result.push_back(digest_of_text(found->network->spec()));
  return true;
}

/// As ranks on the machine; nothing where the parent has no such dimensions.
std::optional<std::vector<int>> interpreter::members_by_dimensions(int rank,
                                                                   operation const& call) const {
  auto const& parent = group_of(rank, call);
  try {
    auto members = parent.network->members(rank_in(parent.members, rank, size()),
                                           lockstep::dimensions(*call.of.varying));
    for (int& member : members) member = parent.members[static_cast<std::size_t>(member)];
    return members;
  } catch (lockstep::error const&) {
    return std::nullopt;
  }
}

// --- sending ---

/// Whether the call cannot mean that processor: it is not in the group, or the caller itself.
bool interpreter::bad_partner(int rank, operation const& call, int other) const {
  return other == rank || std::ranges::count(group_of(rank, call).members, other) == 0;
}

/// Rule 3: which of a processor's ports a message of this pass over this link takes.
link_number interpreter::port(link_number over, int pass) const {
  switch (m_options.ports) {
    case lockstep::ports::one:
      return 0;
    case lockstep::ports::all:
      return gets_wrong(wrong_rule::one_port_for_all) ? 0 : over;
    case lockstep::ports::per_pass:
      return gets_wrong(wrong_rule::one_port_for_passes) ? 0 : pass;
  }
  return 0;
}

/// The same way in the machine's dimensions, or none where the group has no such dimension.
std::optional<lockstep::along> interpreter::way_on_machine(int rank, operation const& call) const {
  auto const& group = group_of(rank, call);
  auto way = *call.out.way;
  if (group.whole) return way;
  if (way.dimension < 0 || way.dimension >= static_cast<int>(group.dimensions.size()))
    return std::nullopt;
  way.dimension = group.dimensions[static_cast<std::size_t>(way.dimension)];
  return way;
}

/// Where the message goes, or nothing and what the call breaks.
std::optional<int> interpreter::end_of_way(int rank, operation const& call,
                                           std::vector<std::string>& broken) const {
  auto const way = way_on_machine(rank, call);
  broken = {"invalid_argument"};
  if (!way || way->dimension < 0 || std::abs(way->offset) > longest_way) return std::nullopt;
  int to = rank;
  try {
    to = m_network.end_of(rank, *way);
  } catch (lockstep::invalid_rank const&) {
    broken = {"invalid_rank"};
    return std::nullopt;
  } catch (lockstep::error const&) {
    return std::nullopt;
  }
  broken.clear();
  if (to == rank) broken.emplace_back("invalid_rank");
  if (m_neighbour_only && std::abs(way->offset) != 1) broken.emplace_back("not_adjacent");
  return broken.empty() ? std::optional(to) : std::nullopt;
}

std::vector<link_number> interpreter::links_of(int from, int to, lockstep::along way) const {
  std::vector<link_number> links;
  if (way.offset == 0 || gets_wrong(wrong_rule::ways_as_routes)) {
    m_network.append_links(from, to, links);
    return links;
  }
  for (int const next : m_network.route(from, way)) {
    links.push_back(m_network.number_of({from, next}));
    from = next;
  }
  return links;
}

/// Rule 2: if the out-port is taken in `now`, first `now` += 1.
void interpreter::move_on(virtual_processor& me, step_number out_port_used) const {
  if (gets_wrong(wrong_rule::two_sends_in_a_step)) return;
  if (out_port_used == me.now) me.now += 1;
}

/// Rule 4: what keeps messages from going from one to the other; nothing if they may.
std::vector<std::string> interpreter::obstacle(int from, int to) const {
  if (m_neighbour_only)
    return m_network.adjacent(from, to) ? std::vector<std::string>()
                                        : std::vector<std::string>{"not_adjacent"};
  try {
    (void)m_network.route(from, to);
  } catch (lockstep::invalid_topology const&) {
    return {"invalid_topology"};
  }
  return {};
}

bool interpreter::send(int rank, operation const& call) {
  auto& me = at(rank);
  // Where the port does not depend on the route, `now` moves on before anything is looked at.
  if (m_options.ports != lockstep::ports::all) move_on(me, me.out_port_used[port(0, me.pass)]);
  int to = call.out.to;
  lockstep::along way{};
  if (call.out.way) {
    std::vector<std::string> broken;
    auto const end = end_of_way(rank, call, broken);
    if (!end) return fail(rank, broken, me.now);
    to = *end;
    way = *way_on_machine(rank, call);
  } else {
    if (bad_partner(rank, call, to)) return fail(rank, {"invalid_rank"}, me.now);
    if (auto const broken = obstacle(rank, to); !broken.empty()) return fail(rank, broken, me.now);
  }
  payload carried{call.out.type, codes_of(call.out.seed, elements_sent(call))};
  std::size_t sent = 0;
  if (!dispatch(rank, to, way, std::move(carried), me.pass, sent)) return false;
  m_messages[sent].in_channel = true;
  m_channels[channel_of(rank, to, me.pass)].push_back(sent);
  return true;
}

/// Sends a message off: rules 2 to 4 and 6. Result: whether the sender could.
bool interpreter::dispatch(int from, int to, lockstep::along way, payload carried,
                           int pass_of_receiver, std::size_t& sent) {
  auto& me = at(from);
  envelope made;
  made.links = links_of(from, to, way);
  made.hops = made.links.size();
  made.way = way;
  auto& port_used = me.out_port_used[port(made.links.front(), me.pass)];
  move_on(me, port_used);
  if (me.now > m_options.max_steps) return fail(from, {"step_limit"}, me.now);
  port_used = me.now;
  made.stamp = me.now;
  made.sender_call = ++me.messages;
  made.path = me.path;
  made.from = from;
  made.to = to;
  made.pass = pass_of_receiver;
  made.type = carried.type;
  auto const elements = carried.codes.size();
  auto const words = gets_wrong(wrong_rule::elements_as_words)
                         ? elements
                         : words_of_elements(carried.type, elements, m_options.count);
  auto const packet = gets_wrong(wrong_rule::no_packets) ? 1 : m_options.packet;
  made.words = (words + packet - 1) / packet * packet;
  made.codes = std::move(carried.codes);
  clock_send(me, port(made.links.front(), me.pass), made);
  made.known = me.known;
  sent = m_messages.size();
  m_messages.push_back(std::move(made));
  return true;
}

/// Rule 3: channels, too, are for each pass apart, and so are tags.
interpreter::channel interpreter::channel_of(int from, int to, int pass) const {
  return {from, to, pass};
}

// --- receiving ---

bool interpreter::receive(int rank, operation const& call) {
  auto& me = at(rank);
  auto const& in = call.in;
  if (bad_partner(rank, call, in.from)) return fail(rank, {"invalid_rank"}, me.now);
  if (m_neighbour_only && !m_network.adjacent(in.from, rank))
    return fail(rank, {"not_adjacent"}, me.now);
  auto& waiting = m_channels[channel_of(in.from, rank, me.pass)];
  if (waiting.empty()) {
    me.is = condition::in_receive;
    return false;
  }
  auto& message = m_messages[waiting.front()];
  std::vector<std::string> broken;
  if (message.type != in.type) broken.emplace_back("type_mismatch");
  auto const wanted = in.how == taking::value ? 1 : in.count;
  if (in.how != taking::vector && message.codes.size() != wanted &&
      !gets_wrong(wrong_rule::sizes_unchecked))
    broken.emplace_back("size_mismatch");
  if (!take_in(rank, message, std::move(broken))) return false;
  waiting.pop_front();
  me.result.push_back(digest(message.codes));
  return true;
}

/// The message comes in through the in-port (rule 2) unless the call breaks a rule. Result: whether
/// it does.
bool interpreter::take_in(int rank, envelope& message, std::vector<std::string> broken) {
  auto& me = at(rank);
  auto& port_used = me.in_port_used[port(message.links.back(), me.pass)];
  auto step = std::max(message.stamp, port_used + 1);
  if (m_options.strict && step != message.stamp) broken.emplace_back("port_conflict");
  if (step > m_options.max_steps) broken.emplace_back("step_limit");
  auto const met = gets_wrong(wrong_rule::queueing_at_its_stamp) ? message.stamp
                                                                 : std::max(me.now, message.stamp);
  if (!broken.empty()) return fail(rank, std::move(broken), met);
  if (gets_wrong(wrong_rule::comes_in_at_now)) step = std::max(step, me.now);
  if (!gets_wrong(wrong_rule::comes_in_before_it_can)) port_used = step;
  message.step = step;
  message.receiver_call = ++me.messages;
  message.label = me.label.current;
  if (!gets_wrong(wrong_rule::paths_end_at_messages)) me.path = std::max(me.path, message.path);
  note_choices(rank, message);
  me.now = std::max(me.now, step + 1);
  clock_receive(me, port(message.links.back(), me.pass), message);
  return true;
}

// --- barriers ---

bool interpreter::wait_in_barrier(int rank, std::size_t group, std::string const& name) {
  auto& me = at(rank);
  me.is = condition::in_barrier;
  me.waits_in = group;
  me.barrier = name;
  return false;
}

/// Lets all go on whose group is complete. Result: whether anybody does.
bool interpreter::release_barriers() {
  bool progress = false;
  for (std::size_t group = 0; group < m_groups.size(); ++group) {
    auto const there = [&](int rank) {
      return at(rank).is == condition::in_barrier && at(rank).waits_in == group;
    };
    if (!std::ranges::all_of(m_groups[group].members, there) || !same_barrier(group)) continue;
    release(group);
    progress = true;
  }
  return progress;
}

/// Whether the members of a complete barrier mean the same one; otherwise they stop.
bool interpreter::same_barrier(std::size_t group) {
  auto const& members = m_groups[group].members;
  auto const& wanted = at(members.front()).barrier;
  auto const other =
      std::ranges::find_if(members, [&](int rank) { return at(rank).barrier != wanted; });
  if (other == members.end()) return true;
  step_number latest = 0;
  for (int const rank : members) latest = std::max(latest, at(rank).now);
  for (int const rank : members) at(rank).is = condition::stopped;
  fail(*other, {"barrier_mismatch"}, latest);
  return false;
}

/// The step in which a processor goes on from a barrier that it comes to last.
step_number interpreter::step_after(virtual_processor const& one) const {
  bool const out_port_used = std::ranges::any_of(
      one.out_port_used, [&](auto const& port) { return port.second == one.now; });
  bool const moves_on = out_port_used && !gets_wrong(wrong_rule::barrier_in_the_step_of_a_send);
  return one.now + (moves_on ? 1 : 0);
}

step_number interpreter::makespan() const {
  step_number last = 1;
  for (auto const& one : m_processors) last = std::max(last, step_after(one));
  return last - 1;
}

// --- the clock of LogGP ---

/// The bytes of a message beyond the first, in time.
double further_bytes(envelope const& message) {
  auto const& model = loggp_of_model();
  return (static_cast<double>(message.words) * model.word_bytes - 1) * model.gap_us_per_byte;
}

void interpreter::clock_send(virtual_processor& me, link_number port, envelope& made) const {
  auto const& model = loggp_of_model();
  made.arrival = me.clock;
  if (made.words == 0) return;
  double const start = std::max(me.clock, me.out_free[port]);
  me.clock = start + model.overhead_us;
  me.out_free[port] = start + model.gap_us + further_bytes(made);
  me.left = std::max(me.left, me.clock + further_bytes(made));
  made.arrival = start + model.overhead_us + model.latency_us;
}

void interpreter::clock_receive(virtual_processor& me, link_number port,
                                envelope const& message) const {
  auto const& model = loggp_of_model();
  if (message.words == 0) {
    me.clock = std::max(me.clock, message.arrival);
    return;
  }
  double const in = std::max(message.arrival, me.in_free[port]);
  me.in_free[port] = in + model.gap_us + further_bytes(message);
  me.clock = std::max(me.clock, in + further_bytes(message)) + model.overhead_us;
}

double interpreter::clock_makespan() const {
  double last = 0;
  for (auto const& one : m_processors) last = std::max({last, one.clock, one.left});
  return last;
}

/// Rule 8.
void interpreter::release(std::size_t group) {
  auto const members = m_groups[group].members;
  step_number common = 0;
  for (int const rank : members) common = std::max(common, step_after(at(rank)));
  double over = 0;
  for (int const rank : members) over = std::max({over, at(rank).clock, at(rank).left});
  auto const name = at(members.front()).barrier;
  note_barrier(group, name, common);
  if (name == "deliver" || name == "announcement") begin_delivery(group, name == "announcement");
  known_calls all_know;
  for (int const rank : members)
    for (auto const& [other, calls] : at(rank).known)
      all_know[other] = std::max(all_know[other], calls);
  for (int const rank : members) {
    auto& one = at(rank);
    one.known = all_know;
    one.now = common;
    one.clock = over;
    ++one.barriers;
    if (one.stage == delivery_stage::none)
      go_on(rank);
    else if (name == "end of pipelined")
      end_delivery(rank);
  }
}

void interpreter::note_barrier(std::size_t group, std::string const& name, step_number common) {
  auto const& of = m_groups[group];
  if (name.starts_with("phase ") && (of.whole || gets_wrong(wrong_rule::phases_of_subsets))) {
    lockstep::phase_record begun;
    begun.name = name.substr(6);
    begun.first_step = common;
    m_phases.push_back(begun);
  }
  bool const begins = name == "begin of pipelined" || name == "deliver" || name == "announcement";
  if (begins) m_pipelined_runs.push_back({group, common, common});
  if (name == "end of pipelined")
    std::ranges::find(m_pipelined_runs.rbegin(), m_pipelined_runs.rend(), group,
                      &pipelined_run::group)
        ->end = common;
  for (int const rank : of.members) {
    if (begins) at(rank).pipelined = group;
    if (name == "end of pipelined") at(rank).pipelined.reset();
  }
}

// --- whoever comes first (rule 13) ---

bool interpreter::wait_for_answer(int rank, operation const& call) {
  auto& me = at(rank);
  bool const chooses = call.what == action::receive_any;
  auto const named = chooses ? call.of.members : std::vector<int>{call.in.from};
  for (int const from : named)
    if (bad_partner(rank, call, from)) return fail(rank, {"invalid_rank"}, me.now);
  for (int const from : named)
    if (m_neighbour_only && !m_network.adjacent(from, rank))
      return fail(rank, {"not_adjacent"}, me.now);
  if (call.what == action::try_receive && me.tries >= call.number) {
    if (!receive(rank, call)) return false;
    me.tries = 0;
    return true;
  }
  me.is = chooses ? condition::choosing : condition::polling;
  return false;
}

std::vector<int> interpreter::admitted(int rank, operation const& call) const {
  auto senders = call.of.members.empty() ? group_of(rank, call).members : call.of.members;
  std::erase(senders, rank);
  return senders;
}

/// The least (step, sender) among the oldest messages of all senders.
std::optional<interpreter::decision> interpreter::first_to_come(int rank) {
  auto& me = at(rank);
  std::optional<decision> first;
  for (int const from : admitted(rank, call_of(rank))) {
    auto const& waiting = m_channels[channel_of(from, rank, me.pass)];
    if (waiting.empty()) continue;
    auto const& oldest = m_messages[waiting.front()];
    auto const port_used = me.in_port_used[port(oldest.links.back(), me.pass)];
    auto const step = gets_wrong(wrong_rule::first_by_stamp)
                          ? oldest.stamp
                          : std::max(oldest.stamp, port_used + 1);
    int const order = gets_wrong(wrong_rule::highest_sender_first) ? -from : from;
    decision const found{step, true, order, rank, from};
    if (!first || found < *first) first = found;
  }
  return first;
}

/// Decides the least of what can be decided. Result: whether there was anything.
bool interpreter::decide() {
  std::optional<decision> least;
  for (int rank = 0; rank < size(); ++rank) {
    std::optional<decision> found;
    if (at(rank).is == condition::polling) found = decision{at(rank).now, false, 0, rank, 0};
    if (at(rank).is == condition::choosing) found = first_to_come(rank);
    if (found && (!least || *found < *least)) least = found;
  }
  if (!least) return false;
  auto const rank = least->rank;
  for (auto const& other : m_processors)
    if (other.is == condition::in_round && other.now <= least->step) {
      fail(rank, {"invalid_argument"}, std::max(at(rank).now, least->step));
      return true;
    }
  if (least->chooses ? take_first(rank, least->from, call_of(rank)) : answer_poll(rank))
    go_on(rank);
  return true;
}

bool interpreter::take_first(int rank, int from, operation const& call) {
  auto& me = at(rank);
  auto& waiting = m_channels[channel_of(from, rank, me.pass)];
  auto& message = m_messages[waiting.front()];
  std::vector<std::string> broken;
  if (message.type != call.in.type) broken.emplace_back("type_mismatch");
  if (call.what == action::receive_any)
    me.choosing.push_back({admitted(rank, call), me.pass, from});
  if (!take_in(rank, message, std::move(broken))) return false;
  if (call.what == action::receive_any) {
    me.known[rank] = me.choosing.size();
    me.result.push_back(
        static_cast<std::uint64_t>(rank_in(group_of(rank, call).members, from, size())));
  }
  waiting.pop_front();
  me.result.push_back(digest(message.codes));
  return true;
}

/// Result: whether the call is done.
bool interpreter::answer_poll(int rank) {
  auto& me = at(rank);
  auto const& call = call_of(rank);
  std::uint64_t come = 0;
  auto const last = me.now - (gets_wrong(wrong_rule::pending_in_this_step) ? 0 : 1);
  for (auto const one : m_channels[channel_of(call.in.from, rank, me.pass)])
    if (m_messages[one].stamp <= last) ++come;
  me.is = condition::runs;
  if (call.what == action::pending) {
    me.result.push_back(come);
    return true;
  }
  if (come > 0) {
    me.tries = 0;
    return take_first(rank, call.in.from, call);
  }
  if (!gets_wrong(wrong_rule::polling_is_free) && !idle(rank, 1)) return false;
  me.result.push_back(me.now);
  ++me.tries;
  return false;
}

/// The calls whose message might have been this one instead: those since the last of its channel,
/// unless it was sent after them.
void interpreter::note_choices(int rank, envelope const& taken) {
  auto& me = at(rank);
  for (auto const& [other, calls] : taken.known) me.known[other] = std::max(me.known[other], calls);
  if (!taken.in_channel) return;
  auto& last = me.choosing_at_last[{taken.from, taken.pass}];
  auto const known = taken.known.find(rank);
  auto const follows = known == taken.known.end() ? 0 : known->second;
  for (auto call = last; call < me.choosing.size(); ++call) {
    auto& one = me.choosing[call];
    bool const sent_after = call < follows && !gets_wrong(wrong_rule::choices_without_clocks);
    if (!sent_after && one.took_of != taken.from && one.pass == taken.pass &&
        std::ranges::count(one.senders, taken.from) > 0)
      one.is_choice = true;
  }
  last = me.choosing.size();
}

// --- supersteps (rule 12) ---

bool interpreter::post(int rank, operation const& call) {
  auto& me = at(rank);
  auto const group = me.subsets.at(call.through);
  int const to = call.out.to;
  if (std::ranges::count(m_groups[group].members, to) == 0)
    return fail(rank, {"invalid_rank"}, me.now);
  if (m_neighbour_only && to != rank && !m_network.adjacent(rank, to))
    return fail(rank, {"not_adjacent"}, me.now);
  auto& posts = me.posts[group];
  if (!posts.empty() && posts.front().type != call.out.type)
    return fail(rank, {"type_mismatch"}, me.now);
  posts.push_back({to, call.out.type, codes_of(call.out.seed, elements_sent(call)), me.now});
  return true;
}

/// Goes on with a superstep. Result: whether it did.
bool interpreter::deliver(int rank, operation const& call) {
  auto& me = at(rank);
  auto const group = me.subsets.at(call.through);
  switch (me.stage) {
    case delivery_stage::none: {
      if (me.pipelined) return fail(rank, {"invalid_argument"}, me.now);
      bool const announces = call.number == 2 && m_groups[group].members.size() > 1 &&
                             !gets_wrong(wrong_rule::announcement_is_free);
      return wait_in_barrier(rank, group, announces ? "announcement" : "deliver");
    }
    case delivery_stage::sending:
      if (!send_mail(rank, group)) return false;
      me.stage = delivery_stage::receiving;
      me.offset = 1;
      if (me.announced && !own_posts_fit(rank, call, group))
        return fail(rank, {"type_mismatch"}, me.now);
      return true;
    case delivery_stage::receiving:
      return receive_mail(rank, call, group) && wait_in_barrier(rank, group, "end of pipelined");
  }
  return false;
}

/// Notes which member owes a message to which.
void interpreter::begin_delivery(std::size_t group, bool announces) {
  auto const& members = m_groups[group].members;
  for (int const from : members) {
    at(from).stage = delivery_stage::sending;
    at(from).announced = !announces;
    at(from).is = condition::runs;
    at(from).mail.clear();
    for (int const to : members)
      m_owed[{from, to}] = from != to && (announces || !posts_to(from, group, to).empty());
  }
}

/// After the last barrier of a run of the superstep: of its announcement, or of all.
bool interpreter::end_delivery(int rank) {
  auto& me = at(rank);
  me.stage = delivery_stage::none;
  auto const group = me.subsets.at(call_of(rank).through);
  if (!std::exchange(me.announced, false)) return wait_in_barrier(rank, group, "deliver");
  for (auto const& [from, codes] : me.mail) {
    me.result.push_back(static_cast<std::uint64_t>(from));
    me.result.push_back(digest(codes));
  }
  me.posts.erase(group);
  go_on(rank);
  return true;
}

std::vector<posted_values> interpreter::posts_to(int rank, std::size_t group, int to) const {
  std::vector<posted_values> found;
  auto const all = at(rank).posts.find(group);
  if (all == at(rank).posts.end()) return found;
  for (auto const& one : all->second)
    if (one.to == to) found.push_back(one);
  return found;
}

bool interpreter::send_mail(int rank, std::size_t group) {
  auto const& members = m_groups[group].members;
  int const size = static_cast<int>(members.size());
  int const mine = rank_in(members, rank, this->size());
  for (int offset = 1; offset < size; ++offset) {
    int const to = gets_wrong(wrong_rule::mail_by_rank) ? (offset <= mine ? offset - 1 : offset)
                                                        : (mine + offset) % size;
    int const receiver = members[static_cast<std::size_t>(to)];
    if (m_owed.at({rank, receiver}) && !send_mail_to(rank, group, receiver, !at(rank).announced))
      return false;
  }
  return true;
}

bool interpreter::send_mail_to(int rank, std::size_t group, int to, bool announces) {
  if (auto const broken = obstacle(rank, to); !broken.empty())
    return fail(rank, broken, at(rank).now);
  payload carried{element_type::integer, {0}};
  auto const posts = posts_to(rank, group, to);
  if (!announces) carried = {posts.front().type, {}};
  std::uint64_t words = 0;
  for (auto const& one : posts) {
    if (announces) break;
    carried.codes.insert(carried.codes.end(), one.codes.begin(), one.codes.end());
    auto const packet = m_options.packet;
    auto const unpacked = words_of_elements(one.type, one.codes.size(), m_options.count);
    words += (unpacked + packet - 1) / packet * packet;
  }
  std::size_t sent = 0;
  if (!dispatch(rank, to, {}, std::move(carried), at(to).pass, sent)) return false;
  if (gets_wrong(wrong_rule::posts_as_messages) && !announces) m_messages[sent].words = words;
  m_mail[{rank, to}].push_back(sent);
  return true;
}

/// Whether what the processor posted to itself has the type that it delivers; then it has it.
bool interpreter::own_posts_fit(int rank, operation const& call, std::size_t group) const {
  auto const own = posts_to(rank, group, rank);
  return own.empty() || own.front().type == call.in.type;
}

bool interpreter::receive_mail(int rank, operation const& call, std::size_t group) {
  auto& me = at(rank);
  auto const& members = m_groups[group].members;
  int const size = static_cast<int>(members.size());
  int const mine = rank_in(members, rank, this->size());
  for (; me.offset < size; ++me.offset) {
    int const sender = (mine - me.offset + size) % size;
    int const from = members[static_cast<std::size_t>(sender)];
    if (!m_owed.at({from, rank})) continue;
    auto& waiting = m_mail[{from, rank}];
    if (waiting.empty()) {
      me.is = condition::in_receive;
      return false;
    }
    auto& message = m_messages[waiting.front()];
    std::vector<std::string> broken;
    if (me.announced && message.type != call.in.type) broken.emplace_back("type_mismatch");
    if (!take_in(rank, message, std::move(broken))) return false;
    waiting.pop_front();
    if (me.announced) me.mail[sender] = message.codes;
  }
  for (auto const& one : posts_to(rank, group, rank)) {
    if (!me.announced) break;
    auto& codes = me.mail[mine];
    codes.insert(codes.end(), one.codes.begin(), one.codes.end());
  }
  return true;
}

// --- one-sided rounds (rule 10) ---

bool interpreter::wait_in_round(int rank, operation const& call) {
  auto& me = at(rank);
  int const owner = call.asked.owner;
  if (call.what != action::serve) {
    if (bad_partner(rank, call, owner)) return fail(rank, {"invalid_rank"}, me.now);
    auto const broken = call.what == action::read ? obstacle(owner, rank) : obstacle(rank, owner);
    if (!broken.empty()) return fail(rank, broken, me.now);
  }
  me.is = condition::in_round;
  return false;
}

/// A round of all that wait for one. Result: whether there was any.
bool interpreter::serve_round() {
  m_round.clear();
  for (int rank = 0; rank < size(); ++rank)
    if (at(rank).is == condition::in_round) m_round.push_back(rank);
  if (m_round.empty()) return false;
  bool const others_failed = !m_failures.empty() || first_link_contention().has_value();
  auto order = m_round;
  if (gets_wrong(wrong_rule::high_ranks_first)) std::ranges::reverse(order);
  std::vector<action> kinds{action::read, action::write};
  if (gets_wrong(wrong_rule::writes_first)) std::ranges::reverse(kinds);
  std::vector<served> done;
  for (auto const kind : kinds)
    for (int const asker : order)
      if (call_of(asker).what == kind) serve(asker, others_failed, done);
  mark_meetings(done);
  finish_round(done);
  return true;
}

/// Rule 10: words of one owner's memory, or for it, that several processors ask for in a round.
void interpreter::mark_meetings(std::vector<served> const& done) {
  auto const owner_of = [](envelope const& one, bool reads) { return reads ? one.from : one.to; };
  for (auto const& one : done)
    for (auto const& other : done) {
      auto& message = m_messages[one.message];
      auto const& beside = m_messages[other.message];
      bool const same = owner_of(message, one.reads) == owner_of(beside, other.reads);
      if (one.message != other.message && same && beside.words > 0) message.meets = true;
    }
}

/// What is wrong with the request shows when both are there.
bool interpreter::may_serve(int asker, bool others_failed) {
  auto const& call = call_of(asker);
  auto const& owner = at(call.asked.owner);
  if (std::ranges::count(m_round, call.asked.owner) == 0) {
    if (!others_failed || owner.is == condition::finished)
      return fail(asker, {"barrier_mismatch"}, at(asker).now);
    at(asker).is = condition::stopped;
    return false;
  }
  auto const& gives = call_of(call.asked.owner);
  std::vector<std::string> broken;
  auto const type = call.what == action::read ? call.mine.type : call.asked.type;
  if (type != gives.mine.type) broken.emplace_back("type_mismatch");
  if (call.asked.offset > gives.mine.count ||
      call.asked.count > gives.mine.count - call.asked.offset)
    broken.emplace_back("size_mismatch");
  bool const writable =
      gives.what == action::write || (gives.what == action::serve && !gives.mine.constant);
  if (call.what == action::write && !writable) broken.emplace_back("invalid_argument");
  if (broken.empty()) return true;
  return fail(asker, std::move(broken), std::max(at(asker).now, owner.now));
}

void interpreter::serve(int asker, bool others_failed, std::vector<served>& done) {
  if (!may_serve(asker, others_failed)) return;
  auto const& call = call_of(asker);
  int const owner = call.asked.owner;
  bool const reads = call.what == action::read;
  int const from = reads ? owner : asker;
  int const to = reads ? asker : owner;
  payload carried{call.asked.type, codes_of(call.asked.seed, call.asked.count)};
  if (reads) {
    auto const memory = memory_before(owner);
    auto const first = memory.begin() + static_cast<std::ptrdiff_t>(call.asked.offset);
    carried = {call.mine.type, {first, first + static_cast<std::ptrdiff_t>(call.asked.count)}};
  }
  auto const owners_now = at(owner).now;
  if (reads && gets_wrong(wrong_rule::stamped_by_the_asker)) at(owner).now = at(asker).now;
  std::size_t sent = 0;
  bool const dispatched = dispatch(from, to, {}, std::move(carried), at(to).pass, sent);
  if (reads && gets_wrong(wrong_rule::stamped_by_the_asker)) at(owner).now = owners_now;
  if (dispatched)
    done.push_back({reads, to, call.asked.offset, sent});
  else
    at(asker).is = condition::stopped;
}

std::vector<std::uint64_t> interpreter::memory_before(int rank) const {
  auto const& mine = call_of(rank).mine;
  auto memory = codes_of(mine.seed, mine.count);
  if (!gets_wrong(wrong_rule::reads_see_writes)) return memory;
  for (int const other : m_round) {
    auto const& asked = call_of(other).asked;
    if (call_of(other).what != action::write || asked.owner != rank) continue;
    for (std::size_t index = 0; index < asked.count; ++index)
      if (asked.offset + index < memory.size())
        memory[asked.offset + index] = code_of(asked.seed, index);
  }
  return memory;
}

/// Owners take in what is written to them, in the order of ranks, and readers their answers.
void interpreter::finish_round(std::vector<served> const& done) {
  for (int const rank : m_round) {
    if (at(rank).is == condition::stopped) continue;
    auto memory = codes_of(call_of(rank).mine.seed, call_of(rank).mine.count);
    if (!take_in_round(rank, done, memory)) continue;
    at(rank).result.push_back(digest(memory));
    go_on(rank);
  }
}

bool interpreter::take_in_round(int rank, std::vector<served> const& done,
                                std::vector<std::uint64_t>& memory) {
  std::set<std::size_t> written;
  for (auto const& one : done) {
    if (one.taker != rank) continue;
    auto& message = m_messages[one.message];
    if (!take_in(rank, message, {})) return false;
    if (one.reads) at(rank).result.push_back(digest(message.codes));
    for (std::size_t index = 0; !one.reads && index < message.codes.size(); ++index)
      if (written.insert(one.offset + index).second || !gets_wrong(wrong_rule::lowest_write_stays))
        memory[one.offset + index] = message.codes[index];
  }
  return true;
}

// --- errors that nobody made alone ---

/// Strict: no directed link may carry two messages in a step.
std::optional<failure> interpreter::first_link_contention() const {
  if (!m_options.strict || gets_wrong(wrong_rule::no_link_contention)) return std::nullopt;
  std::vector<envelope const*> in_order;
  for (auto const& one : m_messages)
    if (one.words > 0 || !gets_wrong(wrong_rule::strict_only_for_words)) in_order.push_back(&one);
  std::ranges::stable_sort(in_order, {}, [](envelope const* one) {
    return std::tuple{one->stamp, one->from, one->to, one->pass};
  });
  std::set<std::tuple<step_number, link_number>> taken;
  for (auto const* one : in_order)
    for (auto const link : std::set<link_number>(one->links.begin(), one->links.end()))
      if (!taken.insert({one->stamp, link}).second)
        return failure{{"link_contention"}, one->stamp, one->from};
  return std::nullopt;
}

/// What is wrong with a run in which no call was wrong by itself.
std::optional<failure> interpreter::error_at_the_end() const {
  bool all_in_barriers = true;
  std::optional<failure> stuck;
  for (int rank = 0; rank < size(); ++rank) {
    auto const& one = at(rank);
    if (one.is == condition::finished) continue;
    if (one.is != condition::in_barrier) all_in_barriers = false;
    bool const first = gets_wrong(wrong_rule::deadlock_of_the_latest)
                           ? stuck && one.now > stuck->step
                           : stuck && one.now < stuck->step;
    if (!stuck || first) stuck = failure{{}, one.now, rank};
  }
  if (stuck) {
    bool const barriers = all_in_barriers && !gets_wrong(wrong_rule::deadlock_for_barriers);
    stuck->kinds = {barriers ? "barrier_mismatch" : "deadlock"};
    return stuck;
  }
  std::optional<failure> left;
  for (int rank = 0; rank < size(); ++rank)
    for (auto const& [group, posts] : at(rank).posts) {
      auto const step = posts.empty() ? never : posts.front().step;
      if (step != never && (!left || step < left->step))
        left = failure{{"unreceived_message"}, step, rank};
    }
  for (auto const& one : m_messages) {
    if (one.step != 0) continue;
    if (!left || std::tuple{one.stamp, one.from} < std::tuple{left->step, left->rank})
      left = failure{{"unreceived_message"}, one.stamp, one.from};
  }
  return left;
}

}  // namespace reference
