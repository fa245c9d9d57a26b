#include "random_generator.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/graph.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/shuffle_exchange.hpp>
#include <lockstep/topologies/torus.hpp>

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

/// A network, and the sizes of its dimensions where it has dimensions to go along.
struct random_network {
  std::shared_ptr<lockstep::topology const> network;
  std::vector<int> sizes;
};

/// One to three dimensions of at most 24 processors in all.
std::vector<int> random_sizes(dice& roll) {
  std::vector<int> sizes;
  int processors = 1;
  int const wanted = roll.between(1, 3);
  for (int dimension = 0; dimension < wanted; ++dimension) {
    int const most = std::min(24 / processors, 7);
    sizes.push_back(roll.between(1, most));
    processors *= sizes.back();
  }
  if (processors == 1) sizes.front() = roll.between(2, 9);
  return sizes;
}

/// A one-way ring, so that all can reach all, and some links across.
lockstep::graph random_graph(dice& roll) {
  int const processors = roll.between(2, 12);
  std::set<lockstep::link> links;
  for (int rank = 0; rank < processors; ++rank) links.insert({rank, (rank + 1) % processors});
  for (int extra = roll.below(2 * processors); extra > 0; --extra) {
    int const from = roll.below(processors);
    int const to = roll.below(processors);
    if (from == to) continue;
    links.insert({from, to});
    if (roll.chance(50)) links.insert({to, from});
  }
  return lockstep::graph(processors, {links.begin(), links.end()});
}

random_network make_network(dice& roll) {
  auto const sizes = random_sizes(roll);
  switch (roll.below(8)) {
    case 0:
    case 1:
      return {std::make_shared<lockstep::torus>(sizes), sizes};
    case 2:
      return {std::make_shared<lockstep::mesh>(sizes), sizes};
    case 3:
      return {std::make_shared<lockstep::hypercube>(roll.between(1, 4)), {}};
    case 4:
      return {std::make_shared<lockstep::shuffle_exchange>(roll.between(1, 4)), {}};
    case 5:
      return {std::make_shared<lockstep::binary_tree>(roll.between(2, 4)), {}};
    case 6:
      return {std::make_shared<lockstep::crossbar>(roll.between(2, 24)), {}};
    default:
      break;
  }
  return {std::make_shared<lockstep::graph>(random_graph(roll)), {}};
}

lockstep::machine_options make_options(dice& roll) {
  lockstep::machine_options options;
  using lockstep::ports;
  options.ports =
      std::vector{ports::one, ports::one, ports::all, ports::per_pass}[index(roll.below(4))];
  if (roll.chance(40))
    options.switching =
        roll.chance(50) ? lockstep::switching::neighbour : lockstep::switching::cut_through;
  options.packet = std::vector<std::uint64_t>{1, 1, 1, 2, 8}[index(roll.below(5))];
  return options;
}

/// What the two generators have in common: a machine, and programs that grow call by call.
class generator {
 public:
  explicit generator(std::uint64_t seed)
      : m_roll(seed), m_network(make_network(m_roll)), m_options(make_options(m_roll)) {
    m_calls.resize(index(size()));
    m_pass.resize(index(size()));
  }

  [[nodiscard]] int size() const { return m_network.network->size(); }

 protected:
  [[nodiscard]] lockstep::topology const& network() const { return *m_network.network; }
  [[nodiscard]] bool neighbour_only() const {
    return m_options.switching.value_or(network().default_switching()) ==
           lockstep::switching::neighbour;
  }
  [[nodiscard]] bool may_talk(int from, int to) const {
    return from != to && (!neighbour_only() || network().adjacent(from, to));
  }

  void call(int rank, operation what) { m_calls[index(rank)].push_back(std::move(what)); }
  void call(int rank, action what, std::uint64_t number = 1) {
    call(rank, {.what = what, .out = {}, .in = {}, .number = number, .name = {}});
  }
  void call_all(action what, std::string const& name = {}) {
    for (int rank = 0; rank < size(); ++rank)
      call(rank, {.what = what, .out = {}, .in = {}, .number = 1, .name = name});
  }
  void change_pass(int rank, int pass) {
    if (std::exchange(m_pass[index(rank)], pass) != pass)
      call(rank, action::pass, static_cast<std::uint64_t>(pass));
  }

  /// Somebody that `from` may send to, or -1.
  int random_partner(int from) {
    std::vector<int> partners;
    for (int to = 0; to < size(); ++to)
      if (may_talk(from, to)) partners.push_back(to);
    return partners.empty() ? -1 : partners[index(m_roll.below(static_cast<int>(partners.size())))];
  }

  element_type random_type() { return static_cast<element_type>(m_roll.below(4)); }

