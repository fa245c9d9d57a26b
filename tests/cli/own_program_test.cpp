#include <string>

#include <nlohmann/json.hpp>

#include "../catch.hpp"
#include "contains.hpp"
#include "refusal.hpp"
#include "shell.hpp"

// Programs with lockstep::main, as a shell runs them: tests/cli/own_program.cpp, and the example.

namespace {

finished own(std::string const& arguments) {
  return in_shell(LOCKSTEP_OWN_PROGRAM " " + arguments);
}
finished plain(std::string const& arguments) {
  return in_shell(LOCKSTEP_OWN_PROGRAM "_plain " + arguments);
}
finished example(std::string const& arguments) {
  return in_shell(LOCKSTEP_RING_ALL_REDUCE " " + arguments);
}

void check_refused(finished const& refused, std::string const& part) {
  check_refusal(refused, part, LOCKSTEP_OWN_PROGRAM);
}

nlohmann::json json_of(finished const& run) { return nlohmann::json::parse(run.out); }

}  // namespace

TEST_CASE("own program: a single function is listed, run, explained and shown, and not checked") {
  auto const listed = plain("list");
  CHECK(listed.status == 0);
  CHECK(contains(listed.out, "\n  sum\n"));
  CHECK_FALSE(contains(listed.out, "all-to-all"));

  auto const run = plain("run sum --on hypercube:3");
  CHECK(run.status == 0);
  CHECK(run.err.empty());
  CHECK(contains(run.out, "sum on hypercube:3: 8 processors"));
  CHECK(contains(run.out, "not checked (there is no sequential computation to compare with)"));
  CHECK_FALSE(contains(run.out, "yes"));
  auto const json = json_of(plain("run sum --on hypercube:3 --json"));
  CHECK(json["correct"].is_null());
  CHECK(json["counts"]["steps"] == 3);

  CHECK(contains(plain("explain sum --on hypercube:3").out, "processor"));
  scratch_directory const scratch;
  auto const page = scratch.file("sum.html").string();
  CHECK(plain("view sum --on hypercube:3 --output " + page).status == 0);
  CHECK(contains(read_file(page), "sum on hypercube:3"));
}

TEST_CASE("own program: the only algorithm need not be named") {
  CHECK(contains(plain("run --on hypercube:3").out, "sum on hypercube:3"));
  check_refused(own("run --on hypercube:3"), "name an algorithm: ");
}

TEST_CASE("own program: statuses are those of lockstep's own command line") {
  auto const right = own("run right --on hypercube:3");
  CHECK(right.status == 0);
  CHECK(contains(right.out, "yes (matches a sequential computation)"));

  auto const wrong = own("run wrong --on hypercube:3");
  CHECK(wrong.status == 1);
  CHECK(contains(wrong.out,
                 "NO (differs from a sequential computation: processor 6: 29, expected 28)"));
  auto const json = json_of(own("run wrong --on hypercube:3 --json"));
  CHECK(json["correct"] == false);
  CHECK(json["difference"] == "processor 6: 29, expected 28");

  CHECK(own("run too-slow --on hypercube:3").status == 1);
  auto const stuck = own("run stuck --on crossbar:4");
  CHECK(stuck.status == 1);
  CHECK(contains(stuck.err, "own_program.cpp"));

  for (auto const* const arguments :
       {"run throws --on crossbar:4", "run no-oracle --on crossbar:4"}) {
    auto const thrown = own(arguments);
    INFO(thrown.err);
    CHECK(thrown.status == 1);
    CHECK(lines_of(thrown.err) == 1);
  }
  check_refused(own("run sideways --on hypercube:3"), "there is no algorithm 'sideways'");
  check_refused(own("run right"),
                "give a topology: " LOCKSTEP_OWN_PROGRAM " run right --on hypercube:3");
  check_refused(own("run right --on cube:3"), "cube:3");
  check_refused(own("run right --on hypercube:3 --m 4"), "--m");
  check_refused(own("paper suh-shin"), "there is no command 'paper'");
  check_refused(own("manual"), "there is no command 'manual'");
  check_refused(own(""), "give a command: " LOCKSTEP_OWN_PROGRAM " list, ");
}

