#include "program_contexts.hpp"

namespace lockstep::python {

namespace {

/// Finds the class of decimal's contexts, if the module was imported. New reference, or nullptr.
PyObject* class_of_decimal() {
  PyObject* const module = PyDict_GetItemString(PyImport_GetModuleDict(), "decimal");  // borrowed
  return module == nullptr ? nullptr : PyObject_GetAttrString(module, "Context");
}

}  // namespace

program_contexts::program_contexts() : m_of_caller(PyContext_CopyCurrent()) {
  if (m_of_caller != nullptr) {
    m_are_empty = PyObject_Size(m_of_caller) == 0;
    if (!m_are_empty) find_decimal();
  }
  PyErr_Clear();
}

program_contexts::~program_contexts() {
  Py_XDECREF(m_decimal_value);
  Py_XDECREF(m_decimal);
  Py_XDECREF(m_of_caller);
}

/// Finds the variable of decimal's, whose value is an object that getcontext() gives to be changed.
void program_contexts::find_decimal() {
  PyObject* const kind = class_of_decimal();
  if (kind == nullptr) return;
  PyObject* const items = PyMapping_Items(m_of_caller);
  auto const count = items == nullptr ? 0 : PyList_GET_SIZE(items);
  for (Py_ssize_t at = 0; at < count && m_decimal == nullptr; ++at) {
    PyObject* const item = PyList_GET_ITEM(items, at);
    PyObject* const value = PyTuple_GET_ITEM(item, 1);
    PyObject* const name = PyObject_GetAttrString(PyTuple_GET_ITEM(item, 0), "name");
    bool const is_it = name != nullptr && PyObject_IsInstance(value, kind) == 1 &&
                       PyUnicode_CompareWithASCIIString(name, "decimal_context") == 0;
    Py_XDECREF(name);
    if (!is_it) continue;
    m_decimal = PyTuple_GET_ITEM(item, 0);
    m_decimal_value = value;
    Py_INCREF(m_decimal);
    Py_INCREF(m_decimal_value);
  }
  Py_XDECREF(items);
  Py_DECREF(kind);
}

PyObject* program_contexts::make() const {
  if (m_of_caller == nullptr) return PyErr_NoMemory();
  PyObject* const made = PyContext_Copy(m_of_caller);
  if (made == nullptr || m_decimal == nullptr) return made;
  PyObject* const own = PyObject_CallMethod(m_decimal_value, "copy", nullptr);
  PyObject* token = nullptr;
  if (own != nullptr) {
    context_scope const inside(made);
    token = PyContextVar_Set(m_decimal, own);
  }
  Py_XDECREF(own);
  bool const good = token != nullptr;
  Py_XDECREF(token);
  if (good) return made;
  Py_DECREF(made);
  return nullptr;
}

}  // namespace lockstep::python
