#include <lockstep/algorithms/routing/two_record_routes.hpp>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

void detail::throw_records_share_a_link(route which, std::size_t instance, int rank,
                                        int dimension) {
  throw invalid_argument(
      fmt::format("{}: two records of instance {} in processor {} both have to cross dimension {}, "
                  "which takes one word of an instance; give the records of an instance "
                  "destinations that increase in processor order",
                  name_of(which), instance, rank, dimension));
}

}  // namespace lockstep
