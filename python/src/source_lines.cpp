#include "source_lines.hpp"

#include <bit>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030C0000
#define Py_BUILD_CORE  // what CPython 3.11 shows its own parts only
#include <internal/pycore_frame.h>
#undef Py_BUILD_CORE
#else
#include <frameobject.h>
#endif

namespace lockstep::python {

namespace {

/// The line that a std::source_location points to, as the compiler writes it down.
struct written_line {
  char const* file;
  char const* function;
  unsigned line;
  unsigned column;
};
static_assert(sizeof(std::source_location) == sizeof(written_line const*));

std::source_location location_of(written_line const& line) {
  return std::bit_cast<std::source_location>(&line);
}

/// Lines that live until the process ends, for errors and records outlive the run that they are of.
class kept_lines {
 public:
  std::source_location keep(std::string const& file, std::string const& function, unsigned line) {
    std::scoped_lock const lock(m_guard);
    auto const* const file_name = m_texts.insert(file).first->c_str();
    auto const* const function_name = m_texts.insert(function).first->c_str();
    return location_of(m_lines.insert({file_name, function_name, line, 0}).first.operator*());
  }

 private:
  struct before {
    bool operator()(written_line const& left, written_line const& right) const {
      return std::tie(left.file, left.function, left.line) <
             std::tie(right.file, right.function, right.line);
    }
  };
  std::mutex m_guard;
  std::set<std::string> m_texts;
  std::set<written_line, before> m_lines;
};

kept_lines& all_lines() {
  static auto* const all =
      new kept_lines;  // never destroyed, for others may refer to it at the end
  return *all;
}

std::string utf8_of(PyObject* text) {
  char const* const bytes = PyUnicode_AsUTF8(text);
  if (bytes != nullptr) return bytes;
  PyErr_Clear();
  return "?";
}

/// Whether a file is one of the package's own.
bool is_of_package(std::string_view file) {
  static std::string const folder = [] {
    std::string found;
    PyObject* const package = PyImport_AddModule("lockstep");  // borrowed
    if (package == nullptr) return found;
    PyObject* const name = PyModule_GetFilenameObject(package);
    if (name == nullptr) {
      PyErr_Clear();
      return found;
    }
    found = utf8_of(name);
    Py_DECREF(name);
    return found.substr(0, found.find_last_of('/') + 1);
  }();
  return !folder.empty() && file.starts_with(folder);
}

}  // namespace

source_lines::~source_lines() {
  for (auto const& [where, line] : m_known) Py_DECREF(where.code);
}

/// The frames of this thread, from the innermost on.
#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030C0000
/// Those of the interpreter itself: an object of each would take more memory than a greenlet does, and be there as
/// long as the frame is.
class source_lines::frame_walk {
 public:
  frame_walk() : m_frame(complete(PyThreadState_Get()->cframe->current_frame)) {}
  [[nodiscard]] bool is_over() const { return m_frame == nullptr; }
  [[nodiscard]] instruction here() const {
    auto const at = _PyInterpreterFrame_LASTI(m_frame) * static_cast<int>(sizeof(_Py_CODEUNIT));
    return {m_frame->f_code, at};
  }
  void go_outwards() { m_frame = complete(m_frame->previous); }

 private:
  /// A frame is incomplete while its function is being entered.
  static _PyInterpreterFrame* complete(_PyInterpreterFrame* frame) {
    while (frame != nullptr && _PyFrame_IsIncomplete(frame)) frame = frame->previous;
    return frame;
  }

  _PyInterpreterFrame* m_frame;
};
#else
class source_lines::frame_walk {
 public:
  frame_walk() : m_frame(PyEval_GetFrame()) { Py_XINCREF(m_frame); }
  frame_walk(frame_walk const&) = delete;
  frame_walk& operator=(frame_walk const&) = delete;
  ~frame_walk() { Py_XDECREF(m_frame); }
  [[nodiscard]] bool is_over() const { return m_frame == nullptr; }
  [[nodiscard]] instruction here() const {
    auto* const code = PyFrame_GetCode(m_frame);
    Py_DECREF(code);  // which the frame holds
#if PY_VERSION_HEX >= 0x030B0000
    return {code, PyFrame_GetLasti(m_frame)};
#else
    return {code, m_frame->f_lasti * static_cast<int>(sizeof(_Py_CODEUNIT))};
#endif
  }
  void go_outwards() { Py_DECREF(std::exchange(m_frame, PyFrame_GetBack(m_frame))); }

 private:
  PyFrameObject* m_frame;
};
#endif

source_lines::known_line const& source_lines::find(instruction here) {
  if (here == m_last) return *m_last_line;
  auto const [entry, is_new] = m_known.try_emplace(here);
  if (is_new) {
    Py_INCREF(here.code);
    auto const file = utf8_of(here.code->co_filename);
    auto const line = static_cast<unsigned>(PyCode_Addr2Line(here.code, here.at));
    entry->second = {all_lines().keep(file, utf8_of(here.code->co_name), line),
                     is_of_package(file)};
  }
  m_last = here;
  m_last_line = &entry->second;
  return entry->second;
}

std::source_location source_lines::of_caller() {
  frame_walk frames;
  if (frames.is_over()) return {};
  auto const* found = &find(frames.here());
  while (found->is_own) [[unlikely]] {
    frames.go_outwards();
    if (frames.is_over()) break;
    found = &find(frames.here());
  }
  return found->where;
}

std::source_location source_lines::line_at(std::string const& file, std::string const& function,
                                           unsigned line) {
  return all_lines().keep(file, function, line);
}

bool source_lines::are_supported() {
  static constexpr written_line sample{"sample.py", "sample", 41, 0};
  auto const where = location_of(sample);
  return std::string_view(where.file_name()) == sample.file &&
         std::string_view(where.function_name()) == sample.function && where.line() == sample.line;
}

}  // namespace lockstep::python
