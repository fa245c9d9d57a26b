#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lockstep::detail {

template <class Function, class Result, class Arguments, std::size_t... I>
[[nodiscard]] constexpr bool takes(std::index_sequence<I...> /*first*/) {
  if constexpr (std::is_invocable_r_v<Result, Function const&,
                                      std::tuple_element_t<I, Arguments>...>) {
    using given = std::remove_cvref_t<
        std::invoke_result_t<Function const&, std::tuple_element_t<I, Arguments>...>>;
    return !(std::is_floating_point_v<given> && std::is_integral_v<Result>);  // would be cut off
  } else {
    return false;
  }
}

/// Finds how many of the arguments the function takes, counted from the first; -1 if it takes others.
template <class Function, class Result, class Arguments, int Count>
[[nodiscard]] constexpr int number_taken() {
  if constexpr (Count < 0)
    return -1;
  else if constexpr (takes<Function, Result, Arguments>(std::make_index_sequence<Count>{}))
    return Count;
  else
    return number_taken<Function, Result, Arguments, Count - 1>();
}

/// A function that takes all of the arguments, or only the first few of them, or none.
template <class Signature>
class function_of_first;

template <class Result, class... Arguments>
class function_of_first<Result(Arguments...)> {
  template <class Function>
  static constexpr int taken_by =
      number_taken<Function, Result, std::tuple<Arguments...>, sizeof...(Arguments)>();

 public:
  function_of_first() = default;
  template <class Function>
    requires(!std::same_as<std::remove_cvref_t<Function>, function_of_first> &&
             taken_by<Function> >= 0)
  function_of_first(Function function)  // NOLINT(google-explicit-constructor)
      : m_function([function = std::move(function)](Arguments... all) -> Result {
          return call(function, std::tuple<Arguments&...>(all...),
                      std::make_index_sequence<static_cast<std::size_t>(taken_by<Function>)>{});
        }) {}

  explicit operator bool() const { return static_cast<bool>(m_function); }
  Result operator()(Arguments... all) const { return m_function(all...); }

 private:
  template <class Function, std::size_t... I>
  static Result call(Function const& function, std::tuple<Arguments&...> const& all,
                     std::index_sequence<I...> /*first*/) {
    return static_cast<Result>(std::invoke(function, std::get<I>(all)...));
  }

  std::function<Result(Arguments...)> m_function;
};

}  // namespace lockstep::detail
