#pragma once

#include <map>
#include <string>
#include <vector>

#include "handout/held_table.hpp"
#include "handout/page_text.hpp"
#include "handout/step_log.hpp"
#include "report/drawing.hpp"

namespace lockstep::cli {

/// Values that processors hold after a step under some names, as they stand at each of them: one below the other, arrays
/// in cells, which are as wide at all processors.
class held_stacks {
 public:
  held_stacks(logged_step const& step, std::vector<std::string> const& names, int processors);

  /// Whether all is there: every element of every array.
  [[nodiscard]] bool are_whole() const { return m_are_whole; }
  /// Measures what stands at a processor, in lines of at most that width where cells are not wider.
  [[nodiscard]] page_box measure(int rank, double width, double size) const;
  void draw(drawing& on, page_point corner, int rank, double width, double size) const;

 private:
  /// Draws, or only measures without a drawing.
  page_box write(drawing* on, page_point corner, int rank, double width, double size) const;
  [[nodiscard]] page_box write_cells(drawing* on, page_point corner, held_table const& table,
                                     double width, double size) const;

  int m_processors;
  bool m_is_named;
  bool m_are_whole = true;
  std::map<std::string, double> m_widest;  ///< cells under each name, at size 1
  std::map<int, std::vector<held_table>> m_held;
};

}  // namespace lockstep::cli
