#pragma once

#include <ostream>
#include <streambuf>
#include <string>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"

namespace reference {

/// A stream that takes that many characters, as a full disk does.
class full_disk : public std::streambuf {
 public:
  explicit full_disk(int room) : m_room(room) {}

 protected:
  int_type overflow(int_type) override { return m_room-- > 0 ? 0 : traits_type::eof(); }

 private:
  int m_room;
};

/// Checks that a trace which its disk has no room for lets the run end, and is told of afterwards.
template <class Trace>
void check_told_of_full_disk(int room, std::string const& name) {
  full_disk disk(room);
  std::ostream out(&disk);
  lockstep::machine const two{lockstep::hypercube{1}};
  Trace trace(out, two, {.name = name});
  auto const run =
      two.run([](lockstep::processor& me) { return me.exchange(me.rank() ^ 1, 1); }, trace);
  CHECK(run.steps().size() == 1);
  CHECK_THROWS_WITH(trace.finish(),
                    "the trace is incomplete: cannot write to " + name + "; is its disk full?");
}

}  // namespace reference
