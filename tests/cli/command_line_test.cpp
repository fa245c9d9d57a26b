#include "commands/command_line.hpp"

#include <initializer_list>
#include <string>
#include <variant>
#include <vector>

#include "../catch.hpp"
#include "commands/usage_error.hpp"
#include "contains.hpp"
#include "system/failure.hpp"

namespace {

using namespace lockstep;
using cli::read_command_line;

experiment_result run_nothing(experiment_request const&) { return {}; }

std::vector<experiment> some_algorithms() {
  return {{.name = "all-to-all",
           .summary = "complete exchange",
           .topologies = "torus",
           .source = "a paper",
           .examples = {"torus:12x12"},
           .parameters = {{"words", "words in a block", std::int64_t{1}, true}},
           .takes_files = true,
           .run = run_nothing},
          {.name = "sort",
           .summary = "sorts",
           .topologies = "crossbar",
           .source = "another paper",
           .examples = {"crossbar:8"},
           .parameters = {{"keys", "number of keys", std::int64_t{64}},
                          {"skew", "of their distribution", 0.5},
                          {"kind", "of their distribution", std::string("uniform")},
                          {"seed", "of the keys", std::int64_t{7}}},
           .takes_files = false,
           .run = run_nothing},
          {.name = "spread",
           .summary = "spreads",
           .topologies = "hypercube",
           .source = "a third paper",
           .examples = {"hypercube:4"},
           .parameters = {{"plain", "without tricks", false}},
           .default_ports = ports::all,
           .run = run_nothing}};
}

cli::command read(std::vector<std::string> const& words) {
  static auto const known = some_algorithms();
  std::vector<char const*> arguments{"lockstep"};
  for (auto const& word : words) arguments.push_back(word.c_str());
  return read_command_line(static_cast<int>(arguments.size()), arguments.data(),
                           std::span<experiment const>(known));
}

cli::run_command read_run(std::vector<std::string> const& words) {
  return std::get<cli::run_command>(read(words));
}

std::string refusal_of(std::vector<std::string> const& words) {
  try {
    static_cast<void>(read(words));
  } catch (cli::usage_error const& refused) {
    return cli::message_of(refused);
  }
  return "not refused";
}

std::string text_of(std::vector<std::string> const& words) {
  return std::get<cli::show_text>(read(words)).text;
}

}  // namespace

TEST_CASE("list is read, with and without --json", "[command_line]") {
  CHECK_FALSE(std::get<cli::list_command>(read({"list"})).json);
  CHECK(std::get<cli::list_command>(read({"list", "--json"})).json);
}

TEST_CASE("run needs an algorithm and a topology, the rest has defaults", "[command_line]") {
  auto const asked = read_run({"run", "all-to-all", "--on", "torus:12x12"});
  CHECK(asked.what->name == "all-to-all");
  CHECK(asked.on == "torus:12x12");
  CHECK(asked.options.ports == ports::one);
  CHECK(asked.options.engine == engine::fibers);
  CHECK(asked.options.workers == 0);
  CHECK_FALSE(asked.options.strict);
  CHECK(asked.parameters == std::map<std::string, parameter_value>{{"seed", std::int64_t{1}},
                                                                   {"words", std::int64_t{1}}});
  CHECK_FALSE(asked.input);
  CHECK_FALSE(asked.output);
  CHECK_FALSE(asked.trace);
  CHECK_FALSE(asked.model);
  CHECK_FALSE(asked.json);
  CHECK_FALSE(asked.table);
}

