#include <lockstep/algorithms/random_access/network_claims.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/detail/rank_axes.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/topologies/torus.hpp>

#include "random_access/supposed_sizes.hpp"
#include "random_access/words_of_fold.hpp"

namespace lockstep {

namespace {

constexpr char const* section_8 = "Shankar and Ranka 1997, section 8";
constexpr char const* half_of_section_8 = "lockstep, half of Shankar and Ranka 1997, section 8";
constexpr char const* own_of_section_8 = "lockstep, of Shankar and Ranka 1997, section 8";

/// The network on which claims are made: its rounds, and the words of an exchange in which each
/// processor sends p equal parts, a word in all.
class claimed_network {
 public:
  explicit claimed_network(topology const& network)
      : m_axes(detail::axes_of(network)),
        m_p(network.size()),
        m_is_torus(dynamic_cast<torus const*>(&network) != nullptr) {
    if (!is_cube() && m_axes.kind != detail::network_kind::grid)
      throw invalid_argument(fmt::format(
          "{} is neither a hypercube nor a torus or mesh, for which these claims are; take for "
          "example hypercube:4",
          network.spec()));
  }

  [[nodiscard]] bool is_cube() const { return m_axes.kind == detail::network_kind::hypercube; }
  /// Whether it has as many rows as columns.
  [[nodiscard]] bool is_square() const {
    return m_axes.list.size() == 2 && m_axes.list.front().size == m_axes.list.back().size;
  }

  /// p; l rounds along all lines; b levels of trees on them; d = ceil(log2 p).
  [[nodiscard]] claim_list claims() const {
    double rounds = 0;
    double levels = 0;
    for (auto const& axis : m_axes.list) {
      rounds += axis.size - 1;
      levels += std::bit_width(static_cast<unsigned>(axis.size) - 1U);
    }
    return claim_list({{{"p", m_p},
                        {"l", rounds},
                        {"b", levels},
                        {"d", std::bit_width(static_cast<unsigned>(m_p) - 1U)}}});
  }

  /// Writes the rounds of that many exchanges.
  [[nodiscard]] std::string rounds(int exchanges) const {
    auto const one = is_cube() ? std::string("(p-1)") : std::string("l");
    if (exchanges == 1) return is_cube() ? "p-1" : one;
    return std::to_string(exchanges) + one;
  }
  /// Writes the words of exchanges whose parts are at most p-ths of `words`, and `terms` p more.
  [[nodiscard]] std::string words(std::string const& of_blocks, std::string const& terms) const {
    if (is_cube()) return fmt::format("{} + {}p(p-1)", of_blocks, terms);
    return fmt::format("(l/2)({} + {}p^2)", of_blocks, terms);
  }

  /// Adds what section 8 says of `stages` stages of two, on a hypercube or mesh. A torus has the links of a
  /// mesh, and more.
  void add_section_8(claim_list& claims, int stages, std::string const& startups,
                     std::string const& words) const {
    int const times = 2 * stages;
    claims.from(stages != 2 ? half_of_section_8 : m_is_torus ? own_of_section_8 : section_8);
    if (is_cube()) {
      claims.at_most(startups, fmt::format("{}p", times));
      return static_cast<void>(claims.at_most(words, fmt::format("{}(n/p + p^2)", times)));
    }
    constexpr char const* square = "as many rows as columns";
    claims.at_most(startups, fmt::format("{} sqrt p", 2 * times)).where(square, is_square());
    claims.at_most(words, fmt::format("{} sqrt p (n/p + p^2)", times)).where(square, is_square());
  }

