#include "system/failure.hpp"

#include <new>
#include <stdexcept>

#include <lockstep/experiments/registry.hpp>

#include "../catch.hpp"
#include "commands/usage_error.hpp"

namespace {

using namespace lockstep;
using cli::exit_status;
using cli::kind_of;
using cli::status_of;

incident const in_a_step{.rank = 3, .step = 2, .phase = "ring 1"};

}  // namespace

TEST_CASE("what the user can mend is bad usage", "[failure]") {
  CHECK(status_of(cli::usage_error("x")) == exit_status::bad_usage);
  CHECK(status_of(bad_input("x")) == exit_status::bad_usage);
  CHECK(status_of(invalid_topology("x")) == exit_status::bad_usage);
  CHECK(status_of(invalid_argument("x")) == exit_status::bad_usage);
  CHECK(status_of(invalid_rank("x", incident{})) == exit_status::bad_usage);
  CHECK(status_of(out_of_memory("x")) == exit_status::bad_usage);
  CHECK(status_of(std::bad_alloc()) == exit_status::bad_usage);
}

TEST_CASE("what goes wrong in a run is not", "[failure]") {
  CHECK(status_of(invalid_argument("x", in_a_step)) == exit_status::wrong);
  CHECK(status_of(invalid_rank("x", in_a_step)) == exit_status::wrong);
  CHECK(status_of(deadlock("x", in_a_step)) == exit_status::wrong);
  CHECK(status_of(processor_failed("x", in_a_step)) == exit_status::wrong);
  CHECK(status_of(incomplete_trace("x")) == exit_status::wrong);
  CHECK(status_of(broken_invariant("x", incident{})) == exit_status::wrong);
  CHECK(status_of(std::runtime_error("x")) == exit_status::wrong);
}

TEST_CASE("bad usage is told in one line, a machine's error as it is", "[failure]") {
  CHECK(cli::message_of(bad_input("one\ntwo")) == "one two");
  CHECK(cli::message_of(std::runtime_error("one\ntwo")) == "one\ntwo");
  CHECK(cli::message_of(std::bad_alloc()) ==
        "there is not enough memory for this; take a smaller machine, or smaller input");
}

TEST_CASE("every error of the machine has its name", "[failure]") {
  CHECK(kind_of(not_adjacent("x", in_a_step)) == "not_adjacent");
  CHECK(kind_of(port_conflict("x", in_a_step)) == "port_conflict");
  CHECK(kind_of(link_contention("x", in_a_step)) == "link_contention");
  CHECK(kind_of(type_mismatch("x", in_a_step)) == "type_mismatch");
  CHECK(kind_of(size_mismatch("x", in_a_step)) == "size_mismatch");
  CHECK(kind_of(deadlock("x", in_a_step)) == "deadlock");
  CHECK(kind_of(barrier_mismatch("x", in_a_step)) == "barrier_mismatch");
  CHECK(kind_of(unreceived_message("x", in_a_step)) == "unreceived_message");
  CHECK(kind_of(step_limit("x", in_a_step)) == "step_limit");
  CHECK(kind_of(invalid_rank("x", in_a_step)) == "invalid_rank");
  CHECK(kind_of(invalid_topology("x")) == "invalid_topology");
  CHECK(kind_of(invalid_argument("x")) == "invalid_argument");
  CHECK(kind_of(stack_overflow("x", in_a_step)) == "stack_overflow");
  CHECK(kind_of(out_of_memory("x")) == "out_of_memory");
  CHECK(kind_of(foreign_access("x", in_a_step)) == "foreign_access");
  CHECK(kind_of(broken_invariant("x", in_a_step)) == "broken_invariant");
  CHECK(kind_of(processor_failed("x", in_a_step)) == "processor_failed");
  CHECK(kind_of(error("x", in_a_step)) == "error");
}

TEST_CASE("an error for programs says where and when", "[failure]") {
  auto const json = cli::as_json(deadlock("nobody can go on", in_a_step), "ring", "crossbar:4");
  CHECK(json.at("algorithm") == "ring");
  CHECK(json.at("topology") == "crossbar:4");
  CHECK(json.at("error").at("kind") == "deadlock");
  CHECK(json.at("error").at("rank") == 3);
  CHECK(json.at("error").at("step") == 2);
  CHECK(json.at("error").at("phase") == "ring 1");
  CHECK(json.at("error").at("message").get<std::string>().starts_with("nobody can go on"));
}
