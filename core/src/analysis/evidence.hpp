#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <lockstep/claim.hpp>
#include <lockstep/run.hpp>

namespace lockstep::detail {

/// Reports the first step in which a figure of the run went wrong, and its processors and links, as
/// lines of text; empty for a figure that does not depend on steps. `limit`: the value expected,
/// exactly or at most.
[[nodiscard]] std::string where_it_went_wrong(run_record const& run, std::string_view figure,
                                              double limit);
/// Reports the same of one of run.phases().
[[nodiscard]] std::string where_it_went_wrong(run_record const& run, std::size_t phase,
                                              std::string_view figure, double limit);

/// Reports the processors that sent, or received, more words.
enum class direction : std::uint8_t { sent, received };
[[nodiscard]] std::string where_it_went_wrong(run_record const& run, direction which,
                                              std::uint64_t limit);

}  // namespace lockstep::detail
