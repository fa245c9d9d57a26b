// One-sided reads and writes of memory that has Python's buffer protocol: what lockstep/window.py calls.

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "other_calls.hpp"
#include "payloads.hpp"
#include "processor_object.hpp"
#include "program_run.hpp"
#include "type_slots.hpp"

namespace lockstep::python {

namespace {

/// Finds the C++ type of a buffer's elements; nullptr if they are not numbers of this computer's form.
detail::payload_type const* element_type_of(Py_buffer const& of) {
  using detail::payload_type_of;
  std::string_view format = of.format == nullptr ? "B" : of.format;
  if (format.starts_with('@') || format.starts_with('=') || format.starts_with('<'))
    format.remove_prefix(1);
  auto const is_one_of = [&](std::string_view letters) {
    return format.size() == 1 && letters.find(format.front()) != std::string_view::npos;
  };
  auto const by_size = [&](auto one, auto two, auto four,
                           auto eight) -> detail::payload_type const* {
    switch (of.itemsize) {
      case 1:
        return &payload_type_of<decltype(one)>;
      case 2:
        return &payload_type_of<decltype(two)>;
      case 4:
        return &payload_type_of<decltype(four)>;
      case 8:
        return &payload_type_of<decltype(eight)>;
      default:
        return nullptr;
    }
  };
  if (is_one_of("bhilqn"))
    return by_size(std::int8_t{}, std::int16_t{}, std::int32_t{}, std::int64_t{});
  if (is_one_of("BHILQN"))
    return by_size(std::uint8_t{}, std::uint16_t{}, std::uint32_t{}, std::uint64_t{});
  if (format == "?") return &payload_type_of<bool>;
  if (format == "f") return &payload_type_of<float>;
  if (format == "d") return &payload_type_of<double>;
  if (format == "Zf") return &payload_type_of<std::complex<float>>;
  if (format == "Zd") return &payload_type_of<std::complex<double>>;
  return nullptr;
}

/// Memory of a Python object, which it keeps in its place while it lives.
class held_memory {
 public:
  /// False: a Python error is set.
  [[nodiscard]] bool hold(PyObject* of) {
    if (PyObject_GetBuffer(of, &m_view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0) return false;
    m_type = element_type_of(m_view);
    if (m_type != nullptr) return true;
    PyErr_Format(PyExc_TypeError, "a window is an array of numbers, and not of elements '%s'",
                 m_view.format == nullptr ? "B" : m_view.format);
    return false;
  }
  held_memory() = default;
  held_memory(held_memory const&) = delete;
  held_memory& operator=(held_memory const&) = delete;
  ~held_memory() { PyBuffer_Release(&m_view); }

  [[nodiscard]] detail::elements elements() const {
    return {static_cast<std::byte const*>(m_view.buf), count(), m_type};
  }
  [[nodiscard]] detail::receive_buffer buffer() const {
    return {static_cast<std::byte*>(m_view.buf), count(), m_type};
  }
  [[nodiscard]] bool is_writable() const { return m_view.readonly == 0; }
  [[nodiscard]] std::size_t element_bytes() const {
    return static_cast<std::size_t>(m_view.itemsize);
  }
  [[nodiscard]] PyObject* object() const { return m_view.obj; }

 private:
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(m_view.len / m_view.itemsize);
  }

  Py_buffer m_view{};
  detail::payload_type const* m_type = nullptr;
};

/// nullptr: a Python error is set.
std::shared_ptr<held_memory> hold(PyObject* memory) {
  auto made = std::make_shared<held_memory>();
  return made->hold(memory) ? made : nullptr;
}

/// Makes an array like `memory` of what was read, or its one element. New reference, or nullptr.
PyObject* made_like(held_memory const& memory, std::vector<std::byte> const& data, bool single) {
  PyObject* const bytes = PyBytes_FromStringAndSize(reinterpret_cast<char const*>(data.data()),
                                                    static_cast<Py_ssize_t>(data.size()));
  PyObject* const module = bytes == nullptr ? nullptr : PyImport_ImportModule("lockstep.window");
  PyObject* const made = module == nullptr
                             ? nullptr
                             : PyObject_CallMethod(module, "made_like", "(OOO)", memory.object(),
                                                   bytes, single ? Py_True : Py_False);
  Py_XDECREF(module);
  Py_XDECREF(bytes);
  return made;
}

PyObject* read(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = *reinterpret_cast<processor_object*>(object);
  call_arguments arguments;
  int owner = 0;
  std::uint64_t offset = 0;
  std::uint64_t wanted = 1;
  if (!arguments.parse("read", {"owner", "offset", "count", "memory"}, 4, given, count, named))
    return nullptr;
  auto* const caller = caller_of(self);
  bool const is_single = !arguments.has(2);
  if (caller == nullptr || !read_int(arguments[0], owner) || !read_amount(arguments[1], offset) ||
      (!is_single && !read_amount(arguments[2], wanted)))
    return nullptr;
  auto const mine = hold(arguments[3]);
  if (mine == nullptr) return nullptr;
  return commit(self, *caller,
                call_of(
                    [=](processor& me, std::source_location where) {
                      auto const taken = detail::untyped_calls::read(me, owner, offset, wanted,
                                                                     mine->elements(), where);
                      if (!taken.has_message()) return std::vector<std::byte>();
                      auto const* const first = detail::untyped_calls::data_of(taken);
                      auto const bytes =
                          detail::untyped_calls::count_of(taken) * mine->element_bytes();
                      return std::vector<std::byte>(first, first + bytes);
                    },
                    [mine, is_single](member&, std::vector<std::byte> const& data) {
                      return made_like(*mine, data, is_single);
                    }));
}

PyObject* write_to_owner(PyObject* object, PyObject* const* given, Py_ssize_t count,
                         PyObject* named) {
  auto& self = *reinterpret_cast<processor_object*>(object);
  call_arguments arguments;
  int owner = 0;
  std::uint64_t offset = 0;
  if (!arguments.parse("write", {"owner", "offset", "values", "memory"}, 4, given, count, named))
    return nullptr;
  auto* const caller = caller_of(self);
  if (caller == nullptr || !read_int(arguments[0], owner) || !read_amount(arguments[1], offset))
    return nullptr;
  auto const values = hold(arguments[2]);
  auto const mine = values == nullptr ? nullptr : hold(arguments[3]);
  if (mine == nullptr) return nullptr;
  if (!mine->is_writable()) {
    PyErr_SetString(PyExc_TypeError,
                    "a processor that writes gives memory that others may write to, too: this "
                    "window is read-only");
    return nullptr;
  }
  return commit(self, *caller, call_of([=](processor& me, std::source_location where) {
                  detail::untyped_calls::write(me, owner, offset, values->elements(),
                                               mine->buffer(), where);
                }));
}

PyObject* sync(PyObject* object, PyObject* memory) {
  auto& self = *reinterpret_cast<processor_object*>(object);
  auto* const caller = caller_of(self);
  if (caller == nullptr) return nullptr;
  auto const mine = hold(memory);
  if (mine == nullptr) return nullptr;
  return commit(self, *caller, call_of([=](processor& me, std::source_location where) {
                  detail::untyped_calls::serve(me, mine->elements(), mine->is_writable(), where);
                }));
}

}  // namespace

std::vector<PyMethodDef> window_methods() {
  return {{"_read", as_method(read), with_names, nullptr},
          {"_write", as_method(write_to_owner), with_names, nullptr},
          {"_sync", sync, METH_O, nullptr}};
}

}  // namespace lockstep::python
