#pragma once

#include <ostream>
#include <string>

#include <lockstep/observer.hpp>

namespace lockstep {

/// Writes a row for each message, as comma-separated values:
///
///   step,sent,from,to,words,hops,pass,phase
///   1,1,0,48,96,4,0,0
///
/// in the order (step, receiver, sender). `phase` is the index into `phases()`, and empty outside a
/// named phase. A stream that fails does not disturb the run: `finish` tells afterwards.
class csv_trace : public observer {
 public:
  /// Writes the header row. `name` is what error messages call the stream, such as the file's path.
  explicit csv_trace(std::ostream& out, std::string name = "the trace");

  void message(message_record const& seen) override;

  /// Flushes. Call it after the run.
  /// Errors: std::runtime_error, with the stream's name, if anything could not be written.
  void finish();

 private:
  std::ostream* m_out;
  std::string m_name;
  std::string m_row;
};

}  // namespace lockstep
