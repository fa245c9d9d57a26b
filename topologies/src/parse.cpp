#include <lockstep/topologies/parse.hpp>

#include <charconv>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/shuffle_exchange.hpp>
#include <lockstep/topologies/torus.hpp>

namespace lockstep {
namespace {

/// A specification while it is read: "torus", then "12x12".
struct specification {
  std::string_view text;
  std::string_view kind;
  std::string_view numbers;
  std::source_location where;

  [[noreturn]] void refuse(std::string const& reason) const {
    throw invalid_topology(fmt::format("\"{}\" is no topology: {}", text, reason), where);
  }
};

int read_number(specification const& spec, std::string_view digits) {
  int number = 0;
  auto const* const end = digits.data() + digits.size();
  auto const [stop, problem] = std::from_chars(digits.data(), end, number);
  if (problem == std::errc::result_out_of_range)
    spec.refuse(fmt::format("{} is too large; a number is at most 2147483647", digits));
  if (problem != std::errc{} || stop != end)
    spec.refuse(fmt::format("\"{}\" is no whole number", digits));
  return number;
}

/// "6x10x4".
std::vector<int> read_sizes(specification const& spec) {
  std::vector<int> sizes;
  for (std::string_view rest = spec.numbers;;) {
    auto const cross = rest.find('x');
    sizes.push_back(read_number(spec, rest.substr(0, cross)));
    if (cross == std::string_view::npos) return sizes;
    rest.remove_prefix(cross + 1);
  }
}

std::shared_ptr<topology const> build(specification const& spec) {
  auto const& [text, kind, numbers, where] = spec;
  if (kind == "torus") return std::make_shared<torus>(read_sizes(spec), where);
  if (kind == "mesh") return std::make_shared<mesh>(read_sizes(spec), where);
  if (kind == "hypercube") return std::make_shared<hypercube>(read_number(spec, numbers), where);
  if (kind == "shuffle-exchange")
    return std::make_shared<shuffle_exchange>(read_number(spec, numbers), where);
  if (kind == "tree") return std::make_shared<binary_tree>(read_number(spec, numbers), where);
  if (kind == "crossbar") return std::make_shared<crossbar>(read_number(spec, numbers), where);
  spec.refuse(
      "write torus:12x12, mesh:6x10x4, hypercube:10, shuffle-exchange:10, tree:4 or crossbar:64, "
      "with numbers of your own");
}

}  // namespace

std::shared_ptr<topology const> parse(std::string_view spec, std::source_location where) {
  auto const colon = spec.find(':');
  auto const numbers = colon == std::string_view::npos ? "" : spec.substr(colon + 1);
  return build({spec, spec.substr(0, colon), numbers, where});
}

}  // namespace lockstep
