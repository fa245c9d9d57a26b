#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <lockstep/shown.hpp>
#include <lockstep/step_list.hpp>

#include "json_text.hpp"

namespace lockstep::detail {

/// The values that processors showed, as far as a page has room: up to the last step that fits
/// whole.
class shows_on_page {
 public:
  /// `steps`: those of the page. `room`: characters. Of what was shown after the last step nothing is
  /// on the page.
  shows_on_page(std::vector<shown_record> const& shows, std::span<step_stretch const> steps,
                std::size_t room);

  /// Whether what was shown in some of the steps does not fit.
  [[nodiscard]] bool lacks_some() const { return m_lacks_some; }
  /// The last step that the page shows; none if it shows nothing.
  [[nodiscard]] std::optional<std::uint64_t> last_step() const {
    return m_end == 0 ? std::nullopt : std::optional(m_end - 1);
  }
  /// Writes the members "shows" and "showNames".
  void write(json_text& json) const;

 private:
  void end_where_full(std::size_t room);

  std::vector<shown_record> const& m_shows;
  std::span<step_stretch const> m_steps;
  std::uint64_t m_end;  ///< the first step whose shows are left out
  bool m_lacks_some = false;
};

}  // namespace lockstep::detail
