#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/concentrate_elements.hpp>
#include <lockstep/algorithms/random_access/detail/network_rounds.hpp>
#include <lockstep/algorithms/random_access/generalize.hpp>
#include <lockstep/algorithms/random_access/monotonic_write.hpp>
#include <lockstep/algorithms/random_access/network_claims.hpp>
#include <lockstep/algorithms/random_access/random_access_read.hpp>
#include <lockstep/algorithms/random_access/random_access_write.hpp>
#include <lockstep/algorithms/random_access/transportation.hpp>
#include <lockstep/algorithms/random_access/transportation_traffic.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "random_access/access_samples.hpp"

// Random accesses on hypercubes, tori and meshes: results as plain loops have them, on strict machines,
// where a message that queues or shares a link is an error.

namespace {

using lockstep::access_variant;
using lockstep::bucket_route;
using lockstep::read_variant;
using lockstep::sender_and_receiver;
using lockstep::transportation_traffic;

/// p = 1 to 64, in one to three dimensions, with sizes of 1, 2, odd and even ones.
constexpr std::array networks{"hypercube:0", "hypercube:1", "hypercube:3", "hypercube:4",
                              "hypercube:6", "mesh:1",      "mesh:5",      "mesh:2x2",
                              "mesh:4x4",    "mesh:3x5",    "mesh:3x1x4",  "torus:2x2",
                              "torus:7",     "torus:4x4",   "torus:8x3",   "torus:3x4x3"};

lockstep::machine strict_on(std::string const& spec) {
  return lockstep::machine(lockstep::parse(spec),
                           {.switching = lockstep::switching::cut_through, .strict = true});
}

/// Calls `visit(spec, layout)` with layouts of no, few and several elements of each processor.
template <class Visit>
void for_each_network(Visit const& visit) {
  for (std::string const spec : networks) {
    auto const p = strict_on(spec).size();
    for (int const n : {0, 1, p - 1, 3 * p + 1, 20 * p}) {
      INFO(spec << ", n = " << n);
      visit(spec, bucket_layout(static_cast<std::size_t>(n), p, n < 3 * p ? 1U : 2U));
    }
  }
}

/// What a plain loop over all elements leaves at each address.
std::vector<std::optional<text_hash>> written_in_a_loop(pointers const& to,
                                                        bucket_layout const& layout) {
  std::vector<std::optional<text_hash>> cells(layout.elements());
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] == no_pointer) continue;
    auto& cell = cells[to[i]];
    cell = cell ? concatenated(*cell, letter(i)) : letter(i);
  }
  return cells;
}

std::vector<std::optional<text_hash>> joined_cells(
    std::vector<std::vector<lockstep::extended<text_hash>>> const& blocks) {
  std::vector<std::optional<text_hash>> all;
  for (auto const& block : blocks)
    for (auto const& cell : block) all.push_back(cell.as_optional());
  return all;
}

void check_kept_apart(lockstep::run_record const& run) { CHECK(run.counts().contention <= 1); }

}  // namespace

TEST_CASE("writes on hypercube, torus and mesh, in the order of elements", "[random_access]") {
  for_each_network([](std::string const& spec, bucket_layout const& layout) {
    for (auto const pattern : patterns) {
      INFO(name_of(pattern));
      auto const to = generated_pointers(pattern, layout, 5, 10);
      auto const expected = written_in_a_loop(to, layout);
      auto const check = [&](lockstep::random_access_options const& options) {
        auto const run = strict_on(spec).run([&](processor& me) {
          auto const values = letters_of(layout, me.rank());
          return lockstep::combined_writes(me, layout, block_of(to, layout, me.rank()),
                                           std::span(values), concatenation{}, options)
              .cells;
        });
        CHECK((joined_cells(run.results()) == expected));
        check_kept_apart(run);
      };
      check({});
      check({.variant = access_variant::limited});
      check({.stage_1 = lockstep::transportation_route::direct, .stage_2 = bucket_route::linear});
      if (pattern == access_pattern::monotonic) check({.variant = access_variant::monotonic});
    }
  });
}

TEST_CASE("reads on hypercube, torus and mesh, by each variant", "[random_access]") {
  for_each_network([](std::string const& spec, bucket_layout const& layout) {
    for (auto const pattern : patterns) {
      INFO(name_of(pattern));
      auto const to = generated_pointers(pattern, layout, 7, 10);
      for (auto const variant : {read_variant::requested, read_variant::whole_buckets,
                                 read_variant::weighted, read_variant::hybrid}) {
        INFO(name_of(variant));
        auto const run = strict_on(spec).run([&](processor& me) {
          std::vector<std::size_t> block(2 * layout.size_of(me.rank()));
          std::iota(block.begin(), block.end(), 2 * layout.first_of(me.rank()) + 1);
          return lockstep::random_access_read(me, layout, block_of(to, layout, me.rank()),
                                              std::span<std::size_t const>(block),
                                              {.variant = variant, .elements_each = 2})
              .values;
        });
        std::vector<std::size_t> expected;
        for (auto const pointer : to)
          for (std::size_t word = 1; word <= 2; ++word)
            expected.push_back(pointer == no_pointer ? 0 : 2 * pointer + word);
        CHECK((joined_blocks(run.results()) == expected));
        check_kept_apart(run);
      }
    }
  });
}

