#include "payloads.hpp"

#include <cstring>
#include <new>
#include <typeinfo>
#include <utility>

namespace lockstep::python {

namespace {

/// A payload in a message that is not of one word: the core takes it for a moved vector, of as many
/// elements as it has words.
struct carried_payload {
  std::uint64_t place;
  std::uint64_t words;
};
static_assert(sizeof(carried_payload) <= sizeof(std::vector<int>));

/// The same for the core, whether a message carries the number of a place itself, or a carried_payload.
detail::payload_type const payload_type{
    &typeid(carried_payload),
    sizeof(std::uint64_t),
    alignof(std::uint64_t),
    1,
    true,
    [](void* from, void* to) { ::new (to) carried_payload(*static_cast<carried_payload*>(from)); },
    [](void* /*vector*/) {},
    [](void const* vector) {
      return static_cast<std::size_t>(static_cast<carried_payload const*>(vector)->words);
    },
    [](void const* vector) { return static_cast<std::byte const*>(vector); },
    [](void const* vector) {
      return static_cast<std::size_t>(static_cast<carried_payload const*>(vector)->words);
    }};

std::uint64_t words_of_bytes(Py_ssize_t bytes) {
  return (static_cast<std::uint64_t>(bytes) + word_bytes - 1) / word_bytes;
}

bool fits_word(PyObject* integer) {
  int overflow = 0;
  static_cast<void>(PyLong_AsLongLongAndOverflow(integer, &overflow));
  if (overflow == 0) return true;
  if (overflow < 0) return false;
  static_cast<void>(PyLong_AsUnsignedLongLong(integer));
  if (PyErr_Occurred() == nullptr) return true;
  PyErr_Clear();
  return false;
}

bool is_plain_number(PyObject* value) {
  return PyFloat_CheckExact(value) || PyBool_Check(value) ||
         (PyLong_CheckExact(value) && fits_word(value));
}

PyObject* imported(char const* module, char const* name) {
  PyObject* const from = PyImport_ImportModule(module);
  if (from == nullptr) return nullptr;
  PyObject* const found = PyObject_GetAttrString(from, name);
  Py_DECREF(from);
  return found;
}

/// Calls MODULE.NAME(value).
PyObject* call(char const* module, char const* name, PyObject* value) {
  PyObject* const function = imported(module, name);
  if (function == nullptr) return nullptr;
  PyObject* const result = PyObject_CallOneArg(function, value);
  Py_DECREF(function);
  return result;
}

/// A buffer of a Python object, until it ends.
class buffer_view {
 public:
  explicit buffer_view(PyObject* of) {
    m_there = PyObject_GetBuffer(of, &m_view, PyBUF_FULL_RO) == 0;
    if (!m_there) PyErr_Clear();
  }
  buffer_view(buffer_view const&) = delete;
  buffer_view& operator=(buffer_view const&) = delete;
  ~buffer_view() {
    if (m_there) PyBuffer_Release(&m_view);
  }
  /// Whether there is one, of data and not of Python objects.
  [[nodiscard]] bool has_data() const {
    return m_there && m_view.itemsize > 0 &&
           (m_view.format == nullptr || std::strchr(m_view.format, 'O') == nullptr);
  }
  [[nodiscard]] Py_buffer const& operator*() const { return m_view; }
  [[nodiscard]] Py_buffer const* operator->() const { return &m_view; }

