#pragma once

#include <Python.h>

#include <cstddef>
#include <memory>
#include <utility>
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

 private:
#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030E0000
  [[nodiscard]] _PyStackChunk* take();
  void give_back(_PyStackChunk* chunk);

  std::vector<std::unique_ptr<std::byte[]>> m_slabs;
  std::size_t m_taken = 0;
  std::size_t m_left = 0;  ///< pieces of the last slab that were never used
  std::vector<_PyStackChunk*> m_free;
  friend class frame_piece;
#endif
};

/// A piece for the frames of a program in a greenlet that has just begun, as long as the scope lasts.
class frame_piece {
 public:
  explicit frame_piece(frame_stacks& of);
  frame_piece(frame_piece const&) = delete;
  frame_piece& operator=(frame_piece const&) = delete;
  ~frame_piece();

 private:
#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030E0000
  frame_stacks& m_of;
  _PyStackChunk* m_piece = nullptr;
#endif
};

/// Hides the frame in which a program waits, as long as the scope lasts: greenlet would have CPython 3.11 make an
/// object of it, which takes more memory than the greenlet does.
class hidden_frame {
 public:
#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030C0000
  explicit hidden_frame(PyThreadState const& thread)
      : m_place(thread.cframe->current_frame), m_frame(std::exchange(m_place, nullptr)) {}
  ~hidden_frame() { m_place = m_frame; }
#else
  explicit hidden_frame(PyThreadState const& /*thread*/) {}
  ~hidden_frame() = default;
#endif
  hidden_frame(hidden_frame const&) = delete;
  hidden_frame& operator=(hidden_frame const&) = delete;

 private:
#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030C0000
  _PyInterpreterFrame*& m_place;
  _PyInterpreterFrame* m_frame;
#endif
};

}  // namespace lockstep::python
