// Makes failing programs smaller.

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "random_check.hpp"

namespace reference {
namespace {

using network_pointer = std::shared_ptr<lockstep::topology const>;

/// The plainest networks of that size.
std::vector<network_pointer> plain_networks(int size) {
  if (size < 2) return {};
  std::vector<int> const sizes{size};
  return {std::make_shared<lockstep::crossbar>(size), std::make_shared<lockstep::torus>(sizes),
          std::make_shared<lockstep::mesh>(sizes)};
}

bool talks_to(operation const& call, int rank) {
  switch (call.what) {
    case action::send:
    case action::post:
      return !call.out.way && call.out.to == rank;
    case action::receive:
    case action::pending:
    case action::try_receive:
      return call.in.from == rank;
    case action::exchange:
      return (!call.out.way && call.out.to == rank) || call.in.from == rank;
    case action::read:
    case action::write:
      return call.asked.owner == rank;
    default:
      return false;
  }
}

/// The same calls without that processor, and the ranks above it one lower.
program without_processor(program calls, int rank) {
  auto const renumber = [&](int& one) { one -= one > rank ? 1 : 0; };
  calls.erase(calls.begin() + rank);
  for (auto& of_processor : calls) {
    std::erase_if(of_processor, [&](auto const& call) { return talks_to(call, rank); });
    for (auto& call : of_processor) {
      renumber(call.out.to);
      renumber(call.in.from);
      renumber(call.asked.owner);
      std::erase(call.of.members, rank);
      for (int& member : call.of.members) renumber(member);
    }
  }
  return calls;
}

/// Tries smaller programs, and keeps those that still fail in the same way.
class shrinker {
 public:
  shrinker(experiment const& of, examination const& examine, std::size_t most)
      : m_best(of), m_examine(examine), m_left(most) {
    if (auto const found = examine(of)) m_about = found->about;
  }

  experiment shrink() {
    bool progress = true;
    while (progress && m_left > 0) {
      progress = drop_events();
      progress = drop_calls() || progress;
      progress = drop_processors() || progress;
      progress = simplify_machine() || progress;
      progress = simplify_calls() || progress;
    }
    return m_best;
  }

 private:
  /// Result: whether the smaller program is kept.
  bool keep(experiment const& smaller) {
    if (m_left == 0) return false;
    --m_left;
    auto const found = m_examine(smaller);
    if (!found || found->about != m_about) return false;
    m_best = smaller;
    return true;
  }

  // --- leaving out ---

  /// Halves of all events, then quarters, and so on down to single ones.
  bool drop_events() {
    bool progress = false;
    for (auto some = std::max<std::size_t>(events().size() / 2, 1);; some /= 2) {
      for (std::size_t first = 0; first < events().size();) {
        auto const all = events();
        auto const last = std::min(first + some, all.size());
        std::set<int> const dropped(all.begin() + static_cast<std::ptrdiff_t>(first),
                                    all.begin() + static_cast<std::ptrdiff_t>(last));
        auto smaller = m_best;
        for (auto& calls : smaller.calls)
          std::erase_if(calls, [&](auto const& call) { return dropped.contains(call.event); });
        if (keep(smaller))
          progress = true;
        else
          first += some;
      }
      if (some <= 1) return progress;
    }
  }

  [[nodiscard]] std::vector<int> events() const {
    std::set<int> numbers;
    for (auto const& calls : m_best.calls)
      for (auto const& call : calls) numbers.insert(call.event);
    return {numbers.begin(), numbers.end()};
  }

  bool drop_calls() {
    bool progress = false;
    for (std::size_t rank = 0; rank < m_best.calls.size(); ++rank)
      for (auto place = m_best.calls[rank].size(); place-- > 0;) {
        auto smaller = m_best;
        auto& calls = smaller.calls[rank];
        calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(place));
        progress = keep(smaller) || progress;
      }
    return progress;
  }

