#include <ostream>

#include "commands.hpp"
#include "measured_run.hpp"
#include "report/report.hpp"

namespace lockstep::cli {

exit_status execute(run_command const& asked, std::ostream& out) {
  return run_and_print(asked, {}, out, [&](report const& of) {
    if (asked.json) {
      print(as_json(of), out);
    } else {
      out << as_text(of, asked.table);
    }
  });
}

}  // namespace lockstep::cli