TEST_CASE("run takes its options in any order, with a space or with =", "[command_line]") {
  auto const asked =
      read_run({"run", "all-to-all", "--on=torus:8x8", "--ports", "per-pass", "--strict",
                "--engine", "threads", "--workers=2", "--model", "paragon", "--trace", "t.csv",
                "--input", "in.txt", "--output", "out.txt", "--table"});
  CHECK(asked.what->name == "all-to-all");
  CHECK(asked.on == "torus:8x8");
  CHECK(asked.options.ports == ports::per_pass);
  CHECK(asked.options.engine == engine::threads);
  CHECK(asked.options.workers == 2);
  CHECK(asked.options.strict);
  CHECK(asked.model == "paragon");
  CHECK(asked.trace == "t.csv");
  CHECK(asked.input == "in.txt");
  CHECK(asked.output == "out.txt");
  CHECK(asked.table);
  auto const made = read_run({"run", "--words", "3", "--on", "x", "--seed", "42", "all-to-all"});
  CHECK(made.what->name == "all-to-all");
  CHECK(made.parameters.at("words") == parameter_value(std::int64_t{3}));
  CHECK(made.parameters.at("seed") == parameter_value(std::int64_t{42}));
  CHECK(read_run({"run", "all-to-all", "--on", "x", "--ports", "all"}).options.ports == ports::all);
  CHECK(read_run({"run", "all-to-all", "--on", "x", "--json"}).json);
  CHECK(read_run({"run", "sort", "--on", "x", "--stacks", "copied"}).options.stacks ==
        lockstep::stacks::copied);
  CHECK(made.options.stacks == lockstep::stacks::own);
}

TEST_CASE("an algorithm's own parameters have their own types and defaults", "[command_line]") {
  auto const asked = read_run({"run", "sort", "--on", "crossbar:8", "--keys", "-5", "--skew", "2"});
  CHECK(asked.parameters == std::map<std::string, parameter_value>{{"keys", std::int64_t{-5}},
                                                                   {"kind", std::string("uniform")},
                                                                   {"seed", std::int64_t{7}},
                                                                   {"skew", 2.0}});
  CHECK(read_run({"run", "sort", "--on", "x", "--kind", "skewed"}).parameters.at("kind") ==
        parameter_value(std::string("skewed")));
}

TEST_CASE("a flag is given without a value, anywhere", "[command_line]") {
  auto const plain = [](std::vector<std::string> const& words) {
    return read_run(words).parameters.at("plain");
  };
  CHECK(plain({"run", "spread", "--on", "x"}) == parameter_value(false));
  CHECK(plain({"run", "spread", "--on", "x", "--plain"}) == parameter_value(true));
  CHECK(plain({"run", "--plain", "spread", "--on", "x"}) == parameter_value(true));
  CHECK(plain({"run", "spread", "--plain=true", "--on", "x"}) == parameter_value(true));
  CHECK(plain({"run", "spread", "--plain=false", "--on", "x"}) == parameter_value(false));
  CHECK(refusal_of({"run", "spread", "--on", "x", "--plain=maybe"}) ==
        "--plain: a flag takes no value; leave out 'maybe'");
  CHECK(refusal_of({"run", "spread", "--on", "x", "--plain", "yes"}) ==
        "unexpected argument 'yes'; see lockstep run --help");
  CHECK(refusal_of({"run", "sort", "--on", "x", "--plain"}) ==
        "sort has no parameter --plain; its parameters: --keys, --skew, --kind, --seed");
  auto const help = text_of({"run", "spread", "--help"});
  CHECK(contains(help, "  --plain  "));
  CHECK(contains(help, "without tricks\n"));
}

TEST_CASE("an algorithm has its own ports where none are asked for", "[command_line]") {
  auto const spread = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"run", "spread", "--on", "x"});
    return read_run(words).options.ports;
  };
  CHECK(spread({}) == ports::all);
  CHECK(spread({"--ports", "one"}) == ports::one);
  CHECK(spread({"--ports", "per-pass"}) == ports::per_pass);
  CHECK(refusal_of({"run", "spread", "--on", "x", "--ports", ""}) ==
        "--ports: '' is not one of one, all, per-pass");
}

