// Machines that several processes run together, which are threads here: each has a share of the processors, and
// every figure and every error is what one process gives.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/machine.hpp>
#include <lockstep/topologies.hpp>

#include "catch.hpp"
#include "cluster_programs.hpp"
#include "core/machines.hpp"
#include "core/random_programs/random_generator.hpp"
#include "thread_cluster.hpp"

namespace {

using namespace lockstep;
using namespace reference;

/// Runs on one process, and on threads that stand for `processes`; all have to say the same.
template <class Account>
void check_same(int processes, Account const& account) {
  auto const alone = account(nullptr);
  for (auto const& said :
       on_threads(processes, [&](lockstep::cluster& all) { return account(&all); })) {
    INFO(processes << " processes\n" << first_other_line(alone, said));
    CHECK((said == alone));
  }
}

template <class Program>
std::string account(std::shared_ptr<topology const> const& network, machine_options options,
                    Program const& program) {
  try {
    return account_of_record(machine(network, options).run(program));
  } catch (error const& thrown) {
    return account_of_error(thrown);
  }
}

template <class Program>
void check_program(std::shared_ptr<topology const> const& network, machine_options const& options,
                   Program const& program) {
  for (int const processes : {1, 2, 3, 4})
    check_same(processes, [&](lockstep::cluster* all) {
      auto shared = options;  // each thread's own
      shared.cluster = all;
      return account(network, shared, program);
    });
}

/// Checks that results come to process 0, and where they are shared to all, as one process has them.
template <class Program>
void check_gathered(Program const& program) {
  auto const alone = machine(ring(5)).run(program).results();
  for (bool const shares : {false, true}) {
    auto const said = on_threads(
        3,
        [&](lockstep::cluster& all) {
          auto const run = machine(ring(5), {.cluster = &all}).run(program);
          if (shares && run.results() != alone) return std::string("other results");
          auto const gathered = run.gather_results();
          if (!shares && all.process() > 0) return std::string(gathered.empty() ? "right" : "some");
          return std::string(gathered == alone ? "right" : "wrong");
        },
        shares);
    for (auto const& one : said) CHECK(one == "right");
  }
}

/// A ring of 12 processors that once, when it is told so, finds no way for one of them.
class failing_ring : public topology {
 public:
  /// `fails`: which all processes share, and that failing ends.
  failing_ring(int failing, std::atomic<bool>& fails) : m_failing(failing), m_fails(fails) {}

  [[nodiscard]] int size() const override { return 12; }
  [[nodiscard]] std::string spec() const override { return "failing-ring"; }
  [[nodiscard]] std::vector<neighbour> neighbours(int rank) const override {
    return {{(rank + 11) % 12, "-"}, {(rank + 1) % 12, "+"}};
  }
  void append_links(int from, int to, std::vector<link_number>& links) const override {
    if (from == m_failing && m_fails.exchange(false)) throw std::runtime_error("no route");
    topology::append_links(from, to, links);
  }

 private:
  int m_failing;
  std::atomic<bool>& m_fails;
};

/// A cluster that counts the bytes which this process sends to others through another.
class counting_cluster : public lockstep::cluster {
 public:
  explicit counting_cluster(lockstep::cluster& through) : m_through(through) {}

  [[nodiscard]] std::uint64_t sent() const { return m_sent; }
  [[nodiscard]] int processes() const override { return m_through.processes(); }
  [[nodiscard]] int process() const override { return m_through.process(); }
  [[nodiscard]] round exchange(std::vector<std::uint64_t> const& figures,
                               std::vector<bytes> const& to) override {
    for (std::size_t other = 0; other < to.size(); ++other)
      if (other != static_cast<std::size_t>(process())) m_sent += to[other].size();
    return m_through.exchange(figures, to);
  }
  [[nodiscard]] std::vector<bytes> all_gather(bytes const& own) override {
    m_sent += own.size() * static_cast<std::size_t>(processes() - 1);
    return m_through.all_gather(own);
  }

