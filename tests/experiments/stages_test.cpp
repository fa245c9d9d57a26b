#include "harness/stages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ios>
#include <istream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/progress.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"
#include "files/csv_file.hpp"
#include "files/input_file.hpp"
#include "files/npy_file.hpp"
#include "files/text_matrix.hpp"
#include "harness/noted_sort.hpp"
#include "numeric/sequential_transform.hpp"
#include "sorting/key_file.hpp"

using lockstep::progress_scope;
using lockstep::progress_state;
using lockstep::work_progress;

namespace {

/// Keeps what a board says while processors run.
class board_watch : public lockstep::observer {
 public:
  explicit board_watch(work_progress const& board) : m_board(board) {}
  void step(lockstep::step_record const& /*seen*/) override { m_seen = m_board.state(); }
  [[nodiscard]] progress_state const& seen() const { return m_seen; }

 private:
  work_progress const& m_board;
  progress_state m_seen;
};

/// What is noted of a run.
struct noted_run {
  lockstep::experiment_result result;
  progress_state running;  ///< in the last step
  progress_state ended;
};

noted_run noted(lockstep::experiment const& of, lockstep::experiment_request asked) {
  work_progress board;
  progress_scope const noting(board);
  board_watch watch(board);
  std::array<lockstep::observer*, 1> const observers{&watch};
  asked.observers = observers;
  auto result = of.run(asked);
  return {std::move(result), watch.seen(), board.state()};
}

}  // namespace

TEST_CASE("every experiment says where it runs, and then that it checks", "[progress]") {
  for (auto const& of : lockstep::experiments()) {
    INFO(of.name);
    auto const run = noted(of, teaching_request(of));
    CHECK(run.running.stage == "running on " + of.teaching.on);
    CHECK(run.ended.stage.starts_with("checking"));
    CHECK(run.ended.stages > run.running.stages);
    CHECK(run.ended.steps == 0);
  }
}

TEST_CASE("steps that are expected of a run are those that it takes", "[progress]") {
  // Their rounds depend on the elements, and nothing is claimed of them; a product has pieces instead.
  std::set<std::string> unknown{
      "concentrate-elements", "distribute-elements", "generalize",         "goal",
      "matrix-product",       "random-access-read",  "random-access-write"};
  for (auto const& of : lockstep::experiments()) {
    INFO(of.name);
    auto const run = noted(of, teaching_request(of));
    if (run.running.steps == 0) {
      CHECK(unknown.erase(of.name) == 1);
      continue;
    }
    CHECK_FALSE(unknown.contains(of.name));
    auto const& counts = run.result.record.counts();
    CHECK((run.running.steps == counts.steps || run.running.steps == counts.rounds));
  }
  CHECK(unknown.empty());
}

TEST_CASE("steps are expected of every form of an algorithm", "[progress]") {
  struct form {
    std::string of;
    std::map<std::string, lockstep::parameter_value> parameters;
  };
  for (auto const& [name, parameters] :
       {form{"all-to-all", {{"scheme", std::string("fewest-rearrangements")}}},
        form{"all-to-all", {{"textbook", true}}}, form{"h-relation", {{"textbook", true}}},
        form{"h-relation-direct", {{"order", std::string("lp")}}},
        form{"transportation", {{"route", std::string("direct")}}},
        form{"sample-sort", {{"even", true}}},
        form{"median-sort", {{"way", std::string("random")}}}}) {
    INFO(name << ", " << parameters.begin()->first);
    auto const& of = *lockstep::find_experiment(name);
    auto asked = teaching_request(of);
    if (asked.parameters.contains("textbook")) asked.parameters["textbook"] = false;
    for (auto const& [parameter, value] : parameters) asked.parameters[parameter] = value;
    auto const run = noted(of, asked);
    CHECK(run.running.steps == run.result.record.counts().rounds);
  }
}

TEST_CASE("checks of sorts and transforms note how far they are", "[progress]") {
  for (auto const* const name : {"radix-sort", "column-sort", "rotate-sort", "sample-sort", "fft",
                                 "generalize", "random-access-read"}) {
    INFO(name);
    auto const& of = *lockstep::find_experiment(name);
    auto const run = noted(of, teaching_request(of));
    CHECK(run.ended.total > 0);
    CHECK(run.ended.done == run.ended.total);
  }
}

TEST_CASE("transforms of any length are as many pieces as were said", "[progress]") {
  for (std::size_t const length : {0, 1, 2, 7, 30, 1024, 2 * 1009, 3 * 5 * 7}) {
    INFO(length);
    work_progress board;
    progress_scope const noting(board);
    std::vector<lockstep::long_complex> const signal(length);
    CHECK(lockstep::sequential_transform(signal, lockstep::fft_direction::forward) == signal);
    CHECK(board.state().done == lockstep::pieces_of_transform(length));
  }
}

