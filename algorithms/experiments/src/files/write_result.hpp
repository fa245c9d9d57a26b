#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/cluster.hpp>
#include <lockstep/detail/gathered.hpp>
#include <lockstep/experiments/output_file.hpp>
#include <lockstep/experiments/registry.hpp>

#include "harness/arguments.hpp"
#include "harness/stages.hpp"

namespace lockstep {

/// Has `write()` write what the run came to: a file that does not take it costs no results.
template <class Write>
void write_result(experiment_result& result, Write const& write) {
  try {
    write();
  } catch (incomplete_output const& problem) {
    result.unwritten = problem.what();
  }
}

/// Has process 0 alone do something, such as writing, and tells the others how it went: they throw what it
/// throws, as bad_input. `processes`: nullptr without a cluster.
template <class Action>
void on_first_process(cluster* processes, Action const& action) {
  if (processes == nullptr) return action();
  std::exception_ptr problem;
  std::string text;
  if (processes->process() == 0) try {
      action();
    } catch (std::exception const& thrown) {
      problem = std::current_exception();
      text = thrown.what();
    } catch (...) {
      problem = std::current_exception();
      text = "process 0 was asked to stop";
    }
  auto const said = detail::results_of_all(*processes, std::vector{text});
  if (problem != nullptr) std::rethrow_exception(problem);
  if (!said.front().empty()) throw bad_input(said.front());
}

/// The output file of a request, where one is asked for: opened before anything runs. Of several processes the
/// first writes it.
class asked_output {
 public:
  /// Errors: bad_input for a file that cannot be written.
  explicit asked_output(arguments const& given)
      : m_processes(given.request().options.cluster), m_name(given.request().output) {
    if (m_name) on_first_process(m_processes, [&] { m_file.emplace(*m_name); });
  }

  /// Whether there is a file, and that result is not wrong.
  [[nodiscard]] bool takes(experiment_result const& result) const {
    return m_name && !result.is_wrong();
  }
  /// Has `write(stream)` write a result unless it is wrong: `pieces`, for example rows, which it notes.
  template <class Write>
  void take(experiment_result& result, std::uint64_t pieces, Write const& write) {
    if (!takes(result)) return;
    begin_stage("writing " + m_name->string(), pieces);
    on_first_process(m_processes, [&] {
      write_result(result, [&] {
        write(m_file->stream());
        m_file->complete();
      });
    });
    if (m_processes != nullptr)
      result.unwritten =
          detail::results_of_all(*m_processes, std::vector{result.unwritten}).front();
  }

 private:
  cluster* m_processes;
  std::optional<std::filesystem::path> m_name;
  std::optional<output_file> m_file;
};

}  // namespace lockstep
