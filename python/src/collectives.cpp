#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/all_reduce.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/reduce.hpp>
#include <lockstep/algorithms/collectives/reduce_scatter.hpp>
#include <lockstep/algorithms/collectives/scan.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/collectives/total_exchange.hpp>
#include <lockstep/shown.hpp>

#include "payloads.hpp"
#include "processor_object.hpp"
#include "program_run.hpp"
#include "type_slots.hpp"

namespace lockstep::python {

namespace {

/// A number of Python's, as an element of a collective operation: a word.
struct python_number {
  enum class type : std::uint8_t { whole, truth, real };

  std::int64_t whole = 0;
  double real = 0;
  type is = type::whole;

  /// For pages.
  [[nodiscard]] shown_number as_number() const {
    return is == type::real ? shown_number(real) : shown_number(whole);
  }
};

PyObject* to_python(python_number const& number) {
  switch (number.is) {
    case python_number::type::whole:
      return PyLong_FromLongLong(number.whole);
    case python_number::type::truth:
      return PyBool_FromLong(static_cast<long>(number.whole));
    case python_number::type::real:
      return PyFloat_FromDouble(number.real);
  }
  return nullptr;
}

bool read_number(PyObject* value, python_number& number) {
  if (PyBool_Check(value)) {
    number = {value == Py_True ? 1 : 0, 0, python_number::type::truth};
    return true;
  }
  if (PyFloat_Check(value)) {
    number = {0, PyFloat_AS_DOUBLE(value), python_number::type::real};
    return true;
  }
  PyObject* const whole = PyIndex_Check(value) ? PyNumber_Index(value) : nullptr;
  if (whole != nullptr) {
    number = {PyLong_AsLongLong(whole), 0, python_number::type::whole};
    Py_DECREF(whole);
    return PyErr_Occurred() == nullptr;
  }
  if (PyErr_Occurred() != nullptr) return false;
  number = {0, PyFloat_AsDouble(value), python_number::type::real};
  return PyErr_Occurred() == nullptr;
}

/// The elements that a processor gives to an operation, and the form in which it gets its result.
class block {
 public:
  block() = default;
  block(block const&) = delete;
  block& operator=(block const&) = delete;
  ~block() { Py_XDECREF(m_array); }

  /// Reads a number, a list or tuple of numbers, or an array. False: a Python error is set.
  bool read(PyObject* value) {
    if (PyList_Check(value) || PyTuple_Check(value)) return read_list(value);
    if (PyObject_HasAttrString(value, "dtype") && PyObject_HasAttrString(value, "ravel")) {
      PyObject* const flat = PyObject_CallMethod(value, "ravel", nullptr);
      PyObject* const list =
          flat == nullptr ? nullptr : PyObject_CallMethod(flat, "tolist", nullptr);
      bool const good = list != nullptr && read_list(list);
      Py_XDECREF(list);
      Py_XDECREF(flat);
      Py_INCREF(value);
      m_array = value;
      return good && read_dimensions(value);
    }
    m_is_single = true;
    return read_element(value);
  }

  [[nodiscard]] bool is_single() const { return m_is_single; }
  [[nodiscard]] std::vector<python_number>& numbers() { return m_numbers; }

