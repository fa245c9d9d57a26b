#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <optional>
#include <ranges>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/cluster.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/payload.hpp>

namespace lockstep::detail {

/// Data without pointers, which is sent as its bytes.
template <class Value>
concept flat_value =
    is_plain_data<Value> && !is_pointing<Value> && std::default_initializable<Value>;

/// A container of values that owns them, and gets them one after another.
template <class Values>
concept value_container =
    std::ranges::input_range<Values const> && std::ranges::sized_range<Values const> &&
    !std::same_as<std::ranges::range_value_t<Values const>, Values> && !view_of_memory<Values> &&
    std::default_initializable<Values> &&
    requires(Values& all, std::ranges::range_value_t<Values> one) {
      all.insert(all.end(), std::move(one));
    };

template <class Members>
inline constexpr bool are_references = false;
template <class... Members>
inline constexpr bool are_references<std::tuple<Members&...>> = true;

/// A class that names its members: `auto members() { return std::tie(first, second); }`.
template <class Value>
concept with_members = std::is_class_v<Value> && std::default_initializable<Value> &&
                       requires(Value& of) { requires are_references<decltype(of.members())>; };

/// The type in which an element of a container is read: the keys of a map are constant in it.
template <class Element>
struct read_as {
  using type = Element;
};
template <class Key, class Value>
struct read_as<std::pair<Key const, Value>> {
  using type = std::pair<Key, Value>;
};
template <class Values>
using element_read = typename read_as<std::ranges::range_value_t<Values>>::type;

/// Whether processes can send each other values of a type.
template <class Value>
struct is_gatherable;
template <class References>
struct are_gatherable;
template <class... Members>
struct are_gatherable<std::tuple<Members&...>>
    : std::bool_constant<(is_gatherable<Members>::value && ...)> {};

template <class Value>
[[nodiscard]] consteval bool can_be_gathered() {
  if constexpr (flat_value<Value>)
    return true;
  else if constexpr (with_members<Value>)
    return are_gatherable<decltype(std::declval<Value&>().members())>::value;
  else if constexpr (value_container<Value>)
    return is_gatherable<element_read<Value>>::value;
  else
    return false;
}

template <class Value>
struct is_gatherable : std::bool_constant<can_be_gathered<Value>()> {};
template <class First, class Second>
struct is_gatherable<std::pair<First, Second>>
    : std::bool_constant<is_gatherable<First>::value && is_gatherable<Second>::value> {};
template <class... Members>
struct is_gatherable<std::tuple<Members...>>
    : std::bool_constant<(is_gatherable<Members>::value && ...)> {};
template <class Element, std::size_t Size>
struct is_gatherable<std::array<Element, Size>> : is_gatherable<Element> {};
template <class Value>
struct is_gatherable<std::optional<Value>> : is_gatherable<Value> {};

/// A result that processes can send each other: plain data without pointers; containers, pairs, tuples, arrays
/// and optional values of such; and classes that name such members (`members()`).
template <class Result>
concept gatherable = is_gatherable<Result>::value;

inline void append_bytes(cluster::bytes& to, void const* from, std::size_t size) {
  auto const at = to.size();
  to.resize(at + size);
  if (size > 0) std::memcpy(to.data() + at, from, size);
}

/// Whether the elements of a container lie one after another, and are their bytes.
template <class Values>
concept contiguous_flat_values =
    flat_value<std::ranges::range_value_t<Values>> && std::ranges::contiguous_range<Values> &&
    requires(Values& all) { all.resize(std::size_t{1}); };

/// Writes a value, so that `unpacked` finds its end.
template <class Value>
void pack(cluster::bytes& to, Value const& value);

template <class Value>
void pack_container(cluster::bytes& to, Value const& values) {
  auto const size = static_cast<std::size_t>(std::ranges::size(values));
  pack(to, size);
  if constexpr (contiguous_flat_values<Value>)
    append_bytes(to, std::ranges::data(values), size * sizeof(std::ranges::range_value_t<Value>));
  else
    for (auto const& one : values) pack(to, one);
}

template <class... Members>
void pack_members(cluster::bytes& to, std::tuple<Members...> const& members) {
  std::apply([&](auto const&... one) { (pack(to, one), ...); }, members);
}

template <class First, class Second>
void pack_members(cluster::bytes& to, std::pair<First, Second> const& members) {
  pack(to, members.first);
  pack(to, members.second);
}

template <class Value>
inline constexpr bool is_optional = false;
template <class Value>
inline constexpr bool is_optional<std::optional<Value>> = true;
template <class Value>
inline constexpr bool is_array = false;
template <class Element, std::size_t Size>
inline constexpr bool is_array<std::array<Element, Size>> = true;

template <class Value>
void pack(cluster::bytes& to, Value const& value) {
  if constexpr (flat_value<Value>) {
    append_bytes(to, &value, sizeof(value));
  } else if constexpr (is_optional<Value>) {
    pack(to, value.has_value());
    if (value) pack(to, *value);
  } else if constexpr (is_array<Value>) {
    for (auto const& one : value) pack(to, one);
  } else if constexpr (with_members<Value>) {
    pack_members(to, const_cast<Value&>(value).members());  // references, which are only read
  } else if constexpr (value_container<Value>) {
    pack_container(to, value);
  } else {
    pack_members(to, value);
  }
}

/// Reads what `pack` has written. Errors: process_lost after the end.
class packed_reader {
 public:
  explicit packed_reader(std::span<std::byte const> from) : m_left(from) {}

  [[nodiscard]] bool empty() const { return m_left.empty(); }

  template <class Value>
  void get(Value& value) {
    if constexpr (flat_value<Value>) {
      get_bytes(&value, sizeof(value));
    } else if constexpr (is_optional<Value>) {
      bool has_value = false;
      get(has_value);
      if (has_value) get(value.emplace());
    } else if constexpr (is_array<Value>) {
      for (auto& one : value) get(one);
    } else if constexpr (with_members<Value>) {
      std::apply([&](auto&... one) { (get(one), ...); }, value.members());
    } else if constexpr (value_container<Value>) {
      get_container(value);
    } else {
      std::apply([&](auto&... one) { (get(one), ...); }, value);
    }
  }

 private:
  template <class Values>
  void get_container(Values& values) {
    std::size_t size = 0;
    get(size);
    if constexpr (contiguous_flat_values<Values>) {
      using element = std::ranges::range_value_t<Values>;
      if (size > m_left.size() / sizeof(element)) refuse();
      values.resize(size);
      get_bytes(std::ranges::data(values), size * sizeof(element));
    } else {
      for (; size > 0; --size) {
        element_read<Values> one{};
        get(one);
        values.insert(values.end(), std::move(one));
      }
    }
  }
  void get_bytes(void* to, std::size_t size) {
    if (size > m_left.size()) refuse();
    if (size > 0) std::memcpy(to, m_left.data(), size);
    m_left = m_left.subspan(size);
  }
  [[noreturn]] static void refuse() {
    throw process_lost(
        "a process of the cluster sent less than it said: do all run the same executable?");
  }

  std::span<std::byte const> m_left;
};

/// Writes results one after another.
template <gatherable Result>
[[nodiscard]] cluster::bytes packed(std::vector<Result> const& results) {
  cluster::bytes all;
  for (Result const& one : results) pack(all, one);
  return all;
}

/// Appends the results that were written.
template <gatherable Result>
void unpack(std::span<std::byte const> from, std::vector<Result>& into) {
  packed_reader left(from);
  while (!left.empty()) {
    Result one{};
    left.get(one);
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
