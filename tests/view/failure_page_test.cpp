#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include <unistd.h>

#include <lockstep/machine.hpp>
#include <lockstep/recording.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/traces/view_trace.hpp>

#include "catch.hpp"
#include "view/page_data.hpp"

using lockstep::engine;
using lockstep::failure_page;
using lockstep::machine;
using lockstep::machine_options;
using lockstep::processor;
using nlohmann::json;

namespace {

/// A folder of a test case's own, which is removed with it.
class pages_folder {
 public:
  pages_folder() { std::filesystem::create_directories(m_path); }
  pages_folder(pages_folder const&) = delete;
  pages_folder& operator=(pages_folder const&) = delete;
  ~pages_folder() { std::filesystem::remove_all(m_path); }

  [[nodiscard]] std::filesystem::path operator/(std::string const& name) const {
    return m_path / name;
  }
  [[nodiscard]] bool empty() const { return std::filesystem::is_empty(m_path); }

 private:
  std::filesystem::path m_path = std::filesystem::temp_directory_path() /
                                 ("lockstep_failure_pages_" + std::to_string(::getpid()));
};

std::string all_of(std::filesystem::path const& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

json run_on(std::filesystem::path const& page) {
  return reference::page_data(all_of(page)).at("runs").at(0);
}

/// A step in which all send, and another in which all wait for each other.
void waits_in_the_second_step(processor& me) {
  int const p = me.size();
  me.show("rank", me.rank());
  (void)me.exchange((me.rank() + 1) % p, me.rank(), (me.rank() + p - 1) % p);
  (void)me.receive_value<int>((me.rank() + 1) % p);
}

void shifts(processor& me) {
  int const p = me.size();
  (void)me.exchange((me.rank() + 1) % p, me.rank(), (me.rank() + p - 1) % p);
}

// Options may be constants, with a page or without.
constexpr machine_options constant{.strict = true};
static_assert(constant.view_failure.file() == nullptr);
static_assert(!constant.recorded);
// No compiler has a destructor to call too often.
static_assert(std::is_trivially_copyable_v<machine_options>);

// A value whose options come before a member that can throw.
struct request {
  std::string network;
  machine_options options;
  std::string input;
};

std::string input_that_is_missing() { throw std::runtime_error("no such input"); }

}  // namespace

TEST_CASE("a run that fails leaves its page, as an observer's, before the error comes out",
          "[sanitize]") {
  auto const runs_on = GENERATE(engine::fibers, engine::threads);
  pages_folder const folder;
  auto const file = folder / "failed.html";
  machine const ring{lockstep::crossbar{3}, {.engine = runs_on, .view_failure = file}};
  CHECK_THROWS_AS(ring.run(waits_in_the_second_step), lockstep::deadlock);
  auto const failed = run_on(file);
  CHECK(reference::contradictions(failed).empty());
  CHECK(failed.at("title") == "a run on crossbar:3");
  CHECK(failed.at("complete") == true);
  CHECK(failed.at("failure").at("kind") == "deadlock");
  CHECK(failed.at("failure").at("cycle") == json{0, 1, 2});
  CHECK(failed.at("messages").at("from").size() == 3);
  CHECK(failed.at("shows").at("step").size() == 3);

  std::ostringstream out;
  machine const plain{lockstep::crossbar{3}, {.engine = runs_on}};
  lockstep::view_trace trace(out, plain);
  CHECK_THROWS_AS(plain.run(waits_in_the_second_step, trace), lockstep::deadlock);
  trace.finish();
  CHECK(all_of(file) == out.str());
}

TEST_CASE("the page of a failed run says what is wrong, whatever was thrown", "[sanitize]") {
  pages_folder const folder;
  auto const file = folder / "failed.html";
  machine const two{lockstep::crossbar{2}, {.view_failure = file.string()}};
  auto const fails = [](processor& me) {
    shifts(me);
    if (me.rank() == 1) throw std::runtime_error("no more data");
  };
  CHECK_THROWS_WITH(two.run(fails), has_text("no more data"));
  auto const failure = run_on(file).at("failure");
  CHECK(failure.at("rank") == 1);
  CHECK(failure.at("message").get<std::string>().find("no more data") != std::string::npos);
}

TEST_CASE("a run that does not fail leaves no page, and is recorded", "[sanitize]") {
  pages_folder const folder;
  machine const two{lockstep::crossbar{2}, {.view_failure = folder / "failed.html"}};
  auto const run = two.run(shifts);
  CHECK(folder.empty());
  run.view(folder / "run.html");
  CHECK(run_on(folder / "run.html").at("calls").at("rank").size() == 4);
  CHECK(run.counts() == machine{lockstep::crossbar{2}}.run(shifts).counts());
}

TEST_CASE("a page that cannot be written does not hide the run's error", "[sanitize]") {
  pages_folder const folder;
  machine const ring{lockstep::crossbar{3}, {.view_failure = folder / "none" / "failed.html"}};
  CHECK_THROWS_AS(ring.run(waits_in_the_second_step), lockstep::deadlock);
  CHECK(folder.empty());
}

TEST_CASE("a machine inside another's program leaves its own page", "[sanitize]") {
  pages_folder const folder;
  auto const inner = folder / "inner.html";
  machine const outer{lockstep::crossbar{2}, {.view_failure = folder / "outer.html"}};
  CHECK_THROWS_AS(outer.run([&](processor& me) {
    if (me.rank() == 1)
      machine{lockstep::hypercube{2}, {.view_failure = inner}}.run(waits_in_the_second_step);
  }),
                  lockstep::error);
  CHECK(run_on(inner).at("machine").at("spec") == "hypercube:2");
  CHECK(run_on(folder / "outer.html").at("machine").at("spec") == "crossbar:2");
}

TEST_CASE("options keep the name of the page when they are copied and assigned", "[sanitize]") {
  failure_page const named = "a.html";
  failure_page other = named;
  failure_page const last = std::move(other);
  REQUIRE(last.file() != nullptr);
  CHECK(*last.file() == "a.html");
  other = last;
  REQUIRE(other.file() != nullptr);
  CHECK(*other.file() == "a.html");
  other = failure_page();
  CHECK(other.file() == nullptr);
  CHECK(*named.file() == "a.html");
}

TEST_CASE("options with a page may stand before what throws", "[sanitize]") {
  auto const file = std::string(100, 'a') + ".html";
  auto const asks = [&] {
    return request{.network = "crossbar:3",
                   .options = {.view_failure = file},
                   .input = input_that_is_missing()};
  };
  CHECK_THROWS_WITH(asks(), "no such input");
  failure_page const same = file;
  CHECK(*same.file() == file);
}

TEST_CASE("a page without a name is refused", "[sanitize]") {
  CHECK_THROWS_WITH(
      machine(lockstep::crossbar{2}, {.view_failure = ""}),
      "machine_options::view_failure is an empty name: name the file for the page of a "
      "run that fails");
}
