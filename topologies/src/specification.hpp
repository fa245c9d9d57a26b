#pragma once

#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// A specification while it is read: "torus", then "12x12".
class specification {
 public:
  specification(std::string_view text, std::source_location where);

  [[nodiscard]] std::string_view kind() const { return m_text.substr(0, m_colon); }
  [[nodiscard]] std::source_location where() const { return m_where; }

  /// Reads what follows the colon as one number. Errors: invalid_topology.
  [[nodiscard]] int number() const;
  /// Reads what follows the colon as sizes: "6x10x4". Errors: invalid_topology.
  [[nodiscard]] std::vector<int> sizes() const;

  /// Errors: invalid_topology, always.
  [[noreturn]] void throw_invalid(std::string const& reason) const;

 private:
  [[nodiscard]] std::string_view after_colon() const;
  [[nodiscard]] int read(std::string_view digits) const;

  std::string_view m_text;
  std::size_t m_colon;
  std::source_location m_where;
};

/// Makes a network of one number, such as a hypercube of its dimension.
template <class Network>
std::shared_ptr<topology const> from_number(std::string_view spec, std::source_location where) {
  return std::make_shared<Network>(specification(spec, where).number(), where);
}

/// Makes a network of several sizes.
template <class Network>
std::shared_ptr<topology const> from_sizes(std::string_view spec, std::source_location where) {
  return std::make_shared<Network>(specification(spec, where).sizes(), where);
}

}  // namespace lockstep::detail