 private:
  Py_buffer m_view{};
  bool m_there = false;
};

/// Whether an object is one of ctypes, which copies and pickles its memory.
bool is_of_ctypes(PyObject* value) {
  return std::strncmp(Py_TYPE(Py_TYPE(value))->tp_name, "_ctypes.", 8) == 0;
}

element_type element_of(Py_buffer const& view) {
  char const* format = view.format == nullptr ? "B" : view.format;
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  char kind = 'x';
  if (format[0] != 0 && format[1] == 0) {
    if (std::strchr("bhilqn", *format) != nullptr)
      kind = 'i';
    else if (std::strchr("BHILQN", *format) != nullptr)
      kind = 'u';
    else if (std::strchr("efdg", *format) != nullptr)
      kind = 'f';
    else if (*format == '?')
      kind = '?';
  } else if (format[0] == 'Z') {
    kind = 'c';
  }
  return {static_cast<std::uint32_t>(view.itemsize) << 8 | static_cast<std::uint32_t>(kind)};
}

/// Copies an object with a buffer into one of its own type, or a memoryview of the same form.
PyObject* copy_of_array(PyObject* value) {
  if (PyObject_HasAttrString(value, "dtype")) return PyObject_CallMethod(value, "copy", nullptr);
  if (is_of_ctypes(value)) return call("copy", "copy", value);
  if (PyObject_HasAttrString(value, "__copy__"))
    return PyObject_CallMethod(value, "__copy__", nullptr);
  PyObject* const view = PyMemoryView_FromObject(value);
  if (view == nullptr) return nullptr;
  PyObject* result = nullptr;
  PyObject* const bytes = PyObject_CallMethod(view, "tobytes", nullptr);
  PyObject* const array = bytes == nullptr ? nullptr : PyByteArray_FromObject(bytes);
  PyObject* const flat = array == nullptr ? nullptr : PyMemoryView_FromObject(array);
  PyObject* const format = PyObject_GetAttrString(view, "format");
  PyObject* const shape = PyObject_GetAttrString(view, "shape");
  if (flat != nullptr && format != nullptr && shape != nullptr)
    result = PyObject_CallMethod(flat, "cast", "OO", format, shape);
  Py_XDECREF(shape);
  Py_XDECREF(format);
  Py_XDECREF(flat);
  Py_XDECREF(array);
  Py_XDECREF(bytes);
  Py_DECREF(view);
  return result;
}

/// Whether a Python object is a number of numpy's. These are immutable.
bool is_numpy_number(PyObject* value) {
  static PyObject* kinds = nullptr;  // numpy's classes, once the program has imported it
  if (kinds == nullptr) {
    PyObject* const modules = PyImport_GetModuleDict();
    PyObject* const numpy = PyDict_GetItemString(modules, "numpy");
    if (numpy == nullptr) return false;
    PyObject* const number = PyObject_GetAttrString(numpy, "number");
    PyObject* const truth = PyObject_GetAttrString(numpy, "bool_");
    PyObject* const date = PyObject_GetAttrString(numpy, "datetime64");
    if (number != nullptr && truth != nullptr && date != nullptr)
      kinds = PyTuple_Pack(3, number, truth, date);
    Py_XDECREF(date);
    Py_XDECREF(truth);
    Py_XDECREF(number);
    PyErr_Clear();
    if (kinds == nullptr) return false;
  }
  auto* const type = Py_TYPE(value);
  auto const is_a = [type](PyObject* kind) {
    return PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(kind)) != 0;
  };
  return is_a(PyTuple_GET_ITEM(kinds, 0)) || is_a(PyTuple_GET_ITEM(kinds, 1)) ||
         is_a(PyTuple_GET_ITEM(kinds, 2));
}

/// Whether a list or tuple has nothing but numbers.
bool is_of_numbers(PyObject* sequence) {
  auto const count = PySequence_Fast_GET_SIZE(sequence);
  auto* const* const items = PySequence_Fast_ITEMS(sequence);
  for (Py_ssize_t at = 0; at < count; ++at)
    if (!is_number(items[at]) && !is_numpy_number(items[at])) return false;
  return true;
}

/// Adds a new reference; a nullptr, with a Python error, stays that.
bool give(payload_value& to, PyObject* object, std::uint64_t words, payload_kind kind) {
  to = {object, words, kind, {}};
  return object != nullptr;
}

bool keep(payload_value& to, PyObject* object, std::uint64_t words, payload_kind kind) {
  Py_INCREF(object);
  return give(to, object, words, kind);
}

bool pickle(payload_value& to, PyObject* value) {
  PyObject* const bytes = call("pickle", "dumps", value);
  if (bytes == nullptr) return false;
  return give(to, bytes, words_of_bytes(PyBytes_GET_SIZE(bytes)), payload_kind::object);
}

/// Copies whatever is not a number of Python's own.
bool copy(payload_value& to, PyObject* value, bool bytes_count) {
  if (value == Py_None) return keep(to, value, 0, payload_kind::nothing);
  if (PyUnicode_CheckExact(value)) {
    Py_ssize_t bytes = 0;
    if (PyUnicode_AsUTF8AndSize(value, &bytes) == nullptr) return false;
    return keep(to, value, words_of_bytes(bytes), payload_kind::text);
  }
  if (PyBytes_CheckExact(value))
    return keep(to, value, words_of_bytes(PyBytes_GET_SIZE(value)), payload_kind::bytes);
  if (PyBytes_Check(value))  // of numpy, or another class: its receiver gets plain bytes
    return give(to, PyBytes_FromStringAndSize(PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value)),
                words_of_bytes(PyBytes_GET_SIZE(value)), payload_kind::bytes);
  if (PyUnicode_Check(value) && PyObject_HasAttrString(value, "dtype")) {
    PyObject* const text = PyUnicode_FromObject(value);
    bool const good = text != nullptr && copy(to, text, bytes_count);
    Py_XDECREF(text);
    return good;
  }
  if (PyByteArray_CheckExact(value))
    return give(to, PyByteArray_FromObject(value), words_of_bytes(PyByteArray_GET_SIZE(value)),
                payload_kind::bytes);
  if (PyList_CheckExact(value) && is_of_numbers(value)) {
    auto const count = PyList_GET_SIZE(value);
    return give(to, PyList_GetSlice(value, 0, count), static_cast<std::uint64_t>(count),
                payload_kind::numbers);
  }
  if (PyTuple_CheckExact(value) && is_of_numbers(value))
    return keep(to, value, static_cast<std::uint64_t>(PyTuple_GET_SIZE(value)),
                payload_kind::numbers);
  if (is_number(value) || is_numpy_number(value)) return keep(to, value, 1, payload_kind::number);
  if (PyObject_CheckBuffer(value)) {
    buffer_view const view(value);
    if (view.has_data()) {
      auto const elements = static_cast<std::uint64_t>(view->len / view->itemsize);
      auto const words = bytes_count ? words_of_bytes(view->len) : elements;
      bool const is_number = view->ndim == 0;
      bool const good = give(to, copy_of_array(value), words,
                             is_number ? payload_kind::number : payload_kind::array);
      if (!is_number) to.element = element_of(*view);
      return good;
    }
  }
  return pickle(to, value);
}

}  // namespace

