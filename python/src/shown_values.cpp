#include "shown_values.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace lockstep::python {

namespace {

bool copy_number(PyObject* value, shown_number& number) {
  if (PyFloat_Check(value)) {
    number = PyFloat_AS_DOUBLE(value);
    return true;
  }
  PyObject* const whole = PyNumber_Index(value);
  if (whole == nullptr) return false;
  int overflow = 0;
  number = std::int64_t{PyLong_AsLongLongAndOverflow(whole, &overflow)};
  if (overflow > 0) number = std::uint64_t{PyLong_AsUnsignedLongLong(whole)};
  if (overflow < 0) PyErr_SetString(PyExc_OverflowError, "whole numbers have 64 bits at most");
  Py_DECREF(whole);
  return PyErr_Occurred() == nullptr;
}

bool is_whole(shown_number const& number) { return std::holds_alternative<std::int64_t>(number); }

double as_double(shown_number const& number) {
  return std::visit([](auto one) { return static_cast<double>(one); }, number);
}

/// Keeps whole numbers as such where all are.
shown_numbers of_one_type(std::vector<shown_number> const& numbers) {
  bool all_whole = true;
  for (auto const& one : numbers) all_whole = all_whole && is_whole(one);
  if (all_whole) {
    std::vector<std::int64_t> whole;
    whole.reserve(numbers.size());
    for (auto const& one : numbers) whole.push_back(std::get<std::int64_t>(one));
    return whole;
  }
  std::vector<double> real;
  real.reserve(numbers.size());
  for (auto const& one : numbers) real.push_back(as_double(one));
  return real;
}

/// Adds the numbers of a list, and of lists in it; `columns`: the length of those.
bool add_numbers(PyObject* value, std::vector<shown_number>& numbers, std::size_t& columns) {
  PyObject* const list = PySequence_Fast(
      value,
      "show takes a number, a text, a list of numbers, or an array of at most two dimensions");
  if (list == nullptr) return false;
  bool good = true;
  for (Py_ssize_t at = 0; at < PySequence_Fast_GET_SIZE(list) && good; ++at) {
    PyObject* const item = PySequence_Fast_GET_ITEM(list, at);
    if (PyList_Check(item) || PyTuple_Check(item)) {
      columns = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(item));
      std::size_t deeper = 0;
      good = add_numbers(item, numbers, deeper);
    } else {
      good = copy_number(item, numbers.emplace_back());
    }
  }
  Py_DECREF(list);
  return good;
}

/// Copies a number of Python's own, or lists of such numbers.
bool copy_plain(PyObject* value, shown_copy& copied) {
  if (PyFloat_Check(value) || PyIndex_Check(value)) {
    shown_number number;
    if (!copy_number(value, number)) return false;
    copied = number;
    return true;
  }
  std::vector<shown_number> numbers;
  std::size_t columns = 0;
  if (!add_numbers(value, numbers, columns)) return false;
  if (columns == 0)
    copied = of_one_type(numbers);
  else
    copied = shown_matrix{columns, of_one_type(numbers)};
  return true;
}

}  // namespace

bool copy_shown(PyObject* value, shown_copy& copied) {
  if (PyUnicode_Check(value)) {
    char const* const text = PyUnicode_AsUTF8(value);
    if (text == nullptr) return false;
    copied = std::string(text);
    return true;
  }
  if (PyObject_HasAttrString(value, "tolist")) {  // of numpy
    PyObject* const plain = PyObject_CallMethod(value, "tolist", nullptr);
    bool const good = plain != nullptr && copy_plain(plain, copied);
    Py_XDECREF(plain);
    return good;
  }
  return copy_plain(value, copied);
}

void show_copy(processor& me, std::string const& name, shown_copy const& value,
               std::source_location where) {
  auto const show_numbers = [&](shown_numbers const& numbers, std::size_t columns) {
    std::visit(
        [&](auto const& all) {
          if (columns == 0)
            me.show(name, all, where);
          else
            me.show(name, matrix_view(columns, all), where);
        },
        numbers);
  };
  if (auto const* const number = std::get_if<shown_number>(&value))
    std::visit([&](auto one) { me.show(name, one, where); }, *number);
  else if (auto const* const numbers = std::get_if<shown_numbers>(&value))
    show_numbers(*numbers, 0);
  else if (auto const* const text = std::get_if<std::string>(&value))
    me.show(name, *text, where);
  else if (auto const* const matrix = std::get_if<shown_matrix>(&value))
    show_numbers(matrix->numbers, matrix->columns);
}

}  // namespace lockstep::python