  bool drop_processors() {
    bool progress = false;
    for (int rank = m_best.network->size(); rank-- > 0;)
      for (auto const& network : plain_networks(m_best.network->size() - 1)) {
        auto smaller = m_best;
        smaller.network = network;
        smaller.calls = without_processor(smaller.calls, rank);
        if (!keep(smaller)) continue;
        progress = true;
        break;
      }
    return progress;
  }

  // --- making plainer ---

  /// Keeps what `change` makes of the program, if it makes anything else of it.
  template <class Change>
  bool change_all(Change&& change) {
    auto plainer = m_best;
    change(plainer);
    return to_string(plainer) != to_string(m_best) && keep(plainer);
  }

  bool simplify_machine() {
    bool progress = false;
    lockstep::machine_options const usual;
    for (auto const& network : plain_networks(m_best.network->size())) {
      if (network->spec() == m_best.network->spec()) break;
      if (change_all([&](experiment& of) { of.network = network; })) {
        progress = true;
        break;
      }
    }
    progress |= change_all([&](experiment& of) { of.options.ports = usual.ports; });
    progress |= change_all([&](experiment& of) { of.options.strict = false; });
    progress |= change_all([&](experiment& of) { of.options.packet = usual.packet; });
    progress |= change_all([&](experiment& of) { of.options.count = usual.count; });
    progress |= change_all([&](experiment& of) { of.options.max_steps = usual.max_steps; });
    progress |= change_all([&](experiment& of) { of.options.word_bytes = usual.word_bytes; });
    progress |= change_all([&](experiment& of) { of.options.switching.reset(); });
    return progress;
  }

  /// The same, for the calls of each event.
  template <class Change>
  bool change_events(Change&& change) {
    bool progress = false;
    for (int const event : events())
      progress |= change_all([&](experiment& of) {
        for (auto& calls : of.calls)
          for (auto& call : calls)
            if (call.event == event) change(call);
      });
    return progress;
  }

  bool simplify_calls() {
    bool progress = change_events([](operation& call) { call.of.varying.reset(); });
    progress |= change_events([](operation& call) {
      if (call.what != action::subset) call.through = whole_machine;
    });
    progress |= change_events([](operation& call) { call.caught = false; });
    progress |= change_events([](operation& call) {
      if (call.what == action::phase) call.what = action::barrier;
    });
    progress |= change_events([](operation& call) {
      if (call.what == action::barrier) call.what = action::idle;
    });
    progress |= change_events([](operation& call) { call.out.way.reset(); });
    progress |= change_events([](operation& call) {
      if (call.what == action::deliver || call.what == action::try_receive ||
          call.what == action::idle || call.what == action::rearrange || call.what == action::work)
        call.number = 1;
    });
    progress |= change_events([](operation& call) {
      call.out.type = call.in.type = call.asked.type = call.mine.type = element_type::integer;
    });
    progress |= simplify_sizes();
    progress |= change_events([](operation& call) {
      call.out.how = giving::span;
      call.in.how = taking::vector;
    });
    return progress;
  }

  bool simplify_sizes() {
    bool progress = false;
    for (auto const count : {std::size_t{0}, std::size_t{1}}) {
      progress |= change_events([&](operation& call) {
        call.out.count = std::min(call.out.count, count);
        call.in.count = std::min(call.in.count, count);
      });
      progress |= change_events([&](operation& call) {
        call.asked.count = std::min(call.asked.count, count);
        call.asked.offset = 0;
      });
      progress |= change_events(
          [&](operation& call) { call.mine.count = std::min(call.mine.count, count); });
    }
    return progress;
  }

  experiment m_best;
  examination const& m_examine;
  std::size_t m_left;
  std::string m_about;
};

}  // namespace

experiment shrink(experiment const& of, examination const& examine, std::size_t most) {
  return shrinker(of, examine, most).shrink();
}

}  // namespace reference
