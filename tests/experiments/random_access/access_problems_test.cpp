#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>

#include "random_access/access_requests.hpp"
#include "random_access/read_problem.hpp"
#include "random_access/sequential_memory.hpp"
#include "random_access/write_problem.hpp"

// What the problems say of results that are right and of wrong ones, of their traffic and their files, by
// hand: the algorithms that solve them are right, and would not tell.

using lockstep::extended;
using lockstep::no_pointer;
using lockstep::write_problem;

namespace {

template <class Number>
using cells_of_all = std::vector<std::vector<extended<Number>>>;

/// Five elements on two processors, of three and two, that write to three addresses, of two and one.
template <class Number>
write_problem<Number> five_writes(std::vector<Number> values, std::size_t named) {
  static lockstep::experiment_request const asked{.network = lockstep::parse("crossbar:2")};
  return {.input = {asked, {2, 0, 2, no_pointer, 2}, 3, 1},
          .values = std::move(values),
          .by = lockstep::write_operator_at<Number>(named)};
}

constexpr std::size_t add = 0;
constexpr std::size_t minimum = 1;
constexpr std::size_t first = 3;
constexpr std::size_t last = 4;

}  // namespace

TEST_CASE("a sequential memory is written and read one element after the other",
          "[random_access]") {
  std::vector<std::size_t> const to{1, no_pointer, 0, 1, 1};
  std::string const letters = "abcde";
  auto const joined = [](std::string const& a, std::string const& b) { return a + b; };
  lockstep::sequential_cells<std::string> const before{std::nullopt, "x", std::nullopt};
  CHECK((lockstep::written_in_turn(
             before, to, [&](std::size_t i) { return letters.substr(i, 1); }, joined) ==
         lockstep::sequential_cells<std::string>{"c", "xade", std::nullopt}));
  auto const stored = [](std::size_t address, std::size_t word) { return 10 * address + word; };
  CHECK(lockstep::read_in_turn<std::size_t>(to, 2, stored) ==
        std::vector<std::size_t>{10, 11, 0, 0, 0, 1, 10, 11, 10, 11});
}

TEST_CASE("a write is judged by each operator, at each address", "[random_access]") {
  using cells = cells_of_all<std::int64_t>;
  auto const solved = [](std::size_t named, cells const& found) {
    return five_writes<std::int64_t>({5, 7, 3, 100, 4}, named).is_solved_by(found);
  };
  CHECK(solved(add, {{7, {}}, {12}}));
  CHECK(solved(minimum, {{7, {}}, {3}}));
  CHECK(solved(first, {{7, {}}, {5}}));
  CHECK(solved(last, {{7, {}}, {4}}));
  for (cells const& wrong : {cells{{7, {}}, {11}}, cells{{7, 0}, {12}}, cells{{{}, {}}, {12}},
                             cells{{7, {}}, {}}, cells{{7, {}}, {12, 1}}, cells{{12, {}}, {7}},
                             cells{{7, {}, 12}, {}}, cells{{7}, {{}, 12}}})
    CHECK_FALSE(solved(add, wrong));
  auto agreed = five_writes<std::int64_t>({5, 7, 5, 100, 5}, lockstep::same_value);
  CHECK(agreed.is_solved_by({{7, {}}, {5}}));
  agreed.values[4] = 6;
  CHECK_FALSE(agreed.is_solved_by({{7, {}}, {5}}));
  auto behind = five_writes<std::int64_t>({5, 7, 3, 100, 4}, add);
  behind.before = {1000, 2000, 3000};
  CHECK(behind.is_solved_by({{1007, 2000}, {3012}}));
  CHECK_FALSE(behind.is_solved_by({{7, {}}, {12}}));
}

TEST_CASE("sums in double precision are judged but for rounding", "[random_access]") {
  auto problem = five_writes<double>({0.1, 7, 0.2, 100, 0.3}, add);
  auto const sum = 0.1 + 0.2 + 0.3;
  CHECK(problem.is_solved_by({{7.0, {}}, {sum}}));
  CHECK(problem.is_solved_by({{7.0, {}}, {0.3 + 0.2 + 0.1}}));
  CHECK_FALSE(problem.is_solved_by({{7.0, {}}, {sum + 1e-15}}));
  CHECK_THROWS_AS(problem.is_solved_by({{7.0, {}}, {1e308 * 10}}), lockstep::bad_input);
  problem.require_sums_fit();
  problem.values = {1e308, 7, 1e308, 100, 1};
  CHECK_THROWS_AS(problem.require_sums_fit(), lockstep::bad_input);
  auto whole = five_writes<std::int64_t>({INT64_MAX, 7, 1, 100, -1}, add);
  whole.require_sums_fit();
  whole.values[4] = 0;
  CHECK_THROWS_AS(whole.require_sums_fit(), lockstep::bad_input);
}

TEST_CASE("a write needs a word for each address that others write to", "[random_access]") {
  // Processor 0 writes to address 0 of its own, and to 2 of processor 1, which writes there, too.
  auto const all = five_writes<std::int64_t>({5, 7, 3, 100, 4}, add).least_traffic({});
  CHECK(all.moved == 1);
  CHECK(all.taken_in == 1);
  CHECK(all.sent == 1);
  CHECK(all.distance == 1);
  CHECK(five_writes<std::int64_t>({5, 7, 3, 100, 4}, first).least_traffic({}).moved == 1);
  CHECK(five_writes<std::int64_t>({5, 7, 3, 100, 4}, last).least_traffic({}).moved == 0);
}

TEST_CASE("a written array is columns of indices and values", "[random_access]") {
  std::ostringstream out;
  five_writes<std::int64_t>({5, 7, 3, 100, 4}, add).write(out, {{7, {}}, {12}});
  CHECK(out.str() == "index,value\n0,7\n1,0\n2,12\n");
}

TEST_CASE("a read is judged at each place, and needs each value once a processor",
          "[random_access]") {
  using values = std::vector<std::vector<std::uint64_t>>;
  lockstep::read_problem problem{{4, 2}, {5, 2}, {3, 3, 0, 3, no_pointer}};  // D(a) = a + 1
  CHECK(problem.is_solved_by(values{{4, 4, 1}, {4, 0}}));
  for (auto const& wrong : {values{{4, 4, 1}, {4, 1}}, values{{4, 4, 2}, {4, 0}},
                            values{{4, 4}, {1, 4, 0}}, values{{4, 4, 1}, {4}}})
    CHECK_FALSE(problem.is_solved_by(wrong));
  auto const needed = problem.least_traffic(values{});
  CHECK(needed.moved == 1);
  CHECK(needed.taken_in == 1);
  CHECK(needed.sent == 1);
  problem.pointers = {2, 3, 0, 1, 1};
  CHECK(problem.least_traffic(values{}).moved == 3);
  problem.words = 2;
  CHECK(problem.least_traffic(values{}).moved == 6);
  problem.pointers = {0, 0, 3, 3, no_pointer};  // 3 goes to processor 0; 1 keeps its own
  CHECK(problem.most_messages_in_order() == 1);
}
