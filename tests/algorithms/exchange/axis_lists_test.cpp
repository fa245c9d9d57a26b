#include <lockstep/algorithms/exchange/detail/axis_lists.hpp>

#include <algorithm>
#include <span>
#include <vector>

#include "catch.hpp"

using lockstep::detail::axis_lists;

namespace {

using list = std::vector<int>;

list as_list(std::span<int const> all) { return {all.begin(), all.end()}; }

/// What the lists say, added up from their rules one coordinate at a time.
struct rules {
  int size;
  int filled_up;
  int stride;

  void append_submesh(int submesh, int at, int places, list& all) const {
    for (int place = 0; place < places; ++place) {
      int const other = submesh * stride + (place ^ (at % stride));
      if (other < size) all.push_back(other);
    }
  }
  [[nodiscard]] list round_the_ring(int at, int sign) const {
    int const length = filled_up / stride;
    list all;
    for (int distance = length; distance-- > 0;)
      append_submesh((at / stride + sign * distance + length) % length, at, stride, all);
    return all;
  }
  [[nodiscard]] list own_submesh(int at, int places) const {
    list all;
    append_submesh(at / stride, at, places, all);
    return all;
  }
  [[nodiscard]] int within(int at, int sign, int submeshes) const {
    auto const all = round_the_ring(at, sign);
    int const length = filled_up / stride;
    return static_cast<int>(std::ranges::count_if(all, [&](int other) {
      return (sign * (other / stride - at / stride) + length) % length < submeshes;
    }));
  }
  /// Partners bring theirs at half the stride first.
  [[nodiscard]] list sources(int at, int modulus) const {
    list all;
    if (modulus < stride) {
      all = sources(at, 2 * modulus);
      auto const brought = sources(at ^ modulus, 2 * modulus);
      all.insert(all.end(), brought.begin(), brought.end());
      return all;
    }
    for (int other = 0; other < size; ++other)
      if (other % stride == at % stride) all.push_back(other);
    return all;
  }
};

int differing(axis_lists const& lists, rules const& by, int at) {
  int wrong = 0;
  for (int const sign : {-1, +1}) {
    if (as_list(lists.round_the_ring(at, sign)) != by.round_the_ring(at, sign)) ++wrong;
    for (int submeshes = 0; submeshes <= by.filled_up / by.stride; ++submeshes)
      if (lists.within(at, sign, submeshes) != by.within(at, sign, submeshes)) ++wrong;
  }
  for (int modulus = by.stride; modulus > 0; modulus /= 2) {
    if (as_list(lists.own_submesh(at, modulus)) != by.own_submesh(at, modulus)) ++wrong;
    if (as_list(lists.sources(at, modulus)) != by.sources(at, modulus)) ++wrong;
  }
  if (as_list(lists.itself(at)) != (at < by.size ? list{at} : list{})) ++wrong;
  if (lists.in_last_submesh(at) != (at >= by.filled_up - by.stride)) ++wrong;
  return wrong;
}

}  // namespace

TEST_CASE("the lists along a dimension are in the order of the exchange, for all sizes to 20",
          "[sanitize]") {
  for (int const stride : {2, 4})
    for (int size = 1; size <= 20; ++size) {
      INFO("size " << size << ", stride " << stride);
      rules const by{size, (size + stride - 1) / stride * stride, stride};
      axis_lists const lists(size, by.filled_up, stride);
      int wrong = 0;
      for (int at = 0; at < by.filled_up; ++at) wrong += differing(lists, by, at);
      CHECK(wrong == 0);
    }
}
