#pragma once

#include <Python.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <lockstep/processor.hpp>

#include "program_run.hpp"

namespace lockstep::python {

/// A Processor as Python sees it: of the machine, or of a subset.
struct processor_object {
  PyObject_HEAD member* of;  ///< of the machine's only; nullptr when the run is over
  PyObject* root;            ///< of a subset: the processor of the machine; owned
  processor* handle;         ///< of a subset: owned
  int rank;
  int size;
};

/// Makes the classes of processors and their calls, and adds them to the module. False: a Python error.
[[nodiscard]] bool add_processor_types(PyObject* module);

/// Makes a processor's object: of the machine, or of a subset `root` is its processor of the machine.
/// New reference, or nullptr.
[[nodiscard]] PyObject* make_processor(member& of, processor& handle, PyObject* root);
/// Makes the object of a subset.
[[nodiscard]] PyObject* make_part(member& of, std::unique_ptr<processor> handle);
/// Says that its run is over.
void release(PyObject* handle);

/// Finds the member that a call is made for; nullptr, and a Python error, where it may not be made now.
[[nodiscard]] member* caller_of(processor_object& self);
/// Makes the call that `caller.call` says. New reference: its result, or what the program awaits.
[[nodiscard]] PyObject* commit(processor_object& self, member& caller, program_call::kind what);
[[nodiscard]] PyObject* commit(processor_object& self, member& caller,
                               std::unique_ptr<other_call> other);

/// Sets the error of a call that the program did not await.
void set_not_awaited(member& of);
/// Refuses what an exchange took in, where it is not of the kind that was sent. Gives up `result`.
[[nodiscard]] PyObject* checked_exchange(member& of, payload_value const& came, PyObject* result);
/// Whether an exception is of a class of lockstep's own.
[[nodiscard]] bool is_error(PyObject* exception);

/// Takes the arguments of a call apart.
class call_arguments {
 public:
  static constexpr std::size_t most = 6;

  /// False: a Python error is set.
  [[nodiscard]] bool parse(char const* call, std::initializer_list<char const*> names,
                           std::size_t required, PyObject* const* given, Py_ssize_t count,
                           PyObject* named);
  /// Borrowed; nullptr where it was left out.
  [[nodiscard]] PyObject* operator[](std::size_t at) const { return m_values[at]; }
  [[nodiscard]] bool has(std::size_t at) const {
    return m_values[at] != nullptr && m_values[at] != Py_None;
  }

 private:
  PyObject* m_values[most] = {};
};

/// Sets an error: that is expected, and not this value. Returns false.
bool set_unexpected(char const* expected, PyObject* value, PyObject* error = PyExc_TypeError);

/// Reads a rank or another int: what lies outside of its range becomes the nearest.
[[nodiscard]] bool read_int(PyObject* value, int& read, char const* expected = "a whole number");
[[nodiscard]] bool read_text(PyObject* value, std::string& read);
/// Reads a number of steps, words, elements or operations: 0 or more.
[[nodiscard]] bool read_amount(PyObject* value, std::uint64_t& read);

/// The copied values that a call sends.
struct loaded_payload {
  std::uint64_t place = 0;
  std::uint64_t words = 0;
  payload_kind kind = payload_kind::nothing;
  element_type element{};
};

/// Copies what a call sends. False: a Python error is set.
[[nodiscard]] bool load(member& caller, PyObject* value, loaded_payload& loaded);

/// The methods that collectives.cpp, superstep_calls.cpp, window_calls.cpp, counted_work.cpp and
/// memory_calls.cpp add.
[[nodiscard]] std::vector<PyMethodDef> collective_methods();
[[nodiscard]] std::vector<PyMethodDef> superstep_methods();
[[nodiscard]] std::vector<PyMethodDef> window_methods();
[[nodiscard]] std::vector<PyMethodDef> counted_work_methods();
[[nodiscard]] std::vector<PyMethodDef> memory_methods();

/// Makes the class of held memory, and adds it to the module. False: a Python error.
[[nodiscard]] bool add_memory_type(PyObject* module);

}  // namespace lockstep::python
