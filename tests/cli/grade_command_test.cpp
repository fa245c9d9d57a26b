#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "../catch.hpp"
#include "contains.hpp"
#include "refusal.hpp"
#include "shell.hpp"
#include "submissions.hpp"

// A class's programs, graded as a shell runs `lockstep grade`.

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// A folder of submissions, with the test outside of it, and a folder for temporary files.
class class_folder {
 public:
  explicit class_folder(std::vector<submission> const& handed_in) {
    m_scratch.write("test.cpp", test_of_sums());
    m_scratch.write("right.hpp", right_submissions().front().code);
    fs::create_directory(m_scratch.file("tmp"));
    for (auto const& one : handed_in) {
      fs::create_directories((m_scratch.file("all") / one.name).parent_path());
      m_scratch.write("all/" + one.name, one.code);
    }
  }

  [[nodiscard]] finished grade(std::string const& what, std::string const& options = "") const {
    bool const has_test = options.find("--test") != std::string::npos;
    return lockstep_after("cd " + m_scratch.file("").string() + "; export TMPDIR=$PWD/tmp",
                          "grade " + what + (has_test ? " " : " --test test.cpp ") + options);
  }
  [[nodiscard]] fs::path file(std::string const& name) const { return m_scratch.file(name); }
  [[nodiscard]] scratch_directory const& scratch() const { return m_scratch; }

  /// Whether neither a file nor a process is left over.
  [[nodiscard]] bool is_clean() const {
    if (!fs::is_empty(file("tmp"))) return false;
    for (auto const& process : fs::directory_iterator("/proc")) {
      std::ifstream const stream(process.path() / "cmdline");
      std::ostringstream words;
      words << stream.rdbuf();  // nothing of a process that ends meanwhile
      if (contains(words.str(), file("tmp").string())) return false;
    }
    return true;
  }

 private:
  scratch_directory m_scratch;
};

/// Finds what is said of a submission.
json graded(json const& all, std::string const& name) {
  for (auto const& one : all.at("submissions"))
    if (one.at("submission") == name) return one;
  return {};
}

void check_grades(std::vector<submission> const& handed_in, std::string const& seconds = "40") {
  class_folder const folder(handed_in);
  auto const run = folder.grade("all", "--json --memory 512 --seconds " + seconds);
  INFO(run.out << run.err);
  REQUIRE(run.err.empty());
  auto const all = json::parse(run.out);
  REQUIRE(all.at("submissions").size() == handed_in.size());
  bool const pass =
      std::ranges::all_of(handed_in, [](submission const& one) { return one.verdict == "passed"; });
  CHECK(run.status == (pass ? 0 : 1));
  for (auto const& one : handed_in) {
    auto const found = graded(all, one.name);
    INFO(one.name);
    REQUIRE(found.is_object());
    CHECK(found.at("verdict") == one.verdict);
    CHECK(found.at("points") == one.points);
    auto const rule = found.at("failed").get<std::string>();
    CHECK(rule.empty() == pass);
    CHECK_FALSE(contains(rule, "\n"));
    INFO(rule);
    CHECK(contains(rule, one.rule));
  }
  CHECK(folder.is_clean());
}

/// Five of ten: each takes two seconds to compile.
std::vector<submission> part_of(std::vector<submission> const& all, int from) {
  REQUIRE(all.size() == 10);
  return {all.begin() + from, all.begin() + from + 5};
}

void check_grade_refused(class_folder const& folder, std::string const& arguments,
                         std::string const& part) {
  INFO("lockstep grade " << arguments);
  check_refusal(lockstep_after("cd " + folder.file("").string(), "grade " + arguments), part);
}

}  // namespace

TEST_CASE("grade: right programs pass, each in its way: five of ten", "[grade]") {
  check_grades(part_of(right_submissions(), 0));
}

TEST_CASE("grade: right programs pass, each in its way: the other five", "[grade]") {
  check_grades(part_of(right_submissions(), 5));
}

TEST_CASE("grade: wrong programs fail, each by the rule that it breaks: five of ten", "[grade]") {
  check_grades(part_of(wrong_submissions(), 0));
}

TEST_CASE("grade: wrong programs fail, each by the rule that it breaks: the other five",
          "[grade]") {
  check_grades(part_of(wrong_submissions(), 5));
}

TEST_CASE("grade: programs that do harm neither pass nor stop it", "[grade]") {
  check_grades(harmful_submissions(), "4");
}

TEST_CASE("grade: programs that forge a verdict, or go around the machine, do not pass",
          "[grade]") {
  check_grades(forging_submissions());
}

