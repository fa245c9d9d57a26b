#include <bit>
#include <string>

#include <lockstep/algorithms/random_access/random_access_read.hpp>
#include <lockstep/claim_list.hpp>

namespace lockstep {

namespace {

constexpr char const* section_7 = "Shankar and Ranka 1997, section 7";
constexpr char const* own_source_of_reads = "lockstep, of Shankar and Ranka 1997, section 7";
constexpr char const* one_holds_all =
    "without requests all of a bucket is sent, and one processor may hold all sparse buckets";

/// Claims the words of each phase's busiest port, where p is a power of two. `choice`: of the
/// vector that decided.
void claim_words(claim_list& claims, read_variant variant, std::string const& choice) {
  std::string const vectors = " + 4kp + 4m ceil(n/(kp)) + (m+1)p(p-1)" + choice;
  switch (variant) {
    case read_variant::requested:
      claims.at_most("port_words",
                     "3(m+1) ceil(n/p) + 4kp + 4(m+1) ceil(n/(kp)) + (m+1)p(p-1)" + choice);
      break;
    case read_variant::weighted:
      claims.at_most("port_words", "(5m+3) ceil(n/p)" + vectors);
      break;
    case read_variant::whole_buckets:
      claims.from(section_7).at_most("port_words", "(3m+2) ceil(n/p)" + vectors);
      claims.erratum(one_holds_all);
      break;
    default:
      claims.at_most("port_words", "(3m+2) ceil(n/p)" + vectors);
  }
}

/// Claims the words of the answers that owners send.
void claim_answers(claim_list& claims, read_variant variant) {
  bool const is_weighted = variant == read_variant::weighted;
  claims.from(variant == read_variant::requested ? section_7 : own_source_of_reads)
      .at_most("answer_port_words",
               is_weighted ? "m(2 ceil(n/p) + ceil(n/(kp)))" : "m(ceil(n/p) + ceil(n/(kp)))");
  if (variant == read_variant::whole_buckets) claims.erratum(one_holds_all);
}

}  // namespace

std::vector<claim> random_access_read_claims(bucket_layout const& layout,
                                             random_access_read_options const& options,
                                             random_access_read_record const& record) {
  auto const p = static_cast<unsigned>(layout.processors());
  claim_list claims({{{"p", layout.processors()},
                      {"n", static_cast<double>(layout.elements())},
                      {"k", static_cast<double>(layout.buckets_each())},
                      {"m", static_cast<double>(options.elements_each)},
                      {"q", static_cast<double>(record.stage_2_steps)},
                      {"d", std::bit_width(p - 1)}}});
  bool const decided = options.variant == read_variant::automatic;
  std::string const stages = options.stage_1 == transportation_route::two_stages ? "4" : "2";
  bool const asks = record.variant == read_variant::requested;
  claims.from(own_source_of_reads)
      .at_most("startups",
               stages + (asks ? "(p-1) + 2q + " : "(p-1) + q + ") + (asks ? "8d + 2" : "6d + 1"))
      .at_most("q", "p-1");
  if (std::has_single_bit(p)) claim_words(claims, record.variant, decided ? " + 2kp" : "");
  claim_answers(claims, record.variant);
  return claims;
}

}  // namespace lockstep