TEST_CASE("explain takes what run takes, and what to show", "[command_line]") {
  auto const asked = std::get<cli::explain_command>(read(
      {"explain", "sort", "--on", "crossbar:8", "--keys", "5", "--ports=all", "--strict", "--json",
       "--trace", "t.csv", "--processors", "7,0-2", "--steps", "3-9", "--show", "words"}));
  CHECK(asked.content == cli::cell_content::words);
  CHECK(asked.run.what->name == "sort");
  CHECK(asked.run.on == "crossbar:8");
  CHECK(asked.run.parameters.at("keys") == parameter_value(std::int64_t{5}));
  CHECK(asked.run.parameters.at("skew") == parameter_value(0.5));
  CHECK(asked.run.options.ports == ports::all);
  CHECK(asked.run.options.strict);
  CHECK(asked.run.json);
  CHECK(asked.run.trace == "t.csv");
  CHECK(asked.processors == std::vector<int>{0, 1, 2, 7});
  CHECK(asked.steps == cli::step_range{3, 9});
  auto const simple =
      std::get<cli::explain_command>(read({"explain", "all-to-all", "--on", "torus:4x4"}));
  CHECK(simple.processors.empty());
  CHECK(simple.steps == cli::step_range{1, cli::most_steps_shown});
  CHECK_FALSE(simple.run.json);
}

TEST_CASE("view takes what run takes, a page and a run beside", "[command_line]") {
  auto const asked = std::get<cli::view_command>(
      read({"view", "sort", "--on", "crossbar:8", "--keys", "5", "--strict", "--output", "p.html",
            "--beside", "  all-to-all --on torus:4x4 --words 3 "}));
  CHECK(asked.run.what->name == "sort");
  CHECK(asked.run.parameters.at("keys") == parameter_value(std::int64_t{5}));
  CHECK(asked.run.options.strict);
  CHECK(asked.run.trace == "p.html");
  CHECK_FALSE(asked.run.output);
  REQUIRE(asked.beside);
  CHECK(asked.beside->what->name == "all-to-all");
  CHECK(asked.beside->on == "torus:4x4");
  CHECK(asked.beside->parameters.at("words") == parameter_value(std::int64_t{3}));
  auto const simple =
      std::get<cli::view_command>(read({"view", "all-to-all", "--on", "torus:4x4"}));
  CHECK(simple.run.trace == "all-to-all.html");
  CHECK_FALSE(simple.beside);
}

TEST_CASE("view refuses what run refuses, and what is not a page", "[command_line]") {
  CHECK(refusal_of({"view", "all-to-all"}) ==
        "give a topology: lockstep view all-to-all --on torus:12x12");
  CHECK(refusal_of({"view", "all-to-all", "--on", "x", "--output", "p.txt"}) ==
        "--output: p.txt: a page's name ends in .html");
  CHECK(refusal_of({"view", "all-to-all", "--on", "x", "--output", "."}) ==
        "--output: . is a folder; name a file in it, such as ./run.html");
  CHECK(refusal_of({"view", "all-to-all", "--on", "x", "--output", "nowhere/"}) ==
        "--output: nowhere/ is a folder; name a file in it, such as nowhere/run.html");
  CHECK(refusal_of({"view", "all-to-all", "--on", "x", "--output", ""}) ==
        "--output needs a value");
  CHECK(refusal_of({"view", "all-to-all", "--on", "x", "--trace", "t.csv"}) ==
        "there is no option --trace; see lockstep view --help");
  CHECK(refusal_of({"view", "all-to-all", "--on", "x", "--beside", "all-to-al --on x"}) ==
        "--beside: there is no algorithm 'all-to-al'; did you mean all-to-all?");
  CHECK(
      refusal_of({"view", "all-to-all", "--on", "x", "--beside", "--on tree:4"}) ==
      "--beside: name an algorithm: --beside \"ALGORITHM --on TOPOLOGY\"; lockstep list shows what "
      "there is");
  CHECK(refusal_of({"view", "all-to-all", "--on", "x", "--beside", "all-to-all"}) ==
        "--beside: give a topology: --beside \"all-to-all --on torus:12x12\"");
  CHECK(refusal_of({"view", "all-to-all", "--on", "x", "--beside", "sort --on x --json"}) ==
        "--beside: it writes no files and prints nothing; leave out such options");
  CHECK(refusal_of({"view", "all-to-all", "--on", "x", "--beside", ""}) ==
        "--beside needs a value");
}

