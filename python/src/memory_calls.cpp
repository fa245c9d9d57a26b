// memory: words of a processor's own memory, which are held until they are given back.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

#include <lockstep/detail/untyped_calls.hpp>
#include <lockstep/processor_memory.hpp>

#include "payloads.hpp"
#include "processor_object.hpp"
#include "program_run.hpp"
#include "type_slots.hpp"

namespace lockstep::python {

namespace {

/// Words of a processor's memory.
struct memory_object {
  PyObject_HEAD processor_memory* from;
  void* block;  ///< nullptr: given back, or none
  std::uint64_t words;
};

PyTypeObject* memory_type = nullptr;

memory_object& as_memory(PyObject* object) { return *reinterpret_cast<memory_object*>(object); }

void give_back(memory_object& held) {
  if (held.block == nullptr) return;
  held.from->deallocate(held.block, held.words * word_bytes, word_bytes);
  held.block = nullptr;
}

PyObject* release(PyObject* object, PyObject* /*none*/) {
  give_back(as_memory(object));
  Py_RETURN_NONE;
}

PyObject* enter(PyObject* object, PyObject* /*none*/) {
  Py_INCREF(object);
  return object;
}

PyObject* leave(PyObject* object, PyObject* /*arguments*/) {
  give_back(as_memory(object));
  Py_RETURN_NONE;
}

PyObject* words_of(PyObject* object, void* /*closure*/) {
  auto const& held = as_memory(object);
  return PyLong_FromUnsignedLongLong(held.block == nullptr ? 0 : held.words);
}

void delete_memory(PyObject* object) {
  auto* const type = Py_TYPE(object);
  give_back(as_memory(object));
  type->tp_free(object);
  Py_DECREF(type);
}

/// Takes the words. False: a Python error is set.
bool take(member& caller, memory_object& held) {
  try {
    held.from = &detail::untyped_calls::memory_of(*caller.me);
    if (held.words > 0) held.block = held.from->allocate(held.words * word_bytes, word_bytes);
    return true;
  } catch (std::bad_alloc const&) {
    PyErr_Format(PyExc_MemoryError, "there is no memory for %llu words",
                 static_cast<unsigned long long>(held.words));
  }
  return false;
}

PyObject* memory(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = *reinterpret_cast<processor_object*>(object);
  call_arguments arguments;
  std::uint64_t words = 0;
  if (!arguments.parse("memory", {"words"}, 1, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  if (caller == nullptr || !read_amount(arguments[0], words)) return nullptr;
  if (words > std::numeric_limits<std::ptrdiff_t>::max() / word_bytes) {
    PyErr_SetString(PyExc_MemoryError, "there is no memory for that many words");
    return nullptr;
  }
  PyObject* const made = memory_type->tp_alloc(memory_type, 0);
  if (made == nullptr) return nullptr;
  as_memory(made).words = words;
  if (take(*caller, as_memory(made))) return made;
  Py_DECREF(made);
  return nullptr;
}

}  // namespace

bool add_memory_type(PyObject* module) {
  static PyMethodDef methods[] = {
      {"release", release, METH_NOARGS, "release($self)\n--\n\nGive the words back."},
      {"__enter__", enter, METH_NOARGS, nullptr},
      {"__exit__", leave, METH_VARARGS, nullptr},
      {nullptr, nullptr, 0, nullptr}};
  static PyGetSetDef properties[] = {
      {"words", words_of, nullptr, "How many words are held.", nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr}};
  static PyType_Slot slots[] = {
      {Py_tp_methods, methods},
      {Py_tp_getset, properties},
      {Py_tp_dealloc, as_slot(delete_memory)},
      {Py_tp_doc, const_cast<char*>("Words of a processor's own memory, held until they are given "
                                    "back.")},
      {0, nullptr}};
  static PyType_Spec spec{"lockstep.Memory", sizeof(memory_object), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  PyObject* const made = PyType_FromSpec(&spec);
  if (made == nullptr) return false;
  memory_type = reinterpret_cast<PyTypeObject*>(made);
  Py_INCREF(made);
  return PyModule_AddObject(module, "Memory", made) == 0;
}

std::vector<PyMethodDef> memory_methods() {
  return {{"memory", as_method(memory), with_names,
           "memory($self, words)\n--\n\nHold that many words of this processor's own memory until "
           "release(), or the end of a with; the largest peak is counted. Never awaited."}};
}

}  // namespace lockstep::python
