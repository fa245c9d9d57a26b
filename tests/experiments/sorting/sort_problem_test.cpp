#include "sorting/sort_problem.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "core/cluster/thread_cluster.hpp"
#include "harness/process_parts.hpp"

using lockstep::order_of;
using lockstep::sort_blocks;
using lockstep::sort_input;
using lockstep::sort_promises;

namespace {

struct key_at {
  int key = 0;
  std::uint32_t number = 0;
};
using blocks = std::vector<std::vector<key_at>>;

std::vector<int> const keys{3, 1, 3, 0, 1};
blocks const stably_sorted{{{0, 3}, {1, 1}}, {{1, 4}, {3, 0}}, {{3, 2}}};

sort_blocks elements_in(blocks const& all) {
  sort_blocks made;
  for (auto const& block : all) {
    auto& own = made.emplace_back();
    for (auto const& [key, number] : block) own.push_back({order_of(key), number});
  }
  return made;
}

/// What a process says of its blocks of a result. It has all keys, or those of its own processors.
bool is_kept_by(lockstep::arguments const& asked, bool has_all, sort_promises const& promises,
                sort_blocks const& sorted) {
  auto const held =
      has_all ? lockstep::value_block{0, keys.size()} : lockstep::own_values(asked, keys.size());
  auto const begin = keys.begin() + static_cast<std::ptrdiff_t>(held.first);
  sort_input const input{
      .keys = std::vector<int>(begin, begin + static_cast<std::ptrdiff_t>(held.count)),
      .table = {},
      .first = held.first,
      .elsewhere = keys.size() - held.count};
  auto const own = lockstep::own_ranks(asked);
  return lockstep::sort_problem(asked, input, promises)
      .is_solved_by(std::span(sorted).subspan(static_cast<std::size_t>(own.first),
                                              static_cast<std::size_t>(own.size())));
}

/// What one process says, which is what each of two and of three says.
bool keeps(sort_promises const& promises, blocks const& sorted) {
  auto const elements = elements_in(sorted);
  lockstep::experiment_request const asked{.network = lockstep::parse("crossbar:3")};
  bool const alone = is_kept_by(asked, true, promises, elements);
  for (int const processes : {2, 3})
    for (bool const has_all : {true, false}) {
      auto const said = reference::on_threads(processes, [&](lockstep::cluster& all) {
        auto shared = asked;
        shared.options.cluster = &all;
        return std::string(is_kept_by(shared, has_all, promises, elements) ? "kept" : "broken");
      });
      CHECK(said == std::vector<std::string>(said.size(), alone ? "kept" : "broken"));
    }
  return alone;
}

sort_promises const stable_and_even{};
sort_promises const stable{.even_blocks = false};
sort_promises const even{.stable = false};
sort_promises const neither{.stable = false, .even_blocks = false};

/// Numbers of a type in order, none equal to the next.
template <class Key>
std::vector<Key> rising() {
  using limits = std::numeric_limits<Key>;
  if constexpr (std::is_floating_point_v<Key>)
    return {-limits::infinity(),   limits::lowest(), Key{-1.5},
            -limits::denorm_min(), Key{0},           limits::denorm_min(),
            limits::epsilon(),     Key{1.5},         limits::max(),
            limits::infinity()};
  else
    return {limits::min(), static_cast<Key>(limits::min() + 1), limits::max() / 2,
            static_cast<Key>(limits::max() - 1), limits::max()};
}

template <class Key>
void check_order() {
  auto const all = rising<Key>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) CHECK(order_of(all[i - 1]) < order_of(all[i]));
    auto const one = lockstep::elements_of<Key>(all).at(i);
    CHECK(one.number == i);
    std::visit([&](auto number) { CHECK(static_cast<Key>(number) == all[i]); }, one.as_number());
    if constexpr (sizeof(Key) == 4) CHECK(order_of(all[i]) <= 0xFFFF'FFFFU);
  }
}

}  // namespace

TEST_CASE("keys of every type have places in one order, and are shown as themselves", "[sorting]") {
  check_order<std::int32_t>();
  check_order<std::uint32_t>();
  check_order<std::int64_t>();
  check_order<std::uint64_t>();
  check_order<float>();
  check_order<double>();
}