TEST_CASE("what goes in order on hypercube, torus and mesh", "[random_access]") {
  for_each_network([](std::string const& spec, bucket_layout const& layout) {
    auto const to = generated_pointers(access_pattern::monotonic, layout, 3, 30);
    auto const copied = strict_on(spec).run([&](processor& me) {
      auto const values = letters_of(layout, me.rank());
      return lockstep::generalize(me, layout, block_of(to, layout, me.rank()), std::span(values));
    });
    std::vector<std::optional<text_hash>> expected(layout.elements());
    std::size_t next = 0;
    pointers apart(to.size(), no_pointer);  // as `to`, without equal ones
    std::vector<std::optional<text_hash>> alone(layout.elements());
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (to[i] == no_pointer) continue;
      if (next <= to[i]) {
        apart[i] = to[i];
        alone[to[i]] = letter(i);
        chosen.push_back(i);
      }
      for (; next <= to[i]; ++next) expected[next] = letter(i);
    }
    CHECK((joined_blocks(copied.results()) == expected));
    check_kept_apart(copied);

    auto const distributed = strict_on(spec).run([&](processor& me) {
      auto const values = letters_of(layout, me.rank());
      return lockstep::distribute_elements(me, layout, block_of(apart, layout, me.rank()),
                                           std::span<text_hash const>(values));
    });
    CHECK((joined_blocks(distributed.results()) == alone));
    check_kept_apart(distributed);

    auto const concentrated = strict_on(spec).run([&](processor& me) {
      std::vector<std::size_t> mine;
      for (auto const i : chosen)
        if (layout.owner(i) == me.rank()) mine.push_back(i);
      return lockstep::concentrate_elements(me, layout, std::span<std::size_t const>(mine));
    });
    CHECK((joined_blocks(concentrated.results()) == chosen));
    check_kept_apart(concentrated);
  });
}

TEST_CASE("destinations that decrease are refused on a mesh, too", "[random_access]") {
  bucket_layout const layout(8, 4);
  CHECK_THROWS_WITH(strict_on("mesh:2x2").run([&](processor& me) {
    std::vector<std::size_t> const to{static_cast<std::size_t>(7 - 2 * me.rank())};
    std::vector<int> const values{1};
    return lockstep::distribute_elements(me, layout, to, std::span<int const>(values)).size();
  }),
                    has_text("destinations have to be non-decreasing"));
}

TEST_CASE("transportation on hypercube, torus and mesh, and back", "[random_access]") {
  struct cargo {
    int to = 0;
    int from = 0;
    int number = 0;

    bool operator==(cargo const&) const = default;
  };
  for (std::string const spec : networks) {
    auto const p = strict_on(spec).size();
    auto const size = static_cast<std::size_t>(p);
    for (auto const kind : {transportation_traffic::uniform, transportation_traffic::shift,
                            transportation_traffic::random, transportation_traffic::hot,
                            transportation_traffic::gather}) {
      if (p == 1 && kind == transportation_traffic::hot)
        continue;  // half of the processors are hot
      INFO(spec << ", " << name_of(kind));
      auto const traffic = generated_traffic(kind, p, 13, 1);
      std::vector<std::vector<cargo>> sent(size);
      std::vector<std::vector<cargo>> expected(size);
      for (int i = 0; i < p; ++i)
        for (int j = 0; j < p; ++j)
          for (int number = 0; std::cmp_less(
                   number,
                   traffic[static_cast<std::size_t>(i) * size + static_cast<std::size_t>(j)]);
               ++number) {
            sent[static_cast<std::size_t>(i)].push_back({j, i, number});
            expected[static_cast<std::size_t>(j)].push_back({j, i, number});
          }
      std::vector<char> came_back(size);
      auto const run = strict_on(spec).run([&](processor& me) {
        auto const& mine = sent[static_cast<std::size_t>(me.rank())];
        auto came = lockstep::transportation(me, std::span(mine), &cargo::to);
        auto const answers =
            lockstep::transportation_back(me, came.route, std::span<cargo const>(came.elements));
        came_back[static_cast<std::size_t>(me.rank())] = answers == mine ? 'y' : 'n';
        return came.elements;
      });
      CHECK((run.results() == expected));
      CHECK(std::ranges::count(came_back, 'y') == p);
      check_kept_apart(run);
    }
  }
}

