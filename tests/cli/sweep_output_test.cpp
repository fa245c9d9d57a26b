#include <lockstep/sweep_output.hpp>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <lockstep/cost_models.hpp>
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