TEST_CASE("a sort is held to what it promises", "[sorting]") {
  for (auto const& promises : {stable_and_even, stable, even, neither})
    CHECK(keeps(promises, stably_sorted));

  blocks const uneven{{{0, 3}}, {}, {{1, 1}, {1, 4}, {3, 0}, {3, 2}}};
  CHECK(keeps(stable, uneven));
  CHECK(keeps(neither, uneven));
  CHECK_FALSE(keeps(stable_and_even, uneven));
  CHECK_FALSE(keeps(even, uneven));

  blocks const unstable{{{0, 3}, {1, 4}}, {{1, 1}, {3, 2}}, {{3, 0}}};
  CHECK(keeps(even, unstable));
  CHECK(keeps(neither, unstable));
  CHECK_FALSE(keeps(stable_and_even, unstable));
  CHECK_FALSE(keeps(stable, unstable));
}

TEST_CASE("blocks may lie in another order than the ranks, or be full until there are no more",
          "[sorting]") {
  sort_promises const backward{.order_of_ranks = {2, 1, 0}};
  blocks const from_the_end{{{3, 2}}, {{1, 4}, {3, 0}}, {{0, 3}, {1, 1}}};
  CHECK(keeps(backward, from_the_end));
  CHECK_FALSE(keeps(backward, stably_sorted));
  CHECK_FALSE(keeps(stable_and_even, from_the_end));

  sort_promises const full{.even_blocks = false, .full_block = 3};
  blocks const filled{{{0, 3}, {1, 1}, {1, 4}}, {{3, 0}, {3, 2}}, {}};
  CHECK(keeps(full, filled));
  CHECK_FALSE(keeps(full, stably_sorted));
  CHECK_FALSE(keeps(full, {{{0, 3}, {1, 1}, {1, 4}}, {{3, 0}}, {{3, 2}}}));
}

TEST_CASE("keys that are lost, doubled, changed or out of order are found", "[sorting]") {
  blocks const lost{{{0, 3}, {1, 1}}, {{1, 4}, {3, 0}}, {}};
  blocks const more{{{0, 3}, {1, 1}}, {{1, 4}, {3, 0}}, {{3, 2}, {3, 2}}};
  blocks const doubled{{{0, 3}, {1, 1}}, {{1, 1}, {3, 0}}, {{3, 2}}};
  blocks const changed{{{0, 3}, {1, 1}}, {{1, 4}, {3, 0}}, {{4, 2}}};
  blocks const another{{{0, 3}, {1, 1}}, {{1, 4}, {3, 0}}, {{3, 1}}};
  blocks const beyond{{{0, 3}, {1, 1}}, {{1, 4}, {3, 0}}, {{3, 5}}};
  blocks const between_blocks{{{0, 3}, {1, 4}}, {{1, 1}, {3, 0}}, {{0, 2}}};
  blocks const disordered{{{1, 1}, {0, 3}}, {{1, 4}, {3, 0}}, {{3, 2}}};
  for (auto const& promises : {stable_and_even, stable, even, neither})
    for (auto const& wrong :
         {lost, more, doubled, changed, another, beyond, between_blocks, disordered})
      CHECK_FALSE(keeps(promises, wrong));
}

TEST_CASE("zeros of both signs are equal, and are written as they were read", "[sorting]") {
  CHECK(order_of(0.0) == order_of(-0.0));
  CHECK(order_of(0.0F) == order_of(-0.0F));
  lockstep::experiment_request const asked{.network = lockstep::parse("crossbar:2")};
  sort_input const input{.keys = std::vector<double>{1.0, -0.0, 0.0}, .table = {}};
  sort_promises const promises{.taken = lockstep::keys_taken::numbers};
  lockstep::sort_problem const problem(asked, input, promises);
  auto all = input.elements({0, 3});
  sort_blocks const sorted{{all[1], all[2]}, {all[0]}};
  CHECK(problem.is_solved_by(sorted));
  std::ostringstream written;
  problem.write(written, sorted);
  CHECK(written.str() == "-0\n0\n1\n");
}

