#pragma once

#include <pybind11/pybind11.h>

namespace lockstep::python {

/// Adds what the package asks of the library's algorithms and papers: functions that lockstep/library.py and
/// lockstep/papers.py make objects of.
void define_library(pybind11::module_& module);

}  // namespace lockstep::python
