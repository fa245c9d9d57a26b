#include <lockstep/algorithms/textbook/detail/halved_prefixes.hpp>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/hypercube.hpp>

namespace lockstep::detail {

halved_prefixes::halved_prefixes(processor const& me, std::size_t prefixes)
    : m_rank(static_cast<std::size_t>(me.rank())), m_prefixes(prefixes) {
  auto const* const cube = dynamic_cast<hypercube const*>(&me.topology());
  if (cube == nullptr)
    throw invalid_argument("textbook::pipelined_prefix_by_halving: " + me.topology().spec() +
                           " is not a hypercube; for example hypercube:4");
  m_dimensions = static_cast<std::size_t>(cube->dimension());
}

halved_prefixes::share halved_prefixes::in_dimension(std::size_t i, bool is_forward) const {
  auto const subcube = std::size_t{2} << i;  // processors that differ in dimensions 0 .. i
  auto const partner = m_rank ^ subcube / 2;
  bool const is_upper_half = m_rank > partner;
  share in{static_cast<int>(partner),
           is_upper_half == is_forward,
           {},
           {},
           (m_prefixes + subcube - 1) / subcube};
  for (auto j = m_rank % subcube; j < m_prefixes; j += subcube) in.kept.push_back(j);
  for (auto j = partner % subcube; j < m_prefixes; j += subcube) in.given.push_back(j);
  return in;
}

}  // namespace lockstep::detail
