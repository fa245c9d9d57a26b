#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/machine.hpp>

#include "../catch.hpp"
#include "commands/commands.hpp"
#include "report/report.hpp"
#include "report/view_notes.hpp"
#include "shell.hpp"
#include "view/page_data.hpp"

namespace {

using namespace lockstep;
using nlohmann::json;

/// Runs `view` with --json: what it printed, and the runs of the page.
struct viewed {
  json printed;
  json runs;
};

viewed view(std::string const& what) {
  scratch_directory const scratch;
  auto const page = scratch.file("page.html");
  auto const done = lockstep_with("view " + what + " --json --output " + page.string());
  INFO(what << '\n' << done.err);
  REQUIRE(done.status == 0);
  return {json::parse(done.out), reference::page_data(read_file(page)).at("runs")};
}

experiment_result wait_forever(experiment_request const& asked) {
  machine const on(asked.network, asked.options);
  return {.record = on.run(
              [](processor& me) {
                (void)me.exchange((me.rank() + 1) % me.size(), 1,
                                  (me.rank() + me.size() - 1) % me.size());
                (void)me.receive_value<int>((me.rank() + 1) % me.size());
              },
              asked.observers)};
}

experiment_result be_right(experiment_request const& asked) {
  return {.record = machine(asked.network, asked.options).run([](processor&) {}, asked.observers),
          .correct = true};
}

experiment_result be_wrong(experiment_request const& asked) {
  auto result = be_right(asked);
  result.correct = false;
  return result;
}

experiment_result be_cut_off(experiment_request const& asked) {
  for (auto* const watching : asked.observers) watching->cut_off("lacks all after step 7");
  return be_right(asked);
}

experiment_result hold_a_wrong_claim(experiment_request const& asked) {
  auto result = be_right(asked);
  result.claims.push_back({.figure = "steps", .formula = "2", .value = 2, .source = "nowhere"});
  return result;
}

/// A page of two runs that was written: the status, and what was said of them.
struct viewed_beside {
  int status;
  std::string err;
  json runs;
};

viewed_beside view_beside(std::string const& what) {
  scratch_directory const scratch;
  auto const page = scratch.file("page.html");
  auto const done = lockstep_with("view " + what + " --output " + page.string());
  return {done.status, done.err, reference::page_data(read_file(page)).at("runs")};
}

cli::run_command command_for(experiment const& what, std::string on) {
  return {.what = &what, .on = std::move(on)};
}

/// Asks for a page of two algorithms on a torus of four.
cli::view_command beside_each_other(experiment const& left, experiment const& right,
                                    std::filesystem::path const& page) {
  cli::view_command asked{.run = command_for(left, "torus:4"),
                          .beside = command_for(right, "torus:4")};
  asked.run.trace = page;
  return asked;
}

}  // namespace

TEST_CASE("the page of a run has the counts, claims and parameters that the same run prints",
          "[view_command]") {
  for (auto const* const what : {"all-to-all --on torus:8x8 --words 2", "all-to-all --on mesh:4x6",
                                 "prefix --on hypercube:4", "pipelined-prefix --on tree:4 --k 9",
                                 "radix-sort --on crossbar:8", "broadcast --on crossbar:8"}) {
    CAPTURE(what);
    auto const [printed, runs] = view(what);
    REQUIRE(runs.size() == 1);
    auto const& run = runs.at(0);
    CHECK(reference::contradictions(run).empty());
    CHECK(run.at("counts") == printed.at("counts"));
    CHECK(run.at("claims") == printed.at("claims"));
    CHECK(run.at("parameters") == printed.at("parameters"));
    CHECK(run.at("figures") == printed.at("figures"));
    CHECK(run.at("algorithm") == printed.at("algorithm"));
    CHECK(run.at("machine").at("spec") == printed.at("topology"));
    CHECK(run.at("phases").size() == printed.at("phases").size());
    CHECK(run.at("command") == "lockstep view " + std::string(what));
    CHECK(run.at("complete") == true);
    CHECK(run.at("failure").is_null());
    for (auto const& one : run.at("messages").at("sendPlace")) CHECK(one >= 0);
    for (auto const& one : run.at("messages").at("receivePlace")) CHECK(one >= 0);
    for (auto const& one : run.at("sources")) {
      CAPTURE(one.at("name"));
      CHECK(one.at("text").is_string());
    }
  }
}

