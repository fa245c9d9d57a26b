#include "prefix/named_operator.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/errors.hpp>

#include "parameters.hpp"

namespace lockstep {

namespace {

using number = std::int64_t;
using limits = std::numeric_limits<number>;

[[nodiscard]] std::vector<named_operator> operators() {
  return {
      {"add", number{0}, [](number a, number b) { return a + b; }},
      {"min", limits::max(), [](number a, number b) { return std::min(a, b); }},
      {"max", limits::min(), [](number a, number b) { return std::max(a, b); }},
      {"first", {}, [](number a, number /*b*/) { return a; }},
      {"last", {}, [](number /*a*/, number b) { return b; }},
  };
}

struct named_kind {
  std::string name;
  prefix_kind kind;
};

[[nodiscard]] std::vector<named_kind> kinds() {
  return {{"inclusive", prefix_kind::inclusive},
          {"exclusive", prefix_kind::exclusive},
          {"backward", prefix_kind::backward},
          {"backward-exclusive", prefix_kind::backward_exclusive}};
}

template <class Named>
[[nodiscard]] Named named(request const& asked, std::string const& parameter,
                          std::vector<Named> const& all) {
  auto const name = text_parameter(asked, parameter, all.front().name);
  std::vector<std::string> names;
  for (auto const& each : all) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  throw invalid_argument(
      fmt::format("{}: '{}' is none of {}", parameter, name, fmt::join(names, ", ")));
}

}  // namespace

named_operator operator_asked_for(request const& asked) {
  return named(asked, "operator", operators());
}

prefix_kind kind_asked_for(request const& asked) { return named(asked, "kind", kinds()).kind; }

}  // namespace lockstep
