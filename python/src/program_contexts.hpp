#pragma once

#include <Python.h>

namespace lockstep::python {

/// The values of context variables (contextvars) with which the programs of a run begin: those of its caller.
/// Each program changes its own alone.
class program_contexts {
 public:
  /// Takes the caller's.
  program_contexts();
  program_contexts(program_contexts const&) = delete;
  program_contexts& operator=(program_contexts const&) = delete;
  ~program_contexts();

  /// Whether the caller has set none.
  [[nodiscard]] bool are_empty() const { return m_are_empty; }
  /// Makes the context of a program. New reference, or nullptr.
  [[nodiscard]] PyObject* make() const;

 private:
  void find_decimal();

  PyObject* m_of_caller;  ///< owned; nullptr if there was no memory
  bool m_are_empty = true;
  PyObject* m_decimal = nullptr;        ///< the variable of the module decimal, if it is set; owned
  PyObject* m_decimal_value = nullptr;  ///< which programs would change in place; owned
};

/// Runs a program in its context as long as the scope lasts; in the one that is there where it has none, or is in it.
class context_scope {
 public:
  explicit context_scope(PyObject* context) : m_context(context) {
    if (m_context == nullptr || PyContext_Enter(m_context) == 0) return;
    PyErr_Clear();
    m_context = nullptr;
  }
  context_scope(context_scope const&) = delete;
  context_scope& operator=(context_scope const&) = delete;
  ~context_scope() {
    if (m_context != nullptr) static_cast<void>(PyContext_Exit(m_context));
  }

 private:
  PyObject* m_context;
};

}  // namespace lockstep::python