TEST_CASE("running figures grow to the counts at every step, as the steps of the same run say",
          "[view_command]") {
  auto const run = view("all-to-all --on torus:8x8").runs.at(0);
  auto const& steps = run.at("steps");
  std::uint64_t words = 0;
  std::uint64_t hops = 0;
  for (std::size_t at = 0; at < steps.at("words").size(); ++at) {
    words += steps.at("words")[at].get<std::uint64_t>();
    hops += steps.at("hops")[at].get<std::uint64_t>();
    CHECK(steps.at("totals").at("words")[at] == words);
    CHECK(steps.at("totals").at("hops")[at] == hops);
    CHECK(steps.at("totals").at("steps")[at] == at + 1);
  }
  CHECK(words == run.at("counts").at("words"));
  CHECK(hops == run.at("counts").at("hops"));
}

TEST_CASE("two runs stand on one page, the second as after `lockstep run`", "[view_command]") {
  auto const [printed, runs] = view("prefix --on hypercube:3 --beside \"prefix --on tree:3\"");
  REQUIRE(runs.size() == 2);
  CHECK(runs.at(0).at("counts") == printed.at("counts"));
  CHECK(runs.at(1).at("machine").at("spec") == "tree:3");
  auto const* const command =
      "lockstep view prefix --on hypercube:3 --beside \"prefix --on tree:3\"";
  CHECK(runs.at(0).at("command") == command);
  CHECK(runs.at(1).at("command") == command);
  CHECK_FALSE(runs.at(1).at("claims").empty());
  CHECK(reference::contradictions(runs.at(1)).empty());
}

TEST_CASE("titles name the scheme, and of two runs of an algorithm all in which they differ",
          "[view_command]") {
  auto const titles = [](std::string const& what) {
    std::vector<std::string> found;
    for (auto const& run : view(what).runs) found.push_back(run.at("title"));
    return found;
  };
  using list = std::vector<std::string>;
  CHECK(titles("all-reduce --on ring:8 --scheme ring --beside "
               "'all-reduce --on hypercube:3 --scheme recursive-doubling'") ==
        list{"all-reduce on torus:8, scheme ring",
             "all-reduce on hypercube:3, scheme recursive-doubling"});
  CHECK(
      titles("all-reduce --on hypercube:3 --beside 'all-reduce --on hypercube:3 --scheme tree'") ==
      list{"all-reduce on hypercube:3, scheme automatic",
           "all-reduce on hypercube:3, scheme tree"});
  CHECK(
      titles("prefix --on tree:3 --beside 'prefix --on tree:3 --textbook --seed 2 --ports all'") ==
      list{"prefix on tree:3, seed 1, ports one", "prefix on tree:3, textbook, seed 2, ports all"});
  CHECK(titles("broadcast --on crossbar:4 --words 3") == list{"broadcast on crossbar:4"});
  CHECK(titles("broadcast --on crossbar:4 --scheme binomial --words 3") ==
        list{"broadcast on crossbar:4, scheme binomial"});
  CHECK(titles("cannon --on torus:2x2 --n 4 --beside 'summa --on torus:2x2 --n 8'") ==
        list{"cannon on torus:2x2", "summa on torus:2x2"});
}