TEST_CASE("grade: any file name will do, and the test itself is not graded", "[grade]") {
  auto hash = right_submissions()[0];
  auto dollar = hash;
  hash.name = "homework #3/c#1.cpp";
  dollar.name = "c$1 of $$.cpp";
  class_folder const folder({hash, dollar});
  fs::copy_file(folder.file("test.cpp"), folder.file("all") / "test.cpp");
  auto const run = folder.grade("all", "--test all/test.cpp --csv");
  INFO(run.out << run.err);
  CHECK(run.status == 0);
  CHECK(contains(run.out, "c#1.cpp,passed"));
  CHECK(contains(run.out, "c$1 of $$.cpp,passed"));
  CHECK(lines_of(run.out) == 3);
}

TEST_CASE("grade: a table for people, and CSV", "[grade]") {
  std::vector<submission> const handed_in{right_submissions()[0], wrong_submissions()[6]};
  class_folder const folder(handed_in);
  auto const table = folder.grade("all");
  INFO(table.out << table.err);
  CHECK(table.status == 1);
  CHECK(table.out.starts_with("submission "));
  CHECK(contains(table.out, "first failed check\n"));
  CHECK(contains(table.out, "1 of 2 submissions passed\n"));
  auto const csv = folder.grade("all", "--csv --parallel 1 --compiler 'c++ -O1'");
  CHECK(csv.out ==
        "submission,verdict,points,of,steps,claimed,failed\n"
        "does_not_compile.cpp,not compiled,0,14,,,does_not_compile.cpp:8:10: error: "
        "'nowhere_declared' was not "
        "declared in this scope\n"
        "to_the_right.cpp,passed,14,14,7,7,\n");
}

TEST_CASE("grade: bad usage is refused in one line", "[grade]") {
  class_folder const folder({right_submissions()[0]});
  folder.scratch().write("broken.cpp",
                         "#include <lockstep/grading.hpp>\nvoid lockstep_test(int) {\n");
  fs::create_directory(folder.file("empty"));
  check_grade_refused(folder, "", "name a folder of submissions");
  check_grade_refused(folder, "all", "name the test: lockstep grade all --test FILE");
  check_grade_refused(folder, "gone --test test.cpp", "there is no folder gone");
  check_grade_refused(folder, "empty --test test.cpp", "there is no submission in empty");
  for (std::string const name : {"notes.txt", "ada.hpp", "a.cpp.orig", "ada"}) {
    folder.scratch().write(name, right_submissions()[0].code);
    check_grade_refused(
        folder, name + " --test test.cpp",
        name + " is not a submission; they are files that end in .cpp, .cc or .cxx");
  }
  check_grade_refused(folder, "all --test gone.cpp", "neither a file nor a lesson 'gone.cpp'");
  check_grade_refused(folder, "all --test ..", "neither a file nor a lesson '..'");
  check_grade_refused(folder, "all --test broken.cpp", "broken.cpp does not compile: ");
  folder.scratch().write("no_test.cpp", "int other = 0;\n");
  folder.scratch().write("empty.cpp",
                         "#include <lockstep/grading.hpp>\n"
                         "void lockstep_test(lockstep::grading&) {}\n");
  folder.scratch().write(
      "throws.cpp",
      "#include <lockstep/grading.hpp>\n"
      "void lockstep_test(lockstep::grading&) { throw lockstep::broken_rule(\"x\"); }\n");
  check_grade_refused(folder, "all --test no_test.cpp",
                      "no_test.cpp does not define lockstep_test; add checks");
  check_grade_refused(folder, "all --test empty.cpp", "empty.cpp adds no check; add checks");
  check_grade_refused(folder, "all --test throws.cpp",
                      "throws.cpp ends by an exception before any check: x");
  check_grade_refused(folder, "all --test test.cpp --compiler nowhere++",
                      "the compiler nowhere++ cannot be started; name one by --compiler");
  check_grade_refused(folder, "all --test test.cpp --compiler ''", "--compiler needs a value");
  check_grade_refused(folder, "all --test test.cpp --seconds 0", "--seconds: '0' is not a number");
  check_grade_refused(folder, "all --test test.cpp --memory 1", "--memory: 1 is not between");
  check_grade_refused(folder, "all --test test.cpp --parallel -1", "--parallel: -1 is not between");
  check_grade_refused(folder, "all --test test.cpp --csv --json", "take one");
  check_grade_refused(folder, "all more --test test.cpp", "unexpected argument 'more'");
}
