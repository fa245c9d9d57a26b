#include <lockstep/algorithms/routing/routes.hpp>

#include <string>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/one_port_routes.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/detail/enumerator_names.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

/// Between which processors the records of an instance may go.
[[nodiscard]] std::string_view rule_of(route which) {
  switch (which) {
    case route::concentration:
      return "a concentration takes records to processors 0, 1, 2, ... in processor order; give "
             "each its rank among those of its instance";
    case route::inverse_concentration:
      return "an inverse concentration takes records from processors 0, 1, 2, ..., or p - 1, "
             "p - 2, ..., to destinations that increase in this order; concentrate them first";
    case route::monotone:
      break;
  }
  return "a monotone route takes records to destinations that increase from processor to "
         "processor; sort them for others";
}

}  // namespace

std::string_view name_of(route which) {
  return detail::shown_name("route", which,
                            {{route::concentration, "concentration"},
                             {route::inverse_concentration, "inverse concentration"},
                             {route::monotone, "monotone route", "monotone"}});
}

void detail::require_destination(topology const& network, route which, std::size_t instance,
                                 int destination) {
  if (destination >= 0 && destination < network.size()) return;
  throw invalid_argument(fmt::format(
      "{}: destination {} of a record of instance {} is not a rank; {} has processors 0 to {}",
      name_of(which), destination, instance, network.spec(), network.size() - 1));
}

void detail::throw_records_meet(route which, std::size_t instance, int rank, int one_destination,
                                int other_destination) {
  throw invalid_argument(fmt::format(
      "{}: two records of instance {}, for processors {} and {}, meet in processor {}: {}",
      name_of(which), instance, one_destination, other_destination, rank, rule_of(which)));
}

std::vector<claim> route_claims(topology const& network, route which, std::uint64_t k) {
  int const d = detail::required_hypercube(network, name_of(which)).dimension();
  bool const any = k > 0 && d > 0;
  claim_list claims(
      {{{"k", static_cast<double>(k)}, {"d", d}, {"p", static_cast<double>(network.size())}}});
  claims.from("lockstep, the program's own steps");
  if (which == route::monotone)
    return claims.equal("steps", any ? "3(k + d - 1)" : "0")
        .from("lockstep")
        .equal("messages", "3kdp");
  return claims.equal("steps", any ? "k + d - 1" : "0")
      .from("Mayr and Plaxton 1989, 4")
      .at_most("steps", "k + log p")
      .from("lockstep")
      .equal("messages", "kdp");
}

std::vector<claim> one_port_route_claims(topology const& network, route which, std::uint64_t k) {
  int const d = detail::required_hypercube(network, name_of(which)).dimension();
  claim_list claims(
      {{{"k", static_cast<double>(k)}, {"d", d}, {"p", static_cast<double>(network.size())}}});
  std::string const passes = which == route::monotone ? "3" : "";
  return claims.from("lockstep, the program's own steps")
      .equal("steps", passes + "kd")
      .from("lockstep")
      .equal("messages", passes + "kdp");
}

}  // namespace lockstep
