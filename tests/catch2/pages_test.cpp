// LOCKSTEP_VIEW_FAILURES: pages of the runs of a test case.
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <lockstep/catch2.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies.hpp>

#include "view/page_data.hpp"

using lockstep::crossbar;
using lockstep::machine;
using lockstep::processor;
using lockstep::torus;

namespace {

/// Asks for pages in a folder that does not exist yet, as long as this lives.
class asked_pages {
 public:
  asked_pages() { ::setenv("LOCKSTEP_VIEW_FAILURES", m_folder.c_str(), 1); }
  asked_pages(asked_pages const&) = delete;
  asked_pages& operator=(asked_pages const&) = delete;
  ~asked_pages() {
    ::unsetenv("LOCKSTEP_VIEW_FAILURES");
    std::filesystem::remove_all(m_folder);
  }

  [[nodiscard]] std::set<std::filesystem::path> files() const {
    if (!std::filesystem::exists(m_folder)) return {};
    return {std::filesystem::directory_iterator(m_folder), {}};
  }

 private:
  std::filesystem::path m_folder = std::filesystem::temp_directory_path() /
                                   ("lockstep_pages_of_tests_" + std::to_string(::getpid()));
};

nlohmann::json run_on(std::filesystem::path const& page) {
  std::ostringstream text;
  text << std::ifstream(page).rdbuf();
  return reference::page_data(text.str()).at("runs").at(0);
}

void waits(processor& me) {
  (void)me.exchange(me.rank() ^ 1, me.rank());
  (void)me.receive_value<int>(me.rank() ^ 1);
}

void shifts_by_two(processor& me) {
  int const p = me.size();
  (void)me.exchange((me.rank() + 2) % p, me.rank(), (me.rank() + p - 2) % p);
}

}  // namespace

TEST_CASE("a run that fails/in a test case: leaves its page", "[catch2]") {
  asked_pages const pages;
  CHECK_THROWS_AS((machine{crossbar{2}}.run(waits)), lockstep::deadlock);
  auto const files = pages.files();
  REQUIRE(files.size() == 1);
  auto const name = files.begin()->filename().string();
  CHECK(name.substr(0, name.rfind('-')) == "a-run-that-fails-in-a-test-case-leaves-its-page");
  auto const failed = run_on(*files.begin());
  CHECK(failed.at("failure").at("kind") == "deadlock");
  CHECK(failed.at("messages").at("from").size() == 2);
}

TEST_CASE("runs that go well leave no page", "[catch2]") {
  asked_pages const pages;
  auto const run = machine{torus{{5}}}.run(shifts_by_two);
  CHECK_THAT(run, lockstep::takes(lockstep::steps(1)));
  CHECK(pages.files().empty());
}

TEST_CASE("a matcher that fails leaves a page, with all that happened, and names it", "[catch2]") {
  asked_pages const pages;
  auto const run = machine{torus{{5}}}.run(shifts_by_two);
  auto const said = Catch::Detail::stringify(run);
  auto const files = pages.files();
  REQUIRE(files.size() == 1);
  CHECK(said == "the run on torus:5, shown by " + files.begin()->string() + ',');
  auto const shown = run_on(*files.begin());
  CHECK(shown.at("complete") == true);
  CHECK(shown.at("calls").at("rank").size() == 10);
}

TEST_CASE("a machine's own options come first", "[catch2]") {
  asked_pages const pages;
  auto const file =
      std::filesystem::temp_directory_path() / ("own_" + std::to_string(::getpid()) + ".html");
  CHECK_THROWS_AS((machine{crossbar{2}, {.view_failure = file}}.run(waits)), lockstep::deadlock);
  CHECK(pages.files().empty());
  CHECK(std::filesystem::remove(file));
}

TEST_CASE("without the variable no page is written, and nothing is recorded", "[catch2]") {
  auto const run = machine{torus{{5}}}.run(shifts_by_two);
  CHECK(Catch::Detail::stringify(run) == "the run on torus:5");
}
