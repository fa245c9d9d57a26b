// Mistakes as programs make them, of each kind that ends a run.

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <lockstep/topologies/graph.hpp>

#include "random_generator.hpp"

namespace reference {
namespace {

/// A network on which nobody reaches those of lower rank.
lockstep::graph one_way_path(int processors) {
  std::vector<lockstep::link> links;
  for (int rank = 1; rank < processors; ++rank) links.push_back({rank - 1, rank});
  return lockstep::graph(processors, links);
}

/// Puts mistakes into a program.
class saboteur {
 public:
  saboteur(experiment& of, dice& roll) : m_of(of), m_roll(roll) {}

  /// Result: whether there was anything to spoil.
  bool make_mistake() {
    return make_one_of({&saboteur::leave_out, &saboteur::change_message, &saboteur::change_barrier,
                        &saboteur::change_one_sided, &saboteur::change_machine,
                        &saboteur::add_call});
  }

 private:
  using mistake = bool (saboteur::*)();

  bool make_one_of(std::vector<mistake> const& mistakes) {
    return (this->*m_roll.one_of(mistakes))();
  }

  /// A call of one of these kinds.
  struct found_call {
    std::size_t rank = 0;
    std::size_t place = 0;
  };

  [[nodiscard]] int size() const { return m_of.network->size(); }
  std::vector<operation>& calls_of(found_call const& where) { return m_of.calls[where.rank]; }
  operation& at(found_call const& where) { return calls_of(where)[where.place]; }
  static auto position(std::size_t place) { return static_cast<std::ptrdiff_t>(place); }

  std::optional<found_call> find(std::initializer_list<action> kinds) {
    std::vector<found_call> places;
    for (std::size_t rank = 0; rank < m_of.calls.size(); ++rank)
      for (std::size_t place = 0; place < m_of.calls[rank].size(); ++place)
        if (std::ranges::count(kinds, m_of.calls[rank][place].what) > 0)
          places.push_back({rank, place});
    if (places.empty()) return std::nullopt;
    return m_roll.one_of(places);
  }

  void remove(found_call const& where) {
    auto& calls = calls_of(where);
    calls.erase(calls.begin() + position(where.place));
  }
  void insert(found_call const& where, operation const& made) {
    auto& calls = calls_of(where);
    calls.insert(calls.begin() + position(where.place), made);
  }
  found_call somewhere() {
    auto const rank = static_cast<std::size_t>(m_roll.below(size()));
    auto const places = static_cast<int>(m_of.calls[rank].size()) + 1;
    return {rank, static_cast<std::size_t>(m_roll.below(places))};
  }

  bool leave_out() {
    auto const found = find({m_roll.one_of(std::vector{
        action::send, action::send, action::receive, action::receive, action::exchange,
        action::idle, action::barrier, action::phase, action::pipelined_begin,
        action::pipelined_end, action::pass, action::tag, action::subset, action::read,
        action::write, action::serve, action::post, action::deliver, action::receive_any})});
    if (found) remove(*found);
    return found.has_value();
  }

  // --- messages ---

  bool change_message() {
    return make_one_of({&saboteur::change_type, &saboteur::change_size, &saboteur::change_partner,
                        &saboteur::lose_the_way, &saboteur::send_twice, &saboteur::change_order});
  }

  bool change_type() {
    auto const found = find({action::receive, action::deliver, action::receive_any});
    if (found)
      at(*found).in.type = static_cast<element_type>(
          (static_cast<int>(at(*found).in.type) + m_roll.between(1, element_types - 1)) %
          element_types);
    return found.has_value();
  }

  bool change_size() {
    auto const found = find({action::receive, action::exchange});
    if (!found) return false;
    auto& in = at(*found).in;
    if (at(*found).what == action::exchange && in.how == taking::value) return false;
    if (in.how != taking::in_place) in.how = taking::into;
    in.count += static_cast<std::size_t>(m_roll.between(1, 2));
    return true;
  }

  /// No processor, this one, or any other, which may not be adjacent.
  int wrong_partner(std::size_t rank) {
    switch (m_roll.below(4)) {
      case 0:
        return m_roll.chance(50) ? -m_roll.between(1, 3) : size() + m_roll.below(3);
      case 1:
        return static_cast<int>(rank);
      default:
        break;
    }
    return m_roll.below(size());
  }

  bool change_partner() {
    auto const found = find({action::send, action::receive, action::exchange, action::post});
    if (!found) return false;
    auto& call = at(*found);
    if (call.what == action::send || call.what == action::post ||
        (call.what == action::exchange && m_roll.chance(60))) {
      call.out.to = wrong_partner(found->rank);
      call.out.way.reset();
    } else {
      call.in.from = wrong_partner(found->rank);
    }
    return true;
  }

  bool lose_the_way() {
    auto const found = find({action::send});
    if (!found) return false;
    at(*found).out.way = m_roll.one_of(std::vector<lockstep::along>{
        {9, 1}, {-1, 1}, {0, 0}, {0, 40'000'000}, {0, 1}, {0, -1}, {1, 2}, {0, 3}});
    return true;
  }

  bool send_twice() {
    auto const found = find({action::send});
    if (found) insert(*found, at(*found));
    return found.has_value();
  }

