#include "random_generator.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include <lockstep/errors.hpp>

#include "random_network.hpp"

namespace reference {

std::uint64_t dice::word() {
  m_state += 0x9E3779B97F4A7C15U;
  std::uint64_t mixed = m_state;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
  return mixed ^ (mixed >> 31U);
}

int dice::below(int sides) { return static_cast<int>(word() % static_cast<std::uint64_t>(sides)); }

namespace {

std::size_t index(int rank) { return static_cast<std::size_t>(rank); }

/// Which of the rarer calls a program makes.
struct flavour {
  bool subsets;
  bool pipelined;
  bool rounds;
  bool memory;
  bool mail;
  bool firsts;
  bool work;
};

/// The machine or a subset of it; its number in the program is its index.
struct known_group {
  std::vector<int> members;
  std::shared_ptr<lockstep::topology const> network;
  std::vector<int> dimensions;  ///< of the machine, to go along
};

bool has_member(known_group const& group, int rank) {
  return std::ranges::count(group.members, rank) > 0;
}

int dimension_count(lockstep::topology const& network) {
  int count = 0;
  try {
    for (; count < 8; ++count) (void)network.members(0, lockstep::dimensions({count}));
  } catch (lockstep::error const&) {  // there are no more
  }
  return count;
}

/// What the two generators have in common: a machine, and programs that grow call by call.
class generator {
 public:
  explicit generator(std::uint64_t seed)
      : m_seed(seed),
        m_roll(seed),
        m_network(make_network(m_roll)),
        m_options(make_options(m_roll)),
        m_has{m_roll.chance(50), m_roll.chance(50), m_roll.chance(35), m_roll.chance(20),
              m_roll.chance(25), m_roll.chance(25), m_roll.chance(30)},
        m_calls(index(size())),
        m_pass(index(size())),
        m_pipelined(index(size()), -1) {
    known_group all{std::vector<int>(index(size())), m_network.network, {}};
    std::iota(all.members.begin(), all.members.end(), 0);
    all.dimensions.resize(m_network.sizes.size());
    std::iota(all.dimensions.begin(), all.dimensions.end(), 0);
    m_groups.push_back(all);
  }

  [[nodiscard]] int size() const { return m_network.network->size(); }

 protected:
  [[nodiscard]] lockstep::topology const& network() const { return *m_network.network; }
  [[nodiscard]] bool neighbour_only() const {
    return m_options.switching.value_or(network().default_switching()) ==
           lockstep::switching::neighbour;
  }
  [[nodiscard]] bool may_talk(int from, int to) const {
    if (from == to) return false;
    if (neighbour_only()) return network().adjacent(from, to);
    try {
      return network().hops(from, to) > 0;
    } catch (lockstep::invalid_topology const&) {
      return false;
    }
  }
  [[nodiscard]] bool per_pass() const { return m_options.ports == lockstep::ports::per_pass; }

  // --- calls ---

  void next_event() { ++m_event; }

  void call(int rank, operation what) {
    what.event = m_event;
    m_calls[index(rank)].push_back(std::move(what));
  }
  void call(int rank, action what, std::uint64_t number = 1) {
    call(rank, plain_call(what, number));
  }
  void call_all(int group, action what, std::string const& name = {}) {
    auto made = plain_call(what);
    made.name = name;
    made.through =
        what == action::pipelined_end ? whole_machine : static_cast<std::uint64_t>(group);
    for (int const rank : m_groups[index(group)].members) call(rank, made);
  }
  void work_at(int rank) {
    next_event();
    call(rank, action::work, static_cast<std::uint64_t>(m_roll.below(20)));
  }
  /// Labels what processors do, in some programs. It changes nothing else of them.
  void add_labels() {
    dice roll(~m_seed);
    if (!roll.chance(30)) return;
    for (int labels = roll.between(1, 4 + 2 * size()); labels > 0; --labels) {
      auto made = plain_call(action::label, static_cast<std::uint64_t>(roll.below(3)));
      made.name = std::string(roll.chance(15) ? 0 : 1, static_cast<char>('a' + roll.below(3)));
      made.event = ++m_event;
      auto& calls = m_calls[index(roll.below(size()))];
      calls.insert(calls.begin() + roll.below(static_cast<int>(calls.size()) + 1), made);
    }
  }
  void change_pass(int rank, int pass) {
    if (std::exchange(m_pass[index(rank)], pass) != pass)
      call(rank, per_pass() ? action::pass : action::tag, static_cast<std::uint64_t>(pass));
  }
  void send(int from, outgoing const& out, int through) {
    auto made = plain_call(action::send);
    made.out = out;
    made.through = static_cast<std::uint64_t>(through);
    call(from, made);
  }
  void receive(int to, outgoing const& sent, int from) {
    auto made = plain_call(action::receive);
    made.in = request_for(sent, from);
    made.through = static_cast<std::uint64_t>(group_of_both(from, to));
    call(to, made);
  }