 private:
  lockstep::cluster& m_through;
  std::uint64_t m_sent = 0;
};

/// A size for a result, which differs from processor to processor.
std::size_t of(processor const& me) { return static_cast<std::size_t>(me.rank()); }

std::uint64_t from_environment(char const* name, std::uint64_t otherwise) {
  char const* const asked = std::getenv(name);
  return asked == nullptr ? otherwise : std::strtoull(asked, nullptr, 10);
}

}  // namespace

TEST_CASE("cluster: shares are contiguous and leave nobody out", "[core][cluster][threads]") {
  for (int const processors : {1, 2, 5, 8, 9, 16, 100, 4'100, 5'000, 100'000, 2'000'000'000})
    for (int const processes : {1, 2, 3, 4, 5, 7, 8, 64}) {
      CAPTURE(processors, processes);
      detail::process_shares const shares(processors, processes);
      int next = 0;
      int most = 0;
      int least = processors;
      for (int process = 0; process < processes; ++process) {
        auto const share = shares.of(process);
        CHECK(share.first == next);
        CHECK((share.first % shares.block() == 0 || share.size() == 0));
        for (int const rank : {share.first, share.end - 1})
          if (share.has(rank)) CHECK(shares.process_of(rank) == process);
        most = std::max(most, share.size());
        least = std::min(least, share.size());
        next = share.end;
      }
      CHECK(next == processors);
      CHECK((least > 0 || processors < processes));
      CHECK(most - least <= 2 * shares.block());
    }
}

TEST_CASE("cluster: a ring counts as on one process", "[core][cluster][threads]") {
  for (int const size : {1, 2, 5, 8, 16, 33})
    check_program(std::make_shared<ring const>(size), {}, [](processor& me) {
      int value = me.rank();
      for (int step = 1; step < me.size(); ++step)
        value = me.exchange((me.rank() + 1) % me.size(), value,
                            (me.rank() + me.size() - 1) % me.size());
    });
}