  bool change_order() {
    auto const found = find({action::send, action::receive, action::idle, action::exchange});
    if (!found || found->place == 0) return false;
    auto& before = calls_of(*found)[found->place - 1];
    if (before.what == action::subset) return false;
    std::swap(before, at(*found));
    return true;
  }

  // --- barriers and subsets ---

  bool change_barrier() {
    switch (m_roll.below(4)) {
      case 0:
        return rename_barrier();
      case 1:
        return nest_pipelined();
      case 2:
        return change_subset();
      default:
        break;
    }
    auto const found = find({action::barrier, action::phase, action::pipelined_begin});
    if (found) at(*found).through = static_cast<std::uint64_t>(m_roll.below(3));
    return found.has_value();
  }

  bool rename_barrier() {
    auto const found = find({action::barrier, action::phase, action::pipelined_begin});
    if (!found) return false;
    auto& call = at(*found);
    if (call.what == action::phase && m_roll.chance(70)) {
      call.name += " of another name";
      return true;
    }
    call.what = call.what == action::barrier ? action::phase : action::barrier;
    call.name = "in place of a barrier";
    return true;
  }

  bool nest_pipelined() {
    auto const found = find({action::pipelined_begin});
    if (found)
      insert({found->rank, found->place + 1},
             plain_call(m_roll.chance(60) ? action::pipelined_begin : action::deliver));
    return found.has_value();
  }

  bool change_subset() {
    auto const found = find({action::subset});
    if (!found) return false;
    auto& of = at(*found).of;
    if (of.varying) {
      of.varying->push_back(m_roll.one_of(std::vector{-1, 9, 0}));
      return true;
    }
    switch (m_roll.below(4)) {
      case 0:
        of.members.push_back(m_roll.one_of(std::vector{-1, size(), m_roll.below(size())}));
        break;
      case 1:
        of.members.push_back(of.members.front());
        break;
      case 2:
        std::erase(of.members, static_cast<int>(found->rank));
        break;
      default:
        std::swap(of.members.front(), of.members.back());
        break;
    }
    return true;
  }

  // --- one-sided rounds ---

  bool change_one_sided() {
    auto const found = find({action::read, action::write, action::serve});
    if (!found) return false;
    auto& call = at(*found);
    switch (m_roll.below(8)) {
      case 0:
        call.asked.owner = wrong_partner(found->rank);
        return true;
      case 5:
      case 6:
        leave_round(call.event);
        return true;
      case 1:
        call.asked.offset += static_cast<std::size_t>(m_roll.between(1, 8));
        return true;
      case 2:
        call.mine.type = static_cast<element_type>(m_roll.below(element_types));
        return true;
      case 3:
        call.mine.count = 0;
        return true;
      case 4:
        call.mine.constant = true;
        call.what = m_roll.chance(50) ? action::serve : action::read;
        return true;
      default:
        remove(*found);
        return true;
    }
  }

  /// Processors that are asked for nothing stay away: a mistake only where that makes other rounds.
  void leave_round(int event) {
    std::set<int> asked;
    for (auto const& calls : m_of.calls)
      for (auto const& call : calls)
        if (call.event == event && call.what != action::serve) asked.insert(call.asked.owner);
    for (std::size_t rank = 0; rank < m_of.calls.size(); ++rank)
      if (!asked.contains(static_cast<int>(rank)) && m_roll.chance(70))
        std::erase_if(m_of.calls[rank], [&](auto const& call) {
          return call.event == event && call.what == action::serve;
        });
  }

  // --- the rest ---

  bool change_machine() {
    switch (m_roll.below(4)) {
      case 0:
        m_of.options.max_steps = static_cast<std::uint64_t>(m_roll.between(1, 6));
        return true;
      case 1:
        m_of.options.strict = true;
        return true;
      case 2:
        m_of.network = std::make_shared<lockstep::graph>(one_way_path(size()));
        return true;
      default:
        m_of.options.switching = lockstep::switching::neighbour;
        return true;
    }
  }

  bool add_call() {
    switch (m_roll.below(8)) {
      case 6:
        insert(somewhere(), plain_call(action::receive_any));
        return true;
      case 7: {
        auto made = plain_call(action::pending);
        made.in.from = m_roll.below(size());
        insert(somewhere(), made);
        return true;
      }
      case 0:
      case 1:
        insert(somewhere(), plain_call(action::fail));
        return true;
      case 2:
        insert(somewhere(),
               plain_call(action::idle, m_of.options.max_steps +
                                            static_cast<std::uint64_t>(m_roll.between(0, 2))));
        return true;
      case 3:
        insert(somewhere(),
               plain_call(m_roll.chance(50) ? action::pass : action::tag,
                          static_cast<std::uint64_t>(m_roll.one_of(std::vector{-1, 255, 300, 1}))));
        return true;
      case 4:
        insert(somewhere(),
               plain_call(action::idle, static_cast<std::uint64_t>(m_roll.between(1, 3))));
        return true;
      default:
        break;
    }
    auto const found = somewhere();
    if (found.place == calls_of(found).size()) return false;
    at(found).caught = true;
    return true;
  }

  experiment& m_of;
  dice& m_roll;
};

}  // namespace

void make_mistake(experiment& of, dice& roll) {
  saboteur mistakes(of, roll);
  for (int tries = 0; tries < 20; ++tries)
    if (mistakes.make_mistake()) return;
}

}  // namespace reference