  /// Gives one number, of numpy's where one of those was read. New reference, or nullptr.
  [[nodiscard]] PyObject* single(std::vector<python_number> const& numbers) const {
    if (m_array == nullptr) return to_python(numbers.front());
    PyObject* const array = several(numbers);
    PyObject* const number = array == nullptr ? nullptr : PySequence_GetItem(array, 0);
    Py_XDECREF(array);
    return number;
  }
  /// Gives a list, or an array where an array was read: of its form, if it has as many elements.
  [[nodiscard]] PyObject* several(std::vector<python_number> const& numbers) const {
    PyObject* const list = PyList_New(static_cast<Py_ssize_t>(numbers.size()));
    if (list == nullptr) return nullptr;
    Py_ssize_t at = 0;
    for (auto const& one : numbers) PyList_SET_ITEM(list, at++, to_python(one));
    if (m_array == nullptr) return list;
    PyObject* const array = as_array(list);
    Py_DECREF(list);
    if (array == nullptr || m_is_single || numbers.size() != m_numbers.size()) return array;
    PyObject* const shape = PyObject_GetAttrString(m_array, "shape");
    PyObject* const shaped =
        shape == nullptr ? nullptr : PyObject_CallMethod(array, "reshape", "(O)", shape);
    Py_XDECREF(shape);
    Py_DECREF(array);
    return shaped;
  }
  /// Gives what the operation made of one number each, or of several.
  [[nodiscard]] PyObject* in_form(std::vector<python_number> const& numbers) const {
    return m_is_single ? single(numbers) : several(numbers);
  }

 private:
  bool read_list(PyObject* list) {
    m_numbers.reserve(static_cast<std::size_t>(PySequence_Fast_GET_SIZE(list)));
    bool good = true;
    // Reading an element may run code of the program's, which may change the list.
    for (Py_ssize_t at = 0; at < PySequence_Fast_GET_SIZE(list) && good; ++at) {
      PyObject* const element = PySequence_Fast_GET_ITEM(list, at);
      Py_INCREF(element);
      good = read_element(element);
      Py_DECREF(element);
    }
    return good;
  }

  bool read_element(PyObject* value) {
    if (read_number(value, m_numbers.emplace_back())) return true;
    if (PyErr_ExceptionMatches(PyExc_TypeError))
      PyErr_Format(
          PyExc_TypeError,
          "collective operations take a number, a list or tuple of numbers, or an array of "
          "numbers, but not %s",
          Py_TYPE(value)->tp_name);
    return false;
  }

  /// Reads whether an array of numpy, or a number of it, is one number.
  bool read_dimensions(PyObject* array) {
    PyObject* const dimensions = PyObject_GetAttrString(array, "ndim");
    if (dimensions == nullptr) return false;
    m_is_single = PyLong_AsLong(dimensions) == 0;
    Py_DECREF(dimensions);
    return PyErr_Occurred() == nullptr;
  }

  /// Makes an array of the element type that was read.
  [[nodiscard]] PyObject* as_array(PyObject* list) const {
    PyObject* const numpy = PyImport_ImportModule("numpy");
    PyObject* const type = numpy == nullptr ? nullptr : PyObject_GetAttrString(m_array, "dtype");
    PyObject* const array =
        type == nullptr ? nullptr : PyObject_CallMethod(numpy, "array", "OO", list, type);
    Py_XDECREF(type);
    Py_XDECREF(numpy);
    return array;
  }

  std::vector<python_number> m_numbers;
  PyObject* m_array = nullptr;
  bool m_is_single = false;
};

/// An associative operator: one of those with a name, or a function of Python's.
class combination {
 public:
  explicit combination(member& caller) : m_caller(&caller) {}
  combination(combination const&) = delete;
  combination& operator=(combination const&) = delete;
  ~combination() { Py_XDECREF(m_function); }

  bool read(PyObject* value) {
    if (value == nullptr) return true;
    if (PyCallable_Check(value)) {
      Py_INCREF(value);
      m_function = value;
      return true;
    }
    std::string name;
    if (!PyUnicode_Check(value) || !read_text(value, name)) name.clear();
    for (char const* const known : {"+", "*", "min", "max"})
      if (name == known) {
        m_name = known;
        return true;
      }
    PyErr_SetString(PyExc_ValueError,
                    "an operator is \"+\", \"*\", \"min\", \"max\", or a function of two numbers");
    return false;
  }
  /// Whether it is known to commute.
  [[nodiscard]] bool commutes() const { return m_function == nullptr; }

