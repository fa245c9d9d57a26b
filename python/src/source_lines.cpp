#include "source_lines.hpp"

#include <bit>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

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

source_lines::known_line const& source_lines::find(PyFrameObject* frame) {
  PyCodeObject* const code = PyFrame_GetCode(frame);
#if PY_VERSION_HEX >= 0x030B0000
  instruction const here{code, PyFrame_GetLasti(frame)};
#else
  instruction const here{code, PyFrame_GetLineNumber(frame)};
#endif
  if (here == m_last) {
    Py_DECREF(code);
    return *m_last_line;
  }
  auto const [entry, is_new] = m_known.try_emplace(here);
  if (is_new) {
    auto const file = utf8_of(code->co_filename);
    auto const line = PyFrame_GetLineNumber(frame);
    entry->second = {all_lines().keep(file, utf8_of(code->co_name), static_cast<unsigned>(line)),
                     is_of_package(file)};
  } else {
    Py_DECREF(code);
  }
  m_last = here;
  m_last_line = &entry->second;
  return entry->second;
}

std::source_location source_lines::of_caller() {
  PyFrameObject* frame = PyEval_GetFrame();  // borrowed
  if (frame == nullptr) return {};
  auto const* found = &find(frame);
  if (!found->is_own) [[likely]]
    return found->where;
  frame = PyFrame_GetBack(frame);
  while (frame != nullptr) {
    found = &find(frame);
    PyFrameObject* const outer = found->is_own ? PyFrame_GetBack(frame) : nullptr;
    Py_DECREF(frame);
    frame = outer;
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
