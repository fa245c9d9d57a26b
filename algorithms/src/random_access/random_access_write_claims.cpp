#include <bit>
#include <string>

#include <lockstep/algorithms/random_access/random_access_write.hpp>
#include <lockstep/claim_list.hpp>

namespace lockstep {

namespace {

constexpr char const* source_of_writes = "lockstep, of Shankar and Ranka 1997, section 4.5";

[[nodiscard]] bool is_decided_by_loads(random_access_options const& options) {
  return options.variant == access_variant::limited || options.variant == access_variant::automatic;
}

/// Claims what an access by buckets costs at most.
void claim_buckets(claim_list& claims, random_access_options const& options, bool is_power) {
  bool const decided = is_decided_by_loads(options);
  auto const exchanges = (options.stage_1 == transportation_route::two_stages ? 2 : 1) +
                         (options.stage_2 == bucket_route::transportation ? 2 : 1);
  claims.at_most("startups",
                 std::to_string(exchanges) + "(p-1) + " + (decided ? "8d" : "6d") + " + 1");
  claims.at_most("q", "p-1");
  if (options.stage_2 == bucket_route::transportation || !is_power) return;
  bool const overlaps = options.variant == access_variant::hybrid_plain;
  claims.at_most("port_words", std::string(overlaps ? "4" : "3") +
                                   " ceil(n/p) + 4kp + 4 ceil(n/(kp)) + p(p-1)" +
                                   (decided ? " + 2(p+2)" : ""));
  claims.from("Shankar and Ranka 1997, section 4.4")
      .at_most("stage_2_port_words", "ceil(n/p) + ceil(n/(kp))");
}

/// Claims what elements cost that go in one stage.
void claim_one_stage(claim_list& claims, access_choice choice, bool is_power) {
  if (choice == access_choice::local) {
    claims.equal("startups", "2d");
    if (is_power) claims.equal("words", "2 sum of ceil((p+2)/2^i), i = 1 .. d");
    return;
  }
  claims.at_most("startups",
                 choice == access_choice::complete_exchange ? "p-1 + 2d" : "2(p-1) + 2d");
}

}  // namespace

std::vector<claim> random_access_write_claims(bucket_layout const& layout,
                                              random_access_options const& options,
                                              random_access_record const& record) {
  auto const p = static_cast<unsigned>(layout.processors());
  bool const is_power = std::has_single_bit(p);
  claim_list claims({{{"p", layout.processors()},
                      {"n", static_cast<double>(layout.elements())},
                      {"k", static_cast<double>(layout.buckets_each())},
                      {"d", std::bit_width(p - 1)}}});
  claims.from(source_of_writes);
  if (record.choice == access_choice::arbitrary || record.choice == access_choice::hybrid)
    claim_buckets(claims, options, is_power);
  else
    claim_one_stage(claims, record.choice, is_power);
  return claims;
}

}  // namespace lockstep
