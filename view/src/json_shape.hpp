#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace lockstep::detail {

/// The kind of a JSON value.
enum class json_kind { null, truth, number, text, list, object };

/// The shape of a JSON value, and of its elements if it is a list.
struct json_shape {
  json_kind kind = json_kind::null;
  std::vector<json_kind> elements{};
};

/// Reads a text that is one JSON value of RFC 8259, nested 200 times at most. Result: none for
/// another text.
[[nodiscard]] std::optional<json_shape> shape_of_json(std::string_view text);

}  // namespace lockstep::detail
