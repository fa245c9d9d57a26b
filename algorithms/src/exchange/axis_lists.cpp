#include <lockstep/algorithms/exchange/detail/axis_lists.hpp>

#include <algorithm>
#include <numeric>

#include "exchange/as_size.hpp"

namespace lockstep::detail {

axis_lists::axis_lists(int size, int filled_up, int stride)
    : m_size(size),
      m_stride(stride),
      m_length(filled_up / stride),
      m_numbers(as_size(size)),
      m_by_residue(as_size(stride)) {
  std::iota(m_numbers.begin(), m_numbers.end(), 0);
  for (int residue = 0; residue < stride; ++residue) {
    auto& lists = m_by_residue[as_size(residue)];
    for (int submesh = 0; submesh < 2 * m_length; ++submesh) {
      append_submesh(submesh % m_length, residue, lists.upwards);
      append_submesh(m_length - 1 - submesh % m_length, residue, lists.downwards);
    }
    lists.sources = sources_of(residue, 1);
  }
}

int axis_lists::real_in_submesh(int submesh) const {
  return std::min(m_size - submesh * m_stride, m_stride);
}

/// The real nodes of a submesh, by their place in it relative to this residue's.
void axis_lists::append_submesh(int submesh, int residue, std::vector<int>& list) const {
  for (int place = 0; place < m_stride; ++place) {
    int const other = submesh * m_stride + (place ^ residue);
    if (other < m_size) list.push_back(other);
  }
}

/// Those of its ring, then those that each partner farther away has brought.
std::vector<int> axis_lists::sources_of(int residue, int modulus) const {
  std::vector<int> found;
  if (modulus == m_stride) {
    for (int source = residue; source < m_size; source += m_stride) found.push_back(source);
    return found;
  }
  found = sources_of(residue, 2 * modulus);
  auto const brought = sources_of(residue ^ modulus, 2 * modulus);
  found.insert(found.end(), brought.begin(), brought.end());
  return found;
}

axis_lists::class_lists const& axis_lists::lists_at(int coordinate) const {
  return m_by_residue[as_size(coordinate % m_stride)];
}

std::span<int const> axis_lists::itself(int coordinate) const {
  if (coordinate >= m_size) return {};
  return std::span(m_numbers).subspan(as_size(coordinate), 1);
}

/// The farthest submesh is the one behind the own one. Only the last one is not a whole one: it
/// comes first downwards, and last upwards.
std::span<int const> axis_lists::round_the_ring(int coordinate, int sign) const {
  int const own = coordinate / m_stride;
  auto const& lists = lists_at(coordinate);
  if (sign < 0) {
    int const before = (own + 1) % m_length * m_stride;
    return std::span(lists.upwards).subspan(as_size(before), as_size(m_size));
  }
  int const before = own == 0 ? 0 : m_size - own * m_stride;
  return std::span(lists.downwards).subspan(as_size(before), as_size(m_size));
}

std::span<int const> axis_lists::own_submesh(int coordinate, int places) const {
  int const own = coordinate / m_stride;
  auto const all = round_the_ring(coordinate, +1).last(as_size(real_in_submesh(own)));
  if (all.size() == as_size(m_stride)) return all.first(as_size(places));
  auto const behind = std::ranges::find_if(
      all, [&](int other) { return ((other ^ coordinate) & (m_stride - 1)) >= places; });
  return {all.begin(), behind};
}

std::span<int const> axis_lists::sources(int coordinate, int modulus) const {
  int const first = coordinate % modulus;
  int const count = first < m_size ? (m_size - first - 1) / modulus + 1 : 0;
  return std::span(lists_at(coordinate).sources).first(as_size(count));
}

int axis_lists::within(int coordinate, int sign, int submeshes) const {
  int const own = coordinate / m_stride;
  int const until_last = sign > 0 ? m_length - 1 - own : (own + 1) % m_length;
  int const lacking = m_length * m_stride - m_size;
  return submeshes * m_stride - (until_last < submeshes ? lacking : 0);
}

bool axis_lists::in_last_submesh(int coordinate) const {
  return coordinate / m_stride == m_length - 1;
}

}  // namespace lockstep::detail
