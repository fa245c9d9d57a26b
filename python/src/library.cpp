// The library's algorithms, sweeps and papers. They take the same path as the command line, from its words to
// its JSON, so that a run in Python and `lockstep run` cannot differ; lockstep/library.py makes objects of it.

#include "library.hpp"

#include <exception>
#include <string>
#include <vector>

#include <pybind11/stl.h>

#include <lockstep/detail/tool_answer.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/experiments/papers.hpp>

#include "program_run.hpp"

namespace py = pybind11;

namespace lockstep::python {

namespace {

/// Carries out a command while other threads of Python go on.
detail::tool_answer answer_to(std::vector<std::string> const& words) {
  if (program_run::runs_in_this_thread())
    throw invalid_argument(
        "a run of the library inside a Python program of a machine: run it before or after");
  py::gil_scoped_release const others_run;
  return detail::answer_to(words);
}

py::list listed_papers() {
  py::list all;
  for (auto const& one : papers()) {
    py::dict entry;
    entry["name"] = one.name;
    entry["source"] = one.source;
    all.append(entry);
  }
  return all;
}

py::list listed_figures() {
  py::list all;
  for (auto const& one : figures()) {
    py::dict entry;
    entry["name"] = one.name;
    entry["summary"] = one.summary;
    entry["sizes"] = one.sizes;
    all.append(entry);
  }
  return all;
}

}  // namespace

void define_library(py::module_& module) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (detail::refused_command const& refused) {
      auto const kind = py::module_::import("lockstep.errors").attr("UsageError");
      py::object const exception = kind(refused.what());
      exception.attr("message") = refused.what();
      PyErr_SetObject(kind.ptr(), exception.ptr());
    }
  });
  py::class_<detail::tool_answer>(module, "_Answer")
      .def_readonly("json", &detail::tool_answer::json)
      .def_readonly("text", &detail::tool_answer::text)
      .def_readonly("notes", &detail::tool_answer::notes)
      .def_readonly("is_right", &detail::tool_answer::is_right);
  module.def("_answer", &answer_to);
  module.def("_papers", &listed_papers);
  module.def("_figures", &listed_figures);
}

}  // namespace lockstep::python
