#pragma once

#include <Python.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace lockstep::python {

/// The pieces of memory in which CPython 3.11 to 3.13 put the frames of programs that run in greenlets.
///
/// CPython takes one of 16 KiB, from the kernel, for the first frame of each greenlet. Those all begin at the
/// beginning of a page: they touch a page each, and compete for the same few lines of the caches. Those
/// here lie one after another; a program that needs more gets CPython's own.
class frame_stacks {
 public:
  frame_stacks();
  frame_stacks(frame_stacks const&) = delete;
  frame_stacks& operator=(frame_stacks const&) = delete;
  /// Leaves the memory alone where a program is still there, which somebody keeps.
  ~frame_stacks();

  /// Calls a function in a greenlet that has just begun, on a piece of its own. New reference, or nullptr.
  [[nodiscard]] PyObject* call(PyObject* function, PyObject* arguments, PyObject* named);

 private:
#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030E0000
  [[nodiscard]] _PyStackChunk* take();
  void give_back(_PyStackChunk* chunk);

  std::vector<std::unique_ptr<std::byte[]>> m_slabs;
  std::size_t m_taken = 0;
  std::size_t m_left = 0;  ///< pieces of the last slab that were never used
  std::vector<_PyStackChunk*> m_free;
#endif
};

}  // namespace lockstep::python
