#include <lockstep/algorithms/random_access/transportation_in_stages.hpp>

#include <string>

#include <fmt/format.h>

#include <lockstep/claim_list.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/topologies/crossbar.hpp>

namespace lockstep {

namespace {

/// Computes q^m, no more than a rank can be.
[[nodiscard]] std::int64_t power(std::int64_t q, int m) {
  constexpr std::int64_t most = std::int64_t{1} << 32;
  std::int64_t result = 1;
  for (int i = 0; i < m && result <= most; ++i) result *= q;
  return result;
}

}  // namespace

crossbar_digits::crossbar_digits(topology const& network, int stages, std::source_location where)
    : m_digits(stages / 2) {
  if (dynamic_cast<crossbar const*>(&network) == nullptr)
    throw invalid_argument(
        fmt::format(
            "transportation_in_stages: {} is not a crossbar; take crossbar:{}, for example, or "
            "transportation",
            network.spec(), network.size()),
        where);
  if (stages < 2 || stages % 2 != 0)
    throw invalid_argument(
        fmt::format("transportation_in_stages: {} stages; as many deal elements out as bring them "
                    "home, so give 2, 4, "
                    "6 and so on",
                    stages),
        where);
  while (power(m_base, m_digits) < network.size()) ++m_base;
  if (power(m_base, m_digits) != network.size())
    throw invalid_argument(fmt::format("transportation_in_stages: {} stages take q^{} processors, "
                                       "and {} are not as many for any "
                                       "q; take {} "
                                       "or {}",
                                       stages, m_digits, network.size(),
                                       power(m_base - 1, m_digits), power(m_base, m_digits)),
                           where);
  for (int digit = 0; digit < m_digits; ++digit)
    m_weights.push_back(static_cast<int>(power(m_base, digit)));
}

std::vector<int> crossbar_digits::line_of(int rank, int digit) const {
  int const weight = m_weights[static_cast<std::size_t>(digit)];
  std::vector<int> line;
  for (int place = 0; place < m_base; ++place)
    line.push_back(rank + (place - digit_of(rank, digit)) * weight);
  return line;
}

std::vector<claim> transportation_in_stages_claims(topology const& network, int stages,
                                                   std::uint64_t r, std::uint64_t c) {
  crossbar_digits const places(network, stages);
  std::string const rounds = "2m(q - 1)";
  return claim_list({{{"p", static_cast<double>(network.size())},
                      {"m", places.digits()},
                      {"q", places.base()},
                      {"r", static_cast<double>(r)},
                      {"c", static_cast<double>(c)}}})
      .from("lockstep, after Shankar and Ranka 1997, section 4")
      .equal("rounds", rounds)
      .at_most("startups", rounds)
      .at_most("words", "m(q - 1)((r + c + (m - 1)(q - 1))/q + p)");
}

}  // namespace lockstep
