#include <lockstep/topologies/parse.hpp>

#include <fmt/format.h>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/catalog.hpp>

#include "specification.hpp"

namespace lockstep {

std::shared_ptr<topology const> parse(std::string_view spec, std::source_location where) {
  detail::specification const read(spec, where);
  for (auto const& kind : topology_kinds()) {
    if (read.kind() == kind.name) return kind.make(spec, where);
    if (!kind.short_name.empty() && read.kind() == kind.short_name)
      return kind.make_short(spec, where);
  }
  read.throw_invalid(fmt::format("write {}, with numbers of your own", topology_examples()));
}

std::shared_ptr<topology const> detail::network_of_specification(std::string_view spec,
                                                                 std::source_location where) {
  return parse(spec, where);
}

}  // namespace lockstep