TEST_CASE("cluster: long payloads, vectors, idle steps and work", "[core][cluster][threads]") {
  check_program(std::make_shared<hypercube const>(4), {}, [](processor& me) {
    std::vector<double> const mine(3'000, me.rank());
    std::vector<double> theirs(3'000);
    for (int bit = 1; bit < me.size(); bit *= 2) {
      me.work(static_cast<std::uint64_t>(me.rank()) + 1);
      me.exchange_into(me.rank() ^ bit, mine, theirs, me.rank() ^ bit);
      if (theirs.front() != (me.rank() ^ bit)) me.send(me.rank(), 1);
      me.idle(static_cast<std::uint64_t>(bit));
      me.send(me.rank() ^ bit, std::vector<int>(static_cast<std::size_t>(me.rank()), bit));
      auto const came = me.receive<int>(me.rank() ^ bit);
      if (came.size() != static_cast<std::size_t>(me.rank() ^ bit)) me.send(me.rank(), 2);
      me.rearrange(came.size());
    }
  });
}

TEST_CASE("cluster: barriers, phases and pipelined rounds", "[core][cluster][threads]") {
  check_program(std::make_shared<torus const>(torus({4, 6})), {}, [](processor& me) {
    me.phase("first");
    auto row = me.row();
    for (int round = 0; round < 3; ++round) {
      me.barrier();
      static_cast<void>(me.shift(along{0, 1}, round));
      row.pipelined([&] {
        for (int step = 0; step < 2 + me.rank() / 6; ++step) {
          me.work(5);
          static_cast<void>(row.shift(along{0, 1}, std::vector<int>(3, step)));
        }
      });
      row.barrier();
    }
    me.phase("second");
    me.send((me.rank() + 7) % me.size(), me.rank());
    static_cast<void>(me.receive<int>((me.rank() + me.size() - 7) % me.size()));
  });
}

TEST_CASE("cluster: one-sided rounds, labels, and looking for messages",
          "[core][cluster][threads]") {
  check_program(std::make_shared<crossbar const>(9), {}, [](processor& me) {
    me.label("reads");
    std::vector<int> mine(4, me.rank());
    auto const came = me.read((me.rank() * 2 + 1) % me.size(), 1, 2, mine);
    if (came.front() != (me.rank() * 2 + 1) % me.size()) me.send(me.rank(), 1);
    me.label("writes");
    me.write((me.rank() + 5) % me.size(), 0, std::vector<int>{me.rank()}, mine);
    if (mine.front() != (me.rank() + 4) % me.size()) me.send(me.rank(), 2);
    me.label("polls");
    me.send((me.rank() + 1) % me.size(), 1);
    auto const before = (me.rank() + me.size() - 1) % me.size();
    while (me.pending(before) == 0) me.idle();
    static_cast<void>(me.receive_value<int>(before));
  });
}

TEST_CASE("cluster: supersteps of mail, and the first that comes", "[core][cluster][threads]") {
  check_program(std::make_shared<crossbar const>(7), {}, [](processor& me) {
    for (int superstep = 0; superstep < 3; ++superstep) {
      for (int other = 0; other < me.size(); other += 1 + superstep)
        me.post(other, std::vector<int>(static_cast<std::size_t>(me.rank()), other));
      int values = 0;
      for (auto const& [from, came] : me.deliver<int>({.announced = superstep == 1}))
        values += static_cast<int>(came.size());
      me.idle(static_cast<std::uint64_t>(values) + 1);
    }
    me.barrier();
    if (me.rank() > 0) {
      me.idle(static_cast<std::uint64_t>(me.rank() * 5 % 7));
      me.send(0, me.rank());
    } else {
      for (int other = 1; other < me.size(); ++other) {
        auto const came = me.receive_any<int>();
        me.idle(static_cast<std::uint64_t>(came.from));
      }
    }
  });
  SECTION("posts that nobody delivers") {
    check_program(std::make_shared<crossbar const>(7), {}, [](processor& me) {
      if (me.rank() >= 3) me.post(me.rank() - 3, 1.5);
    });
  }
}

TEST_CASE("cluster: each message's links are counted in one process", "[core][cluster][threads]") {
  auto const program = [](processor& me) {
    for (int step = 1; step < me.size(); ++step) {
      int const to = (me.rank() + step * 37) % me.size();
      int const from = (me.rank() + step * (me.size() - 37)) % me.size();
      if (to == me.rank()) continue;
      static_cast<void>(me.exchange(to, std::vector<int>(1 + to % 3, step), from));
    }
  };
  auto const mesh_of_routes = std::make_shared<mesh const>(mesh({8, 12}));
  check_program(mesh_of_routes, {.switching = switching::cut_through}, program);
  check_program(mesh_of_routes, {.switching = switching::cut_through}, [&](processor& me) {
    me.pipelined([&] { program(me); });
    me.pipelined([&] { program(me); });
  });
  // Bytes that all processes send for a message: its row goes to one other at most, not to all.
  std::uint64_t messages = 0;
  std::atomic<std::uint64_t> bytes = 0;
  static_cast<void>(on_threads(8, [&](lockstep::cluster& all) {
    counting_cluster counting(all);
    machine_options const options{.switching = switching::cut_through, .cluster = &counting};
    auto const run = machine(mesh_of_routes, options).run(program);
    bytes += counting.sent();
    if (all.process() == 0) messages = run.counts().messages;
    return std::string();
  }));
  constexpr std::uint64_t most_each = 400;
  CHECK(messages == 96 * 95);
  CHECK(bytes / messages < most_each);
}

TEST_CASE("cluster: rows of several steps are counted in each of them",
          "[core][cluster][threads]") {
  auto const seven_steps = [](processor& me) {
    for (int round = 0; round < 5; ++round)
      for (int step = 0; step < 7; ++step) {
        int const shift = 2 + round * 3;
        int const size = me.size();
        static_cast<void>(
            me.exchange((me.rank() + shift) % size, step, (me.rank() + size - shift) % size));
      }
  };
  machine_options const options{.switching = switching::cut_through};
  check_program(std::make_shared<ring const>(23), options, seven_steps);
  check_program(std::make_shared<mesh const>(mesh({4, 5})), options, [&](processor& me) {
    seven_steps(me);
    me.pipelined([&] { seven_steps(me); });
    auto part = me.subset(me.rank() % 2 == 0 ? std::vector{0, 2, 4, 6, 8, 10, 12, 14, 16, 18}
                                             : std::vector{1, 3, 5, 7, 9, 11, 13, 15, 17, 19});
    if (me.rank() % 4 == 0) me.idle(9);
    part.pipelined([&] { static_cast<void>(part.exchange(part.rank() ^ 1, std::vector(3, 1.5))); });
  });
}

#ifndef LOCKSTEP_TEST_THREAD_SANITIZER  // which follows 8,000 processors at most
TEST_CASE("cluster: pipelined rounds on a crossbar need no table of its links",
          "[core][cluster][threads]") {
  // 2^30 links, of which each process would have half.
  auto const said = on_threads(2, [](lockstep::cluster& all) {
    machine const many(crossbar(1 << 15), {.stacks = stacks::copied, .cluster = &all});
    auto const run = many.run([](processor& me) {
      me.pipelined([&] { static_cast<void>(me.exchange(me.rank() ^ 1, 1)); });
    });
    return std::to_string(run.counts().words);
  });
  CHECK(said == std::vector<std::string>(2, "1"));
}
#endif

TEST_CASE("cluster: a network that fails while its links are counted ends all processes",
          "[core][cluster][threads]") {
  machine_options const options{.switching = switching::cut_through};
  std::atomic<bool> fails = false;
  for (int const failing_sender : {0, 5, 11})
    for (bool const pipelined : {false, true})
      check_same(3, [&](lockstep::cluster* all) {
        auto shared = options;
        shared.cluster = all;
        auto const network = std::make_shared<failing_ring const>(failing_sender, fails);
        auto said = account(network, shared, [&](processor& me) {
          auto const exchange = [&] {
            for (int step = 0; step < 3; ++step)
              static_cast<void>(me.exchange((me.rank() + 2) % 12, step, (me.rank() + 10) % 12));
          };
          if (pipelined)
            me.pipelined(exchange);
          else
            exchange();
          me.barrier();
          fails = true;  // the links are counted when all have ended
        });
        if (all == nullptr) CHECK(said.find("no route") != std::string::npos);
        return said;
      });
}

TEST_CASE("cluster: errors have the same text in all processes", "[core][cluster][threads]") {
  auto const network = std::make_shared<ring const>(12);
  auto const right = [](processor& me) { return (me.rank() + 1) % me.size(); };
  auto const left = [](processor& me) { return (me.rank() + me.size() - 1) % me.size(); };
  SECTION("deadlock") {
    check_program(network, {}, [&](processor& me) {
      me.idle(static_cast<std::uint64_t>(me.rank()));
      static_cast<void>(me.receive<int>(left(me)));
    });
  }
  SECTION("a message that nobody receives") {
    check_program(network, {}, [&](processor& me) {
      if (me.rank() == 7 || me.rank() == 2) me.send(right(me), 1.5);
    });
  }
  SECTION("another type") {
    check_program(network, {}, [&](processor& me) {
      me.send(right(me), 1.5F);
      static_cast<void>(me.receive<int>(left(me)));
    });
  }
  SECTION("an exception of the program, while others go on") {
    check_program(network, {}, [&](processor& me) {
      int value = 0;
      for (int step = 0; step < 100; ++step) {
        if (me.rank() == 9 && step == 50) throw std::runtime_error("nine");
        if (me.rank() == 3 && step == 52) throw std::runtime_error("three");
        if (value < 0) return;
        value += me.exchange(right(me), step, left(me));
      }
    });
  }
  SECTION("an error of lockstep in a program, by itself and inside another") {
    check_program(network, {}, [&](processor& me) {
      if (me.rank() == 11) throw invalid_argument("eleven");
      me.barrier();
    });
    check_program(network, {}, [&](processor& me) {
      if (me.rank() != 11) return me.barrier();
      try {
        throw std::out_of_range("a place");
      } catch (std::out_of_range const&) {
        std::throw_with_nested(size_mismatch("a size", {}));
      }
    });
  }
  SECTION("barriers that differ") {
    check_program(network, {}, [&](processor& me) {
      if (me.rank() == 8)
        me.phase("eight");
      else
        me.phase("others");
    });
  }
  SECTION("a barrier that some never reach") {
    check_program(network, {}, [&](processor& me) {
      if (me.rank() != 8) me.barrier();
    });
  }
  SECTION("steps that are too many") {
    check_program(network, {.max_steps = 100}, [&](processor& me) {
      int value = 0;
      while (true) value = me.exchange(right(me), value, left(me));
    });
  }
  SECTION("reads that fail, of owners in other processes") {
    check_program(std::make_shared<crossbar const>(9), {.max_steps = 1}, [](processor& me) {
      me.idle(1);
      std::vector<double> mine(3);
      if (me.rank() >= 5)
        static_cast<void>(me.read((me.rank() + 4) % 9, 0, 2, mine));
      else
        me.serve(mine);
      me.idle(1);
    });
  }
  SECTION("links of a strict machine, in several steps") {
    check_program(std::make_shared<ring const>(12),
                  {.switching = switching::cut_through, .strict = true}, [](processor& me) {
                    me.idle(static_cast<std::uint64_t>(me.rank() / 5));
                    for (int step = 0; step < 4; ++step) {
                      int const far = step % 2 == 0 ? 1 : 2 + me.rank() % 2;
                      me.send((me.rank() + far) % 12, step);
                    }
                    for (int other = 0; other < 12; ++other)
                      while (me.pending(other) > 0) static_cast<void>(me.receive<int>(other));
                  });
  }
  SECTION("a write that fails, to an owner in another process") {
    check_program(std::make_shared<crossbar const>(5), {.max_steps = 1}, [](processor& me) {
      me.idle(1);
      std::vector<double> mine(3);
      if (me.rank() == 4)
        me.write(0, 0, std::vector<double>{}, mine);
      else
        me.serve(mine);
      me.idle(1);
    });
  }
  SECTION("links of a strict machine") {
    check_program(network, {.switching = switching::cut_through, .strict = true},
                  [&](processor& me) {
                    me.send((me.rank() + 3) % me.size(), 1);
                    static_cast<void>(me.receive<int>((me.rank() + me.size() - 3) % me.size()));
                  });
  }
}

TEST_CASE("cluster: random programs", "[core][cluster][threads][random]") {
  auto const first = from_environment("LOCKSTEP_RANDOM_SEED", 1);
  auto const end = first + from_environment("LOCKSTEP_RANDOM_PROGRAMS", 500);
  for (auto seed = first; seed < end; ++seed) {
    auto const made = random_program(seed);
    auto options = made.options;
    options.workers = 1 + static_cast<int>(seed / 3 % 2);
    auto const alone = account_of(made, options);
    auto const processes = 2 + static_cast<int>(seed % 3);
    auto const all = on_threads(processes, [&](lockstep::cluster& cluster) {
      auto shared = options;
      shared.cluster = &cluster;
      return account_of(made, shared);
    });
    for (auto const& said : all) {
      if (said == alone) continue;
      INFO("seed " << seed << ", " << processes << " processes, " << options.workers << " workers\n"
                   << first_other_line(alone, said) << to_string(made));
      CHECK((said == alone));
      break;
    }
  }
  SUCCEED("no difference was found, or each was reported");
}

TEST_CASE("cluster: results are those of the own share, and can be gathered",
          "[core][cluster][threads]") {
  auto const said = on_threads(3, [](lockstep::cluster& all) {
    machine const eight(ring(8), {.cluster = &all});
    auto const run = eight.run([](processor& me) { return me.rank() * me.rank(); });
    auto const own = eight.own_ranks();
    if (run.results().size() != static_cast<std::size_t>(own.size()))
      return std::string("wrong size");
    if (run.first_rank() != own.first) return std::string("wrong rank");
    for (int rank = own.first; rank < own.end; ++rank)
      if (run.results()[static_cast<std::size_t>(rank - own.first)] != rank * rank)
        return std::string("wrong result");
    return fmt::format("{}", fmt::join(run.gather_results(), " "));
  });
  CHECK(said == std::vector<std::string>{"0 1 4 9 16 25 36 49", "", ""});
  auto const shared = on_threads(
      3,
      [](lockstep::cluster& all) {
        machine const five(ring(5), {.cluster = &all});
        auto const run = five.run([](processor& me) {
          return std::vector<int>(static_cast<std::size_t>(me.rank()), me.rank());
        });
        std::string text;
        for (auto const& one : run.results()) text += fmt::format("{};", fmt::join(one, " "));
        return text;
      },
      true);
  for (auto const& one : shared) CHECK(one == ";1;2 2;3 3 3;4 4 4 4;");
}

TEST_CASE("cluster: results can be lists, texts, maps and classes that name their members",
          "[core][cluster][threads]") {
  struct found {
    std::vector<std::string> names{};
    std::optional<std::vector<int>> numbers{};
    int rank = 0;
    auto members() { return std::tie(names, numbers, rank); }
    bool operator==(found const&) const = default;
  };
  check_gathered([](processor& me) { return std::vector<std::vector<int>>(of(me), {me.rank()}); });
  check_gathered([](processor& me) { return std::string(of(me), 'a'); });
  check_gathered(
      [](processor& me) { return std::vector<std::string>(2, std::string(of(me), 'b')); });
  check_gathered([](processor& me) {
    return std::pair{me.rank(), std::vector<double>(of(me), 0.5)};
  });
  check_gathered([](processor& me) {
    return std::tuple{std::string(of(me), 'c'), me.rank(), std::array<std::vector<int>, 2>{}};
  });
  check_gathered([](processor& me) { return std::vector<bool>(of(me), true); });
  check_gathered([](processor& me) {
    return std::map<std::string, std::vector<int>>{{"rank", {me.rank()}}, {"none", {}}};
  });
  check_gathered([](processor& me) { return std::set<int>{me.rank(), -1}; });
  check_gathered([](processor& me) { return std::deque<std::optional<int>>{me.rank(), {}}; });
  check_gathered([](processor& me) {
    return found{{std::string(of(me), 'd'), ""}, std::vector<int>(of(me), 7), me.rank()};
  });
}

TEST_CASE("cluster: results that point to memory are not gathered", "[core][cluster][threads]") {
  struct recursive {
    std::vector<recursive> inside;
  };
  struct other_members {
    std::vector<int> members() { return {}; }
    std::string text;
  };
  STATIC_REQUIRE_FALSE(detail::gatherable<int*>);
  STATIC_REQUIRE_FALSE(detail::gatherable<std::vector<int*>>);
  STATIC_REQUIRE_FALSE(detail::gatherable<std::vector<std::string_view>>);
  STATIC_REQUIRE_FALSE(detail::gatherable<std::unique_ptr<int>>);
  STATIC_REQUIRE_FALSE(detail::gatherable<std::pair<int, std::span<int>>>);
  STATIC_REQUIRE_FALSE(detail::gatherable<std::filesystem::path>);
  STATIC_REQUIRE_FALSE(detail::gatherable<recursive>);
  STATIC_REQUIRE_FALSE(detail::gatherable<other_members>);
  auto const said = on_threads(
      2,
      [](lockstep::cluster& all) {
        static_cast<void>(
            machine(ring(4), {.cluster = &all}).run([](processor&) { return other_members{}; }));
        return std::string("went on");
      },
      true);
  for (auto const& one : said) CHECK(one.starts_with("threw the cluster shares results, and "));
}

TEST_CASE("cluster: results that another executable packed are refused",
          "[core][cluster][threads]") {
  auto const whole = detail::packed(std::vector<std::vector<int>>{{1, 2, 3}});
  std::vector<std::vector<int>> into;
  for (std::size_t size = 1; size < whole.size(); ++size)
    CHECK_THROWS_AS(detail::unpack(std::span(whole).first(size), into), process_lost);
}

TEST_CASE("cluster: a process that leaves ends the others", "[core][cluster][threads]") {
  auto const said = on_threads(3, [](lockstep::cluster& all) -> std::string {
    if (all.process() == 1) throw std::runtime_error("gone");
    static_cast<void>(machine(ring(6), {.cluster = &all}).run([](processor& me) { me.barrier(); }));
    return "went on";
  });
  CHECK(said[1] == "threw gone");
  CHECK(said[0].starts_with("threw a process"));
  CHECK(said[2].starts_with("threw a process"));
}

TEST_CASE("cluster: processes that run different machines are told so",
          "[core][cluster][threads]") {
  auto const said = on_threads(2, [](lockstep::cluster& all) -> std::string {
    static_cast<void>(machine(ring(6 + all.process()), {.cluster = &all}).run([](processor& me) {
      me.barrier();
    }));
    return "went on";
  });
  for (auto const& one : said) {
    INFO(one);
    CHECK(one.starts_with("threw process 1 of the cluster runs "));
    CHECK(one.find(":7 (ports") != std::string::npos);
    CHECK(one.find(", and process 0 ") != std::string::npos);
  }
}

TEST_CASE("cluster: where one process cannot run a machine, none does",
          "[core][cluster][threads]") {
  auto const said = on_threads(3, [](lockstep::cluster& all) -> std::string {
    machine const six(ring(6), {.cluster = &all});
    try {
      six.require_memory(all.process() == 2 ? std::size_t{1} << 50 : 1);
      return "went on";
    } catch (error const& thrown) {
      static_cast<void>(six.run([](processor& me) { me.barrier(); }));
      return fmt::format("{}: {}", class_name(thrown), thrown.message());
    }
  });
  auto const observed = on_threads(2, [](lockstep::cluster& all) -> std::string {
    machine const six(ring(6), {.cluster = &all});
    struct watching : observer {
    } seen;
    auto const program = [](processor& me) { me.barrier(); };
    try {
      if (all.process() == 0)
        six.run(program, seen);
      else
        six.run(program);
      return "went on";
    } catch (error const& thrown) {
      return std::string(class_name(thrown));
    }
  });
  CHECK(observed == std::vector<std::string>{"invalid_argument", "process_lost"});
  CHECK(said[2].starts_with("out_of_memory: "));
  CHECK(said[0].starts_with("process_lost: process 2 of the cluster cannot run the machine: "));
  CHECK(said[1] == said[0]);
}

TEST_CASE("cluster: what processes do not do together is refused", "[core][cluster][threads]") {
  shared_board board(1);
  thread_cluster alone(board, 0);
  auto const refuses_options = [&](machine_options options) {
    options.cluster = &alone;
    CHECK_THROWS_AS(machine(ring(4), options), invalid_argument);
  };
  refuses_options({.engine = engine::threads});
  refuses_options({.guarded = true});
  refuses_options({.clocked = true});
  machine const four(ring(4), {.cluster = &alone});
  struct watching : observer {
  } seen;
  CHECK_THROWS_AS(four.run([](processor&) {}, seen), invalid_argument);
  CHECK_NOTHROW(four.run([](processor& me) { me.barrier(); }));
  // A machine of its own inside a program is no other process's concern.
  CHECK_NOTHROW(four.run([](processor&) {
    static_cast<void>(machine(ring(3)).run([](processor& me) { me.barrier(); }));
  }));
  CHECK_THROWS_AS(four.run([&](processor&) { static_cast<void>(four.run([](processor&) {})); }),
                  processor_failed);
}
