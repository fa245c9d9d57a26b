#include <Python.h>

#include <string>
#include <string_view>

#include <pybind11/pybind11.h>

#include <lockstep/errors.hpp>

#include "processor_object.hpp"
#include "program_run.hpp"

namespace py = pybind11;

namespace lockstep::python {

namespace {

/// Writes the name of a class as Python does: "not_adjacent" is NotAdjacent.
std::string python_name(std::string_view name) {
  std::string written;
  bool begins = true;
  for (char const letter : name) {
    if (letter == '_') {
      begins = true;
      continue;
    }
    written += begins ? static_cast<char>(letter - 'a' + 'A') : letter;
    begins = false;
  }
  return written;
}

py::object class_of(std::string const& name) {
  return py::module_::import("lockstep.errors").attr(name.c_str());
}

void add_place(py::dict& to, std::source_location const& where) {
  bool const is_known = where.line() > 0;
  to["file"] = is_known ? py::object(py::str(where.file_name())) : py::none();
  to["line"] = is_known ? py::object(py::int_(where.line())) : py::none();
}

template <class Item>
py::list list_of(std::vector<Item> const& items) {
  py::list all;
  for (auto const& one : items) all.append(one);
  return all;
}

py::list listed(std::vector<waiting_processor> const& waits) {
  py::list all;
  for (auto const& one : waits) {
    py::dict entry;
    entry["rank"] = one.rank;
    entry["waits_for"] = one.waits_for >= 0 ? py::object(py::int_(one.waits_for)) : py::none();
    entry["since"] = one.since;
    entry["in"] = one.in;
    add_place(entry, one.where);
    all.append(entry);
  }
  return all;
}

py::list listed(std::vector<failed_message> const& messages) {
  py::list all;
  for (auto const& one : messages) {
    py::dict entry;
    entry["from"] = one.from;
    entry["to"] = one.to;
    entry["words"] = one.words ? py::object(py::int_(*one.words)) : py::none();
    entry["step"] = one.step;
    entry["route"] = list_of(one.route);
    add_place(entry, one.where);
    all.append(entry);
  }
  return all;
}

py::object make(std::string const& name, error const& thrown) {
  py::object const exception = class_of(name)(thrown.what());
  exception.attr("message") = thrown.message();
  exception.attr("rank") = thrown.rank() >= 0 ? py::object(py::int_(thrown.rank())) : py::none();
  exception.attr("step") = thrown.step();
  exception.attr("phase") = thrown.phase();
  py::dict place;
  // An error without a processor names a line of the library's own.
  add_place(place, thrown.rank() >= 0 ? thrown.where() : std::source_location());
  exception.attr("file") = place["file"];
  exception.attr("line") = place["line"];
  if (auto const* const details = thrown.details()) {
    exception.attr("waits") = listed(details->waits);
    exception.attr("cycle") = list_of(details->cycle);
    exception.attr("messages") = listed(details->messages);
  }
  return exception;
}

PyObject* made_or_error(std::string const& name, error const& thrown) {
  try {
    return make(name, thrown).release().ptr();
  } catch (py::error_already_set& failed) {
    failed.restore();
    return nullptr;
  }
}

}  // namespace

PyObject* exception_of(error const& thrown) {
  return made_or_error(python_name(class_name(thrown)), thrown);
}

PyObject* exception_of(char const* name, std::string const& message, int rank, std::uint64_t step,
                       std::source_location where) {
  return made_or_error(name, error(message, incident{rank, step, {}, where}));
}

bool is_error(PyObject* exception) { return py::isinstance(exception, class_of("Error")); }

}  // namespace lockstep::python
