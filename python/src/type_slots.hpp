/// Functions as tables of Python's types hold them.
#pragma once

#include <Python.h>

namespace lockstep::python {

/// Returns a method that takes names of arguments, or none, as PyMethodDef holds it.
template <class Function>
[[nodiscard]] PyCFunction as_method(Function function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

/// Returns a function as PyType_Slot holds it.
template <class Function>
[[nodiscard]] void* as_slot(Function function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace lockstep::python
