#include <bit>
#include <string>

#include <fmt/format.h>

#include <lockstep/algorithms/random_access/random_access_write.hpp>
#include <lockstep/claim_list.hpp>

#include "random_access/words_of_fold.hpp"

namespace lockstep {

namespace {

using detail::words_of_fold;

constexpr char const* source_of_writes = "lockstep, of Shankar and Ranka 1997, section 4.5";

/// The numbers, besides p, that are combined to decide; none where nothing is decided.
[[nodiscard]] std::string words_of_choice(random_access_options const& options) {
  if (options.variant == access_variant::limited) return "p+2";
  return options.variant == access_variant::automatic ? "p+5" : "";
}

/// The random access write whose claims are made.
struct claimed_write {
  random_access_options const& options;
  random_access_record const& record;
  bool is_power;  ///< whether p is a power of two

  [[nodiscard]] bool is_decided() const { return !words_of_choice(options).empty(); }
  /// The words of the vector that decided, if any, at most.
  [[nodiscard]] std::string words_to_decide() const {
    if (!is_decided()) return "";
    auto const length = fmt::format("({})", words_of_choice(options));
    return is_power ? " + 2" + length : " + 4" + length + " + 2d";
  }
};

/// Claims what each part of an access by buckets costs.
void claim_parts(claim_list& claims, claimed_write const& write) {
  auto const hits = words_of_fold("kp", "2kp", write.is_power);
  claims.equal("combine_words", hits).equal("scan_words", hits);
  std::string const bucket = "ceil(n/(kp))";
  if (write.record.partial_buckets > 0)
    claims.equal("segmented_scan_words", words_of_fold(bucket, "2 " + bucket, write.is_power))
        .at_most("one_to_one_words", bucket);
  else
    claims.equal("segmented_scan_words, one_to_one_words", "0");
  if (write.options.stage_2 == bucket_route::sends) claims.equal("sends_steps", "q");
}

/// Claims what an access by buckets costs at most.
void claim_buckets(claim_list& claims, claimed_write const& write) {
  bool const is_by_all = write.options.stage_2 == bucket_route::transportation;
  auto const exchanges =
      (write.options.stage_1 == transportation_route::two_stages ? 2 : 1) + (is_by_all ? 2 : 1);
  claims.at_most("startups", std::to_string(exchanges) + "(p-1) + " +
                                 (write.is_decided() ? "8d" : "6d") + " + 1");
  claim_parts(claims, write);
  // Elements that go straight may overlap with slots; by way of all processors, buckets go twice.
  auto const blocks =
      3 + (write.options.variant == access_variant::hybrid_plain ? 1 : 0) + (is_by_all ? 1 : 0);
  claims.at_most("port_words",
                 std::to_string(blocks) + " ceil(n/p)" +
                     (write.is_power ? " + 4kp + 4 ceil(n/(kp))" : " + 8kp + 6 ceil(n/(kp)) + 6d") +
                     (is_by_all ? " + 2p(p-1)" : " + p(p-1)") + write.words_to_decide());
  if (is_by_all) return;
  claims.from("Shankar and Ranka 1997, section 4.4")
      .at_most("stage_2_port_words", "ceil(n/p) + ceil(n/(kp))");
}

/// Claims what elements cost that go in one stage.
void claim_one_stage(claim_list& claims, claimed_write const& write) {
  if (write.record.choice == access_choice::local) {
    claims.equal("startups", "2d");
    auto const length = fmt::format("({})", words_of_choice(write.options));
    claims.equal("words", words_of_fold(length, "2 " + length, write.is_power));
    return;
  }
  if (write.record.choice == access_choice::monotonic) {
    claims.at_most("startups", "p-1 + 7d");
    return;
  }
  bool const is_direct = write.record.choice == access_choice::complete_exchange;
  claims.at_most("startups", is_direct ? "p-1 + 2d" : "2(p-1) + 2d");
  if (write.options.variant != access_variant::limited) return;
  claims.at_most("words", (is_direct ? "2(p-1) ceil(ceil(n/p)/p)"
                                     : "ceil(n/p) + (p-1)(floor(ceil(n/p)/p) + p-1)") +
                              write.words_to_decide());
}

/// Claims the price by which `automatic` chose.
void claim_price(claim_list& claims, claimed_write const& write) {
  if (write.record.prices.empty()) return;
  auto const& price = write.record.prices.front();
  claims.at_most("startups", std::to_string(price.startups) + " + 2d")
      .at_most("port_words", std::to_string(price.words) + write.words_to_decide());
}

}  // namespace

std::vector<claim> random_access_write_claims(bucket_layout const& layout,
                                              random_access_options const& options,
                                              random_access_record const& record) {
  auto const p = static_cast<unsigned>(layout.processors());
  claim_list claims({{{"p", layout.processors()},
                      {"n", static_cast<double>(layout.elements())},
                      {"k", static_cast<double>(layout.buckets_each())},
                      {"q", static_cast<double>(record.stage_2_steps)},
                      {"d", std::bit_width(p - 1)}}});
  claims.from(source_of_writes);
  claimed_write const write{options, record, std::has_single_bit(p)};
  claim_price(claims, write);
  if (record.choice == access_choice::arbitrary || record.choice == access_choice::hybrid)
    claim_buckets(claims, write);
  else
    claim_one_stage(claims, write);
  return claims;
}

}  // namespace lockstep