  // --- groups ---

  int random_group() { return m_roll.below(static_cast<int>(m_groups.size())); }

  /// A group of which both are members: most often the machine.
  int group_of_both(int one, int other) {
    int const group = m_roll.chance(50) ? random_group() : 0;
    auto const& of = m_groups[index(group)];
    return has_member(of, one) && has_member(of, other) ? group : 0;
  }

  void make_subset() {
    int const parent = random_group();
    next_event();
    if (m_roll.chance(50))
      subset_by_dimensions(parent);
    else
      subset_by_list(parent);
  }

  void subset_by_list(int parent) {
    auto members = m_groups[index(parent)].members;
    if (m_roll.chance(60)) shuffle(members);
    members.resize(index(m_roll.between(1, static_cast<int>(members.size()))));
    add_subset(parent, {members, {}});
  }

  void subset_by_dimensions(int parent) {
    auto const of = m_groups[index(parent)];
    int const count = dimension_count(*of.network);
    std::vector<int> varying;
    for (int dimension = 0; dimension < count; ++dimension)
      if (m_roll.chance(50)) varying.push_back(dimension);
    std::set<std::vector<int>> parts;
    for (int rank = 0; rank < static_cast<int>(of.members.size()); ++rank)
      parts.insert(of.network->members(rank, lockstep::dimensions(varying)));
    for (auto members : parts) {
      for (int& member : members) member = of.members[index(member)];
      if (m_groups.size() < 6) add_subset(parent, {members, varying});
    }
  }

  void add_subset(int parent, part const& of) {
    auto made = plain_call(action::subset, m_groups.size());
    made.through = static_cast<std::uint64_t>(parent);
    made.of = of;
    for (int const member : of.members) call(member, made);
    m_groups.push_back(
        {of.members, network().part(of.members), network().dimensions_of_part(of.members)});
  }

  /// Begins rounds of the group, or ends them.
  void toggle_pipelined(int group) {
    auto const& members = m_groups[index(group)].members;
    auto const all = [&](int wanted) {
      return std::ranges::all_of(members,
                                 [&](int rank) { return m_pipelined[index(rank)] == wanted; });
    };
    if (!all(group) && !all(-1)) return;
    next_event();
    bool const begins = all(-1);
    call_all(group, begins ? action::pipelined_begin : action::pipelined_end);
    for (int const rank : members) m_pipelined[index(rank)] = begins ? group : -1;
  }

  void end_all_pipelined() {
    for (int group = 0; group < static_cast<int>(m_groups.size()); ++group)
      if (m_pipelined[index(m_groups[index(group)].members.front())] == group)
        toggle_pipelined(group);
  }

  // --- messages ---

  template <class Element>
  void shuffle(std::vector<Element>& what) {
    for (std::size_t place = 0; place + 1 < what.size(); ++place)
      std::swap(
          what[place],
          what[index(m_roll.between(static_cast<int>(place), static_cast<int>(what.size()) - 1))]);
  }

