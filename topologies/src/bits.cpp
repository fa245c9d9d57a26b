#include <lockstep/topologies/detail/bits.hpp>

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

std::vector<int> bits_of(int rank, int count) {
  std::vector<int> bits;
  bits.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) bits.push_back(rank >> i & 1);
  return bits;
}

int rank_of_bits(topology const& network, std::span<int const> bits, int count) {
  bool const are_bits = std::ranges::all_of(bits, [](int bit) { return bit == 0 || bit == 1; });
  if (bits.size() != static_cast<std::size_t>(count) || !are_bits)
    throw invalid_argument(
        fmt::format("no processor of {} is at ({}): a place has {} coordinates, "
                    "each 0 or 1",
                    network.spec(), fmt::join(bits, ", "), count));
  int rank = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) rank |= bits[i] << i;
  return rank;
}

std::string label_with_bits(topology const& network, int rank, int count) {
  auto const bits = bits_of(rank, count);
  return fmt::format("{:>{}} {}", rank, fmt::formatted_size("{}", network.size() - 1),
                     fmt::join(bits.rbegin(), bits.rend(), ""));
}

}  // namespace lockstep::detail