TEST_CASE("equal parts cost what the rounds of the network say", "[random_access]") {
  auto const transported = [](lockstep::machine const& on, int each) {
    return on.run([each](processor& me) {
      std::vector<int> to;
      for (int rank = 0; rank < me.size(); ++rank)
        to.insert(to.end(), static_cast<std::size_t>(each * me.size()), rank);
      return lockstep::transportation(me, std::span<int const>(to), std::identity{})
          .elements.size();
    });
  };
  // t = p^2 words of each processor, of which a p-th stays, on the cube; on s x s processors
  // (s - 1) t words in 2 (s - 1) start-ups an exchange, of which there are two.
  for (int const d : {2, 3, 5}) {
    auto const p = std::uint64_t{1} << static_cast<unsigned>(d);
    auto const run = transported(strict_on("hypercube:" + std::to_string(d)), 1);
    CHECK(run.counts().startups == 2 * (p - 1));
    CHECK(run.counts().words == 2 * (p - 1) * p);
    CHECK(run.counts().contention == 1);
  }
  for (std::string const kind : {"mesh:", "torus:"})
    for (int const s : {2, 3, 4, 6}) {
      auto const t = static_cast<std::uint64_t>(s) * s * s * s;
      auto const sides = std::to_string(s) + "x" + std::to_string(s);
      auto const run = transported(strict_on(kind + sides), 1);
      CHECK(run.counts().startups == 4 * (s - 1ULL));
      CHECK(run.counts().words == 2 * (s - 1ULL) * t);
      CHECK(run.counts().contention == 1);
    }
  // Where a hypercube's messages go to neighbours only, half of all words over each of d links.
  auto const run =
      transported(lockstep::machine(lockstep::parse("hypercube:3"), {.strict = true}), 1);
  CHECK(run.counts().startups == 2 * 3);
  CHECK(run.counts().words == 2 * 3 * 64 / 2);
}

TEST_CASE("messages over intervals that share ends meet on no link", "[random_access]") {
  for (std::string const spec :
       {"hypercube:3", "mesh:3x3", "torus:3x3", "torus:9", "mesh:2x2x2", "torus:2x5", "torus:5x2",
        "crossbar:9", "torus:8x8", "mesh:8x8", "hypercube:6", "torus:3x4x5"}) {
    auto const on = strict_on(spec);
    auto const p = on.size();
    std::mt19937 random(1);
    for (int sample = 0; sample < 300; ++sample) {
      // Which ranks are ends, and which of the intervals between them have a message.
      std::vector<sender_and_receiver> messages;
      int begin = 0;
      for (int end = 1; end < p; ++end) {
        if (random() % 4 != 0) continue;
        if (random() % 4 != 0) messages.push_back({end, begin});
        begin = end;
      }
      if (random() % 2 == 0)
        for (auto& [from, to] : messages) std::swap(from, to);
      INFO(spec << ", sample " << sample);
      auto const run = on.run([&](processor& me) {
        return lockstep::detail::send_over_intervals(me, messages, std::vector<int>(2, me.rank()));
      });
      std::vector<std::vector<int>> expected(static_cast<std::size_t>(p));
      for (auto const& [from, to] : messages) expected[static_cast<std::size_t>(to)] = {from, from};
      REQUIRE((run.results() == expected));
      auto const dimensions = std::ranges::count(spec, 'x') + 1;
      REQUIRE(std::cmp_less_equal(run.counts().steps,
                                  spec.starts_with("torus") ? 2 * dimensions - 1 : 1));
    }
  }
}

TEST_CASE("claims of accesses are for networks with rounds of their own", "[random_access]") {
  auto const crossbar = lockstep::parse("crossbar:4");
  CHECK_THROWS_WITH(lockstep::network_monotone_claims(*crossbar, 8, 1),
                    has_text("neither a hypercube nor a torus or mesh"));
  // With k = 1 and n = 16 p^3 our stages send n/(kp) words that section 8 leaves out.
  auto const cube = lockstep::parse("hypercube:3");
  bucket_layout const layout(8192, 8, 1);
  auto const to = generated_pointers(access_pattern::random, layout, 1, 0);
  auto const run = strict_on("hypercube:3").run([&](processor& me) {
    std::vector<long> const ones(layout.size_of(me.rank()), 1);
    return lockstep::combined_writes(me, layout, block_of(to, layout, me.rank()), std::span(ones),
                                     std::plus<long>{})
        .record;
  });
  std::uint64_t words = 0;
  for (auto const* const phase : {"stage 1", "stage 2", "sends"})
    words += phases_named(run, phase).words;
  CHECK(words > 4 * (8192 / 8 + 64));
  for (auto const& claimed :
       lockstep::network_write_claims(*cube, layout, {}, run.results().front())) {
    if (claimed.figure != "stages_words") continue;
    bool const is_of_paper = claimed.source == "Shankar and Ranka 1997, section 8";
    CHECK(holds(claimed, static_cast<double>(words)) != is_of_paper);
    CHECK(claimed.erratum.empty() != is_of_paper);
  }
}
