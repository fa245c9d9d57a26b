#pragma once

#include <span>
#include <string>

#include <lockstep/counts.hpp>
#include <lockstep/experiments/registry.hpp>

namespace lockstep::cli {

/// A page of a gallery, as its index shows it.
struct gallery_entry {
  experiment const* what = nullptr;
  std::string on{};  ///< the topology's specification
  counts total{};
  std::string picture{};  ///< SVG, by `message_picture`
};

/// Writes the index of a gallery as HTML: a card for each page, in groups by the folders of the
/// algorithms' headers.
[[nodiscard]] std::string gallery_index(std::span<gallery_entry const> pages);

}  // namespace lockstep::cli
