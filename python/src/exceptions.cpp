#include <Python.h>

#include <functional>
#include <string>
#include <string_view>
#include <tuple>

#include <pybind11/pybind11.h>

#include <lockstep/errors.hpp>

#include "lists.hpp"
#include "processor_object.hpp"
#include "program_run.hpp"
#include "source_lines.hpp"

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

py::dict entry_of(waiting_processor const& one) {
  py::dict entry;
  entry["rank"] = one.rank;
  entry["waits_for"] = one.waits_for >= 0 ? py::object(py::int_(one.waits_for)) : py::none();
  entry["since"] = one.since;
  entry["in"] = one.in;
  add_place(entry, one.where);
  return entry;
}

py::dict entry_of(failed_message const& one) {
  py::dict entry;
  entry["from"] = one.from;
  entry["to"] = one.to;
  entry["words"] = one.words ? py::object(py::int_(*one.words)) : py::none();
  entry["step"] = one.step;
  entry["route"] = list_of(one.route, std::identity{});
  add_place(entry, one.where);
  return entry;
}

void write_place(py::object const& to, incident const& at) {
  to.attr("rank") = at.rank >= 0 ? py::object(py::int_(at.rank)) : py::none();
  to.attr("step") = at.step;
  to.attr("phase") = at.phase;
  py::dict place;
  // An error without a processor names a line of the library's own.
  add_place(place, at.rank >= 0 ? at.where : std::source_location());
  to.attr("file") = place["file"];
  to.attr("line") = place["line"];
}

py::object make(std::string const& name, error const& thrown) {
  py::object const exception = class_of(name)(in_python(thrown.what()));
  exception.attr("message") = in_python(thrown.message());
  write_place(exception, thrown.at());
  if (auto const* const details = thrown.details()) {
    auto const entry = [](auto const& one) { return entry_of(one); };
    exception.attr("waits") = list_of(details->waits, entry);
    exception.attr("cycle") = list_of(details->cycle, std::identity{});
    exception.attr("messages") = list_of(details->messages, entry);
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

std::string in_python(std::string const& text) {
  return py::module_::import("lockstep.wording").attr("in_python")(text).cast<std::string>();
}

PyObject* exception_of(error const& thrown) {
  return made_or_error(python_name(class_name(thrown)), thrown);
}

PyObject* exception_of(error const& thrown, incident const& place) {
  if (thrown.rank() >= 0) return exception_of(thrown);
  auto known = place;
  known.details = thrown.at().details;
  return made_or_error(python_name(class_name(thrown)), error(thrown.message(), known));
}

PyObject* exception_of(char const* name, std::string const& message, incident const& place) {
  return made_or_error(name, error(message, place));
}

std::source_location line_of(PyObject* exception, std::source_location otherwise) {
  try {
    py::object const found =
        py::module_::import("lockstep.errors").attr("_line_of")(py::handle(exception));
    if (found.is_none()) return otherwise;
    auto const [file, function, line] =
        found.cast<std::tuple<std::string, std::string, unsigned>>();
    return source_lines::line_at(file, function, line);
  } catch (py::error_already_set const&) {
    return otherwise;
  } catch (py::cast_error const&) {
    return otherwise;
  }
}

void add_place(PyObject* raised, incident const& place) {
  try {
    py::object const exception = py::reinterpret_borrow<py::object>(raised);
    if (exception.attr("rank").is_none()) write_place(exception, place);
  } catch (py::error_already_set const&) {
    return;  // of a class without room for it
  }
}

bool is_error(PyObject* exception) { return py::isinstance(exception, class_of("Error")); }

}  // namespace lockstep::python