  std::size_t random_count() {
    if (m_roll.chance(30)) return 1;
    if (m_roll.chance(20)) return 0;
    if (m_roll.chance(8)) return index(m_roll.between(100, 600));
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
    incoming in{from, out.type, out.count, m_roll.chance(50) ? taking::vector : taking::into};
    if (out.count == 1 && m_roll.chance(60)) in.how = taking::value;
    return in;
  }

  /// A way along a dimension of a torus or mesh, or none.
  std::optional<lockstep::along> random_way(int from) {
    if (m_network.sizes.empty()) return std::nullopt;
    int const dimension = m_roll.below(static_cast<int>(m_network.sizes.size()));
    int const extent = m_network.sizes[index(dimension)];
    if (extent == 1) return std::nullopt;
    int const length = neighbour_only() ? 1 : m_roll.between(1, extent - 1);
    lockstep::along const way{dimension, m_roll.chance(50) ? length : -length};
    try {
      (void)network().end_of(from, way);
    } catch (lockstep::invalid_rank const&) {
      return std::nullopt;  // off the edge of a mesh
    }
    return way;
  }

  [[nodiscard]] std::vector<lockstep::link_number> links_of(int from, outgoing const& out) const {
    std::vector<lockstep::link_number> links;
    if (!out.way) {
      network().append_links(from, out.to, links);
      return links;
    }
    for (int const next : network().route(from, *out.way)) {
      links.push_back(network().number_of({from, next}));
      from = next;
    }
    return links;
  }

  dice m_roll;
  random_network m_network;
  lockstep::machine_options m_options;
  program m_calls;
  std::vector<int> m_pass;
};

class free_generator : generator {
 public:
  using generator::generator;

  experiment make() {
    for (int events = m_roll.between(5, 20 + 4 * size()); events > 0; --events) event();
    std::vector<channel> left;
    for (auto const& [where, waiting] : m_waiting) left.insert(left.end(), waiting.size(), where);
    while (!left.empty()) {
      auto const which = left.begin() + m_roll.below(static_cast<int>(left.size()));
      receive(*which);
      left.erase(which);
    }
    if (m_in_pipelined) call_all(action::pipelined_end);
    return {m_network.network, m_options, m_calls};
  }

 private:
  using channel = std::tuple<int, int, int>;  // from, to, pass

  void event() {
    int const rank = m_roll.below(size());
    int const dots = m_roll.below(100);
    if (dots < 38) return send(rank);
    if (dots < 65) return receive_any();
    if (dots < 77) return exchange_in_cycle(rank);
    if (dots < 85) return call(rank, action::idle, static_cast<std::uint64_t>(m_roll.below(4)));
    if (dots < 89)
      return call(rank, action::rearrange, static_cast<std::uint64_t>(m_roll.below(50)));
    if (dots < 92) return call_all(action::barrier);
    if (dots < 95) return call_all(action::phase, "phase " + std::to_string(m_roll.below(3)));
    if (dots < 97) return toggle_pipelined();
    if (m_options.ports == lockstep::ports::per_pass) change_pass(rank, m_roll.below(3));
  }

  void toggle_pipelined() {
    call_all(m_in_pipelined ? action::pipelined_end : action::pipelined_begin);
    m_in_pipelined = !m_in_pipelined;
  }

  void send(int from) {
    auto way = m_roll.chance(40) ? random_way(from) : std::nullopt;
    int const to = way ? network().end_of(from, *way) : random_partner(from);
    if (to < 0) return;
    auto out = random_message(to);
    out.way = way;
    call(from, {.what = action::send, .out = out, .in = {}, .number = 1, .name = {}});
    m_waiting[{from, to, m_pass[index(from)]}].push_back(out);
  }

  void receive_any() {
    std::vector<channel> full;
    for (auto const& [where, waiting] : m_waiting)
      if (!waiting.empty()) full.push_back(where);
    if (!full.empty()) receive(full[index(m_roll.below(static_cast<int>(full.size())))]);
  }

  void receive(channel const& where) {
    auto const [from, to, pass] = where;
    change_pass(to, pass);
    auto& waiting = m_waiting[where];
    call(to, {.what = action::receive,
              .out = {},
              .in = request_for(waiting.front(), from),
              .number = 1,
              .name = {}});
    waiting.pop_front();
  }

  /// Two or more processors, each sending to the next.
  void exchange_in_cycle(int first) {
    std::vector<int> cycle(index(size()));
    std::iota(cycle.begin(), cycle.end(), 0);
    std::swap(cycle[0], cycle[index(first)]);
    for (int place = 1; place < size(); ++place)
      std::swap(cycle[index(place)], cycle[index(m_roll.between(place, size() - 1))]);
    cycle.resize(index(m_roll.chance(70) ? 2 : m_roll.between(2, std::max(2, size()))));
    if (static_cast<int>(cycle.size()) > size()) return;
    int const pass = m_pass[index(first)];
    for (std::size_t place = 0; place < cycle.size(); ++place) {
      int const from = cycle[place];
      int const to = cycle[(place + 1) % cycle.size()];
      if (!may_talk(from, to) || !m_waiting[{from, to, pass}].empty()) return;
    }
    exchange_all(cycle, pass);
  }

