// work_of: local work that is counted by the numbers of lockstep/counted_numbers.py.

#include <utility>
#include <vector>

#include "other_calls.hpp"
#include "processor_object.hpp"
#include "program_run.hpp"

namespace lockstep::python {

namespace {

/// A reference that the call owns.
class owned_object {
 public:
  explicit owned_object(PyObject* object) : m_object(object) {}
  owned_object(owned_object&& other) noexcept : m_object(other.release()) {}
  owned_object(owned_object const&) = delete;
  owned_object& operator=(owned_object const&) = delete;
  ~owned_object() { Py_XDECREF(m_object); }
  [[nodiscard]] PyObject* release() { return std::exchange(m_object, nullptr); }

 private:
  PyObject* m_object;
};

/// Calls the function, in which the processor makes no calls. New reference to (result, operations by
/// kind), or nullptr.
PyObject* counted(member& caller, PyObject* compute) {
  if (PyCallable_Check(compute) == 0) {
    set_unexpected("a function without arguments", compute);
    return nullptr;
  }
  PyObject* const module = PyImport_ImportModule("lockstep.counted_numbers");
  if (module == nullptr) return nullptr;
  caller.counts_work = true;
  PyObject* const done = PyObject_CallMethod(module, "operations_of", "(O)", compute);
  caller.counts_work = false;
  Py_DECREF(module);
  return done;
}

PyObject* work_of(PyObject* object, PyObject* compute) {
  auto& self = *reinterpret_cast<processor_object*>(object);
  auto* const caller = caller_of(self);
  if (caller == nullptr) return nullptr;
  PyObject* const pair = counted(*caller, compute);
  if (pair == nullptr) return nullptr;
  PyObject* result = nullptr;
  unsigned long long comparisons = 0;
  unsigned long long additions = 0;
  unsigned long long multiplications = 0;
  bool const good =
      PyArg_ParseTuple(pair, "O(KKK)", &result, &comparisons, &additions, &multiplications) != 0;
  auto const operations = comparisons + additions + multiplications;
  Py_XINCREF(result);
  Py_DECREF(pair);
  if (!good) return nullptr;
  return commit(self, *caller,
                call_of([operations](processor& me,
                                     std::source_location where) { me.work(operations, where); },
                        [kept = owned_object(result)](member&) mutable { return kept.release(); }));
}

PyObject* operations_of(PyObject* object, PyObject* compute) {
  auto* const caller = caller_of(*reinterpret_cast<processor_object*>(object));
  if (caller == nullptr) return nullptr;
  PyObject* const pair = counted(*caller, compute);
  if (pair == nullptr) return nullptr;
  PyObject* const operations = PySequence_GetItem(pair, 1);
  Py_DECREF(pair);
  return operations;
}

}  // namespace

std::vector<PyMethodDef> counted_work_methods() {
  return {
      {"work_of", work_of, METH_O,
       "work_of($self, compute)\n--\n\nCall compute(), count the operations of lockstep.counted "
       "numbers in it as local work, and give its result."},
      {"operations_of", operations_of, METH_O,
       "operations_of($self, compute)\n--\n\nCall compute(), and give the operations of "
       "lockstep.counted numbers in it by kind, without counting them as work. Never awaited."}};
}

}  // namespace lockstep::python
