#include <lockstep/traces/csv_trace.hpp>

#include <sstream>
#include <stdexcept>

#include "catch.hpp"
#include "core/full_disk.hpp"

namespace {

using reference::full_disk;

lockstep::message_record message_in(std::size_t phase) {
  return {.step = 3,
          .sent = 2,
          .from = 10,
          .to = 11,
          .words = 96,
          .hops = 4,
          .pass = 5,
          .phase = phase};
}

}  // namespace

TEST_CASE("a trace is a header and a row for each message", "[trace][sanitize]") {
  std::ostringstream out;
  lockstep::csv_trace trace(out);
  trace.message(message_in(7));
  trace.message(message_in(lockstep::no_phase));
  trace.finish();
  CHECK(out.str() ==
        "step,sent,from,to,words,hops,pass,phase\n"
        "3,2,10,11,96,4,5,7\n"
        "3,2,10,11,96,4,5,\n");
}

TEST_CASE("a trace of a silent run is its header", "[trace][sanitize]") {
  std::ostringstream out;
  lockstep::csv_trace trace(out);
  trace.finish();
  CHECK(out.str() == "step,sent,from,to,words,hops,pass,phase\n");
}

TEST_CASE("a trace that cannot be written lets the run end, then says so with the name",
          "[trace][sanitize]") {
  full_disk disk(60);  // the header and half a row
  std::ostream out(&disk);
  lockstep::csv_trace trace(out, "/tmp/trace.csv");
  for (int i = 0; i < 10; ++i) CHECK_NOTHROW(trace.message(message_in(0)));
  CHECK_THROWS_WITH(trace.finish(),
                    "the trace is incomplete: cannot write to /tmp/trace.csv; is its disk full?");
  CHECK_THROWS_AS(trace.finish(), lockstep::incomplete_trace);
}