  void exchange_all(std::vector<int> const& cycle, int pass) {
    bool const values = m_roll.chance(40);
    auto const type = random_type();
    std::vector<outgoing> out;
    for (std::size_t place = 0; place < cycle.size(); ++place) {
      out.push_back(random_message(cycle[(place + 1) % cycle.size()]));
      out.back().type = type;
      if (values) out.back().count = 1;
      out.back().how = values ? giving::value : giving::span;
      if (!values && m_roll.chance(50)) out.back().how = giving::moved;
    }
    for (std::size_t place = 0; place < cycle.size(); ++place) {
      auto const before = (place + cycle.size() - 1) % cycle.size();
      incoming in{cycle[before], type, out[before].count, taking::value};
      if (!values) in.how = m_roll.chance(50) ? taking::vector : taking::into;
      change_pass(cycle[place], pass);
      call(cycle[place],
           {.what = action::exchange, .out = out[place], .in = in, .number = 1, .name = {}});
    }
  }

  std::map<channel, std::deque<outgoing>> m_waiting;
  bool m_in_pipelined = false;
};

class lockstep_generator : generator {
 public:
  using generator::generator;

  experiment make() {
    m_options.strict = true;
    for (int step = m_roll.between(1, 10); step > 0; --step) {
      if (m_roll.chance(10)) call_all(action::phase, "phase " + std::to_string(step));
      make_step();
    }
    return {m_network.network, m_options, m_calls};
  }

 private:
  struct planned {
    int from;
    outgoing out;
  };

  [[nodiscard]] lockstep::link_number port(lockstep::link_number over) const {
    return m_options.ports == lockstep::ports::all ? over : 0;
  }

  /// Adds the message to the step if ports and links are free.
  void plan(int from) {
    auto const way = m_roll.chance(40) ? random_way(from) : std::nullopt;
    int const to = way ? network().end_of(from, *way) : random_partner(from);
    if (to < 0) return;
    auto out = random_message(to);
    out.way = way;
    auto const links = links_of(from, out);
    if (m_out_ports.contains({from, port(links.front())})) return;
    if (m_in_ports.contains({to, port(links.back())})) return;
    if (std::ranges::any_of(links, [&](auto link) { return m_links.contains(link); })) return;
    m_out_ports.insert({from, port(links.front())});
    m_in_ports.insert({to, port(links.back())});
    m_links.insert(links.begin(), links.end());
    m_planned.push_back({from, out});
  }

  void make_step() {
    m_out_ports.clear();
    m_in_ports.clear();
    m_links.clear();
    m_planned.clear();
    for (int tries = m_roll.below(3 * size()); tries > 0; --tries) plan(m_roll.below(size()));
    for (auto const& one : m_planned)
      call(one.from, {.what = action::send, .out = one.out, .in = {}, .number = 1, .name = {}});
    std::vector<bool> took_in(index(size()));
    for (auto const& one : m_planned) {
      took_in[index(one.out.to)] = true;
      call(one.out.to, {.what = action::receive,
                        .out = {},
                        .in = request_for(one.out, one.from),
                        .number = 1,
                        .name = {}});
    }
    if (!m_planned.empty() && m_roll.chance(20)) return call_all(action::barrier);
    for (int rank = 0; rank < size(); ++rank)
      if (!took_in[index(rank)]) call(rank, action::idle);
  }

  std::set<std::pair<int, lockstep::link_number>> m_out_ports;
  std::set<std::pair<int, lockstep::link_number>> m_in_ports;
  std::set<lockstep::link_number> m_links;
  std::vector<planned> m_planned;
};

/// Puts mistakes into a program.
class saboteur {
 public:
  saboteur(experiment& of, std::uint64_t seed) : m_of(of), m_roll(seed) {}

  void make_mistake() {
    switch (m_roll.below(14)) {
      case 0:
        return drop(action::receive);
      case 1:
        return drop(action::send);
      case 2:
        return drop(m_roll.chance(50) ? action::barrier : action::phase);
      case 3:
        return drop(action::idle);
      case 4:
        return change_type();
      case 5:
        return change_size();
      case 6:
        return change_partner();
      case 7:
        return throw_somewhere();
      case 8:
        return rename_barrier();
      case 9:
        m_of.options.max_steps = static_cast<std::uint64_t>(m_roll.between(1, 6));
        return;
      case 10:
        return nest_pipelined();
      case 11:
        return idle_for_ever();
      case 12:
        return lose_the_way();
      default:
        break;
    }
    m_of.options.strict = true;
  }