char const* name_of(payload_kind kind) {
  switch (kind) {
    case payload_kind::nothing:
      return "None";
    case payload_kind::number:
      return "a number";
    case payload_kind::numbers:
      return "a list or tuple of numbers";
    case payload_kind::text:
      return "a text";
    case payload_kind::bytes:
      return "bytes";
    case payload_kind::array:
      return "an array";
    case payload_kind::object:
      return "a pickled object";
  }
  return "";
}

std::string name_of(payload_kind kind, element_type element) {
  std::string text = name_of(kind);
  if (kind != payload_kind::array) return text;
  auto const bits = std::to_string((element.code >> 8) * 8);
  switch (static_cast<char>(element.code & 0xFF)) {
    case 'i':
      return text + " of int" + bits;
    case 'u':
      return text + " of uint" + bits;
    case 'f':
      return text + " of float" + bits;
    case 'c':
      return text + " of complex" + bits;
    case '?':
      return text + " of bool";
    default:
      return text + " of other elements, of " + bits + " bits";
  }
}

bool is_number(PyObject* value) {
  return is_plain_number(value) || PyComplex_CheckExact(value) || PyFloat_Check(value) ||
         (PyLong_Check(value) && fits_word(value));
}

payload_store::~payload_store() {
  for (auto& value : m_values) Py_XDECREF(value.object);
}

bool payload_store::add(PyObject* value, bool bytes_count, std::uint64_t& place) {
  payload_value made;
  if (is_plain_number(value)) {
    Py_INCREF(value);
    made = {value, 1, payload_kind::number, {}};
  } else if (!copy(made, value, bytes_count)) {
    return false;
  }
  m_pickled += made.kind == payload_kind::object ? 1 : 0;
  if (m_free.empty()) {
    place = m_values.size();
    m_values.push_back(made);
  } else {
    place = m_free.back();
    m_free.pop_back();
    m_values[place] = made;
  }
  return true;
}

PyObject* payload_store::take(std::uint64_t place) {
  auto const value = std::exchange(m_values[place], {});
  m_free.push_back(place);
  if (value.kind != payload_kind::object) [[likely]]
    return value.object;
  PyObject* const original = call("pickle", "loads", value.object);
  Py_DECREF(value.object);
  return original;
}

void payload_store::drop(std::uint64_t place) {
  Py_XDECREF(std::exchange(m_values[place], {}).object);
  m_free.push_back(place);
}

void send_payload(processor& me, destination to, std::uint64_t place, std::uint64_t words,
                  std::source_location where) {
  if (words == 1) [[likely]] {
    detail::elements const one{reinterpret_cast<std::byte const*>(&place), 1, &payload_type};
    return detail::untyped_calls::send(me, to, one, where);
  }
  carried_payload carried{place, words};
  detail::untyped_calls::send_vector(me, to, &carried, payload_type, where);
}

std::uint64_t place_in(detail::received_message const& taken) {
  if (auto const* const carried = detail::untyped_calls::vector_of(taken))
    return static_cast<carried_payload const*>(carried)->place;
  std::uint64_t place = 0;
  std::memcpy(&place, detail::untyped_calls::data_of(taken), sizeof(place));
  return place;
}

std::uint64_t receive_payload(processor& me, int from, std::source_location where) {
  return place_in(detail::untyped_calls::receive(me, from, payload_type, nullptr, where));
}

std::uint64_t receive_payload(processor& me, int from, std::size_t words,
                              std::source_location where) {
  return place_in(detail::untyped_calls::receive(me, from, payload_type, &words, where));
}

detail::payload_type const& type_of_payloads() { return payload_type; }

}  // namespace lockstep::python
