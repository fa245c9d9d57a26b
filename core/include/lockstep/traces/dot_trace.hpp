#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/traces/trace.hpp>

namespace lockstep {

namespace detail {
class floor_plan;
}

/// Writes a picture of each step in which messages come in, as a digraph for Graphviz, all in one
/// file. `dot -Tsvg run.dot > run.html` makes one page of them for a browser; docs/traces.md has
/// more.
///
/// Processors stand where `topology::layout` places them. The links that messages cross are arrows
/// that show their words, red where several messages share one in a step, dashed for empty messages
/// only.
///
/// Writes as the run goes, and keeps the messages of one step; draws at most `most_processors`, and
/// the first `most_pictures` such steps.
class dot_trace : public trace {
 public:
  static constexpr int most_processors = 1024;
  static constexpr std::size_t default_most_pictures = 1000;

  /// Errors: invalid_argument for a machine of more than `most_processors`; invalid_topology for a
  /// layout that does not give each processor a place of its own.
  dot_trace(std::ostream& out, machine const& traced, trace_labels labels = {},
            std::size_t most_pictures = default_most_pictures);
  ~dot_trace() override;

  void phase(phase_start const& begun) override;
  void message(message_record const& seen) override;
  void step(step_record const& seen) override;
  void idle_steps(step_record const& /*first*/, std::uint64_t /*count*/) override {}

 private:
  void draw(step_record const& seen);
  [[nodiscard]] std::string drawn_network() const;
  [[nodiscard]] std::string drawn_texts(step_record const& seen) const;
  [[nodiscard]] std::string coloured_processors() const;
  [[nodiscard]] std::string drawn_messages() const;

  machine m_machine;
  std::string m_title;
  std::size_t m_most_pictures;
  std::size_t m_pictures = 0;
  std::string m_phase;
  std::vector<message_record> m_messages;  ///< of this step
  std::unique_ptr<detail::floor_plan const> m_plan;
  std::string m_network;  ///< what all pictures have in common: links and processors
};

}  // namespace lockstep