TEST_CASE("explain refuses what run refuses, in its own name", "[command_line]") {
  CHECK(refusal_of({"explain"}) ==
        "name an algorithm: lockstep explain ALGORITHM --on TOPOLOGY; lockstep list shows what "
        "there is");
  CHECK(refusal_of({"explain", "all-to-all"}) ==
        "give a topology: lockstep explain all-to-all --on torus:12x12");
  CHECK(refusal_of({"explain", "all-to-all", "torus:8x8"}) ==
        "unexpected argument 'torus:8x8'; see lockstep explain --help");
  CHECK(refusal_of({"explain", "all-to-all", "--on", "x", "--keys", "3"}) ==
        "all-to-all has no parameter --keys; its parameters: --words");
  CHECK(refusal_of({"explain", "sort", "--on", "x", "--json", "--table"}) ==
        "give --json or --table, not both");
  CHECK(refusal_of({"explain", "sort", "--on", "x", "--setps", "3"}) ==
        "there is no option --setps; did you mean --steps?");
  CHECK(refusal_of({"explain", "sort", "--on", "x", "--steps", "many"}) ==
        "--steps: 'many' is not a range of steps; write, for example, 1-40 or 100-");
  CHECK(refusal_of({"explain", "sort", "--on", "x", "--processors", "-1"}) ==
        "--processors: '-1' is not a list of ranks; write, for example, 0,3,8-15");
  CHECK(refusal_of({"explain", "sort", "--on", "x", "--show", "steps"}) ==
        "--show: 'steps' is not one of senders, words, values");
  for (auto const* const named : {"words:sum", "values:"})
    CHECK(refusal_of({"explain", "sort", "--on", "x", "--show", named}) ==
          "--show: a name follows values alone, as in values:NAME");
  auto const values = std::get<cli::explain_command>(
      read({"explain", "sort", "--on", "x", "--show", "values:my sum"}));
  CHECK(values.content == cli::cell_content::values);
  CHECK(values.value == "my sum");
  CHECK(refusal_of({"explain", "sort", "--on", "x", "--processors="}) ==
        "--processors needs a value");
  CHECK(refusal_of({"run", "sort", "--on", "x", "--steps", "3"}) ==
        "there is no option --steps; see lockstep run --help");
  CHECK(refusal_of({"explian"}) == "there is no command 'explian'; did you mean explain?");
}

TEST_CASE("an option that is given twice is refused", "[command_line]") {
  CHECK(refusal_of({"run", "all-to-all", "--on", "x", "--words", "1", "--words=2"}) ==
        "--words is given 2 times; give it once");
  CHECK(refusal_of({"run", "all-to-all", "--on", "x", "--on", "x"}) ==
        "--on is given 2 times; give it once");
  CHECK(refusal_of({"run", "all-to-all", "--on", "x", "--strict", "--strict", "--strict"}) ==
        "--strict is given 3 times; give it once");
  CHECK(refusal_of({"run", "spread", "--on", "x", "--plain", "--plain"}) ==
        "--plain is given 2 times; give it once");
  CHECK(refusal_of({"explain", "sort", "--on", "x", "--steps", "1", "--steps", "2"}) ==
        "--steps is given 2 times; give it once");
  CHECK(refusal_of({"list", "--json", "--json"}) == "--json is given 2 times; give it once");
  CHECK(refusal_of({"paper", "suh-shin", "--processors", "9", "--processors", "9"}) ==
        "--processors is given 2 times; give it once");
  CHECK(refusal_of({"figure", "suh-shin-15", "--up-to", "8", "--up-to", "9"}) ==
        "--up-to is given 2 times; give it once");
}

