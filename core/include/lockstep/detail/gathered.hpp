#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/cluster.hpp>
#include <lockstep/payload.hpp>

namespace lockstep::detail {

template <class Result>
inline constexpr bool is_plain_vector = false;
template <class Element>
inline constexpr bool is_plain_vector<std::vector<Element>> =
    is_plain_data<Element> && !std::same_as<Element, bool> && std::default_initializable<Element>;

/// A result that processes can send each other: plain data, or a vector of plain data.
template <class Result>
concept gatherable = std::default_initializable<Result> &&
                     ((is_plain_data<Result> && !is_pointing<Result>) || is_plain_vector<Result>);

inline void append_bytes(cluster::bytes& to, void const* from, std::size_t size) {
  auto const at = to.size();
  to.resize(at + size);
  if (size > 0) std::memcpy(to.data() + at, from, size);
}

/// Writes results one after another.
template <gatherable Result>
[[nodiscard]] cluster::bytes packed(std::vector<Result> const& results) {
  cluster::bytes all;
  for (Result const& one : results)
    if constexpr (is_plain_vector<Result>) {
      auto const size = one.size();
      append_bytes(all, &size, sizeof(size));
      append_bytes(all, one.data(), size * sizeof(one[0]));
    } else {
      append_bytes(all, &one, sizeof(one));
    }
  return all;
}

/// Appends the results that were written.
template <gatherable Result>
void unpack(std::span<std::byte const> from, std::vector<Result>& into) {
  auto const take = [&](void* to, std::size_t size) {
    if (size > 0) std::memcpy(to, from.data(), size);
    from = from.subspan(size);
  };
  while (!from.empty()) {
    Result one{};
    if constexpr (is_plain_vector<Result>) {
      std::size_t size = 0;
      take(&size, sizeof(size));
      one.resize(size);
      take(one.data(), size * sizeof(one[0]));
    } else {
      take(&one, sizeof(one));
    }
    into.push_back(std::move(one));
  }
}

/// Gives the results of all processes to each of them.
template <gatherable Result>
[[nodiscard]] std::vector<Result> results_of_all(cluster& processes,
                                                 std::vector<Result> const& own) {
  std::vector<Result> all;
  for (auto const& part : processes.all_gather(packed(own))) unpack(part, all);
  return all;
}

/// Gives the results of all processes to process 0, and none to the others.
template <gatherable Result>
[[nodiscard]] std::vector<Result> results_on_first(cluster& processes,
                                                   std::vector<Result> const& own) {
  std::vector<cluster::bytes> to(static_cast<std::size_t>(processes.processes()));
  to.front() = packed(own);
  std::vector<Result> all;
  for (auto const& part : processes.exchange({}, to).from) unpack(part, all);
  return all;
}

}  // namespace lockstep::detail