  [[nodiscard]] python_number of(python_number const& left, python_number const& right) const {
    if (m_function == nullptr)
      if (auto const result = by_name(left, right)) return *result;
    struct question {
      combination const* by;
      python_number const* left;
      python_number const* right;
      python_number result{};
    } asked{this, &left, &right};
    m_caller->run->on_thread_stack(
        *m_caller,
        [](void* data) {
          auto& all = *static_cast<question*>(data);
          return all.by->call(*all.left, *all.right, all.result);
        },
        &asked);
    return asked.result;
  }

 private:
  /// Nothing where a whole number would not fit.
  [[nodiscard]] std::optional<python_number> by_name(python_number const& left,
                                                     python_number const& right) const {
    bool const is_real =
        left.is == python_number::type::real || right.is == python_number::type::real;
    auto const as_real = [](python_number const& one) {
      return one.is == python_number::type::real ? one.real : static_cast<double>(one.whole);
    };
    if (m_name == "min" || m_name == "max") {
      bool const right_is_less =
          is_real ? as_real(right) < as_real(left) : right.whole < left.whole;
      return right_is_less == (m_name == "min") ? right : left;
    }
    bool const adds = m_name == "+";
    if (is_real) {
      double const value = adds ? as_real(left) + as_real(right) : as_real(left) * as_real(right);
      return python_number{0, value, python_number::type::real};
    }
    std::int64_t value = 0;
    bool const overflows = adds ? __builtin_add_overflow(left.whole, right.whole, &value)
                                : __builtin_mul_overflow(left.whole, right.whole, &value);
    if (overflows) return std::nullopt;
    return python_number{value, 0, python_number::type::whole};
  }

  /// On the thread's stack.
  [[nodiscard]] bool call(python_number const& left, python_number const& right,
                          python_number& result) const {
    if (m_function == nullptr) {
      PyErr_SetString(PyExc_OverflowError,
                      "whole numbers of collective operations have 64 bits: give floats");
      return false;
    }
    PyObject* const first = to_python(left);
    PyObject* const second = to_python(right);
    PyObject* const made = first == nullptr || second == nullptr
                               ? nullptr
                               : PyObject_CallFunctionObjArgs(m_function, first, second, nullptr);
    Py_XDECREF(first);
    Py_XDECREF(second);
    bool const good = made != nullptr && read_number(made, result);
    Py_XDECREF(made);
    return good;
  }

  member* m_caller;
  std::string_view m_name = "+";
  PyObject* m_function = nullptr;
};

/// The operator that the algorithms call.
struct combine {
  combination const* with;
  [[nodiscard]] python_number operator()(python_number const& left,
                                         python_number const& right) const {
    return with->of(left, right);
  }
};

/// A collective operation, with its operands and its result.
class collective_call : public other_call {
 public:
  using numbers = std::vector<python_number>;
  using operation = numbers (*)(collective_call& given, processor& me, std::source_location where);
  using conclusion = PyObject* (*)(collective_call& given, numbers const& result);

  collective_call(member& caller, operation run, conclusion give)
      : plus(caller), m_run(run), m_give(give) {}

  void perform(member& /*caller*/, processor& me, std::source_location where) override {
    options.commutes = options.commutes || plus.commutes();
    is_root = me.rank() == options.root;
    result = m_run(*this, me, where);
  }
  PyObject* finish(member& /*caller*/) override { return m_give(*this, result); }

  block mine;
  combination plus;
  collective_options options{};
  python_number first{};
  std::uint64_t elements = 0;
  std::vector<std::size_t> sizes{};  ///< of the blocks of each processor
  bool is_root = false;
  numbers result;
  std::vector<std::size_t> came{};  ///< the sizes of the blocks in the result, of all_to_allv