TEST_CASE("what every sort moves is what a processor lacks of its block", "[sorting]") {
  lockstep::experiment_request const asked{.network = lockstep::parse("crossbar:3")};
  sort_input const input{.keys = keys, .table = {}};
  auto const moves = [&](std::vector<std::vector<int>> const& sorted) {
    sort_blocks blocks;
    for (auto const& block : sorted) blocks.push_back(lockstep::elements_of<int>(block));
    return lockstep::sort_problem(asked, input, even).least_traffic(blocks);
  };
  auto const needed = moves({{0, 1}, {1, 3}, {3}});  // of {3, 1}, {3, 0}, {1}
  CHECK(needed.taken_in == 1);
  CHECK(needed.moved == 3);
  CHECK(needed.distance == 1);
  auto const all_to_one = moves({{}, {}, {0, 1, 1, 3, 3}});
  CHECK(all_to_one.taken_in == 4);
  CHECK(all_to_one.moved == 4);
  CHECK(moves({{1, 3}, {0, 3}, {1}}).moved == 0);
}

TEST_CASE("each process generates the keys of its own processors", "[sorting]") {
  lockstep::experiment_request const asked{.network = lockstep::parse("crossbar:7"),
                                           .parameters = {{"distribution", std::string("S")}}};
  auto const input_of = [](lockstep::experiment_request const& of) {
    return lockstep::keys_from(of, lockstep::keys_taken::numbers, 100,
                               [](std::uint64_t) { return lockstep::machine_needs{}; });
  };
  auto const whole = input_of(asked);
  auto const said = reference::on_threads(3, [&](lockstep::cluster& all) {
    auto shared = asked;
    shared.options.cluster = &all;
    auto const input = input_of(shared);
    auto const own = lockstep::own_values(shared, 100);
    auto const are_its_own = input.size() == 100 && input.size() - input.elsewhere == own.count &&
                             input.first == own.first && input.elements(own) == whole.elements(own);
    shared.output = "sorted.txt";
    auto const of_file = input_of(shared);
    auto const are_all = of_file.elsewhere == 0 && of_file.keys == whole.keys;
    return fmt::format("{} own of {}, {}", are_its_own ? "its" : "not its", own.count,
                       are_all ? "all for a file" : "not all for a file");
  });
  CHECK(said == std::vector<std::string>{"its own of 44, all for a file",
                                         "its own of 42, all for a file",
                                         "its own of 14, all for a file"});
}

TEST_CASE("memory for a file of sorted keys has room for all of them on process 0", "[sorting]") {
  constexpr std::uint64_t n = 1000;
  auto const told = [&](lockstep::experiment_request asked) {
    std::uint64_t bytes = 0;
    asked.told_of_memory = [&](std::uint64_t needed) { bytes = needed; };
    lockstep::require_memory_to_sort(asked, n,
                                     [](std::uint64_t) { return lockstep::machine_needs{}; });
    return bytes;
  };
  lockstep::experiment_request const asked{.network = lockstep::parse("crossbar:6")};
  auto with_output = asked;
  with_output.output = "sorted.txt";
  CHECK(told(with_output) == told(asked));  // one process has them anyway
  auto const more = reference::on_threads(3, [&](lockstep::cluster& all) {
    auto own = asked;
    auto file = with_output;
    own.options.cluster = file.options.cluster = &all;
    auto const without = told(own);  // both are asked by all processes, in the same order
    return fmt::format("{} bytes a key", (told(file) - without) / n);
  });
  CHECK(more == std::vector<std::string>{"40 bytes a key", "8 bytes a key", "8 bytes a key"});
}

// Rounds have room for 2^20 values: one process sends several, while others have nothing left.
TEST_CASE("values go to their owners in rounds", "[sorting]") {
  constexpr std::uint64_t values = 2'500'000;
  auto const said = reference::on_threads(3, [&](lockstep::cluster& all) {
    std::uint64_t taken = 0;
    std::uint64_t sum = 0;
    auto const take = [&](std::uint64_t value) {
      ++taken;
      sum += value;
    };
    lockstep::value_exchange<std::uint64_t, decltype(take)> to_owners(all, take);
    if (all.process() == 1)
      for (std::uint64_t value = 0; value < values; ++value)
        to_owners.send(static_cast<int>(value % 2), value);
    to_owners.finish();
    return fmt::format("{}, {}", taken, sum);
  });
  CHECK(said ==
        std::vector<std::string>{"1250000, 1562498750000", "1250000, 1562500000000", "0, 0"});
}
