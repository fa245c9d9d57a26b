#include <bit>
#include <string>

#include <lockstep/algorithms/random_access/random_access_read.hpp>
#include <lockstep/claim_list.hpp>

#include "random_access/supposed_sizes.hpp"
#include "random_access/words_of_fold.hpp"

namespace lockstep {

namespace {

using detail::words_of_fold;

constexpr char const* section_7 = "Shankar and Ranka 1997, section 7";
constexpr char const* own_source_of_reads = "lockstep, of Shankar and Ranka 1997, section 7";
constexpr char const* one_holds_all =
    "section 7's change, read for all buckets: without requests all of a bucket is sent, and one "
    "processor may hold all sparse buckets; with --variant hybrid the bound holds";

/// Says why one processor may get more of whole buckets than the paper says: nothing if all of them
/// together are not more.
[[nodiscard]] std::string why_more(bucket_layout const& layout,
                                   random_access_read_record const& record) {
  if (record.variant != read_variant::whole_buckets) return "";
  auto const buckets = record.full_buckets + record.partial_buckets;
  bool const is_enough =
      buckets * layout.bucket_size() <= layout.block_size() + layout.bucket_size();
  return is_enough ? "" : one_holds_all;
}

/// Claims the words of each phase's busiest port. `decided`: by a vector of 2kp words. `why_not`:
/// why whole buckets take more, if they may.
void claim_words(claim_list& claims, read_variant variant, bool is_power, bool decided,
                 std::string const& why_not) {
  std::string const hits = is_power ? " + 4kp + 4" : " + 8kp + 6";
  auto const choice = is_power ? std::string(decided ? " + 2kp" : "")
                               : std::string(" + 8d") + (decided ? " + 4kp + 2d" : "");
  auto const vectors = hits + "m ceil(n/(kp)) + (m+1)p(p-1)" + choice;
  std::string const whole_buckets = "(3m+2) ceil(n/p)" + vectors;
  switch (variant) {
    case read_variant::requested:
      claims.at_most("port_words",
                     "3(m+1) ceil(n/p)" + hits + "(m+1) ceil(n/(kp)) + (m+1)p(p-1)" + choice);
      break;
    case read_variant::weighted:
      claims.at_most("port_words", "(5m+3) ceil(n/p)" + vectors);
      break;
    case read_variant::whole_buckets:
      claims.from(std::string(section_7) + ", with all of lockstep's terms")
          .at_most("port_words", whole_buckets)
          .where(detail::words_of_accesses)
          .where(detail::elements_of_buckets)
          .erratum(why_not);
      break;
    default:
      claims.at_most("port_words", whole_buckets);
  }
}

/// Claims the words of the vectors of hits, of which the first also has, where it decides, the hits
/// without those of the own block.
void claim_hits(claim_list& claims, bool is_power, bool decided) {
  auto const hits = words_of_fold("kp", "2kp", is_power);
  claims.equal("combine_words", decided ? words_of_fold("2kp", "4kp", is_power) : hits)
      .equal("scan_words", hits);
}

/// Claims the words by which partial buckets are joined, if they are asked for, and handed on.
void claim_partial_buckets(claim_list& claims, random_access_read_record const& record,
                           bool is_power) {
  if (record.partial_buckets == 0) {
    claims.equal("answer_scan_words, one_to_one_words", "0");
    return;
  }
  claims.equal("answer_scan_words", words_of_fold("(m ceil(n/(kp)))", "2m ceil(n/(kp))", is_power))
      .at_most("one_to_one_words",
               record.variant == read_variant::requested ? "(m+1) ceil(n/(kp))" : "m ceil(n/(kp))");
}

/// Claims the words of the answers that owners send, for which the paper gives no bound.
void claim_answers(claim_list& claims, read_variant variant, std::string const& why_not) {
  bool const is_weighted = variant == read_variant::weighted;
  claims.from(own_source_of_reads)
      .at_most("answer_port_words",
               is_weighted ? "m(2 ceil(n/p) + ceil(n/(kp)))" : "m(ceil(n/p) + ceil(n/(kp)))");
  claims.erratum(why_not);
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
      .equal("sends_steps", asks ? "2q" : "q");
  claim_hits(claims, std::has_single_bit(p), decided);
  claim_partial_buckets(claims, record, std::has_single_bit(p));
  auto const why_not = why_more(layout, record);
  claim_words(claims, record.variant, std::has_single_bit(p), decided, why_not);
  claim_answers(claims, record.variant, why_not);
  return claims;
}

}  // namespace lockstep