 private:
  detail::rank_axes const& m_axes;
  int m_p;
  bool m_is_torus;
};

/// Claims what vectors of bucket hits, and of the cells of partial buckets, take.
void claim_vectors(claim_list& claims, claimed_network const& on, bool has_partial) {
  if (!on.is_cube()) {
    claims.equal("scan_words", "2kp b");
    claims.equal("segmented_scan_words", has_partial ? "2b ceil(n/(kp))" : "0");
    return;
  }
  claims.equal("combine_words, scan_words", detail::words_of_halving("kp"));
  claims.equal("segmented_scan_words",
               has_partial ? detail::words_of_halving("ceil(n/(kp))") : "0");
}

[[nodiscard]] claim_list claims_of_access(claimed_network const& on, bucket_layout const& layout) {
  auto claims = on.claims();
  claims.with("n", static_cast<double>(layout.elements()))
      .with("k", static_cast<double>(layout.buckets_each()));
  claims.from(own_of_section_8).at_most("contention", "1");
  return claims;
}

}  // namespace

std::vector<claim> network_write_claims(topology const& network, bucket_layout const& layout,
                                        random_access_options const& options,
                                        random_access_record const& record) {
  claimed_network const on(network);
  auto claims = claims_of_access(on, layout);
  bool const has_buckets =
      record.choice == access_choice::arbitrary || record.choice == access_choice::hybrid;
  if (!has_buckets || options.stage_1 != transportation_route::two_stages ||
      options.stage_2 == bucket_route::linear)
    return record.choice == access_choice::local ? std::vector<claim>() : claims;
  claim_vectors(claims, on, record.partial_buckets > 0);
  if (on.is_cube())
    claims.at_most("startups", fmt::format("4(p-1) + {}d + 1",
                                           options.variant == access_variant::limited ? 8 : 6));
  bool const is_plain = options.variant == access_variant::hybrid_plain;
  claims.at_most("stages_startups", on.rounds(4))
      .at_most("stages_words",
               on.words(fmt::format("{} ceil(n/p) + ceil(n/(kp))", is_plain ? 5 : 4), "2"));
  if (is_plain) return claims;
  on.add_section_8(claims, 2, "stages_startups", "stages_words");
  bool const sends_more = claims.value("n/(kp)") > claims.value("2p^2");
  return claims.where(detail::elements_of_buckets)
      .erratum(sends_more ? "section 8 leaves out the n/(kp) words that a processor may send "
                            "besides its block, of "
                            "lower order for section 4.5's \"intermediate value of k\"; our second "
                            "stage goes by "
                            "way of all processors, and other ways need fewer"
                          : "");
}

std::vector<claim> network_read_claims(topology const& network, bucket_layout const& layout,
                                       random_access_read_options const& options,
                                       random_access_read_record const& record) {
  claimed_network const on(network);
  auto claims = claims_of_access(on, layout);
  claims.with("m", static_cast<double>(options.elements_each));
  bool const asks = record.variant == read_variant::requested;
  if (options.stage_1 != transportation_route::two_stages) return claims;
  if (on.is_cube()) claims.at_most("startups", asks ? "8(p-1) + 8d + 2" : "6(p-1) + 6d + 1");
  claims.at_most("stages_startups", on.rounds(asks ? 8 : 6));
  if (asks) claims.at_most("stages_words", on.words("(m+1)(4 ceil(n/p) + ceil(n/(kp)))", "(m+3)"));
  if (record.variant == read_variant::hybrid)
    claims.at_most("stages_words", on.words("(4m+2) ceil(n/p) + m ceil(n/(kp))", "(m+2)"));
  return claims;
}

std::vector<claim> network_transportation_claims(topology const& network, std::uint64_t r,
                                                 std::uint64_t c, transportation_route route) {
  claimed_network const on(network);
  auto claims = on.claims();
  claims.with("r", static_cast<double>(r)).with("c", static_cast<double>(c));
  bool const has_stages = route == transportation_route::two_stages;
  claims.from(own_of_section_8);
  claims.at_most("contention", "1");
  claims.equal("rounds", on.rounds(has_stages ? 2 : 1))
      .at_most("startups", on.rounds(has_stages ? 2 : 1));
  if (!has_stages) return claims;
  std::string const factor = on.is_cube() ? "(p-1)" : "(l/2)p ";
  claims.at_most("stage_1_words", factor + (on.is_cube() ? " ceil(r/p)" : "ceil(r/p)"))
      .at_most("stage_2_words", factor + "(floor(c/p) + p-1)");
  claims.with("n", static_cast<double>(std::max(r, c)) * network.size());
  on.add_section_8(claims, 1, "startups", "words");
  return claims;
}

std::vector<claim> network_monotone_claims(topology const& network, std::uint64_t n, int scans) {
  claimed_network const on(network);
  auto claims = on.claims();
  claims.with("n", static_cast<double>(n)).from(own_of_section_8);
  if (on.is_cube()) claims.at_most("startups", fmt::format("2(p-1) + {}d", scans));
  claims.at_most("sends_startups", on.rounds(2))
      .at_most("sends_words", on.words("2 ceil(n/p)", ""));
  on.add_section_8(claims, 1, "sends_startups", "sends_words");
  return claims;
}

}  // namespace lockstep