TEST_CASE("a sort that notes its pieces is stable", "[progress]") {
  for (std::size_t const count : {0, 1, 15, 16, 17, 1000}) {
    INFO(count);
    work_progress board;
    progress_scope const noting(board);
    std::vector<std::pair<int, std::size_t>> all;
    for (std::size_t i = 0; i < count; ++i) all.emplace_back(i * 7 % 10, i);
    auto expected = all;
    std::ranges::sort(expected);
    lockstep::noted_stable_sort(all, &std::pair<int, std::size_t>::first);
    CHECK(all == expected);
    CHECK(board.state().done == lockstep::pieces_of_sort(count));
  }
}

TEST_CASE("products note their multiplications, and the rows that are checked", "[progress]") {
  for (auto const* const name : {"cannon", "summa", "matrix-product"}) {
    INFO(name);
    auto const& of = *lockstep::find_experiment(name);
    auto asked = teaching_request(of);
    asked.parameters["n"] = std::int64_t{24};
    auto const run = noted(of, asked);
    CHECK(run.running.total == 24 * 24 * 24);
    CHECK(run.running.done == run.running.total);
    CHECK(run.ended.stage == "checking the product");
    CHECK(run.ended.total == 24);
    CHECK(run.ended.done == 24);
  }
}

TEST_CASE("reading and writing files are stages", "[progress]") {
  temporary_file const input("3\n1\n2\n");
  temporary_file const output;
  auto const& of = *lockstep::find_experiment("radix-sort");
  auto asked = teaching_request(of);
  for (auto const& one : of.parameters)
    if (one.told_by_input) asked.parameters.erase(one.name);
  asked.input = input.path();
  asked.output = output.path();
  auto const run = noted(of, asked);
  CHECK(run.running.stages == 2);  // after reading
  CHECK(run.ended.stage == "writing " + output.path().string());
  CHECK(run.ended.total == 3);
  CHECK(run.ended.done == 3);
  CHECK(output.content() == "1\n2\n3\n");
}

TEST_CASE("bytes that are read are noted", "[progress]") {
  std::string const text(300'000, 'x');
  temporary_file const file(text);
  work_progress board;
  progress_scope const noting(board);
  auto const read = lockstep::read_input(file.path(), "", [&](std::istream& in) {
    CHECK(board.state().stage == "reading " + file.path().string());
    CHECK(board.state().total == text.size());
    std::string half(text.size() / 2, ' ');
    in.read(half.data(), static_cast<std::streamsize>(half.size()));
    CHECK(board.state().done >= half.size());
    CHECK(board.state().done < text.size());
    return half + std::string(std::istreambuf_iterator<char>(in), {});
  });
  CHECK(read == text);
  CHECK(board.state().done == text.size());
  CHECK_FALSE(lockstep::facts_of_input("/dev/null").bytes);
  CHECK_FALSE(lockstep::facts_of_input("/nowhere").bytes);
}

TEST_CASE("what is written is noted, by any writer", "[progress]") {
  constexpr std::size_t count = 200'000;
  std::vector<std::int64_t> const numbers(count, 123'456'789);
  std::ostringstream out;
  auto const noted_by = [&](auto const& write) {
    work_progress board;
    progress_scope const noting(board);
    write();
    return board.state().done;
  };
  std::span<std::int64_t const> const all(numbers);
  CHECK(noted_by([&] { lockstep::write_keys(out, all, std::nullopt); }) == count);
  CHECK(noted_by([&] { lockstep::write_keys(out, all, lockstep::key_type::int64); }) == count);
  CHECK(noted_by([&] {
          lockstep::write_csv<std::int64_t>(
              out, std::array{lockstep::written_column<std::int64_t>{"x", all}});
        }) == count);
  lockstep::square_matrix<std::int64_t> const matrix{
      400, std::vector<std::int64_t>(std::size_t{400} * 400)};
  CHECK(noted_by([&] { lockstep::write_npy(out, matrix); }) == matrix.entries.size());
  CHECK(noted_by([&] { lockstep::write_text_matrix(out, matrix, "x"); }) == matrix.entries.size());
}

TEST_CASE("nothing is noted where nobody looks", "[progress]") {
  auto const& of = *lockstep::find_experiment("prefix");
  CHECK(of.run(teaching_request(of)).correct);
  CHECK(progress_scope::board() == nullptr);
  lockstep::begin_stage("checking");
  lockstep::note_done(1);
}
