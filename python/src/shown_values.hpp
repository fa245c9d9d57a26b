#pragma once

#include <Python.h>

#include <cstddef>
#include <source_location>
#include <string>
#include <variant>

#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::python {

/// A Python value that a processor shows.
using shown_copy = std::variant<shown_number, shown_numbers, std::string, shown_matrix>;

/// Copies a number, a text, a list of numbers, or an array of one or two dimensions. False: a Python
/// error is set.
[[nodiscard]] bool copy_shown(PyObject* value, shown_copy& copied);
void show_copy(processor& me, std::string const& name, shown_copy const& value,
               std::source_location where);

}  // namespace lockstep::python
