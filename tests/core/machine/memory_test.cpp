#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <limits>
#include <string>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/memory.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;

/// Whether `holds()` in a process of its own whose address space is limited so.
template <class Question>
bool holds_within(std::uint64_t bytes, Question const& holds) {
  auto const process = ::fork();
  if (process == 0) {
    rlimit limit{};
    ::getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = bytes;
    bool const limited = ::setrlimit(RLIMIT_AS, &limit) == 0;
    ::_exit(limited && holds() ? 0 : 1);
  }
  int status = 1;
  return process > 0 && ::waitpid(process, &status, 0) == process && status == 0;
}

bool is_refused(lockstep::machine const& one, std::string const& part) {
  try {
    one.require_memory(0);
  } catch (lockstep::out_of_memory const& refused) {
    return refused.message().find(part) != std::string::npos;
  }
  return false;
}

}  // namespace

TEST_CASE("the memory that is available is some, and no more than a computer has", "[core]") {
  CHECK(lockstep::available_memory() > 1'000'000);
  CHECK(lockstep::available_memory() < std::uint64_t{1} << 60U);
}

TEST_CASE("the available memory is limited by the address space", "[core]") {
  CHECK(holds_within(4096 * mebibyte, [] {
    auto const left = lockstep::available_address_space();
    return left > 0 && left < 4096 * mebibyte && lockstep::available_memory() <= left;
  }));
  CHECK(holds_within(mebibyte, [] {  // less than is mapped
    return lockstep::available_address_space() == 0 && lockstep::available_memory() == 0;
  }));
  rlimit limit{};
  REQUIRE(::getrlimit(RLIMIT_AS, &limit) == 0);
  if (limit.rlim_cur == RLIM_INFINITY)
    CHECK(lockstep::available_address_space() == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("a strict machine whose messages never share a link holds nothing for its links",
          "[core]") {
  CHECK(holds_within(2048 * mebibyte, [] {  // of 4 * 10^8 links, eight bytes each would not fit
    lockstep::machine const strict{lockstep::crossbar{20'000},
                                   {.strict = true, .workers = 1, .stack = 16 * 1024}};
    strict.run([](lockstep::processor& me) {
      me.idle();
      me.barrier();
    });
    return true;
  }));
}

TEST_CASE("stacks count with the address space that they take, not only with what is touched",
          "[core]") {
  using lockstep::hypercube;
  CHECK(holds_within(4096 * mebibyte, [] {
    lockstep::machine const roomy(hypercube{17}, {.stack = 64 * 1024});
    lockstep::machine const small(hypercube{17}, {.stack = 16 * 1024});
    small.require_memory(0);
    return is_refused(roomy, "of address space");
  }));
  CHECK(holds_within(4096 * mebibyte, [] {
    lockstep::machine const threads(hypercube{10}, {.engine = lockstep::engine::threads});
    return is_refused(threads, "of address space");
  }));
}
