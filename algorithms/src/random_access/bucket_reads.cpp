#include <lockstep/algorithms/random_access/detail/bucket_reads.hpp>

namespace lockstep::detail {

std::vector<std::uint64_t> hits_of(bucket_layout const& layout,
                                   std::span<read_request const> requests) {
  std::vector<std::uint64_t> hits(layout.buckets());
  for (auto const& request : requests) ++hits[layout.bucket(request.address)];
  return hits;
}

void give_slots(bucket_layout const& layout, bucket_plan const& plan,
                std::vector<std::uint64_t> before, std::span<read_request> requests) {
  for (auto& request : requests) {
    auto const bucket = layout.bucket(request.address);
    if (plan.goes_straight[bucket]) continue;
    request.slot = plan.buckets.first_slot(bucket) + before[bucket]++;
  }
}

}  // namespace lockstep::detail
