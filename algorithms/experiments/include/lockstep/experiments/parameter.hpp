#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// A value of a parameter, or a figure: a whole number, a number, a text, or whether something is
/// so.
using parameter_value = std::variant<std::int64_t, double, std::string, bool>;
using named_value = parameter_value;  ///< its former name

/// A parameter that an experiment takes on the command line as `--name VALUE`, or, if it is a flag,
/// whose fallback is false, as `--name`.
struct parameter {
  std::string name;
  std::string help;
  parameter_value fallback;    ///< its value where none is given; tells its type, too
  bool of_made_input = false;  ///< says what input to generate: refused beside an input file
  /// The range of a whole number.
  std::optional<std::int64_t> least{};
  std::optional<std::int64_t> most{};
  std::vector<std::string> names{};  ///< the texts it can be; any if the list is empty
  /// A request with an input file lacks it unless it is given: the file tells its value.
  bool told_by_input = false;
};

/// A whole number from `least` to `most`.
///
///   constexpr integer_parameter k{"k", "number of packets", 8, 1, 50'000};
struct integer_parameter {
  std::string_view name;
  std::string_view help;
  std::int64_t fallback = 0;
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  bool of_generated_input = false;
  bool told_by_input = false;

  operator parameter() const {  // NOLINT(google-explicit-constructor)
    return {std::string(name), std::string(help), fallback, of_generated_input, least, most, {},
            told_by_input};
  }
};

/// A number that is finite.
struct real_parameter {
  std::string_view name;
  std::string_view help;
  double fallback = 0;

  operator parameter() const {  // NOLINT(google-explicit-constructor)
    return {std::string(name), std::string(help), fallback};
  }
};

/// A text.
struct text_parameter {
  std::string_view name;
  std::string_view help;

  operator parameter() const {  // NOLINT(google-explicit-constructor)
    return {std::string(name), std::string(help), std::string()};
  }
};

/// Something that is so if it is asked for.
struct flag_parameter {
  std::string_view name;
  std::string_view help;

  operator parameter() const {  // NOLINT(google-explicit-constructor)
    return {std::string(name), std::string(help), false};
  }
};

/// A value under the name that it has on the command line.
template <class Value>
struct named_choice {
  std::string_view name;
  Value value;
};
template <class Value>
named_choice(char const*, Value) -> named_choice<Value>;

/// One of several values, the first where none is given.
///
///   constexpr choice_parameter order{"order", "partners of the rounds: pex or lp",
///                                    std::array{named_choice{"pex", round_order::pex},
///                                               named_choice{"lp", round_order::lp}}};
template <class Value, std::size_t Size>
struct choice_parameter {
  std::string_view name;
  std::string_view help;
  std::array<named_choice<Value>, Size> choices;
  bool of_generated_input = false;

  operator parameter() const {  // NOLINT(google-explicit-constructor)
    parameter made{std::string(name), std::string(help), std::string(choices.front().name),
                   of_generated_input};
    for (auto const& each : choices) made.names.emplace_back(each.name);
    return made;
  }
};
template <class Value, std::size_t Size>
choice_parameter(char const*, char const*, std::array<named_choice<Value>, Size>)
    -> choice_parameter<Value, Size>;
template <class Value, std::size_t Size>
choice_parameter(char const*, char const*, std::array<named_choice<Value>, Size>, bool)
    -> choice_parameter<Value, Size>;

}  // namespace lockstep
