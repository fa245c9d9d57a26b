#include "commands/completion.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <lockstep/experiments/papers.hpp>
#include <lockstep/experiments/registry.hpp>

#include "../catch.hpp"
#include "commands/command_line.hpp"

using namespace lockstep;
using text_list = std::vector<std::string>;

namespace {

text_list texts_for(text_list const& line) {
  text_list texts;
  for (auto const& one : cli::completions(line, experiments()).candidates)
    texts.push_back(one.text);
  return texts;
}

bool has(text_list const& texts, std::string const& text) {
  return std::ranges::find(texts, text) != texts.end();
}

template <class Entry>
text_list names_of(std::span<Entry const> entries) {
  text_list names;
  for (auto const& one : entries) names.push_back(one.name);
  return names;
}

}  // namespace

TEST_CASE("the first word is a command", "[completion]") {
  CHECK(texts_for({}) == texts_for({""}));
  CHECK(texts_for({""}) == text_list{"list", "run", "explain", "view", "sweep", "compare",
                                     "calibrate", "grade", "paper", "figure", "--help",
                                     "--version"});
  CHECK(texts_for({"r"}) == text_list{"run"});
  CHECK(texts_for({"--v"}) == text_list{"--version"});
  CHECK(texts_for({"x"}).empty());
  CHECK(texts_for({"x", ""}).empty());
}

TEST_CASE("a command's first word is what it is about", "[completion]") {
  CHECK(texts_for({"run", ""}) == names_of(experiments()));
  CHECK(texts_for({"explain", ""}) == names_of(experiments()));
  CHECK(texts_for({"sweep", ""}) == names_of(experiments()));
  CHECK(texts_for({"paper", ""}) == names_of(papers()));
  CHECK(texts_for({"figure", ""}) == names_of(figures()));
  CHECK(texts_for({"run", "--on", "torus:4x4", ""}) == names_of(experiments()));
  CHECK(texts_for({"run", "--strict", ""}) == names_of(experiments()));
  CHECK(texts_for({"list", ""}) == text_list{"--help", "--json"});
}

TEST_CASE("every algorithm's own options are offered, and no other's", "[completion]") {
  for (auto const& one : experiments()) {
    auto const offered = texts_for({"run", one.name, ""});
    INFO(one.name);
    for (auto const& other : experiments())
      for (auto const& parameter : other.parameters) {
        bool const takes = std::ranges::find(one.parameters, parameter.name, &parameter::name) !=
                           one.parameters.end();
        INFO(parameter.name);
        CHECK(has(offered, "--" + parameter.name) == takes);
      }
    CHECK(has(offered, "--seed"));
    CHECK(has(offered, "--input") == one.takes_files);
    CHECK_FALSE(has(offered, "--steps"));
    CHECK(has(texts_for({"explain", one.name, ""}), "--steps"));
  }
}

TEST_CASE("each option of a command is offered once, until it is given", "[completion]") {
  for (auto const& command : cli::known_commands(experiments()))
    for (auto const& option : command.options) {
      INFO(command.name << ' ' << option.name);
      auto const offered = texts_for({command.name, option.name});
      CHECK(std::ranges::count(offered, option.name) == 1);
    }
  CHECK(texts_for({"run", "all-to-all", "--strict", "--str"}).empty());
  CHECK(texts_for({"run", "all-to-all", "--on=torus:4x4", "--on"}).empty());
}

TEST_CASE("an option's value is what it may be", "[completion]") {
  CHECK(texts_for({"run", "prefix", "--engine", ""}) == text_list{"fibers", "threads"});
  CHECK(texts_for({"run", "prefix", "--stacks", ""}) == text_list{"own", "copied"});
  CHECK(texts_for({"run", "prefix", "--ports", "p"}) == text_list{"per-pass"});
  CHECK(texts_for({"run", "prefix", "--ports=p"}) == text_list{"--ports=per-pass"});
  CHECK(texts_for({"run", "prefix", "--on", "t"}) == text_list{"torus:", "tree:"});
  CHECK(texts_for({"run", "all-to-all", "--on", "torus:"}) == text_list{"torus:12x12"});
  CHECK(texts_for({"run", "--on", "crossbar:"}) == text_list{"crossbar:64"});
  CHECK(texts_for({"run", "prefix", "--model", "bs"}) == text_list{"bsp"});
  CHECK(texts_for({"run", "prefix", "--model", "tau-sigma:"}) ==
        text_list{"tau-sigma:tau_us=", "tau-sigma:sigma_us_per_word=", "tau-sigma:operation_us="});
  CHECK(texts_for({"run", "prefix", "--model", "tau-sigma:tau_us=3,s"}) ==
        text_list{"tau-sigma:tau_us=3,sigma_us_per_word="});
  CHECK(texts_for({"run", "prefix", "--seed", ""}).empty());
  CHECK(texts_for({"run", "prefix", "--strict=", ""}).size() > 5);  // a flag has no value
}

TEST_CASE("files and folders are left to the shell", "[completion]") {
  using cli::path_kind;
  auto const paths = [](text_list const& line) {
    return cli::completions(line, experiments()).paths;
  };
  CHECK(paths({"run", "prefix", "--input", ""}) == path_kind::files);
  CHECK(paths({"run", "cannon", "--second", ""}) == path_kind::files);
  CHECK(paths({"run", "prefix", "--trace=", "x"}) == path_kind::none);
  CHECK(paths({"run", "prefix", "--trace=x"}) == path_kind::files);
  CHECK(paths({"figure", "suh-shin-13", "--output", ""}) == path_kind::folders);
  CHECK(paths({"sweep", "prefix", "--plot", ""}) == path_kind::files);
  CHECK(paths({"sweep", "prefix", "--resume", ""}) == path_kind::files);
  CHECK(paths({"compare", ""}) == path_kind::files);
  CHECK(paths({"compare", "a.json", "b"}) == path_kind::files);
  CHECK(paths({"grade", ""}) == path_kind::files);
  CHECK(paths({"grade", "all", "--test", ""}) == path_kind::files);
  CHECK(texts_for({"compare", "--e"}) == text_list{"--equal"});
  CHECK(texts_for({"sweep", "prefix", "--log", ""}) == text_list{"x", "y", "xy", "none", "auto"});
  CHECK(paths({"run", "prefix", "--model", ""}) == path_kind::none);
  CHECK(cli::as_lines({.candidates = {{"run", "Run it"}}, .paths = path_kind::files}) ==
        "run\tRun it\n<files>\n");
  CHECK(cli::as_lines({.candidates = {}, .paths = path_kind::folders}) == "<folders>\n");
  CHECK(cli::as_lines({.candidates = {{"--trace", "FILE of\ntwo lines"}}}) ==
        "--trace\tFILE of two lines\n");
}

TEST_CASE("every candidate for an argument or a topology is understood", "[completion]") {
  for (auto const& one : texts_for({"run", ""})) {
    for (auto const& kind : texts_for({"run", one, "--on", ""})) {
      auto const specs = texts_for({"run", one, "--on", kind});
      REQUIRE(specs.size() == 1);
      char const* const line[] = {"lockstep", "run", one.c_str(), "--on", specs[0].c_str()};
      auto const read = cli::read_command_line(5, line, experiments());
      CHECK(std::get<cli::run_command>(read).on == specs[0]);
    }
  }
}