TEST_CASE("the size of a page is said, and of a large one what makes it smaller",
          "[view_command]") {
  scratch_directory const scratch;
  auto const page = scratch.file("page.html");
  auto const said = [&](std::string const& command) {
    auto const done = lockstep_with(command + page.string());
    INFO(done.err);
    REQUIRE(done.status == 0);
    return std::pair(done, cli::size_text(std::filesystem::file_size(page)));
  };
  auto const [small, of_small] = said("view prefix --on hypercube:3 --output ");
  CHECK(small.out.ends_with("page       " + page.string() + ", " + of_small + "\n"));
  CHECK(small.err.empty());
  auto const [large, of_large] = said("run radix-sort --on crossbar:64 --trace ");
  CHECK(large.err.starts_with("lockstep: " + page.string() + " has " + of_large +
                              ": a smaller --n or machine makes it smaller\n"));
  CHECK(cli::size_text(1) == "1 kB");
  CHECK(cli::size_text(999'999) == "1000 kB");
  CHECK(cli::size_text(4'089'796) == "4.1 MB");
}

TEST_CASE("`run --trace` writes the page that `view` writes", "[view_command]") {
  scratch_directory const scratch;
  auto const page = scratch.file("page.html");
  for (auto const& [values, run_asks, view_asks] :
       {std::tuple("small", " --values small", ""), std::tuple("real", "", " --values real")}) {
    INFO(values);
    auto const prefix = std::string("prefix --on hypercube:3");
    REQUIRE(lockstep_with("run " + prefix + run_asks + " --trace " + page.string()).status == 0);
    CHECK(reference::page_data(read_file(page)).at("runs") == view(prefix + view_asks).runs);
  }
}

TEST_CASE("a run that fails has a page, too, and the status of an error", "[view_command]") {
  scratch_directory const scratch;
  experiment const stuck{.name = "stuck", .run = wait_forever};
  auto asked = command_for(stuck, "torus:4");
  asked.trace = scratch.file("stuck.html");
  std::ostringstream out;
  CHECK_THROWS_AS(cli::execute(cli::view_command{.run = asked}, out, out), deadlock);
  auto const runs = reference::page_data(read_file(*asked.trace)).at("runs");
  CHECK(runs.at(0).at("failure").at("kind") == "deadlock");
  CHECK(runs.at(0).at("failure").at("cycle") == json{0, 1, 2, 3});
  CHECK(runs.at(0).at("counts").at("messages") == 4);
  CHECK(runs.at(0).at("command") == "lockstep view stuck --on torus:4");
  CHECK(reference::contradictions(runs.at(0)).empty());
}

TEST_CASE("every claim has its measured value on the page", "[view_command]") {
  for (auto const* const what :
       {"cannon --on torus:4x4 --n 8", "rotate-sort --on crossbar:4 --n 64", "prefix --on tree:3",
        "balance --on crossbar:8 --n 64"}) {
    CAPTURE(what);
    auto const run = view(what).runs.at(0);
    CHECK_FALSE(run.at("claims").empty());
    for (auto const& one : run.at("claims")) {
      auto const figure = one.at("figure").get<std::string>();
      CAPTURE(figure);
      CHECK((run.at("counts").contains(figure) || run.at("figures").contains(figure) ||
             one.contains("measured")));
    }
  }
}

TEST_CASE("every bound on a page has sentences that have its value", "[view_command]") {
  auto const run = view("all-to-all --on torus:4x8").runs.at(0);
  CHECK(run.at("bounds").size() >= 6);
  std::set<std::string> all;
  for (auto const& one : run.at("bounds")) {
    auto const sentence = one.at("sentence").get<std::string>();
    CAPTURE(sentence);
    CHECK(sentence.find(one.at("value").dump()) != std::string::npos);
    CHECK(sentence.back() == '.');
    CHECK(all.insert(sentence).second);
  }
}

TEST_CASE("a run beside another is refused in the option's name", "[view_command]") {
  auto const refused = lockstep_with("view prefix --on tree:3 --beside 'prefix --on tree:'");
  CHECK(refused.status == 2);
  CHECK(refused.err.starts_with("lockstep: --beside: \"tree:\" is not a topology"));
}

TEST_CASE("a run beside another that fails is shown, and ends in the status of an error",
          "[view_command]") {
  auto const done = view_beside("prefix --on tree:2 --beside 'prefix --on tree:3 --strict'");
  CHECK(done.status == 1);
  CHECK(done.err.starts_with("lockstep: --beside: "));
  CHECK(done.runs.at(1).at("failure").at("kind") == "port_conflict");
  auto const message = done.runs.at(1).at("failure").at("message").get<std::string>();
  CHECK(done.err.find(message) != std::string::npos);
}

TEST_CASE("what the page lacks of a run beside another is said", "[view_command]") {
  scratch_directory const scratch;
  experiment const right{.name = "right", .run = be_right};
  experiment const cut{.name = "cut", .run = be_cut_off};
  auto const asked = beside_each_other(right, cut, scratch.file("page.html"));
  std::ostringstream out;
  std::ostringstream notes;
  CHECK(cli::execute(asked, out, notes) == cli::exit_status::wrong);
  CHECK(notes.str() ==
        "lockstep: --beside: the trace is incomplete: the page of cut on torus:4 lacks all after "
        "step 7\n");
}

TEST_CASE("a run beside another that is wrong has the status of a wrong result", "[view_command]") {
  scratch_directory const scratch;
  experiment const right{.name = "right", .run = be_right};
  experiment const wrong{.name = "wrong", .run = be_wrong};
  experiment const over{.name = "over", .run = hold_a_wrong_claim};
  experiment const stuck{.name = "stuck", .run = wait_forever};
  auto asked = beside_each_other(right, wrong, scratch.file("page.html"));
  std::ostringstream out;
  std::ostringstream notes;
  CHECK(cli::execute(asked, out, notes) == cli::exit_status::wrong);
  asked.beside = command_for(over, "torus:4");
  CHECK(cli::execute(asked, out, notes) == cli::exit_status::wrong);
  asked.run.what = &stuck;
  CHECK_THROWS_AS(cli::execute(asked, out, notes), deadlock);
  auto const of_claim =
      "lockstep: --beside: over on torus:4: a claim or a bound unexpectedly does not hold\n";
  CHECK(notes.str() ==
        std::string("lockstep: --beside: wrong on torus:4: the result differs from a sequential "
                    "computation\n") +
            of_claim + of_claim);
}

TEST_CASE("a page by a clock has what each processor does when", "[view_command]") {
  auto const run = view(
                       "broadcast --on crossbar:4 --words 3 --model "
                       "loggp-clock:latency_us=5,overhead_us=1,gap_us=2,gap_us_per_byte=0.01")
                       .runs.at(0);
  auto const& clock = run.at("clock");
  CHECK(clock.at("unit") == "us");
  auto const& stretches = clock.at("stretches");
  auto const kinds = clock.at("kinds").get<std::vector<std::string>>();
  double busy = 0;
  for (std::size_t at = 0; at < stretches.at("rank").size(); ++at) {
    auto const kind = kinds.at(stretches.at("what").at(at).get<std::size_t>());
    double const end = stretches.at("end").at(at);
    CHECK(end <= clock.at("makespan").get<double>());
    if (kind == "send" || kind == "receive" || kind == "work")
      busy += end - stretches.at("begin").at(at).get<double>();
  }
  double const all = 4 * clock.at("makespan").get<double>();
  CHECK(std::abs(busy / all - clock.at("utilisation").get<double>()) < 1e-9);
  auto const& steps = clock.at("steps");
  CHECK(steps.at("step").get<std::vector<int>>() == std::vector<int>{1, 2, 3, 4, 5, 6});
  CHECK(steps.at("step").size() == run.at("counts").at("steps"));
  CHECK(steps.at("begin").at(0) == 0);
  CHECK(steps.at("end").back() == clock.at("makespan"));
  CHECK(clock.at("path").front().at("begin") == 0);
  CHECK(clock.at("path").back().at("end") == clock.at("makespan"));
  CHECK_FALSE(view("broadcast --on crossbar:4 --model loggp").runs.at(0).contains("clock"));
}

TEST_CASE("a page that has no room for clocks is written without them, and says so",
          "[view_command]") {
  scratch_directory const scratch;
  auto const viewed = [&](std::string const& arguments) {
    return lockstep_with("view broadcast --output " + scratch.file("page.html").string() +
                         " --model loggp-clock --on " + arguments);
  };
  auto const drawn = viewed("crossbar:256");
  CHECK(drawn.status == 0);
  CHECK(drawn.err.empty());
  auto const large = viewed("crossbar:257");
  CHECK(large.status == 0);
  CHECK(large.err.ends_with(
      "page.html does not draw what each processor does when: more than 256 processors\n"));
  auto const long_run = viewed("crossbar:128 --words 4096 --packet 16");
  CHECK(long_run.status == 0);
  CHECK(long_run.err.find(" stretches of time, more than 20000\n") != std::string::npos);
}

TEST_CASE("a page that cannot be written is refused in the option's name", "[view_command]") {
  scratch_directory const scratch;
  auto const page = scratch.file("nowhere/page.html").string();
  auto const viewed = lockstep_with("view prefix --on tree:3 --output " + page);
  CHECK(viewed.status == 2);
  CHECK(viewed.err.starts_with("lockstep: --output: " + page + ": cannot be written: "));
  auto const traced = lockstep_with("run prefix --on tree:3 --trace " + page);
  CHECK(traced.status == 2);
  CHECK(traced.err.starts_with("lockstep: --trace: " + page + ": cannot be written: "));
}

TEST_CASE("a command is repeated without what is so by default", "[view_command]") {
  auto const text = [](std::vector<char const*> words) {
    words.insert(words.begin(), "lockstep");
    auto const asked =
        cli::read_command_line(static_cast<int>(words.size()), words.data(), experiments());
    return cli::view_command_text(std::get<cli::run_command>(asked));
  };
  CHECK(text({"run", "all-to-all", "--on", "torus:4x4", "--words=1", "--seed", "1"}) ==
        "lockstep view all-to-all --on torus:4x4 --values real");
  CHECK(text({"run", "all-to-all", "--on", "torus:4x4", "--values", "small"}) ==
        "lockstep view all-to-all --on torus:4x4");
  CHECK(text({"run", "all-to-all", "--on", "torus:4x4", "--strict", "--ports", "all", "--seed", "7",
              "--words", "3"}) ==
        "lockstep view all-to-all --on torus:4x4 --seed 7 --words 3 --ports all --strict "
        "--values real");
  CHECK(text({"run", "broadcast", "--on", "mesh:4x4", "--model", "loggp-clock:latency_us=5",
              "--sharing", "links", "--in-port", "free"}) ==
        "lockstep view broadcast --on mesh:4x4 --model loggp-clock:latency_us=5 --sharing links "
        "--in-port free --values real");
  CHECK(text({"run", "radix-sort", "--on", "crossbar:4", "--input", "my \"$keys\".csv"}) ==
        R"(lockstep view radix-sort --on crossbar:4 --input "my \"\$keys\".csv")");
}

TEST_CASE("small values are those of pages, and of runs that ask for them", "[view_command]") {
  auto const radix = [](std::string const& how) {
    auto const done = lockstep_with(how + " radix-sort --on crossbar:4 --n 256 --json");
    REQUIRE(done.status == 0);
    return json::parse(done.out);
  };
  scratch_directory const scratch;
  auto const page = " --output " + scratch.file("page.html").string();
  auto const real = radix("run");
  auto const small = radix("run --values small");
  CHECK_FALSE(real.contains("values"));
  CHECK(small.at("values") == "small");
  CHECK(real.at("counts") != small.at("counts"));
  CHECK(radix("view" + page).at("counts") == small.at("counts"));
  CHECK(radix("view --values real" + page).at("counts") == real.at("counts"));
  // What is beside a run has its values.
  auto const beside = [&](std::string const& values) {
    return view("radix-sort --on crossbar:4 --n 256" + values +
                " --beside \"radix-sort --on crossbar:4 --n 256\"")
        .runs;
  };
  for (auto const* const values : {"", " --values real"}) {
    auto const runs = beside(values);
    CHECK(runs.at(0).at("counts") == runs.at(1).at("counts"));
  }
  auto const refused = lockstep_with("run radix-sort --on crossbar:4 --values large");
  CHECK(refused.status == 2);
  CHECK(refused.err == "lockstep: --values: 'large' is not one of small, real\n");
}

TEST_CASE("the library's sources are found by the path of a build", "[view_command]") {
  auto const text = cli::library_source(
      "/somewhere/else/algorithms/include/lockstep/algorithms/prefix/prefix.hpp");
  REQUIRE(text);
  CHECK(text->find("namespace lockstep") != std::string_view::npos);
  CHECK_FALSE(cli::library_source("prefix.hpp"));
  CHECK_FALSE(
      cli::library_source("/tmp/xalgorithms/include/lockstep/algorithms/prefix/prefix.hpp"));
}

TEST_CASE("a source of unusual size is not on a page", "[view_command]") {
  scratch_directory const scratch;
  experiment const stuck{.name = "stuck", .run = wait_forever};
  auto const find =
      cli::notes_on(command_for(stuck, "torus:4"), "lockstep", nullptr, nullptr).source;
  auto const source = scratch.write("small.cpp", "int main() {}");
  CHECK(find(source.string()) == "int main() {}");
  auto const large = scratch.write("large.cpp", std::string((std::size_t{1} << 20U) + 1, ' '));
  CHECK_FALSE(find(large.string()));
  CHECK_FALSE(find(scratch.file("nowhere.cpp").string()));
}

TEST_CASE("the gallery has a page of every algorithm's teaching example, and an index",
          "[view_command]") {
  scratch_directory const scratch;
  auto const folder = scratch.file("deep/gallery");
  auto const done = lockstep_with("view --gallery " + folder.string());
  INFO(done.err);
  REQUIRE(done.status == 0);
  auto const index = read_file(folder / "index.html");
  for (auto const& one : experiments()) {
    CAPTURE(one.name);
    auto const run =
        reference::page_data(read_file(folder / (one.name + ".html"))).at("runs").at(0);
    CHECK(run.at("machine").at("spec") == one.teaching.on);
    CHECK(run.at("explanation").size() == 5);
    CHECK(run.at("call") == one.call);
    CHECK(run.at("header") == one.header);
    CHECK(reference::contradictions(run).empty());
    CHECK(index.find("<a href=\"" + one.name + ".html\">") != std::string::npos);
  }
}

TEST_CASE("the page of a run by another form than the textbook's has a command that shows that",
          "[view_command]") {
  auto const command_on = [](std::string const& name, std::string const& on, bool is_textbook) {
    auto const& which = *find_experiment(name);
    auto asked = command_for(which, on);
    for (auto const& taken : which.parameters) asked.parameters[taken.name] = taken.fallback;
    if (asked.parameters.contains("textbook")) asked.parameters["textbook"] = is_textbook;
    auto const members = cli::notes_on(asked, "lockstep", nullptr, nullptr).members;
    auto const found = members.find("textbook");
    return found == members.end() ? "none" : found->second;
  };
  // Where the network of the teaching example lacks that form, on another one.
  CHECK(command_on("pipelined-prefix", "tree:4", false) ==
        R"("lockstep view pipelined-prefix --on hypercube:3 --k 4 --textbook")");
  CHECK(command_on("merge", "hypercube:4", false) ==
        R"("lockstep view merge --on hypercube:3 --k 2 --textbook")");
  CHECK(command_on("merge", "hypercube:4", true) == "none");
  CHECK(command_on("cannon", "torus:4x4", false) == "none");
}

TEST_CASE("a gallery runs what the command on each of its pages runs", "[view_command]") {
  auto const read = [](std::vector<std::string> const& words) {
    std::vector<char const*> pointers;
    for (auto const& one : words) pointers.push_back(one.c_str());
    return cli::read_command_line(static_cast<int>(pointers.size()), pointers.data(),
                                  experiments());
  };
  auto const gallery =
      std::get<cli::gallery_command>(read({"lockstep", "view", "--gallery", "all"}));
  REQUIRE(gallery.pages.size() == experiments().size());
  for (auto const& page : gallery.pages) {
    auto const& run = page.run;
    auto const text = cli::view_command_text(run);
    CAPTURE(text);
    std::istringstream words(text);
    auto const typed = std::get<cli::view_command>(
        read({std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()}));
    CHECK(run.what == typed.run.what);
    CHECK(run.on == typed.run.on);
    CHECK(run.parameters == typed.run.parameters);
    CHECK(run.options.ports == typed.run.options.ports);
    CHECK(run.options.engine == typed.run.options.engine);
    CHECK(run.options.stacks == typed.run.options.stacks);
    CHECK(run.options.workers == typed.run.options.workers);
    CHECK_FALSE(run.options.strict);
    CHECK(run.trace == std::filesystem::path("all") / *typed.run.trace);
    CHECK(run.trace_option == "--gallery");
  }
}

TEST_CASE("a gallery takes no more than its folder, which can be made", "[view_command]") {
  scratch_directory const scratch;
  auto const folder = scratch.file("gallery");
  auto const refused = lockstep_with("view prefix --gallery " + folder.string());
  CHECK(refused.status == 2);
  CHECK(refused.err.find("leave out the rest, or leave out --gallery") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder));
  auto const below_a_file = lockstep_with("view --gallery /dev/null/gallery");
  CHECK(below_a_file.status == 2);
  CHECK(below_a_file.err.starts_with(
      "lockstep: --gallery: the folder /dev/null/gallery could not be made: "));
  auto const file = scratch.write("file", "text").string();
  auto const on_a_file = lockstep_with("view --gallery " + file);
  CHECK(on_a_file.status == 2);
  CHECK(on_a_file.err == "lockstep: --gallery: " + file + " is a file; name a folder\n");
  CHECK(read_file(file) == "text");
}

TEST_CASE("a gallery in which a file cannot be made is refused before any run", "[view_command]") {
  scratch_directory const scratch;
  auto const folder = scratch.file("gallery");
  std::filesystem::create_directories(folder / "index.html");
  auto const refused = lockstep_with("view --gallery " + folder.string());
  CHECK(refused.status == 2);
  CHECK(refused.err.starts_with("lockstep: --gallery: "));
  CHECK(refused.out.empty());
  CHECK_FALSE(std::filesystem::exists(folder / "all-to-all.html"));
}
