#include <lockstep/topologies/parse.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <lockstep/topologies/catalog.hpp>

#include "specification.hpp"

namespace lockstep {

std::shared_ptr<topology const> parse(std::string_view spec, std::source_location where) {
  detail::specification const read(spec, where);
  auto const kind = std::ranges::find(topology_kinds(), read.kind(), &topology_kind::name);
  if (kind == topology_kinds().end())
    read.throw_invalid(fmt::format("write {}, with numbers of your own", topology_examples()));
  return kind->make(spec, where);
}

}  // namespace lockstep
