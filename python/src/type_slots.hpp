/// Functions as tables of Python's types hold them.
#pragma once

#include <Python.h>

namespace lockstep::python {

/// Returns a method that takes names of arguments, or none, as PyMethodDef holds it.
template <class Function>
[[nodiscard]] PyCFunction as_method(Function function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

/// The flags of a method that takes names of arguments.
inline constexpr int with_names = METH_FASTCALL | METH_KEYWORDS;

/// Returns a function as PyType_Slot holds it.
template <class Function>
[[nodiscard]] void* as_slot(Function function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace lockstep::python
