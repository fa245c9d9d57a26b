#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>

#include <cmath>

namespace lockstep {

namespace {

template <class Network>
[[nodiscard]] bool is(topology const& network) {
  return dynamic_cast<Network const*>(&network) != nullptr;
}

/// log2 of the number of processors, rounded up.
[[nodiscard]] int dimension_of(topology const& network) {
  int d = 0;
  while ((std::int64_t{1} << d) < network.size()) ++d;
  return d;
}

/// Sum of k/2^i, rounded up, over i = 1 .. d.
[[nodiscard]] double halves(double k, int d) {
  double sum = 0;
  for (int i = 1; i <= d; ++i) sum += std::ceil(std::ldexp(k, -i));
  return sum;
}

/// Steps, and as what formula.
struct exact_steps {
  double value;
  std::string formula;
};

[[nodiscard]] exact_steps lagged_steps(double k, int d, ports with) {
  if (d <= 1) return {0, "0"};
  if (with == ports::per_pass) return {2 * k + 4 * d - 6, "2k + 4d - 6"};
  if (with == ports::all) return {k + 2 * d - 3, "k + 2d - 3"};
  if (k == 1) return {4.0 * (d - 1), "4(d - 1)"};
  if (d == 2) return {2 * k + 2, "2k + 2"};
  return {3 * k + 4 * d - 8, "3k + 4d - 8"};
}

[[nodiscard]] exact_steps steps_of(topology const& network, pipelined_scheme scheme, double k,
                                   ports with) {
  int const d = dimension_of(network);
  if (k == 0) return {0, "0"};
  switch (scheme) {
    case pipelined_scheme::lagged:
      return lagged_steps(k, d, with);
    case pipelined_scheme::fft:
      return {d == 0 ? 0 : k + d - 1, "k + d - 1"};
    case pipelined_scheme::halving:
      break;
  }
  if (is<hypercube>(network)) return {2 * halves(k, d), "2 H(k, d)"};
  return {2 * halves(k, d) + 2 * (d == 1 ? 0 : halves(k, d - 1)), "2 H(k, d) + 2 H(k, d - 1)"};
}

/// "2k + 4 log p" on tree and hypercube, "6k + 10 log p" on the shuffle-exchange.
[[nodiscard]] claim papers_bound(topology const& network, double k, double measured_as) {
  double const log_p = std::log2(network.size());
  bool const shuffles = is<shuffle_exchange>(network);
  claim bound{"steps", shuffles ? "6k + 10 log p" : "2k + 4 log p",
              shuffles ? 6 * k + 10 * log_p : 2 * k + 4 * log_p, relation::at_most,
              is<binary_tree>(network) ? "Mayr and Plaxton 1989, 2.1"
              : shuffles               ? "Mayr and Plaxton 1989, 2.3"
                                       : "Mayr and Plaxton 1989, 2.2"};
  if (measured_as > bound.value)
    bound.erratum =
        "on one port an inner node of the tree takes in three words for each prefix, so that no "
        "program takes fewer than 3k steps; the bound needs a port for each pass";
  return bound;
}

}  // namespace

std::string why_not_pipelined(topology const& network, pipelined_scheme scheme, ports with) {
  switch (scheme) {
    case pipelined_scheme::lagged:
      if (is<binary_tree>(network)) return {};
      return "lagged prefixes need a tree, and " + network.spec() + " is none; tree:4 would do";
    case pipelined_scheme::fft:
      if (!is<hypercube>(network))
        return "fft needs a hypercube, and " + network.spec() + " is none; hypercube:4 would do";
      if (with != ports::all) return "fft needs all ports of a processor at once; take ports all";
      return {};
    case pipelined_scheme::halving:
      break;
  }
  if (is<hypercube>(network) || is<shuffle_exchange>(network)) return {};
  return "halving needs a hypercube or a shuffle-exchange, and " + network.spec() +
         " is neither; hypercube:4 would do";
}

std::vector<claim> pipelined_prefix_claims(topology const& network, pipelined_scheme scheme,
                                           std::uint64_t k, ports with) {
  if (auto const reason = why_not_pipelined(network, scheme, with); !reason.empty())
    throw invalid_argument("pipelined prefixes claim nothing: " + reason);
  auto const count = static_cast<double>(k);
  auto const exact = steps_of(network, scheme, count, with);
  std::vector<claim> claims{
      {"steps", exact.formula, exact.value, relation::equal, "lockstep, the program's own steps"}};
  if (network.size() > 1) claims.push_back(papers_bound(network, count, exact.value));
  double const p = network.size();
  if (scheme == pipelined_scheme::lagged)
    claims.push_back({"messages", "2(p - 1)k", 2 * (p - 1) * count, relation::equal, "lockstep"});
  if (scheme == pipelined_scheme::fft)
    claims.push_back(
        {"messages", "kdp", count * dimension_of(network) * p, relation::equal, "lockstep"});
  if (scheme == pipelined_scheme::halving && is<hypercube>(network))
    claims.push_back({"volume", "2k(p - 1)", 2 * count * (p - 1), relation::equal, "lockstep"});
  return claims;
}

}  // namespace lockstep
