#pragma once

#include <cstddef>
#include <cstdint>

#include <lockstep/counts.hpp>

namespace lockstep {

/// One message, as an observer sees it.
struct message_record {
  std::uint64_t step = 0;  ///< the step in which it came in
  std::uint64_t sent = 0;  ///< the step in which it was sent; it queued step - sent steps
  int from = 0;
  int to = 0;
  std::uint64_t words = 0;       ///< rounded up to whole packets; 0 for an empty message
  std::uint64_t hops = 0;        ///< length of its route, in links
  int pass = 0;                  ///< on a machine with ports per pass
  std::size_t phase = no_phase;  ///< index into phases()

  friend bool operator==(message_record const&, message_record const&) = default;
};

/// Is told what happens in a run: each message in the order (step, receiver, sender), and each
/// step, idle ones included, after its messages; at the latest at the end of the run, before `run`
/// returns, and never from two threads at once. A run that ends in an error tells what came before.
/// What an observer throws ends the run, and comes out of `run`.
class observer {
 public:
  virtual ~observer() = default;
  virtual void message(message_record const& /*seen*/) {}
  virtual void step(step_record const& /*seen*/) {}

 protected:
  observer() = default;
  observer(observer const&) = default;
  observer& operator=(observer const&) = default;
};

}  // namespace lockstep