TEST_CASE("what only made input has is refused beside an input file", "[command_line]") {
  std::vector<std::string> const run{"run", "all-to-all", "--on", "x", "--input", "in.txt"};
  auto const with = [&](std::string const& option) {
    auto words = run;
    words.insert(words.end(), {option, "1"});
    return words;
  };
  CHECK(read_run(run).input == "in.txt");
  CHECK(refusal_of(with("--seed")) ==
        "--seed is for input that all-to-all makes, and --input names a file; give one of the two");
  CHECK(refusal_of(with("--words")) ==
        "--words is for input that all-to-all makes, and --input names a file; give one of the "
        "two");
  CHECK(read_run(with("--workers")).options.workers == 1);
}

TEST_CASE("an unknown algorithm is refused with a near name", "[command_line]") {
  CHECK(refusal_of({"run", "all-to-al", "--on", "torus:8x8"}) ==
        "there is no algorithm 'all-to-al'; did you mean all-to-all?");
  CHECK(refusal_of({"run", "xyzzy", "--on", "torus:8x8", "--foo", "1"}) ==
        "there is no algorithm 'xyzzy'; there are: all-to-all, sort, spread");
}

TEST_CASE("what is missing is said, and how to write it", "[command_line]") {
  CHECK(refusal_of({}) ==
        "give a command: lockstep list, lockstep run ALGORITHM --on TOPOLOGY, lockstep explain "
        "ALGORITHM --on TOPOLOGY, lockstep view ALGORITHM --on TOPOLOGY, lockstep sweep "
        "ALGORITHM --on TOPOLOGY, lockstep compare A B, lockstep calibrate, lockstep "
        "grade FOLDER, lockstep paper NAME, lockstep figure NAME, "
        "or lockstep --help");
  CHECK(
      refusal_of({"run"}) ==
      "name an algorithm: lockstep run ALGORITHM --on TOPOLOGY; lockstep list shows what there is");
  CHECK(refusal_of({"run", "all-to-all"}) ==
        "give a topology: lockstep run all-to-all --on torus:12x12");
  CHECK(refusal_of({"run", "all-to-all", "--on"}) == "--on needs a value");
  CHECK(refusal_of({"run", "sort", "--on", "x", "--keys"}) == "--keys needs a value");
  CHECK(refusal_of({"explain", "sort", "--on", "x", "--keys"}) == "--keys needs a value");
  CHECK(refusal_of({"run", "all-to-all", "--on", "x", "--model", ""}) == "--model needs a value");
}

TEST_CASE("a flag takes no value", "[command_line]") {
  CHECK(refusal_of({"list", "--json=3"}) == "--json: a flag takes no value");
  CHECK(refusal_of({"run", "all-to-all", "--on", "torus:4x4", "--strict=maybe"}) ==
        "--strict: a flag takes no value");
}

TEST_CASE("what there is not is refused with what was meant", "[command_line]") {
  CHECK(refusal_of({"rnu"}) == "there is no command 'rnu'; did you mean run?");
  CHECK(refusal_of({"--jsno"}) == "there is no option --jsno; see lockstep --help");
  CHECK(refusal_of({"list", "more"}) == "unexpected argument 'more'; see lockstep list --help");
  CHECK(refusal_of({"run", "all-to-all", "torus:8x8"}) ==
        "unexpected argument 'torus:8x8'; see lockstep run --help");
  CHECK(refusal_of({"run", "all-to-all", "--on", "x", "--wrods", "3"}) ==
        "there is no option --wrods; did you mean --words?");
  CHECK(refusal_of({"run", "all-to-all", "--on", "x", "--xyzzy=3"}) ==
        "there is no option --xyzzy; see lockstep run --help");
}

TEST_CASE("a parameter of another algorithm is refused", "[command_line]") {
  CHECK(refusal_of({"run", "all-to-all", "--on", "x", "--keys", "3"}) ==
        "all-to-all has no parameter --keys; its parameters: --words");
  CHECK(refusal_of({"run", "sort", "--on", "x", "--words", "3"}) ==
        "sort has no parameter --words; its parameters: --keys, --skew, --kind, --seed");
  CHECK(refusal_of({"run", "sort", "--on", "x", "--input", "f"}) ==
        "sort reads and writes no files; leave out --input and --output");
}