TEST_CASE("own program: files are read and written by those that know them") {
  scratch_directory const scratch;
  auto const input = scratch.write("in.txt", "5").string();
  auto const output = scratch.file("out.txt").string();
  CHECK(own("run file --on crossbar:3 --input " + input + " --output " + output).status == 0);
  CHECK(read_file(output) == "0\n5\n10\n");
  check_refused(own("run file --on crossbar:3 --input " + scratch.write("no", "").string()),
                "the file has no number; write one into it");
  check_refused(own("run file --on crossbar:3 --input " + scratch.file("gone").string()),
                "gone: there is no such file");
  check_refused(own("run right --on hypercube:3 --input " + input), "right reads no file");
  CHECK(own("run right --on hypercube:1 --output " + output).status == 0);
  CHECK(read_file(output) == "1\n1\n");
  check_refused(own("run stuck --on crossbar:3 --output /nowhere/file"), "/nowhere/file");
}

TEST_CASE("own program: algorithms that a command line cannot tell apart are refused") {
  check_refused(own("none"), "there is no algorithm; give lockstep::main at least one");
  check_refused(own("twice"), "there are two algorithms 'sum'");
  check_refused(own("blank"),
                "'my sum' cannot be the name of an algorithm; take letters, digits, - and _");
  check_refused(own("kinds"),
                "'x' is a flag of one of flag and number, and takes a value of the other");
  check_refused(own("letter"), "a parameter 'p', which is the number of processors");
  auto const nothing = own("nothing");
  CHECK(nothing.status == 2);
  CHECK(nothing.err.starts_with("this program: give a command: "));
  check_refused(own("option"), "a parameter 'json', which is an option of every algorithm");
}

TEST_CASE("own program: help, version and completion speak of the program") {
  auto const help = own("--help");
  CHECK(contains(help.out, LOCKSTEP_OWN_PROGRAM " run right --on hypercube:3"));
  CHECK_FALSE(contains(help.out, "\n  paper "));
  CHECK(contains(own("--version").out, "own_program, with lockstep "));
  CHECK(contains(own("run right --help").out, "\nright\n  on hypercube\n"));
  CHECK(contains(own("complete run ''").out, "too-slow\t"));
  auto const script = own("completion bash");
  CHECK(script.status == 0);
  CHECK(contains(script.out, "complete -F _own_program 'own_program'\n"));
  CHECK(contains(own("completion zsh").out, "compdef _own_program 'own_program'\n"));
  check_refused(own("completion fish"), "'fish' is not one of bash, zsh");
}

TEST_CASE("own program: bash completes the words of a program after it has read its script") {
  auto const completed = in_shell("bash -c 'source <(" LOCKSTEP_OWN_PROGRAM
                                  " completion bash) && COMP_WORDS=(" LOCKSTEP_OWN_PROGRAM
                                  " run too) COMP_CWORD=2; _own_program; echo ${COMPREPLY[@]}'");
  CHECK(completed.out == "too-slow\n");
}

TEST_CASE("own program: the example has each tab's data on its page") {
  scratch_directory const scratch;
  auto const page = scratch.file("page.html").string();
  auto const run = example("view --on torus:4 --m 2 --output " + page);
  CHECK(run.status == 0);
  CHECK(contains(run.out, "yes (matches a sequential computation)"));
  auto const json = json_of(example("run --on torus:8 --m 3 --json"));
  CHECK(json["counts"]["steps"] == 14);
  CHECK(json["counts"]["words"] == 42);
  for (auto const& claimed : json["claims"]) CHECK(claimed["verdict"] == "equal");
  CHECK(json["bounds"].size() == 1);
}
