#pragma once

namespace lockstep::detail {

/// A function of several cases, for std::visit.
template <class... Cases>
struct overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
overloaded(Cases...) -> overloaded<Cases...>;  // clang 16 wants it

}  // namespace lockstep::detail