  /// Somebody that `from` may send to, or -1.
  int random_partner(int from) {
    std::vector<int> partners;
    for (int to = 0; to < size(); ++to)
      if (may_talk(from, to)) partners.push_back(to);
    return partners.empty() ? -1 : m_roll.one_of(partners);
  }

  element_type random_type() { return static_cast<element_type>(m_roll.below(element_types)); }

  std::size_t random_count() {
    if (m_roll.chance(30)) return 1;
    if (m_roll.chance(20)) return 0;
    if (m_roll.chance(5)) return index(m_roll.between(100, 600));
    return index(m_roll.between(2, 6));
  }

  outgoing random_message(int to) {
    outgoing out;
    out.to = to;
    out.type = random_type();
    out.count = random_count();
    out.seed = m_roll.word() % 100'000;
    out.how = m_roll.chance(50) ? giving::span : giving::moved;
    if (out.count == 1 && m_roll.chance(60)) out.how = giving::value;
    return out;
  }

  incoming request_for(outgoing const& out, int from) {
    incoming in{from, out.type, out.count,
                m_roll.one_of(std::vector{taking::vector, taking::counted, taking::into})};
    if (out.count == 1 && m_roll.chance(60)) in.how = taking::value;
    return in;
  }

  /// A way along a dimension of the group, or none.
  std::optional<lockstep::along> random_way(int group, int from) {
    auto const& dimensions = m_groups[index(group)].dimensions;
    if (dimensions.empty()) return std::nullopt;
    int const dimension = m_roll.below(static_cast<int>(dimensions.size()));
    int const extent = m_network.sizes[index(dimensions[index(dimension)])];
    if (extent == 1) return std::nullopt;
    int const most = m_roll.chance(20) ? 2 * extent + 1 : extent - 1;
    int const length = neighbour_only() ? 1 : m_roll.between(1, most);
    lockstep::along const way{dimension, m_roll.chance(50) ? length : -length};
    try {
      if (end_of(group, from, way) == from) return std::nullopt;
    } catch (lockstep::invalid_rank const&) {
      return std::nullopt;  // off the edge of a mesh
    }
    return way;
  }

  /// The same way in the machine's dimensions.
  [[nodiscard]] lockstep::along on_machine(int group, lockstep::along way) const {
    return {m_groups[index(group)].dimensions[index(way.dimension)], way.offset};
  }
  [[nodiscard]] int end_of(int group, int from, lockstep::along way) const {
    return network().end_of(from, on_machine(group, way));
  }

  /// A message from that processor: where it goes through, what it is. Nothing if it has no partner.
  struct planned_message {
    int from = 0;
    int through = 0;
    int pass = 0;
    outgoing out{};
  };
  std::optional<planned_message> random_message_from(int from) {
    int through = random_group();
    if (!has_member(m_groups[index(through)], from)) through = 0;
    auto const way = m_roll.chance(30) ? random_way(through, from) : std::nullopt;
    int const to = way ? end_of(through, from, *way) : random_partner(from);
    if (to < 0) return std::nullopt;
    if (!way) through = group_of_both(from, to);
    planned_message planned{from, through, m_pass[index(from)], random_message(to)};
    planned.out.way = way;
    return planned;
  }

  // --- one-sided rounds ---