 private:
  operation m_run;
  conclusion m_give;
};

/// The arguments of an operation, each with its place among what Python was given.
enum class argument : std::uint8_t { values, op, root, elements, sizes, first, scheme, commutes };

bool read_sizes(PyObject* value, std::vector<std::size_t>& sizes) {
  if (Py_TYPE(value)->tp_iter == nullptr && PySequence_Check(value) == 0)
    return set_unexpected("a list of sizes", value);
  PyObject* const given =
      PySequence_Tuple(value);  // a copy: reading an item may run code of the program's
  if (given == nullptr) return false;
  bool good = true;
  for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(given) && good; ++at) {
    std::uint64_t size = 0;
    good = read_amount(PyTuple_GET_ITEM(given, at), size);
    sizes.push_back(size);
  }
  Py_DECREF(given);
  return good;
}

bool read_scheme(PyObject* value, collective_options& options) {
  std::string name;
  if (!read_text(value, name)) return false;
  try {
    options.scheme = chosen_scheme(name);
  } catch (error const& refused) {
    PyErr_SetString(PyExc_ValueError, refused.message().c_str());
    return false;
  }
  return true;
}

bool read_argument(collective_call& to, argument what, PyObject* value) {
  switch (what) {
    case argument::values:
      return to.mine.read(value);
    case argument::op:
      return to.plus.read(value);
    case argument::root:
      return read_int(value, to.options.root);
    case argument::elements:
      return read_amount(value, to.elements);
    case argument::sizes:
      return read_sizes(value, to.sizes);
    case argument::first:
      return read_number(value, to.first);
    case argument::scheme:
      return read_scheme(value, to.options);
    case argument::commutes:
      to.options.commutes = PyObject_IsTrue(value) == 1;
      return PyErr_Occurred() == nullptr;
  }
  return false;
}

constexpr std::array<char const*, 8> names_of_arguments{"values", "op",    "root",   "elements",
                                                        "sizes",  "first", "scheme", "commutes"};

char const* name_of(argument what) { return names_of_arguments.at(static_cast<std::size_t>(what)); }

using number_list = collective_call::numbers;

// The operations, as they run at a processor.

std::span<python_number const> block_of(collective_call& given) { return given.mine.numbers(); }

scatter_options scatter_options_of(collective_call const& given) {
  return {.scheme = given.options.scheme, .root = given.options.root};
}

number_list run_all_reduce(collective_call& of, processor& me, std::source_location where) {
  combine const plus{&of.plus};
  if (of.mine.is_single())
    return {all_reduce(me, plus, of.mine.numbers().front(), of.options, where)};
  return all_reduce(me, plus, block_of(of), of.options, where);
}

number_list run_reduce(collective_call& of, processor& me, std::source_location where) {
  combine const plus{&of.plus};
  if (!of.mine.is_single()) return reduce(me, plus, block_of(of), of.options, where);
  auto const sum = reduce(me, plus, of.mine.numbers().front(), of.options, where);
  return sum ? number_list{*sum} : number_list{};
}

number_list run_broadcast(collective_call& of, processor& me, std::source_location where) {
  auto block = of.mine.numbers();
  if (of.mine.is_single())
    block.front() = broadcast(me, block.front(), of.options, where);
  else
    broadcast(me, std::span(block), of.options, where);
  return block;
}

number_list run_scan(collective_call& of, processor& me, std::source_location where) {
  combine const plus{&of.plus};
  if (of.mine.is_single()) return {scan(me, plus, of.mine.numbers().front(), of.options, where)};
  return scan(me, plus, block_of(of), of.options, where);
}

number_list run_exclusive_scan(collective_call& of, processor& me, std::source_location where) {
  combine const plus{&of.plus};
  if (of.mine.is_single())
    return {exclusive_scan(me, plus, of.mine.numbers().front(), of.options, of.first, where)};
  return exclusive_scan(me, plus, block_of(of), of.options, of.first, where);
}

number_list run_all_gather(collective_call& of, processor& me, std::source_location where) {
  return all_gather(me, of.mine.numbers(), {.scheme = of.options.scheme}, where);
}

number_list run_gather(collective_call& of, processor& me, std::source_location where) {
  return gather(me, of.mine.numbers(), scatter_options_of(of), where);
}

number_list run_scatter(collective_call& of, processor& me, std::source_location where) {
  return scatter(me, of.mine.numbers(), of.elements, scatter_options_of(of), where);
}

number_list run_all_to_all(collective_call& of, processor& me, std::source_location where) {
  return all_to_all(me, of.mine.numbers(), of.options, where);
}

number_list run_reduce_scatter(collective_call& of, processor& me, std::source_location where) {
  reduce_scatter_options const options{.scheme = of.options.scheme,
                                       .commutes = of.options.commutes};
  return reduce_scatter(me, combine{&of.plus}, block_of(of), options, where);
}

// Those of blocks of any sizes.

number_list run_all_gatherv(collective_call& of, processor& me, std::source_location where) {
  return all_gatherv(me, of.mine.numbers(), of.sizes, {.scheme = of.options.scheme}, where);
}

number_list run_gatherv(collective_call& of, processor& me, std::source_location where) {
  return gatherv(me, of.mine.numbers(), of.sizes, scatter_options_of(of), where);
}

number_list run_scatterv(collective_call& of, processor& me, std::source_location where) {
  return scatterv(me, of.mine.numbers(), of.sizes, scatter_options_of(of), where);
}

/// The blocks of a processor for each other.
std::vector<number_list> blocks_of(collective_call& of, std::source_location where) {
  auto const& all = of.mine.numbers();
  if (std::accumulate(of.sizes.begin(), of.sizes.end(), std::size_t{0}) != all.size())
    throw invalid_argument("all_to_allv: the sizes of the blocks do not add up to the " +
                               std::to_string(all.size()) + " values",
                           where);
  std::vector<number_list> blocks;
  auto from = all.begin();
  for (auto const size : of.sizes) {
    auto const to = from + static_cast<std::ptrdiff_t>(size);
    blocks.emplace_back(from, to);
    from = to;
  }
  return blocks;
}

number_list run_all_to_allv(collective_call& of, processor& me, std::source_location where) {
  number_list all;
  for (auto const& block : all_to_allv(me, blocks_of(of, where), of.options, where)) {
    of.came.push_back(block.size());
    all.insert(all.end(), block.begin(), block.end());
  }
  return all;
}

// What they give Python.

PyObject* give_in_form(collective_call& given, number_list const& result) {
  return given.mine.in_form(result);
}
PyObject* give_list(collective_call& given, number_list const& result) {
  return given.mine.several(result);
}
PyObject* give_to_root(collective_call& given, number_list const& result) {
  if (!given.is_root) Py_RETURN_NONE;
  return given.mine.in_form(result);
}
PyObject* give_list_to_root(collective_call& given, number_list const& result) {
  if (!given.is_root) Py_RETURN_NONE;
  return given.mine.several(result);
}
/// Gives a list of the blocks that came, in the order of ranks.
PyObject* give_blocks(collective_call& given, number_list const& result) {
  PyObject* const list = PyList_New(static_cast<Py_ssize_t>(given.came.size()));
  if (list == nullptr) return nullptr;
  auto from = result.begin();
  Py_ssize_t at = 0;
  for (auto const size : given.came) {
    auto const to = from + static_cast<std::ptrdiff_t>(size);
    PyObject* const made = given.mine.several(number_list(from, to));
    if (made == nullptr) {
      Py_DECREF(list);
      return nullptr;
    }
    PyList_SET_ITEM(list, at++, made);
    from = to;
  }
  return list;
}

/// The name of a method, as an argument of a template.
template <std::size_t Size>
struct method_name {
  consteval method_name(char const (&from)[Size]) { std::ranges::copy(from, text); }
  char text[Size] = {};
};

/// Begins an operation: reads its arguments; the first must be there.
template <method_name Name, collective_call::operation Run, collective_call::conclusion Give,
          argument... Arguments>
PyObject* begin(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = *reinterpret_cast<processor_object*>(object);
  call_arguments arguments;
  if (!arguments.parse(Name.text, {name_of(Arguments)...}, 1, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  if (caller == nullptr) return nullptr;
  auto call = std::make_unique<collective_call>(*caller, Run, Give);
  std::size_t at = 0;
  auto const is_given = [&] { return at == 0 || arguments.has(at); };
  bool const good =
      ((is_given() ? read_argument(*call, Arguments, arguments[at++]) : (++at, true)) && ...);
  if (!good) return nullptr;
  return commit(self, *caller, std::move(call));
}

/// Makes the method that begins an operation: `Run` performs it, and `Give` makes its result.
template <method_name Name, collective_call::operation Run, collective_call::conclusion Give,
          argument... Arguments>
PyMethodDef method(char const* documentation) {
  return {Name.text, as_method(begin<Name, Run, Give, Arguments...>), with_names, documentation};
}

}  // namespace

std::vector<PyMethodDef> collective_methods() {
  using enum argument;
  return {method<"all_reduce", run_all_reduce, give_in_form, values, op, scheme, commutes>(
              "all_reduce($self, values, op=\"+\", scheme=None, commutes=False)\n--\n\nEveryone "
              "gets the sum of all processors' numbers, element by element."),
          method<"reduce", run_reduce, give_to_root, values, op, root, scheme, commutes>(
              "reduce($self, values, op=\"+\", root=0, scheme=None, commutes=False)\n--\n\nThe "
              "root gets the sum, the others None."),
          method<"broadcast", run_broadcast, give_in_form, values, root, scheme>(
              "broadcast($self, values, root=0, scheme=None)\n--\n\nEveryone gets the root's "
              "values; all give as many."),
          method<"scan", run_scan, give_in_form, values, op, scheme>(
              "scan($self, values, op=\"+\", scheme=None)\n--\n\nThe sum of the processors up to "
              "this one."),
          method<"exclusive_scan", run_exclusive_scan, give_in_form, values, op, first, scheme>(
              "exclusive_scan($self, values, op=\"+\", first=0, scheme=None)\n--\n\nThe sum of the "
              "processors before this one; first at processor 0."),
          method<"all_gather", run_all_gather, give_list, values, scheme>(
              "all_gather($self, values, scheme=None)\n--\n\nEveryone gets all processors' "
              "numbers, by rank."),
          method<"gather", run_gather, give_list_to_root, values, root, scheme>(
              "gather($self, values, root=0, scheme=None)\n--\n\nThe root gets all processors' "
              "numbers, the others None."),
          method<"scatter", run_scatter, give_list, elements, values, root, scheme>(
              "scatter($self, elements, values=None, root=0, scheme=None)\n--\n\nDeal out the "
              "root's values, that many elements in all."),
          method<"all_to_all", run_all_to_all, give_list, values, scheme>(
              "all_to_all($self, values, scheme=None)\n--\n\nEqual blocks for each processor, in "
              "rank order, give those from each."),
          method<"reduce_scatter", run_reduce_scatter, give_list, values, op, scheme, commutes>(
              "reduce_scatter($self, values, op=\"+\", scheme=None, commutes=False)\n--\n\nThis "
              "processor's piece of the sums of all processors' blocks, element by element."),
          method<"all_gatherv", run_all_gatherv, give_list, values, sizes, scheme>(
              "all_gatherv($self, values, sizes, scheme=None)\n--\n\nall_gather where each "
              "processor has as many numbers as sizes, which all pass, says."),
          method<"gatherv", run_gatherv, give_list_to_root, values, sizes, root, scheme>(
              "gatherv($self, values, sizes, root=0, scheme=None)\n--\n\ngather where each "
              "processor has as many numbers as sizes, which all pass, says."),
          method<"scatterv", run_scatterv, give_list, sizes, values, root, scheme>(
              "scatterv($self, sizes, values=None, root=0, scheme=None)\n--\n\nscatter where each "
              "processor gets as many numbers as sizes, which all pass, says."),
          method<"all_to_allv", run_all_to_allv, give_blocks, values, sizes, scheme>(
              "all_to_allv($self, values, sizes, scheme=None)\n--\n\nBlocks of these sizes for "
              "each processor, in rank order, give a list of those from each.")};
}

}  // namespace lockstep::python
