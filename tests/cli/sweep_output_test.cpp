#include <lockstep/sweep_output.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lockstep/cost_models.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/ring.hpp>

#include "../catch.hpp"
#include "contains.hpp"

using lockstep::hypercube;
using lockstep::problem_instance;
using lockstep::processor;
using lockstep::ring;
using lockstep::sweep_output;
using lockstep::sweep_result;

namespace {

/// Sends m words round a ring, one step for each processor but one.
sweep_result in_ring() {
  return lockstep::sweep()
      .on({4, 8}, [](int n) { return ring(n); })
      .over("m", std::vector{1, 8})
      .run(
          [](processor& me, problem_instance const& at) {
            std::vector<double> all(at.whole("m"), me.rank());
            for (int step = 1; step < me.size(); ++step)
              all = me.exchange((me.rank() + 1) % me.size(), all,
                                (me.rank() + me.size() - 1) % me.size());
          },
          {{"steps", "p - 1", [](auto const& at) { return at.p() - 1; }},
           {"words", "m (p - 1)", [](auto const& at) { return at["m"] * (at.p() - 1); }}});
}

/// Sends five words in each dimension and each of its m times.
sweep_result in_cube() {
  return lockstep::sweep()
      .on({2, 3}, [](int d) { return hypercube(d); })
      .over("m", std::vector{1, 8})
      .run([](processor& me, problem_instance const& at) {
        for (std::uint64_t time = 0; time < at.whole("m"); ++time)
          for (int bit = 1; bit < me.size(); bit *= 2)
            static_cast<void>(me.exchange(me.rank() ^ bit, std::vector<int>(5)));
      });
}

sweep_output both() {
  sweep_output output("./both");
  output.add("ring", in_ring()).add("cube", in_cube());
  return output;
}

std::string content_of(std::filesystem::path const& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("sweeps of a program in C++ are written as lockstep sweep writes its own",
          "[sweep_output]") {
  auto output = both();
  CHECK(output.csv().starts_with("algorithm,on,processors,m,steps,startups,words,volume,"));
  CHECK(contains(output.csv(), "\nring,torus:4,4,8,3,3,24,96,12,3,1,"));
  CHECK(contains(output.text(), "sweep: 8 runs\n"));
  CHECK(contains(output.text(), "= 24"));
  CHECK(contains(output.latex(), "% lockstep"));
  CHECK(contains(output.latex(), ": ./both\n\\begin{tabular}{"));
  CHECK(contains(output.latex(), "ring & torus:8 & 8 & 8 & 7 &"));
  auto const json = nlohmann::json::parse(output.json());
  REQUIRE(json["rows"].size() == 8);
  auto const& first = json["rows"][0];
  CHECK(first["given"] == nlohmann::json{{"algorithm", "ring"}, {"on", "torus:4"}, {"m", "1"}});
  CHECK(first["status"] == "right");
  CHECK(first["counts"]["words"] == 3);
  CHECK(first["claims"][1]["value"] == 3);
  CHECK(first["claims"][1]["verdict"] == "equal");
  CHECK(first["claims"][1]["holds"] == true);
  CHECK(first["claims"][1]["measured"] == 3);
  CHECK(first["claims"][1]["where"].empty());
  CHECK_FALSE(first.contains("time"));
  output.price(lockstep::paragon());
  auto const priced = nlohmann::json::parse(output.json({.x = "m", .y = "time"}));
  auto const& time = priced["rows"][0]["time"];
  CHECK(time["unit"] == "us");
  CHECK(time["claimed"] == time["value"]);
}

TEST_CASE("cross-overs of programs on networks of their own, along both axes", "[sweep_output]") {
  auto const output = both();
  // 3 and 7 steps on the ring; 2 m and 3 m on the cube.
  auto const along_m = output.crossovers({.x = "m"});
  CHECK(contains(along_m,
                 "ring, torus:4 has fewer steps than cube, hypercube:2 from m 8 on (changes "
                 "between 1 and 8)\n"));
  CHECK(contains(along_m, "ring, torus:8 has fewer steps than cube, hypercube:3 from m 8 on"));
  CHECK_FALSE(contains(along_m, "torus:8 has fewer steps than cube, hypercube:2"));
  // 3 m and 7 m words against 10 m and 15 m: no change.
  CHECK(output.crossovers({.x = "processors", .y = "words"}).empty());
}

TEST_CASE("columns of a sweep in C++ are chosen as on the command line", "[sweep_output]") {
  auto output = both();
  output.columns({"steps", "m", "claim"});
  CHECK(output.csv().starts_with("steps,m,steps_claimed\n3,1,3\n"));
  CHECK(contains(output.text(), "steps  m  steps claimed\n"));
  CHECK(contains(output.latex(), "\nsteps & m & steps claimed \\\\\n"));
  // What varies comes first where none of it is named.
  output.columns({"words"});
  CHECK(output.csv().starts_with("algorithm,on,m,words\nring,torus:4,1,3\n"));
  output.columns({"stps"});
  CHECK_THROWS_WITH(output.text(), has_text("sweep_output: there is no column 'stps'; there are "
                                            "algorithm, on, processors, m, steps, "));
  output.columns({"steps", "steps"});
  CHECK_THROWS_WITH(output.csv(), has_text("sweep_output: 'steps' is named twice"));
  CHECK_THROWS_AS(output.columns({}), lockstep::invalid_argument);
}

TEST_CASE("a parameter with the name of a figure has a column of its own", "[sweep_output]") {
  sweep_output output("./words");
  output.add("mine", lockstep::sweep()
                         .on(ring(4))
                         .over("words", std::vector{2, 3})
                         .run([](processor& me, problem_instance const& at) {
                           static_cast<void>(me.exchange((me.rank() + 1) % 4,
                                                         std::vector<int>(7 * at.whole("words")),
                                                         (me.rank() + 3) % 4));
                         }));
  CHECK(output.columns({"--words", "words"}).csv() == "words,words\n2,14\n3,21\n");
  CHECK(output.columns({"words"}).csv() == "words,words\n2,14\n3,21\n");
}

TEST_CASE("tables for LaTeX say what they leave out, and how it is chosen", "[sweep_output]") {
  auto const out = both().latex();
  CHECK(contains(out, "\n% the same in all runs: contention 1"));
  CHECK(contains(out, "; columns() chooses\n% lockstep "));
}

TEST_CASE("plots of sweeps have the size that is asked for", "[sweep_output]") {
  auto const file = std::filesystem::temp_directory_path() / "lockstep_sized.svg";
  auto const output = both();
  output.plot(file, {.x = "m", .size = lockstep::plot_size{3.4, 2.5}});
  CHECK(contains(content_of(file), "width=\"244.8pt\" height=\"180pt\""));
  output.plot(file, {.x = "m", .size = lockstep::plot_size{lockstep::width_of_a_column}});
  CHECK(contains(content_of(file), "width=\"244.8pt\""));
  std::filesystem::remove(file);
  CHECK_THROWS_AS(output.plot(file, {.x = "m", .size = lockstep::plot_size{3.4, 0.5}}),
                  lockstep::invalid_argument);
  CHECK_THROWS_AS(output.plot(file, {.x = "m", .size = lockstep::plot_size{-1, 2}}),
                  lockstep::invalid_argument);
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("p stands for the processors along x", "[sweep_output]") {
  auto const output = both();
  CHECK(output.crossovers({.x = "p"}) == output.crossovers({.x = "processors"}));
  CHECK(output.json({.x = "p"}) == output.json({.x = "processors"}));
}

TEST_CASE("plots of sweeps are the same bytes each time", "[sweep_output]") {
  auto const folder = std::filesystem::temp_directory_path() / "lockstep_sweep_output";
  std::filesystem::create_directories(folder);
  auto const output = both();
  for (std::string const ending : {".svg", ".pdf", ".html"}) {
    output.plot(folder / ("one" + ending), {.x = "m", .y = "words"});
    output.plot(folder / ("two" + ending), {.x = "m", .y = "words"});
    CHECK(content_of(folder / ("one" + ending)) == content_of(folder / ("two" + ending)));
  }
  auto const picture = content_of(folder / "one.svg");
  CHECK(contains(picture, "ring, torus:4"));
  CHECK(contains(picture, "./both"));
  CHECK(content_of(folder / "one.pdf").starts_with("%PDF-"));
  CHECK(contains(content_of(folder / "one.html"), "sweep: 8 runs"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("runs that are wrong or fail are rows with what they ended in", "[sweep_output]") {
  auto const results = lockstep::sweep()
                           .on({2, 4, 8}, [](int n) { return ring(n); })
                           .run(
                               [](processor& me, problem_instance const& at) {
                                 if (at.p() == 8)
                                   static_cast<void>(me.receive<int>((me.rank() + 1) % me.size()));
                                 return at.p() != 4 || me.rank() != 3;
                               },
                               {{"steps", "0", [](auto const&) { return 0.0; }}});
  sweep_output output("./wrong");
  output.add("mine", results);
  auto const rows = nlohmann::json::parse(output.json())["rows"];
  CHECK(rows[0]["status"] == "right");
  CHECK(rows[1]["status"] == "wrong");
  CHECK(rows[1]["correct"] == false);
  CHECK(rows[1]["error"]["message"] == "wrong result on processor 3");
  CHECK(rows[2]["status"] == "failed");
  CHECK(contains(rows[2]["error"]["message"].get<std::string>(), "nobody can go on"));
  CHECK(contains(output.text(), "WRONG"));
  CHECK(contains(output.csv(), "failed"));
}

TEST_CASE("sweeps that all fail, and claims that are not counts, are written", "[sweep_output]") {
  sweep_output failing("./fails");
  failing.add("mine", lockstep::sweep().on(ring(4)).run([](processor& me, problem_instance const&) {
    static_cast<void>(me.receive<int>((me.rank() + 1) % me.size()));
  }));
  auto const document = nlohmann::json::parse(failing.json());
  CHECK(document["rows"][0]["status"] == "failed");
  CHECK(document["crossovers"].empty());

  double claimed_words = 0;
  auto const price = [&] {
    sweep_output output("./claims");
    output
        .add("mine", lockstep::sweep().on(ring(3)).run(
                         [](processor& me, problem_instance const&) {
                           static_cast<void>(me.exchange((me.rank() + 1) % 3, std::vector<int>(7),
                                                         (me.rank() + 2) % 3));
                         },
                         {{"steps", "1", [](auto const&) { return 1.0; }},
                          {"words", "w", [&](auto const&) { return claimed_words; }}}))
        .price(lockstep::paragon());
    return nlohmann::json::parse(output.json())["rows"][0]["time"];
  };
  claimed_words = 7 - 1e-13;
  CHECK(price()["claimed"] == price()["value"]);
  for (double const no_count : {-1.0, 1e30, std::numeric_limits<double>::infinity()}) {
    claimed_words = no_count;
    CHECK_FALSE(price().contains("claimed"));
  }
}

TEST_CASE("bounds and ends of runs are columns and curves", "[sweep_output]") {
  auto const sums =
      lockstep::sweep()
          .on({2, 3}, [](int d) { return hypercube(d); })
          .traffic([](problem_instance const& at) {
            return lockstep::traffic_requirement{.distance = at.topology().diameter(),
                                                 .joined = static_cast<std::uint64_t>(at.p())};
          })
          .run(
              [](processor& me, problem_instance const&) {
                int sum = me.rank();
                for (int bit = 1; bit < me.size(); bit *= 2) {
                  sum += me.exchange(me.rank() ^ bit, sum);
                  me.work(7);
                }
                me.idle(2);
                static_cast<void>(sum);
              },
              {{"steps", "log p", [](auto const& at) { return std::log2(at.p()); }}});
  sweep_output output("./sums");
  output.add("sum", sums);
  auto const json = nlohmann::json::parse(output.json());
  auto const& row = json["rows"][1];
  CHECK(row["bounds"][0]["figure"] == "steps");
  CHECK(row["bounds"][0]["value"] == 3);
  CHECK(row["span"] == 21);
  CHECK(row["makespan"].get<int>() > 3);
  CHECK(contains(output.text(), ">= 3"));
  CHECK(contains(output.csv(), "steps_bound"));
  auto const file = std::filesystem::temp_directory_path() / "lockstep_bounds.svg";
  output.plot(file);
  CHECK(contains(content_of(file), "lower bound: sum"));
  CHECK_NOTHROW(output.plot(file, {.y = "span", .scales = lockstep::plot_scales::log_xy}));
  CHECK_NOTHROW(output.plot(file, {.y = "makespan"}));
  std::filesystem::remove(file);
}

TEST_CASE("each of several models prices each run", "[sweep_output]") {
  auto output = both();
  output.price(lockstep::block_distributed_model{.tau_words = 1})
      .price(lockstep::block_distributed_model{.tau_words = 1000}, "bdm, long start-ups");
  auto const rows = nlohmann::json::parse(output.json())["rows"];
  REQUIRE(rows.size() == 16);
  CHECK(rows[0]["given"]["model"] == "bdm");
  CHECK(rows[1]["given"]["model"] == "bdm, long start-ups");
  CHECK(rows[0]["time"]["value"] < rows[1]["time"]["value"]);
  CHECK(contains(output.latex(), "bdm, long start-ups"));
  // Start-ups and words: 3 and 3 m on the ring, 2 m and 10 m in the cube.
  auto const crossings = output.crossovers({.x = "m", .y = "time"});
  CHECK(
      contains(crossings, "ring, torus:4, bdm, long start-ups is cheaper than cube, hypercube:2"));
  CHECK_THROWS_AS(output.price(lockstep::block_distributed_model{}), lockstep::invalid_argument);
  // Times in two units have no axis together.
  output.price(lockstep::paragon());
  CHECK(output.crossovers({.x = "m", .y = "time"}).empty());
  CHECK_THROWS_AS(output.plot("times.svg", {.y = "time"}), lockstep::invalid_argument);
  CHECK_FALSE(std::filesystem::exists("times.svg"));
  CHECK_FALSE(output.crossovers({.x = "m"}).empty());
}

namespace {

/// A sweep of six runs, one of which fails and one of which is wrong; `runs` counts what is run.
sweep_result kept_sweep(std::filesystem::path const& file, std::string const& program, int& runs) {
  std::atomic<int> made = 0;
  auto result = lockstep::sweep()
                    .on({2, 4, 8}, [](int n) { return ring(n); })
                    .over("m", std::vector{1, 8})
                    .traffic([](problem_instance const& at) {
                      return lockstep::traffic_requirement{.taken_in = at.whole("m")};
                    })
                    .resume(lockstep::runs_in_file(file, program))
                    .run(
                        [&](processor& me, problem_instance const& at) {
                          if (me.rank() == 0) ++made;
                          if (at.p() == 8 && at["m"] == 8)
                            static_cast<void>(me.receive<int>((me.rank() + 1) % me.size()));
                          std::vector<double> const all(at.whole("m"), me.rank());
                          static_cast<void>(me.exchange((me.rank() + 1) % me.size(), all,
                                                        (me.rank() + me.size() - 1) % me.size()));
                          me.work(3);
                          return at.p() != 4 || at["m"] != 1 || me.rank() != 3;
                        },
                        {{"words", "m", [](auto const& at) { return at["m"]; }}});
  runs = made;
  return result;
}

}  // namespace

TEST_CASE("a sweep in C++ goes on from its file, byte for byte", "[sweep_output]") {
  auto const folder = std::filesystem::temp_directory_path() / "lockstep_runs_in_file";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  auto const written = [&](sweep_result const& of, std::string const& name) {
    sweep_output output("./kept");
    output.add("kept", of).price(lockstep::paragon());
    output.plot(folder / name, {.y = "time"});
    return output.json() + output.text() + of.report() + content_of(folder / name);
  };
  int runs = 0;
  auto const file = folder / "runs";
  auto const whole = written(kept_sweep(file, "first", runs), "whole.svg");
  CHECK(runs == 6);
  auto const lines = content_of(file);
  CHECK(std::ranges::count(lines, '\n') == 7);
  // Nothing is run again.
  CHECK(written(kept_sweep(file, "first", runs), "again.svg") == whole);
  CHECK(runs == 0);
  // It is interrupted, in the middle of a line, too.
  for (auto const end : {lines.size() / 3, lines.size() / 2, lines.size() - 1}) {
    std::ofstream(file, std::ios::binary) << lines.substr(0, end);
    CHECK(written(kept_sweep(file, "first", runs), "rest.svg") == whole);
    CHECK(runs > 0);
    CHECK(runs < 6);
  }
  // Another program's file is refused, and stays.
  auto const before = content_of(file);
  CHECK_THROWS_AS(kept_sweep(file, "second", runs), lockstep::invalid_argument);
  CHECK(content_of(file) == before);
  CHECK_THROWS_AS(kept_sweep(folder / "none" / "runs", "first", runs), lockstep::invalid_argument);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a file of runs is refused once a claim is mended", "[sweep_output]") {
  auto const file = std::filesystem::temp_directory_path() / "lockstep_mended_claim";
  std::filesystem::remove(file);
  auto const run = [&](double steps) {
    return lockstep::sweep()
        .on(lockstep::crossbar{2})
        .resume(lockstep::runs_in_file(file, "swap"))
        .run([](processor& me,
                problem_instance const&) { static_cast<void>(me.exchange(1 - me.rank(), 1)); },
             {{"steps", "one", [=](problem_instance const&) { return steps; }}});
  };
  CHECK_FALSE(run(2).holds());
  std::string complaint = "nothing";
  try {
    static_cast<void>(run(1));
  } catch (lockstep::invalid_argument const& refused) {
    complaint = refused.what();
  }
  CHECK(complaint == fmt::format("runs_in_file: {} is not of this program, this sweep and this "
                                 "version; name another file, or remove it",
                                 file.string()));
  std::filesystem::remove(file);
  CHECK(run(1).holds());
  std::filesystem::remove(file);
}

TEST_CASE("all figures of a run come back from its file", "[sweep_output]") {
  auto const file = std::filesystem::temp_directory_path() / "lockstep_kept_figures";
  std::filesystem::remove(file);
  lockstep::sweep_point kept;
  kept.has_ended = true;
  std::uint64_t next = (std::uint64_t{1} << 60) + 1;  // beyond what a double has
  for (auto* const count : {&kept.counts.steps,
                            &kept.counts.rounds,
                            &kept.counts.startups,
                            &kept.counts.words,
                            &kept.counts.volume,
                            &kept.counts.messages,
                            &kept.counts.hops,
                            &kept.counts.barriers,
                            &kept.counts.rearrangements,
                            &kept.counts.rearranged,
                            &kept.counts.contention,
                            &kept.counts.serialised_steps,
                            &kept.counts.queued,
                            &kept.counts.link_words,
                            &kept.counts.hot_startups,
                            &kept.counts.work,
                            &kept.counts.operations,
                            &kept.counts.memory,
                            &kept.makespan,
                            &kept.span})
    *count = next++;
  kept.error = "one \"line\"\nand another";
  kept.report = "why";
  kept.bounds = {{"words", "m", 7, "rule 5", lockstep::bound_reason::in_port}};
  {
    auto const store = lockstep::runs_in_file(file, "p");
    CHECK(store->begin("text").empty());
    store->keep(5, kept);
  }
  auto const found = lockstep::runs_in_file(file, "p")->begin("text").at(5);
  CHECK(found.counts == kept.counts);
  CHECK(found.makespan == kept.makespan);
  CHECK(found.span == kept.span);
  CHECK(found.error == kept.error);
  CHECK(found.report == kept.report);
  CHECK(found.bounds == kept.bounds);
  CHECK(found.has_ended);
  // A line of another form is not a run.
  std::ofstream(file, std::ios::app) << "{\"place\":6,\"row\":{}}\n";
  CHECK_THROWS_AS(lockstep::runs_in_file(file, "p")->begin("text"), lockstep::invalid_argument);
  std::filesystem::remove(file);
}

TEST_CASE("what sweep_output cannot do it says", "[sweep_output]") {
  using lockstep::invalid_argument;
  sweep_output output("./mine");
  CHECK_THROWS_AS(output.text(), invalid_argument);
  output.add("ring", in_ring());
  CHECK_THROWS_AS(output.add("ring", in_ring()), invalid_argument);
  CHECK_THROWS_AS(output.add("", in_ring()), invalid_argument);
  CHECK_THROWS_AS(output.crossovers({.x = "n"}), invalid_argument);
  CHECK_THROWS_AS(output.plot("words.svg", {.y = "time"}), invalid_argument);  // no model
  CHECK_THROWS_AS(output.plot("words.png"), invalid_argument);
  CHECK_THROWS_AS(output.plot("/nowhere/words.svg"), std::runtime_error);
  CHECK_FALSE(std::filesystem::exists("words.svg"));
}