  /// Calls that ask for nothing, of memory of that type, one for each processor.
  std::vector<operation> serving(element_type type) {
    std::vector<operation> round;
    for (int rank = 0; rank < size(); ++rank) {
      auto made = plain_call(action::serve);
      made.mine = {type, index(m_roll.between(0, 6)), m_roll.word() % 100'000, m_roll.chance(30)};
      round.push_back(made);
    }
    return round;
  }

  /// Lets `asker` ask for some of the memory that the owner gives.
  void ask(std::vector<operation>& round, int asker, action what, int owner) {
    auto& made = round[index(asker)];
    auto& gives = round[index(owner)].mine;
    made.what = what;
    made.mine.constant = false;
    made.through = static_cast<std::uint64_t>(group_of_both(asker, owner));
    if (what == action::write) gives.constant = false;
    int const offset = m_roll.between(0, static_cast<int>(gives.count));
    int const count = m_roll.between(0, static_cast<int>(gives.count) - offset);
    made.asked = {owner, index(offset), index(count), gives.type, m_roll.word() % 100'000};
  }

  std::uint64_t m_seed;
  dice m_roll;
  random_network m_network;
  lockstep::machine_options m_options;
  flavour m_has;
  program m_calls;
  std::vector<int> m_pass;
  std::vector<int> m_pipelined;  ///< the group whose rounds a processor is in, or -1
  std::vector<known_group> m_groups;
  int m_event = 0;
};

class free_generator : generator {
 public:
  using generator::generator;

  experiment make() {
    // Beside an open round no message is the first.
    if (m_has.firsts) m_has.rounds = false;
    for (int subsets = m_has.subsets ? m_roll.below(3) : 0; subsets > 0; --subsets) make_subset();
    for (int events = m_roll.between(3, 14 + 2 * size()); events > 0; --events) event();
    receive_all();
    end_all_pipelined();
    for (auto const& [key, posted] : std::map(m_mail)) deliver(posted.group);
    add_labels();
    return {m_network.network, m_options, m_calls};
  }

 private:
  using channel = std::tuple<int, int, int>;  // from, to, pass
  struct waiting_message {
    outgoing out;
    int event;
  };

  /// The posts that wait in a group.
  struct posted_mail {
    int group;
    element_type type;
  };

  void event() {
    int const rank = m_roll.below(size());
    if (m_has.mail && m_roll.chance(30)) return use_mail(random_group());
    if (m_has.firsts && m_roll.chance(10)) return burst();
    if (m_has.firsts && m_roll.chance(15)) return count_pending(rank);
    if (m_has.work && m_roll.chance(25)) return work_at(rank);
    int const dots = m_roll.below(100);
    if (dots < 34) return send_from(rank);
    if (dots < 56) return receive_any();
    if (dots < 64) return exchange_in_cycle(rank);
    if (dots < 66) return shift_all(random_group());
    next_event();
    if (dots < 72) return call(rank, action::idle, static_cast<std::uint64_t>(m_roll.below(4)));
    if (dots < 75)
      return call(rank, action::rearrange, static_cast<std::uint64_t>(m_roll.below(50)));
    if (dots < 79) return call_all(random_group(), action::barrier);
    if (dots < 83)
      return call_all(random_group(), action::phase, "phase " + std::to_string(m_roll.below(3)));
    if (dots < 86) return change_pass_of(rank);
    if (dots < 91 && m_has.pipelined) return rounds_of(random_group());
    if (dots < 94 && m_has.subsets && m_groups.size() < 6) return make_subset();
    if (dots < 96 && m_has.memory) return use_memory(rank);
    if (m_has.rounds) return one_sided_round();
    if (m_has.pipelined) return rounds_of(random_group());
    if (m_has.subsets && m_groups.size() < 6) make_subset();
  }

  /// Begins or ends rounds, and now and then lets somebody, a member or not, send into them.
  void rounds_of(int group) {
    toggle_pipelined(group);
    if (m_roll.chance(30)) return;
    int const from = m_roll.below(size());
    auto members = m_groups[index(group)].members;
    shuffle(members);
    members.resize(std::min<std::size_t>(members.size(), 3));
    for (int const to : members) {
      if (!may_talk(from, to)) continue;
      next_event();
      auto const out = random_message(to);
      send(from, out, 0);
      channel const where{from, to, m_pass[index(from)]};
      m_waiting[where].push_back({out, m_event});
      receive_from(where);
    }
  }

  void change_pass_of(int rank) {
    if (per_pass()) return change_pass(rank, m_roll.below(3));
    if (m_roll.chance(20))
      call(rank, action::pass, static_cast<std::uint64_t>(m_roll.below(255)));  // does nothing
    else
      change_pass(rank, m_roll.chance(90) ? m_roll.below(3) : m_roll.below(255));
  }

  /// Posts in a group, or ends a superstep of it.
  void use_mail(int group) {
    auto const members = m_groups[index(group)].members;
    if (m_roll.chance(35)) return deliver(group);
    next_event();
    auto const type =
        m_mail.try_emplace(mail_key(group), posted_mail{group, random_type()}).first->second.type;
    for (int posts = m_roll.between(1, 3); posts > 0; --posts) {
      int const from = m_roll.one_of(members);
      int const to = m_roll.one_of(members);
      if (from != to && !may_talk(from, to)) continue;
      auto made = plain_call(action::post);
      made.out = random_message(to);
      made.out.type = type;
      made.through = static_cast<std::uint64_t>(group);
      call(from, made);
    }
  }

  /// Subsets of the same members are one; none is the machine.
  [[nodiscard]] std::vector<int> mail_key(int group) const {
    return group == 0 ? std::vector<int>() : m_groups[index(group)].members;
  }

  void deliver(int group) {
    auto const& members = m_groups[index(group)].members;
    if (std::ranges::any_of(members, [&](int rank) { return m_pipelined[index(rank)] >= 0; }))
      return;
    next_event();
    auto made = plain_call(action::deliver, announces(members) ? 2 : 1);
    auto const posted = m_mail.extract(mail_key(group));
    made.in.type = posted.empty() ? random_type() : posted.mapped().type;
    made.through = static_cast<std::uint64_t>(group);
    for (int const rank : members) call(rank, made);
  }

  /// Whether an announcement is possible, and made.
  bool announces(std::vector<int> const& members) {
    for (int const from : members)
      for (int const to : members)
        if (from != to && !may_talk(from, to)) return false;
    return m_roll.chance(30);
  }

  void use_memory(int rank) {
    for (int calls = m_roll.between(1, 5); calls > 0; --calls)
      if (m_roll.chance(60))
        call(rank, action::allocate, static_cast<std::uint64_t>(m_roll.below(40)));
      else
        call(rank, action::free_memory);
  }

  void send_from(int from) {
    auto const planned = random_message_from(from);
    if (!planned) return;
    next_event();
    send(from, planned->out, planned->through);
    m_waiting[{from, planned->out.to < 0 ? 0 : target(*planned), planned->pass}].push_back(
        {planned->out, m_event});
  }
  [[nodiscard]] int target(planned_message const& of) const {
    return of.out.way ? end_of(of.through, of.from, *of.out.way) : of.out.to;
  }

  void receive_any() {
    std::vector<channel> full;
    for (auto const& [where, waiting] : m_waiting)
      if (!waiting.empty()) full.push_back(where);
    if (!full.empty()) receive_from(m_roll.one_of(full));
  }

  void receive_from(channel const& where) {
    auto const [from, to, pass] = where;
    auto const first = m_waiting[where].front();
    m_waiting[where].pop_front();
    auto const event_now = std::exchange(m_event, first.event);
    change_pass(to, pass);
    if (m_has.firsts && m_roll.chance(40))
      poll(to, first.out, from);
    else
      receive(to, first.out, from);
    m_event = event_now;
  }

  /// Receives the message after some tries.
  void poll(int to, outgoing const& sent, int from) {
    auto made = plain_call(action::try_receive, static_cast<std::uint64_t>(m_roll.between(1, 4)));
    made.in = {from, sent.type, sent.count, taking::vector};
    made.through = static_cast<std::uint64_t>(group_of_both(from, to));
    call(to, made);
  }

  void count_pending(int rank) {
    int const from = random_partner(rank);
    if (from < 0 || !may_talk(from, rank)) return;
    next_event();
    auto made = plain_call(action::pending);
    made.in.from = from;
    made.through = static_cast<std::uint64_t>(group_of_both(from, rank));
    call(rank, made);
  }

  /// Messages of one type, and processors that take whichever comes first. Nothing else is under
  /// way.
  void burst() {
    receive_all();
    next_event();
    auto const type = random_type();
    for (int rank = 0; rank < size(); ++rank) change_pass(rank, 0);
    // Some processors take those of even and of odd senders apart.
    std::vector<bool> splits(index(size()));
    for (int rank = 0; rank < size(); ++rank) splits[index(rank)] = m_roll.chance(30);
    std::map<std::pair<int, int>, std::deque<int>>
        coming;  // by receiver and kind of sender: events
    auto const take = [&](int to, int which) {
      auto& events = coming[{to, which}];
      auto const event_now = std::exchange(m_event, events.front());
      events.pop_front();
      take_any(to, which, type);
      m_event = event_now;
    };
    for (int calls = m_roll.between(2, 5 * size()); calls > 0; --calls) {
      int const rank = m_roll.below(size());
      next_event();
      if (m_roll.chance(20)) call(rank, action::idle, static_cast<std::uint64_t>(m_roll.below(4)));
      if (int const to = random_partner(rank); m_roll.chance(60) && to >= 0) {
        auto sent = random_message(to);
        sent.type = type;
        send(rank, sent, group_of_both(rank, to));
        coming[{to, splits[index(to)] ? rank % 2 : 2}].push_back(m_event);
      } else {
        for (int const which : {0, 1, 2})
          if (!coming[{rank, which}].empty()) take(rank, which);
      }
    }
    for (auto const& [of, events] : coming)
      while (!events.empty()) take(of.first, of.second);
    next_event();
    call_all(0, action::barrier);
  }

  void take_any(int rank, int which, element_type type) {
    auto made = plain_call(action::receive_any);
    made.in.type = type;
    for (int from = 0; from < size(); ++from)
      if (may_talk(from, rank) && which < 2 && from % 2 == which) made.of.members.push_back(from);
    call(rank, made);
  }

  void receive_all() {
    std::vector<channel> left;
    for (auto const& [where, waiting] : m_waiting) left.insert(left.end(), waiting.size(), where);
    shuffle(left);
    for (auto const& where : left) receive_from(where);
  }

  /// Two or more processors, each sending to the next.
  void exchange_in_cycle(int first) {
    std::vector<int> cycle(index(size()));
    std::iota(cycle.begin(), cycle.end(), 0);
    shuffle(cycle);
    std::iter_swap(cycle.begin(), std::ranges::find(cycle, first));
    cycle.resize(index(m_roll.chance(70) ? 2 : m_roll.between(2, size())));
    int const pass = m_pass[index(first)];
    for (std::size_t place = 0; place < cycle.size(); ++place) {
      int const from = cycle[place];
      int const to = cycle[(place + 1) % cycle.size()];
      if (!may_talk(from, to) || !m_waiting[{from, to, pass}].empty()) return;
    }
    exchange_all(cycle, pass);
  }

  void exchange_all(std::vector<int> const& cycle, int pass) {
    next_event();
    bool const values = m_roll.chance(40);
    auto const type = random_type();
    std::vector<outgoing> out;
    for (std::size_t place = 0; place < cycle.size(); ++place) {
      out.push_back(random_message(cycle[(place + 1) % cycle.size()]));
      out.back().type = type;
      if (values) out.back().count = 1;
      out.back().how = m_roll.chance(50) ? giving::moved : giving::span;
    }
    for (std::size_t place = 0; place < cycle.size(); ++place) {
      auto const before = (place + cycle.size() - 1) % cycle.size();
      auto made = plain_call(action::exchange);
      made.out = out[place];
      made.in = {cycle[before], type, out[before].count, taking::value};
      if (!values)
        made.in.how = m_roll.one_of(std::vector{taking::vector, taking::into, taking::in_place});
      if (auto const way = random_way(0, cycle[place]);
          way && end_of(0, cycle[place], *way) == made.out.to)
        made.out.way = way;
      else if (cycle.size() == 2)
        made.through = static_cast<std::uint64_t>(group_of_both(cycle[0], cycle[1]));
      change_pass(cycle[place], pass);
      call(cycle[place], made);
    }
  }

  /// All members of a group send one way along a dimension, and receive from the other side.
  void shift_all(int group) {
    auto const members = m_groups[index(group)].members;
    auto const way = random_way(group, m_roll.one_of(members));
    if (!way) return;
    int const pass = m_pass[index(members.front())];
    auto const end = [&](int rank, int offset) {
      try {
        return end_of(group, rank, {way->dimension, offset});
      } catch (lockstep::invalid_rank const&) {
        return -1;  // off the edge of a mesh
      }
    };
    for (int const rank : members)
      if (int const to = end(rank, way->offset);
          to >= 0 && (!may_talk(rank, to) || !m_waiting[{rank, to, pass}].empty()))
        return;
    next_event();
    bool const values = m_roll.chance(40);
    auto const type = random_type();
    std::map<int, outgoing> out;
    for (int const rank : members) {
      auto& message = out[rank] = random_message(end(rank, way->offset));
      message.type = type;
      message.way = way;
      if (values) message.count = 1;
      message.how = values ? giving::value : m_roll.chance(50) ? giving::moved : giving::span;
    }
    for (int const rank : members) {
      int const from = end(rank, -way->offset);
      bool const sends = out[rank].to >= 0;
      if (!sends && from < 0) continue;
      auto made = plain_call(!sends ? action::receive : from < 0 ? action::send : action::exchange);
      made.out = out[rank];
      if (from >= 0)
        made.in = {from, type, out[from].count, values ? taking::value : taking::vector};
      made.through = static_cast<std::uint64_t>(group);
      made.shifts = true;
      change_pass(rank, pass);
      call(rank, made);
    }
  }

  void one_sided_round() {
    auto round = serving(random_type());
    auto const other = random_type();
    for (auto& one : round)
      if (m_roll.chance(30)) one.mine.type = other;
    std::set<int> read_only;  // the readers, which may not be written to
    std::set<int> written;
    for (int asker = 0; asker < size(); ++asker) {
      int const owner = random_partner(asker);
      if (owner < 0 || m_roll.chance(35)) continue;
      bool const reads = m_roll.chance(50);
      if (reads && may_talk(owner, asker) && !written.contains(asker) &&
          round[index(asker)].mine.type == round[index(owner)].mine.type) {
        read_only.insert(asker);
        ask(round, asker, action::read, owner);
      } else if (!reads && !read_only.contains(owner)) {
        written.insert(owner);
        ask(round, asker, action::write, owner);
      }
    }
    for (int rank = 0; rank < size(); ++rank) call(rank, round[index(rank)]);
  }

  std::map<channel, std::deque<waiting_message>> m_waiting;
  std::map<std::vector<int>, posted_mail> m_mail;  ///< by mail_key
};

class lockstep_generator : generator {
 public:
  using generator::generator;

  experiment make() {
    m_options.strict = true;
    for (int step = m_roll.between(1, 8); step > 0; --step) {
      next_event();
      if (m_roll.chance(10))
        call_all(random_group(), action::phase, "phase " + std::to_string(step));
      if (m_has.subsets && m_groups.size() < 5 && m_roll.chance(40)) make_subset();
      if (m_has.pipelined && m_roll.chance(40)) toggle_pipelined(random_group());
      for (int calls = m_has.work ? m_roll.below(3) : 0; calls > 0; --calls)
        work_at(m_roll.below(size()));
      plan_step();
      if (m_has.rounds && m_roll.chance(40))
        make_round();
      else
        make_step();
      end_step();
    }
    end_all_pipelined();
    add_labels();
    return {m_network.network, m_options, m_calls};
  }

 private:
  using port_use = std::pair<int, lockstep::link_number>;

  [[nodiscard]] lockstep::link_number port(lockstep::link_number over, int pass) const {
    if (per_pass()) return pass;
    return m_options.ports == lockstep::ports::all ? over : 0;
  }

  [[nodiscard]] std::vector<lockstep::link_number> links_of(planned_message const& of) const {
    std::vector<lockstep::link_number> links;
    if (!of.out.way) {
      network().append_links(of.from, of.out.to, links);
      return links;
    }
    int from = of.from;
    for (int const next : network().route(from, on_machine(of.through, *of.out.way))) {
      links.push_back(network().number_of({from, next}));
      from = next;
    }
    return links;
  }

  /// Adds a message to the step if ports and links are free.
  void plan(int from) {
    auto planned = random_message_from(from);
    if (!planned) return;
    planned->pass = per_pass() ? m_roll.below(2) : 0;
    if (planned->out.way) planned->out.to = end_of(planned->through, from, *planned->out.way);
    auto const links = links_of(*planned);
    port_use const out{from, port(links.front(), planned->pass)};
    port_use const in{planned->out.to, port(links.back(), planned->pass)};
    if (m_out_ports.contains(out) || m_in_ports.contains(in)) return;
    if (std::ranges::any_of(links, [&](auto link) { return m_links.contains(link); })) return;
    m_out_ports.insert(out);
    m_in_ports.insert(in);
    m_links.insert(links.begin(), links.end());
    m_planned.push_back(*planned);
  }

  void plan_step() {
    m_out_ports.clear();
    m_in_ports.clear();
    m_links.clear();
    m_planned.clear();
    m_took_in.assign(index(size()), false);
    for (int tries = m_roll.below(3 * size()); tries > 0; --tries) plan(m_roll.below(size()));
  }

  void make_step() {
    auto const first_event = m_event + 1;
    for (auto const& one : m_planned) {
      next_event();
      change_pass(one.from, one.pass);
      send(one.from, one.out, one.through);
    }
    m_event = first_event - 1;
    for (auto const& one : m_planned) {
      next_event();
      m_took_in[index(one.out.to)] = true;
      change_pass(one.out.to, one.pass);
      receive(one.out.to, one.out, one.from);
    }
  }

  /// The planned messages as one-sided ones: all as answers, or all as what is written. Each
  /// processor asks once.
  void make_round() {
    next_event();
    bool const reads = m_roll.chance(50);
    auto round = serving(random_type());
    int const pass = per_pass() ? m_roll.below(2) : 0;
    std::set<int> asked;
    for (auto const& one : m_planned) {
      int const asker = reads ? one.out.to : one.from;
      if (one.out.way || one.pass != (per_pass() ? pass : 0)) continue;
      if (!asked.insert(asker).second) continue;
      ask(round, asker, reads ? action::read : action::write, reads ? one.from : one.out.to);
      m_took_in[index(one.out.to)] = true;
    }
    for (int rank = 0; rank < size(); ++rank) {
      if (per_pass()) change_pass(rank, pass);
      call(rank, round[index(rank)]);
    }
  }

  void end_step() {
    next_event();
    if (!m_planned.empty() && std::ranges::count(m_took_in, true) > 0 && m_roll.chance(20))
      return call_all(0, action::barrier);
    for (int rank = 0; rank < size(); ++rank)
      if (!m_took_in[index(rank)]) call(rank, action::idle);
  }

  std::set<port_use> m_out_ports;
  std::set<port_use> m_in_ports;
  std::set<lockstep::link_number> m_links;
  std::vector<planned_message> m_planned;
  std::vector<bool> m_took_in;
};

}  // namespace

experiment free_program(std::uint64_t seed) { return free_generator(seed).make(); }

experiment lockstep_program(std::uint64_t seed) { return lockstep_generator(seed).make(); }

experiment broken_program(std::uint64_t seed) {
  dice roll(seed * 31 + 7);
  auto made = roll.chance(65) ? free_program(seed) : lockstep_program(seed);
  for (int mistake = roll.between(1, 3); mistake > 0; --mistake) make_mistake(made, roll);
  return made;
}

experiment random_program(std::uint64_t seed) {
  switch (seed % program_kinds) {
    case 0:
    case 1:
      return free_program(seed);
    case 2:
      return lockstep_program(seed);
    default:
      return broken_program(seed);
  }
}

}  // namespace reference
