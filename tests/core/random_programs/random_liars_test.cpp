#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/machine/liar.hpp"
#include "core/machines.hpp"

namespace {

using lockstep::along;
using lockstep::link_number;
using lockstep::machine_options;
using reference::lies;
using directed_link = lockstep::link;

lockstep::torus const honest{{3, 4}};

/// Says something wrong now and then. One that is fickle says another thing each time.
class random_lies {
 public:
  random_lies(unsigned seed, bool fickle) : m_seed(seed), m_fickle(fickle) {
    constexpr unsigned rates[] = {5, 50, 500, 5000};
    m_rate = rates[seed % 4];
  }

  [[nodiscard]] lies told() {
    return {
        .size = [this] { return number(1, {}, honest.size()); },
        .neighbours =
            [this](int rank) {
              auto all = honest.neighbours(rank);
              for (auto& each : all) each.rank = number(2, {rank, each.rank}, each.rank);
              return all;
            },
        .links = [this] { return number(3, {}, honest.links()); },
        .link_at =
            [this](link_number which) {
              auto [from, to] = honest.link_at(which);
              return directed_link{number(4, {static_cast<int>(which)}, from), to};
            },
        .number_of =
            [this](directed_link which) {
              return number(5, {which.from, which.to}, honest.number_of(which));
            },
        .adjacent =
            [this](int from, int to) {
              return number(6, {from, to}, honest.adjacent(from, to) ? 1 : 0) == 1;
            },
        .route =
            [this](int from, int to) {
              return list(7, {from, to}, honest.route(from, to));
            },
        .hops =
            [this](int from, int to) {
              return number(8, {from, to}, honest.hops(from, to));
            },
        .append_links =
            [this](int from, int to, std::vector<link_number>& links) {
              honest.append_links(from, to, links);
              links = list(9, {from, to}, links);
            },
        .always_one_link = [this] { return number(10, {}, 0) == 1; },
        .end_of =
            [this](int from, along way) {
              return number(11, {from, way.offset}, honest.end_of(from, way));
            },
        .way =
            [this](int from, along way) {
              return list(12, {from, way.offset}, honest.route(from, way));
            },
        .members =
            [this](int rank, lockstep::dimensions const& varying) {
              return list(13, {rank}, honest.members(rank, varying));
            },
        .part = [this](std::span<int const> members) -> std::shared_ptr<lockstep::topology const> {
          int const size = number(14, {members.front()}, static_cast<int>(members.size()));
          if (std::cmp_equal(size, members.size())) return honest.part(members);
          if (size < 1) return nullptr;
          return std::make_shared<lockstep::crossbar>(size);
        },
        .dimensions_of_part =
            [this](std::span<int const> members) {
              return list(15, {members.front()}, honest.dimensions_of_part(members));
            }};
  }

 private:
  using arguments = std::initializer_list<int>;

  /// Random numbers that depend on all that went in. Cheaper to begin than those of <random>.
  class mixer {
   public:
    void add(std::uint64_t more) { m_state = (*this)() ^ more; }
    std::uint64_t operator()() {
      m_state = (m_state ^ m_state >> 30U) * 0xBF58476D1CE4E5B9U;
      m_state = (m_state ^ m_state >> 27U) * 0x94D049BB133111EBU;
      return m_state += 0x9E3779B97F4A7C15U;
    }

   private:
    std::uint64_t m_state = 1;
  };

  [[nodiscard]] mixer drawn(int function, arguments of) {
    mixer random;
    random.add(m_seed);
    random.add(static_cast<unsigned>(function));
    for (int const each : of) random.add(static_cast<unsigned>(each));
    if (m_fickle) random.add(++m_calls);
    return random;
  }

  template <class Number>
  [[nodiscard]] static Number wrong(mixer& random, Number right) {
    switch (random() % 7) {
      case 0:
        return right + 1;
      case 1:
        return right - 1;
      case 2:
        return std::numeric_limits<Number>::max();
      case 3:
        return std::numeric_limits<Number>::min();
      case 4:
        return -1;
      case 5:
        throw std::runtime_error("a lie");
      default:
        return static_cast<Number>(random() % 13);
    }
  }

  template <class Number>
  [[nodiscard]] Number number(int function, arguments of, Number right) {
    auto random = drawn(function, of);
    return random() % m_rate == 0 ? wrong(random, right) : right;
  }

  template <class Number>
  [[nodiscard]] std::vector<Number> list(int function, arguments of, std::vector<Number> right) {
    auto random = drawn(function, of);
    if (random() % m_rate != 0) return right;
    auto const place = right.empty() ? 0 : random() % right.size();
    switch (random() % 5) {
      case 0:
        right.clear();
        break;
      case 1:
        right.push_back(wrong(random, Number{5}));
        break;
      case 2:
        if (!right.empty()) right.pop_back();
        break;
      case 3:
        if (!right.empty()) right.push_back(right[place]);
        break;
      default:
        if (!right.empty()) right[place] = wrong(random, right[place]);
        break;
    }
    return right;
  }

  unsigned m_seed;
  bool m_fickle;
  unsigned m_rate;
  std::atomic<unsigned> m_calls = 0;
};

struct liars_end {
  std::string end;  ///< the error, or the counts
  bool sound = true;
};

/// Whether what was counted can be.
[[nodiscard]] bool consistent(lockstep::run_record const& run) {
  auto const& all = run.counts();
  bool sound = all.messages == 12 * 8 && all.volume == all.messages;
  for (auto const& step : run.steps())
    sound = sound && step.contention <= step.messages && (step.messages == 0 || step.hops > 0);
  return sound;
}

[[nodiscard]] liars_end end_of_liar(unsigned seed, bool fickle, machine_options const& options) {
  random_lies told(seed, fickle);
  try {
    auto const run = lockstep::machine(reference::liar({3, 4}, told.told()), options)
                         .run(reference::ask_everything);
    return {run.table(), consistent(run)};
  } catch (lockstep::broken_invariant const& thrown) {
    return {thrown.what(), false};  // no mistake of lockstep's
  } catch (lockstep::error const& thrown) {
    return {std::string(reference::kind_of(thrown)) + thrown.what()};
  }
}

}  // namespace

TEST_CASE("random liars end in an error or in consistent counts, the same on each engine",
          "[core][topology][sanitize]") {
  int successes = 0;
  constexpr unsigned liars = 400;
  for (unsigned seed = 0; seed < liars; ++seed)
    for (bool const strict : {false, true}) {
      std::optional<liars_end> first;
      INFO("seed " << seed << (strict ? ", strict" : ""));
      for (auto const& engine : reference::all_engines()) {
        auto const each = static_cast<lockstep::ports>(seed / 4 % 3);
        auto const found =
            end_of_liar(seed, false, reference::on(engine, {.ports = each, .strict = strict}));
        REQUIRE(found.sound);
        if (first.has_value()) REQUIRE(found.end == first->end);
        if (!first.has_value() && found.end.starts_with("step")) ++successes;
        first = found;
      }
    }
  CHECK(successes > 20);
  CHECK(successes < 600);
}

TEST_CASE("liars that say another thing each time break nothing", "[core][topology][sanitize]") {
  for (unsigned seed = 0; seed < 400; ++seed)
    for (auto const& engine : reference::all_engines()) {
      INFO("seed " << seed << " on " << engine);
      auto const each = static_cast<lockstep::ports>(seed / 4 % 3);
      REQUIRE(
          end_of_liar(seed, true, reference::on(engine, {.ports = each, .strict = seed % 2 == 0}))
              .sound);
    }
}