TEST_CASE("values of the wrong kind are refused", "[command_line]") {
  auto const with = [](std::string const& option, std::string const& value) {
    return refusal_of({"run", "sort", "--on", "x", option, value});
  };
  CHECK(with("--keys", "many") == "--keys: 'many' is not a whole number");
  CHECK(with("--keys", "1.5") == "--keys: '1.5' is not a whole number");
  CHECK(with("--keys", "99999999999999999999") ==
        "--keys: 99999999999999999999 is too large; give a 64-bit number");
  CHECK(with("--skew", "much") == "--skew: 'much' is not a number");
  CHECK(with("--seed", "x") == "--seed: 'x' is not a whole number");
  CHECK(with("--ports", "two") == "--ports: 'two' is not one of one, all, per-pass");
  CHECK(with("--engine", "steam") == "--engine: 'steam' is not one of fibers, threads");
  CHECK(with("--stacks", "paper") == "--stacks: 'paper' is not one of own, copied");
  for (auto const* const workers : {"-1", "257"})
    CHECK(with("--workers", workers) == "--workers: give a number from 0 (one a core) to 256");
  CHECK(refusal_of({"run", "sort", "--on", "x", "--json", "--table"}) ==
        "give --json or --table, not both");
}

TEST_CASE("paper needs the name of a paper", "[command_line]") {
  auto const asked = std::get<cli::paper_command>(read({"paper", "suh-shin"}));
  CHECK(asked.what->name == "suh-shin");
  CHECK_FALSE(asked.json);
  CHECK(std::get<cli::paper_command>(read({"paper", "--json", "suh-shin"})).json);
  CHECK_FALSE(asked.most_processors);
  CHECK(std::get<cli::paper_command>(read({"paper", "suh-shin", "--processors", "64"}))
            .most_processors == 64);
  CHECK(refusal_of({"paper", "suh-shin", "--processors", "few"}) ==
        "--processors: 'few' is not a whole number");
  CHECK(refusal_of({"paper"}) ==
        "name a paper: lockstep paper NAME; there are: suh-shin, mayr-plaxton, bader-helman-jaja, "
        "shankar-ranka, jaja-ryu");
  CHECK(refusal_of({"paper", "suh"}) == "there is no paper 'suh'; did you mean suh-shin?");
  CHECK(refusal_of({"paper", "xyzzy"}) ==
        "there is no paper 'xyzzy'; there are: suh-shin, mayr-plaxton, bader-helman-jaja, "
        "shankar-ranka, jaja-ryu");
  CHECK(refusal_of({"paper", "suh-shin", "1"}) ==
        "unexpected argument '1'; see lockstep paper --help");
  CHECK(refusal_of({"paper", "suh-shin", "--jsno"}) ==
        "there is no option --jsno; did you mean --json?");
}

TEST_CASE("figure needs the name of a figure, the rest has defaults", "[command_line]") {
  auto const asked = std::get<cli::figure_command>(read({"figure", "suh-shin-13"}));
  CHECK(asked.what->name == "suh-shin-13");
  CHECK(asked.folder == ".");
  CHECK_FALSE(asked.up_to);
  auto const smaller = std::get<cli::figure_command>(
      read({"figure", "--up-to", "32", "--output", "a folder", "suh-shin-16"}));
  CHECK(smaller.what->name == "suh-shin-16");
  CHECK(smaller.folder == "a folder");
  CHECK(smaller.up_to == 32);
  CHECK(std::get<cli::figure_command>(read({"figure", "suh-shin-13", "--up-to=9999999999"})).up_to >
        128);
}