 private:
  using place = std::pair<std::size_t, std::size_t>;  // rank, call

  [[nodiscard]] int size() const { return static_cast<int>(m_of.calls.size()); }
  operation& at(place const& where) { return m_of.calls[where.first][where.second]; }

  /// One of the calls of this kind, if there is any.
  std::optional<place> find(action what) {
    std::vector<place> found;
    for (std::size_t rank = 0; rank < m_of.calls.size(); ++rank)
      for (std::size_t one = 0; one < m_of.calls[rank].size(); ++one)
        if (m_of.calls[rank][one].what == what) found.emplace_back(rank, one);
    if (found.empty()) return std::nullopt;
    return found[index(m_roll.below(static_cast<int>(found.size())))];
  }

  void insert_somewhere(action what, std::uint64_t number = 1) {
    auto& calls = m_of.calls[index(m_roll.below(size()))];
    calls.insert(calls.begin() + m_roll.below(static_cast<int>(calls.size()) + 1),
                 {.what = what, .out = {}, .in = {}, .number = number, .name = {}});
  }

  void drop(action what) {
    if (auto const found = find(what)) {
      auto& calls = m_of.calls[found->first];
      calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(found->second));
    }
  }

  void change_type() {
    if (auto const found = find(action::receive))
      at(*found).in.type = static_cast<element_type>(
          (static_cast<int>(at(*found).in.type) + m_roll.between(1, 3)) % 4);
  }

  void change_size() {
    auto const found = find(m_roll.chance(70) ? action::receive : action::exchange);
    if (!found || (at(*found).what == action::exchange && at(*found).in.how != taking::into))
      return;
    at(*found).in.how = taking::into;
    at(*found).in.count += index(m_roll.between(1, 2));
  }

  /// Nobody, oneself, or anybody else, who may not be adjacent.
  int wrong_partner(int rank) {
    switch (m_roll.below(4)) {
      case 0:
        return m_roll.chance(50) ? -m_roll.between(1, 3) : size() + m_roll.below(3);
      case 1:
        return rank;
      default:
        break;
    }
    return m_roll.below(size());
  }

  void change_partner() {
    auto const whose = std::vector{action::send, action::receive, action::exchange};
    auto const found = find(whose[index(m_roll.below(3))]);
    if (!found) return;
    auto& call = at(*found);
    int const partner = wrong_partner(static_cast<int>(found->first));
    if (call.what != action::receive && m_roll.chance(70)) {
      call.out.to = partner;
      call.out.way.reset();
    } else {
      call.in.from = partner;
    }
  }

  void throw_somewhere() { insert_somewhere(action::fail); }

  void rename_barrier() {
    auto const whose =
        std::vector{action::barrier, action::phase, action::pipelined_begin, action::pipelined_end};
    auto const found = find(whose[index(m_roll.below(4))]);
    if (!found) return;
    auto& call = at(*found);
    if (call.what == action::phase && m_roll.chance(70)) {
      call.name += " of another name";
    } else if (call.what == action::pipelined_begin) {
      std::ranges::replace_if(
          m_of.calls[found->first],
          [](operation const& one) {
            return one.what == action::pipelined_begin || one.what == action::pipelined_end;
          },
          operation{.what = action::barrier, .out = {}, .in = {}, .number = 1, .name = {}});
    } else if (call.what == action::barrier) {
      call.what = action::phase;
      call.name = "in place of a barrier";
    }
  }

  void nest_pipelined() {
    if (auto const found = find(action::pipelined_begin)) {
      auto& calls = m_of.calls[found->first];
      calls.insert(calls.begin() + static_cast<std::ptrdiff_t>(found->second) + 1,
                   {.what = action::pipelined_begin, .out = {}, .in = {}, .number = 1, .name = {}});
    }
  }

  void idle_for_ever() {
    insert_somewhere(action::idle, m_of.options.max_steps + index(m_roll.between(0, 2)));
  }

  void lose_the_way() {
    if (auto const found = find(action::send))
      at(*found).out.way = lockstep::along{m_roll.chance(50) ? 9 : -1, 1};
  }

  experiment& m_of;
  dice m_roll;
};

}  // namespace

experiment free_program(std::uint64_t seed) { return free_generator(seed).make(); }

experiment lockstep_program(std::uint64_t seed) { return lockstep_generator(seed).make(); }

experiment broken_program(std::uint64_t seed) {
  dice roll(seed * 31 + 7);
  auto made = roll.chance(65) ? free_program(seed) : lockstep_program(seed);
  saboteur mistakes(made, roll.word());
  for (int mistake = roll.between(1, 3); mistake > 0; --mistake) mistakes.make_mistake();
  return made;
}

}  // namespace reference
