#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include <lockstep/traces/trace.hpp>

namespace lockstep {

/// Writes a row for each message, as comma-separated values:
///
///   step,sent,from,to,words,hops,pass,phase
///   1,1,0,48,96,4,0,0
///
/// in the order (step, receiver, sender). `phase` is the index into `phases()`, and empty outside a
/// named phase. Keeps nothing.
class csv_trace : public trace {
 public:
  /// Writes the header row. `name` is what error messages call the stream, such as the file's path.
  explicit csv_trace(std::ostream& out, std::string name = "the trace");

  void message(message_record const& seen) override;
  void idle_steps(step_record const& /*first*/, std::uint64_t /*count*/) override {}

 private:
  std::string m_row;
};

}  // namespace lockstep