TEST_CASE("a figure that there is not, and options that are wrong, are refused", "[command_line]") {
  CHECK(refusal_of({"figure"}) ==
        "name a figure: lockstep figure NAME; there are: suh-shin-13, suh-shin-14, suh-shin-15, "
        "suh-shin-16, mayr-plaxton-sorting, bader-helman-jaja-2, bader-helman-jaja-4, "
        "bader-helman-jaja-5, "
        "bader-helman-jaja-6, jaja-ryu-sorts, jaja-ryu-packets, jaja-ryu-start-ups, "
        "shankar-ranka-total, shankar-ranka-hot-spots, shankar-ranka-square");
  CHECK(refusal_of({"figure", "xyzzy"}) ==
        "there is no figure 'xyzzy'; there are: suh-shin-13, suh-shin-14, suh-shin-15, "
        "suh-shin-16, mayr-plaxton-sorting, bader-helman-jaja-2, bader-helman-jaja-4, "
        "bader-helman-jaja-5, "
        "bader-helman-jaja-6, jaja-ryu-sorts, jaja-ryu-packets, jaja-ryu-start-ups, "
        "shankar-ranka-total, shankar-ranka-hot-spots, shankar-ranka-square");
  CHECK(refusal_of({"figure", "suh-shin-13", "14"}) ==
        "unexpected argument '14'; see lockstep figure --help");
  CHECK(refusal_of({"figure", "suh-shin-13", "--output"}) == "--output needs a value");
  CHECK(refusal_of({"figure", "suh-shin-13", "--output="}) == "--output needs a value");
  CHECK(refusal_of({"figure", "suh-shin-13", "--up-to", "x"}) ==
        "--up-to: 'x' is not a whole number");
  CHECK(refusal_of({"figure", "suh-shin-13", "--outptu", "x"}) ==
        "there is no option --outptu; did you mean --output?");
}

TEST_CASE("help for papers and figures names them", "[command_line]") {
  CHECK(contains(text_of({"--help"}), "paper"));
  CHECK(contains(text_of({"--help"}), "figure"));
  CHECK(contains(text_of({"paper", "--help"}), "suh-shin"));
  CHECK(contains(text_of({"figure", "--help"}), "suh-shin-16"));
  CHECK(contains(text_of({"figure", "--help"}), "--up-to"));
}

TEST_CASE("every refusal is one line", "[command_line]") {
  for (auto const& words : std::initializer_list<std::vector<std::string>>{
           {},
           {"run"},
           {"run", "--on"},
           {"run", "x\ny"},
           {"run", "all-to-all", "--strict=maybe", "--on", "x"},
           {"run", "all-to-all", "--on", "x", "-z"}}) {
    auto const refused = refusal_of(words);
    INFO(refused);
    CHECK(refused != "not refused");
    CHECK_FALSE(contains(refused, "\n"));
  }
}

TEST_CASE("help tells commands, options and parameters", "[command_line]") {
  auto const all = text_of({"--help"});
  CHECK(contains(all, "list"));
  CHECK(contains(all, "run"));
  CHECK(contains(all, "Exit status"));
  auto const run = text_of({"run", "--help"});
  for (auto const* option : {"--on", "--input", "--output", "--json", "--table", "--model",
                             "--trace", "--ports", "--strict", "--engine", "--workers", "--stacks",
                             "--words", "--seed", "--keys", "all-to-all", "sort"}) {
    INFO(option);
    CHECK(contains(run, option));
  }
  CHECK(contains(text_of({"list", "-h"}), "--json"));
  CHECK(contains(all, "explain"));
  auto const explain = text_of({"explain", "--help"});
  for (auto const* option : {"--processors", "--steps", "--on", "--seed", "--keys", "all-to-all"}) {
    INFO(option);
    CHECK(contains(explain, option));
  }
  CHECK_FALSE(contains(run, "--processors"));
}

TEST_CASE("help for one algorithm tells its parameters alone", "[command_line]") {
  auto const help = text_of({"run", "sort", "--help"});
  CHECK(contains(help, "--keys VALUE"));
  CHECK(contains(help, "(default 64)"));
  CHECK_FALSE(contains(help, "words in a block"));
}

TEST_CASE("the version is told", "[command_line]") {
  auto const version = text_of({"--version"});
  CHECK(version.starts_with("lockstep "));
  CHECK(version.find_first_of("0123456789") == 9);
  CHECK(version.ends_with("\n"));
}
