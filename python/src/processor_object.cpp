#include "processor_object.hpp"

#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <variant>
#include <vector>

#include <structmember.h>

#include "other_calls.hpp"
#include "shown_values.hpp"
#include "type_slots.hpp"

namespace lockstep::python {

namespace {

/// The object that a program awaits: one for each processor, which waits for one call at a time.
struct awaited_object {
  PyObject_HEAD PyObject* root;  ///< owned
};

PyTypeObject* processor_type = nullptr;
PyTypeObject* awaited_type = nullptr;

processor_object& as_processor(PyObject* object) {
  return *reinterpret_cast<processor_object*>(object);
}

member* member_of(processor_object& self) {
  return self.root == nullptr ? self.of : as_processor(self.root).of;
}

// --- awaiting ---

PySendResult send_to_awaited(PyObject* self, PyObject* /*value*/, PyObject** result) {
  auto* const of = as_processor(reinterpret_cast<awaited_object*>(self)->root).of;
  *result = nullptr;
  if (of == nullptr || of->run->is_over()) {
    PyErr_SetString(PyExc_RuntimeError, "the run is over: a processor makes calls during it");
    return PYGEN_ERROR;
  }
  if (!of->run->is_running(*of)) {
    PyErr_Format(PyExc_RuntimeError,
                 "a call of processor %d is awaited elsewhere than in its own program, or stepped "
                 "by hand before its result is there: write await where the call is made",
                 of->rank);
    return PYGEN_ERROR;
  }
  switch (of->waits) {
    case member::waiting::for_await:
      if (of->call.what == program_call::kind::none) {  // a label, which the next call gives
        of->waits = member::waiting::for_nothing;
        Py_INCREF(Py_None);
        *result = Py_None;
        return PYGEN_RETURN;
      }
      of->waits = member::waiting::for_result;
      if (of->run->advance(*of)) {
        *result = of->run->result_of_call(*of);
        return *result == nullptr ? PYGEN_ERROR : PYGEN_RETURN;
      }
      Py_INCREF(Py_None);
      *result = Py_None;
      return PYGEN_NEXT;
    case member::waiting::done:
      of->waits = member::waiting::for_nothing;
      Py_INCREF(Py_None);
      *result = Py_None;
      return PYGEN_RETURN;
    case member::waiting::for_result:
      *result = of->run->result_of_call(*of);
      return *result == nullptr ? PYGEN_ERROR : PYGEN_RETURN;
    case member::waiting::for_nothing:
      PyErr_SetString(PyExc_RuntimeError, "a call is awaited once, where it is made");
      return PYGEN_ERROR;
  }
  return PYGEN_ERROR;
}

PyObject* next_of_awaited(PyObject* self) {
  PyObject* result = nullptr;
  switch (send_to_awaited(self, Py_None, &result)) {
    case PYGEN_NEXT:
      return result;
    case PYGEN_RETURN: {
      PyObject* const stop = PyObject_CallOneArg(PyExc_StopIteration, result);
      Py_DECREF(result);
      if (stop != nullptr) PyErr_SetObject(PyExc_StopIteration, stop);
      Py_XDECREF(stop);
      return nullptr;
    }
    case PYGEN_ERROR:
      return nullptr;
  }
  return nullptr;
}

PyObject* itself(PyObject* self) {
  Py_INCREF(self);
  return self;
}

void delete_awaited(PyObject* self) {
  auto* const type = Py_TYPE(self);
  Py_XDECREF(reinterpret_cast<awaited_object*>(self)->root);
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* make_awaited(PyObject* root) {
  PyObject* const made = awaited_type->tp_alloc(awaited_type, 0);
  if (made == nullptr) return nullptr;
  Py_INCREF(root);
  reinterpret_cast<awaited_object*>(made)->root = root;
  return made;
}

/// Gives what a program awaits, or enters by `with`, whatever its call. New reference, or nullptr.
PyObject* awaited_of(member& caller) {
  if (caller.awaited == nullptr) [[unlikely]] {
    caller.awaited = make_awaited(caller.handle);
    if (caller.awaited == nullptr) return nullptr;
  }
  return itself(caller.awaited);
}

// --- arguments ---

bool read_destination(PyObject* value, destination& read) {
  if (PyTuple_Check(value) && PyTuple_GET_SIZE(value) == 2) {
    along way{};
    if (!read_int(PyTuple_GET_ITEM(value, 0), way.dimension) ||
        !read_int(PyTuple_GET_ITEM(value, 1), way.offset))
      return false;
    read = destination(way);
    return true;
  }
  int rank = 0;
  if (!read_int(value, rank, "a rank or along(dimension, offset)")) return false;
  read = destination(rank);
  return true;
}

bool read_way(PyObject* value, along& way) {
  destination read{-1};
  if (!PyTuple_Check(value)) return set_unexpected("along(dimension, offset)", value);
  if (!read_destination(value, read)) return false;
  way = read.way;
  return true;
}

bool read_ranks(PyObject* value, std::vector<int>& ranks) {
  if (Py_TYPE(value)->tp_iter == nullptr && PySequence_Check(value) == 0)
    return set_unexpected("a list of ranks or dimensions", value);
  PyObject* const sequence =
      PySequence_Fast(value, "a list of ranks or dimensions is expected here");
  if (sequence == nullptr) return false;
  bool good = true;
  // Reading an item may run code of the program's, which may change the list.
  for (Py_ssize_t at = 0; at < PySequence_Fast_GET_SIZE(sequence) && good; ++at) {
    PyObject* const item = itself(PySequence_Fast_GET_ITEM(sequence, at));
    good = read_int(item, ranks.emplace_back());
    Py_DECREF(item);
  }
  Py_DECREF(sequence);
  return good;
}

/// Whether the program may still make its call, now that the arguments are read. False: a Python error.
bool may_commit(processor_object& self) { return caller_of(self) != nullptr; }

// --- calls that send and receive ---

// Reading an argument may run code of the program's, which may make a call of its own. So a call reads all
// of its arguments before it writes any of them into `member::call`.

/// Writes into a call what it sends, and where to.
void write(program_call& call, destination to, loaded_payload const& sent) {
  call.to = to;
  call.place = sent.place;
  call.words = sent.words;
  call.sent = sent.kind;
  call.sent_element = sent.element;
}

PyObject* send(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  if (!arguments.parse("send", {"to", "values"}, 2, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  destination to{-1};
  loaded_payload sent;
  if (caller == nullptr || !read_destination(arguments[0], to) ||
      !load(*caller, arguments[1], sent) || !may_commit(self))
    return nullptr;
  write(caller->call, to, sent);
  return commit(self, *caller, program_call::kind::send);
}

/// The place of a received value, if there is one.
using received_place = std::optional<std::uint64_t>;

PyObject* value_or_none(member& caller, received_place place) {
  if (!place) Py_RETURN_NONE;
  return caller.run->payloads().take(*place);
}

PyObject* receive(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  if (!arguments.parse("receive", {"source", "words"}, 1, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  int from = 0;
  if (caller == nullptr || !read_int(arguments[0], from)) return nullptr;
  if (!arguments.has(1)) {
    if (!may_commit(self)) return nullptr;
    caller->call.from = from;
    return commit(self, *caller, program_call::kind::receive);
  }
  std::uint64_t words = 0;
  if (!read_amount(arguments[1], words)) return nullptr;
  return commit(self, *caller,
                call_of(
                    [=](processor& me, std::source_location where) {
                      return received_place(receive_payload(me, from, words, where));
                    },
                    value_or_none));
}

PyObject* exchange(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  if (!arguments.parse("exchange", {"to", "values", "source"}, 2, given, count, named))
    return nullptr;
  auto* const caller = caller_of(self);
  destination to{-1};
  int from = -1;
  loaded_payload sent;
  if (caller == nullptr || !read_destination(arguments[0], to)) return nullptr;
  if (arguments.has(2)) {
    if (!read_int(arguments[2], from)) return nullptr;
  } else if (to.by_way) {
    PyErr_SetString(PyExc_TypeError,
                    "exchange with along(...) needs a source; shift(along, values) sends that way "
                    "and receives from the other side");
    return nullptr;
  } else {
    from = to.rank;
  }
  if (!load(*caller, arguments[1], sent) || !may_commit(self)) return nullptr;
  write(caller->call, to, sent);
  caller->call.from = from;
  return commit(self, *caller, program_call::kind::exchange);
}

PyObject* shift(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  along way{};
  if (!arguments.parse("shift", {"way", "values"}, 2, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  loaded_payload sent;
  if (caller == nullptr || !read_way(arguments[0], way) || !load(*caller, arguments[1], sent))
    return nullptr;
  return commit(self, *caller,
                call_of(
                    [=](processor& me, std::source_location where) {
                      auto const to = me.neighbour(way, where);
                      auto const from = me.neighbour({way.dimension, -way.offset}, where);
                      if (to) send_payload(me, way, sent.place, sent.words, where);
                      return from ? received_place(receive_payload(me, *from, where))
                                  : std::nullopt;
                    },
                    value_or_none));
}

PyObject* try_receive(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  int from = 0;
  if (!arguments.parse("try_receive", {"source"}, 1, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  if (caller == nullptr || !read_int(arguments[0], from)) return nullptr;
  return commit(self, *caller,
                call_of(
                    [=](processor& me, std::source_location where) {
                      auto const taken =
                          detail::untyped_calls::try_receive(me, from, type_of_payloads(), where);
                      return taken.has_message() ? received_place(place_in(taken)) : std::nullopt;
                    },
                    value_or_none));
}

PyObject* receive_any(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  std::optional<std::vector<int>> among;
  if (!arguments.parse("receive_any", {"among"}, 0, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  if (caller == nullptr) return nullptr;
  if (arguments.has(0) && !read_ranks(arguments[0], among.emplace())) return nullptr;
  struct message {
    int from = 0;
    std::uint64_t place = 0;
  };
  return commit(self, *caller,
                call_of(
                    [among](processor& me, std::source_location where) {
                      message came;
                      std::span<int const> const ranks =
                          among ? std::span<int const>(*among) : std::span<int const>();
                      auto const taken = detail::untyped_calls::receive_any(
                          me, among ? &ranks : nullptr, type_of_payloads(), came.from, where);
                      came.place = place_in(taken);
                      return came;
                    },
                    [](member& by, message came) -> PyObject* {
                      PyObject* const value = by.run->payloads().take(came.place);
                      return value == nullptr ? nullptr : Py_BuildValue("iN", came.from, value);
                    }));
}

PyObject* pending(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  int from = 0;
  if (!arguments.parse("pending", {"source"}, 1, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  if (caller == nullptr || !read_int(arguments[0], from)) return nullptr;
  return commit(
      self, *caller,
      call_of([=](processor& me, std::source_location where) { return me.pending(from, where); },
              [](member&, std::size_t messages) { return PyLong_FromSize_t(messages); }));
}

// --- calls without messages ---

PyObject* barrier(PyObject* object, PyObject* /*none*/) {
  auto& self = as_processor(object);
  auto* const caller = caller_of(self);
  if (caller == nullptr) return nullptr;
  return commit(self, *caller,
                call_of([](processor& me, std::source_location where) { me.barrier(where); }));
}

/// A call with one text: label or note.
template <class Perform>
PyObject* call_with_text(char const* name, char const* argument, Perform perform, PyObject* object,
                         PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  std::string text;
  if (!arguments.parse(name, {argument}, 1, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  if (caller == nullptr || !read_text(arguments[0], text)) return nullptr;
  return commit(self, *caller, call_of([perform, text](processor& me, std::source_location where) {
                  perform(me, text, where);
                }));
}

PyObject* phase(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  std::string name;
  if (!arguments.parse("phase", {"name"}, 1, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  if (caller == nullptr || !read_text(arguments[0], name)) return nullptr;
  bool const is_named = self.root == nullptr;  // in a subset it names nothing
  return commit(
      self, *caller,
      call_of([name](processor& me, std::source_location where) { me.phase(name, where); },
              [name, is_named](member& by) -> PyObject* {
                if (is_named) by.needs().phase = name;
                Py_RETURN_NONE;
              }));
}

// Labels wait for the next call of their program, for nothing counts before: so `with` can still say, after
// `label` has returned, that the label is one around a block.

/// Keeps a label, or its end. New reference: what a program awaits, or enters by `with`.
PyObject* keep_label(member& caller, given_label given) {
  if (caller.awaits) {
    caller.call.what = program_call::kind::none;
    caller.call.where = given.where;
    caller.waits = member::waiting::for_await;
  }
  caller.needs().labels.push_back(std::move(given));
  caller.has_labels = true;
  return awaited_of(caller);
}

PyObject* label(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  std::string name;
  if (!arguments.parse("label", {"name"}, 1, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  if (caller == nullptr || !read_text(arguments[0], name)) return nullptr;
  return keep_label(*caller,
                    {given_label::kind::alone, std::move(name), caller->run->lines().of_caller()});
}

/// Makes the label that a program has just given one around a block. False: a Python error.
bool enclose_by_label(member& of) {
  if (!of.has_labels || of.needs().labels.back().what != given_label::kind::alone) {
    PyErr_SetString(PyExc_RuntimeError,
                    "a label is entered where it is given: with me.label(name):");
    return false;
  }
  of.needs().labels.back().what = given_label::kind::begin;
  return true;
}

PyObject* enter_label(PyObject* self, PyObject* /*none*/) {
  auto* const caller = caller_of(as_processor(reinterpret_cast<awaited_object*>(self)->root));
  if (caller == nullptr || !enclose_by_label(*caller)) return nullptr;
  Py_RETURN_NONE;
}

PyObject* exit_label(PyObject* self, PyObject* /*raised*/) {
  auto& root = as_processor(reinterpret_cast<awaited_object*>(self)->root);
  if (root.of == nullptr || root.of->run->is_over()) Py_RETURN_NONE;
  auto* const caller = caller_of(root);
  if (caller == nullptr) return nullptr;
  Py_XDECREF(keep_label(*caller, {given_label::kind::end, {}, {}}));
  Py_RETURN_NONE;
}

PyObject* enter_awaited_label(PyObject* self, PyObject* /*none*/) {
  auto* const of = as_processor(reinterpret_cast<awaited_object*>(self)->root).of;
  if (of == nullptr || of->run->is_over() || !of->run->is_running(*of)) {
    PyErr_SetString(PyExc_RuntimeError, "a label is entered by its own program, during its run");
    return nullptr;
  }
  return enclose_by_label(*of) ? itself(self) : nullptr;
}

PyObject* exit_awaited_label(PyObject* self, PyObject* /*raised*/) {
  auto* const caller = caller_of(as_processor(reinterpret_cast<awaited_object*>(self)->root));
  if (caller == nullptr) return nullptr;
  return keep_label(*caller, {given_label::kind::end, {}, caller->run->lines().of_caller()});
}

/// Ends a call that is for observers, in a run without any.
PyObject* nothing_to_do(member& caller) {
  if (!caller.awaits) Py_RETURN_NONE;
  caller.waits = member::waiting::done;
  return awaited_of(caller);
}

PyObject* note(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto* const caller = caller_of(as_processor(object));
  if (caller == nullptr) return nullptr;
  if (!caller->me->is_shown()) return nothing_to_do(*caller);
  return call_with_text(
      "note", "text",
      [](processor& me, std::string const& text, std::source_location where) {
        me.note(text, where);
      },
      object, given, count, named);
}

PyObject* show(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  std::string name;
  if (!arguments.parse("show", {"name", "value"}, 2, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  if (caller == nullptr || !read_text(arguments[0], name)) return nullptr;
  if (!caller->me->is_shown()) return nothing_to_do(*caller);
  shown_copy value;
  if (!copy_shown(arguments[1], value)) return nullptr;
  return commit(self, *caller, call_of([name, value](processor& me, std::source_location where) {
                  show_copy(me, name, value, where);
                }));
}

/// A call with a number that is not negative: idle, work or rearrange.
template <class Perform>
PyObject* call_with_amount(char const* name, char const* argument, std::size_t required,
                           Perform perform, PyObject* object, PyObject* const* given,
                           Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  std::uint64_t amount = 1;
  if (!arguments.parse(name, {argument}, required, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  if (caller == nullptr || (arguments.has(0) && !read_amount(arguments[0], amount))) return nullptr;
  return commit(self, *caller, call_of([=](processor& me, std::source_location where) {
                  perform(me, amount, where);
                }));
}

PyObject* idle(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  return call_with_amount(
      "idle", "steps", 0,
      [](processor& me, std::uint64_t steps, std::source_location where) { me.idle(steps, where); },
      object, given, count, named);
}

PyObject* work(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  return call_with_amount(
      "work", "operations", 1,
      [](processor& me, std::uint64_t operations, std::source_location where) {
        me.work(operations, where);
      },
      object, given, count, named);
}

PyObject* rearrange(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  return call_with_amount(
      "rearrange", "words", 1,
      [](processor& me, std::uint64_t words, std::source_location where) {
        me.rearrange(words, where);
      },
      object, given, count, named);
}

PyObject* choose_pass(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  int number = 0;
  if (!arguments.parse("choose_pass", {"number"}, 1, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  if (caller == nullptr || !read_int(arguments[0], number)) return nullptr;
  return commit(self, *caller, call_of([=](processor& me, std::source_location where) {
                  me.pass(number, where);
                }));
}

// Tags: two calls, which lockstep.Tagged makes.

PyObject* begin_tag(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  int number = 0;
  if (!arguments.parse("tagged", {"number"}, 1, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  if (caller == nullptr || !read_int(arguments[0], number)) return nullptr;
  return commit(self, *caller,
                call_of(
                    [=](processor& me, std::source_location where) {
                      return detail::untyped_calls::begin_tag(me, number, where);
                    },
                    [](member&, int before) -> PyObject* { return PyLong_FromLong(before); }));
}

PyObject* end_tag(PyObject* object, PyObject* before) {
  auto& self = as_processor(object);
  if (self.of == nullptr || self.of->run->is_over()) Py_RETURN_NONE;
  auto* const caller = caller_of(self);
  int number = 0;
  if (caller == nullptr || !read_int(before, number)) return nullptr;
  return commit(self, *caller, call_of([=](processor& me, std::source_location) {
                  detail::untyped_calls::end_tag(me, number);
                }));
}

PyObject* neighbour(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  along way{};
  if (!arguments.parse("neighbour", {"way"}, 1, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  if (caller == nullptr || !read_way(arguments[0], way)) return nullptr;
  return commit(
      self, *caller,
      call_of([=](processor& me, std::source_location where) { return me.neighbour(way, where); },
              [](member&, std::optional<int> rank) -> PyObject* {
                if (!rank) Py_RETURN_NONE;
                return PyLong_FromLong(*rank);
              }));
}

/// Counts the words that a value has as a message. An operator may ask, too.
PyObject* words_of_value(PyObject* object, PyObject* value) {
  auto* const of = member_of(as_processor(object));
  if (of == nullptr || of->run->is_over()) {
    PyErr_SetString(PyExc_RuntimeError, "the run is over: values are measured during it");
    return nullptr;
  }
  loaded_payload measured;
  if (!load(*of, value, measured)) return nullptr;
  of->run->payloads().drop(measured.place);
  return PyLong_FromUnsignedLongLong(measured.words);
}

// --- pipelined: two calls, which lockstep.Pipelined makes ---

/// The rounds: the program's calls are made inside of the machine's, until it ends them.
class rounds_call : public other_call {
 public:
  void perform(member& caller, processor& me, std::source_location where) override {
    // The program goes on inside, and takes this call with it.
    me.pipelined([one = &caller] { one->run->serve_rounds(*one); }, where);
  }
  PyObject* finish(member& /*caller*/) override { Py_RETURN_NONE; }
};

PyObject* begin_rounds(PyObject* object, PyObject* /*none*/) {
  auto& self = as_processor(object);
  auto* const caller = caller_of(self);
  if (caller == nullptr) return nullptr;
  if (!caller->in_rounds) Py_XDECREF(std::exchange(caller->needs().rounds, itself(object)));
  return commit(self, *caller, std::make_unique<rounds_call>());
}

PyObject* end_rounds(PyObject* object, PyObject* raised) {
  auto& self = as_processor(object);
  auto* const caller = caller_of(self);
  if (caller == nullptr) return nullptr;
  if (!caller->in_rounds) {
    PyErr_SetString(PyExc_RuntimeError, "pipelined rounds end that were not begun");
    return nullptr;
  }
  if (raised == Py_None) return commit(self, *caller, program_call::kind::end_rounds);
  Py_INCREF(raised);
  caller->set_raised(raised);
  return commit(self, *caller, program_call::kind::leave_rounds);
}

// --- subsets ---

template <class Make>
PyObject* part_of(processor_object& self, member& caller, Make make) {
  return commit(self, caller,
                call_of(
                    [make](processor& me, std::source_location where) {
                      return std::unique_ptr<processor>(new processor(make(me, where)));
                    },
                    [](member& by, std::unique_ptr<processor> made) {
                      return make_part(by, std::move(made));
                    }));
}

PyObject* subset(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  std::vector<int> members;
  if (!arguments.parse("subset", {"members", "dimensions"}, 0, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  if (caller == nullptr) return nullptr;
  if (arguments.has(0) == arguments.has(1)) {
    PyErr_SetString(PyExc_TypeError, "subset takes members, or dimensions=");
    return nullptr;
  }
  if (!read_ranks(arguments.has(0) ? arguments[0] : arguments[1], members)) return nullptr;
  if (arguments.has(0))
    return part_of(self, *caller, [members](processor& me, std::source_location where) {
      return me.subset(members, where);
    });
  return part_of(self, *caller, [members](processor& me, std::source_location where) {
    return me.subset(dimensions(members), where);
  });
}

PyObject* row(PyObject* object, PyObject* /*none*/) {
  auto& self = as_processor(object);
  auto* const caller = caller_of(self);
  if (caller == nullptr) return nullptr;
  return part_of(self, *caller,
                 [](processor& me, std::source_location where) { return me.row(where); });
}

PyObject* column(PyObject* object, PyObject* /*none*/) {
  auto& self = as_processor(object);
  auto* const caller = caller_of(self);
  if (caller == nullptr) return nullptr;
  return part_of(self, *caller,
                 [](processor& me, std::source_location where) { return me.column(where); });
}

PyObject* slice(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = as_processor(object);
  call_arguments arguments;
  int dimension = 0;
  if (!arguments.parse("slice", {"dimension"}, 1, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  if (caller == nullptr || !read_int(arguments[0], dimension)) return nullptr;
  return part_of(self, *caller, [=](processor& me, std::source_location where) {
    return me.slice(dimension, where);
  });
}

// --- the class ---

PyObject* now(PyObject* object, void* /*closure*/) {
  auto* const of = member_of(as_processor(object));
  if (of == nullptr || of->run->is_over()) {
    PyErr_SetString(PyExc_RuntimeError, "the run is over: a processor is in a step during it");
    return nullptr;
  }
  return PyLong_FromUnsignedLongLong(of->me->now());
}

PyObject* topology_of(PyObject* object, void* /*closure*/) {
  auto& self = as_processor(object);
  auto* const of = member_of(self);
  if (of == nullptr || of->run->is_over()) {
    PyErr_SetString(PyExc_RuntimeError,
                    "the run is over: ask the machine for its topology, or ask during the run");
    return nullptr;
  }
  if (self.root == nullptr) return network_object(of->run->network());
  // The part's own ends with the run.
  return network_object(self.handle->topology().spec());
}

PyObject* text_of(PyObject* object) {
  auto const& self = as_processor(object);
  return PyUnicode_FromFormat("<processor %d of %d>", self.rank, self.size);
}

void delete_processor(PyObject* object) {
  auto& self = as_processor(object);
  auto* const type = Py_TYPE(object);
  if (self.root != nullptr) {
    delete self.handle;
    Py_DECREF(self.root);
  }
  type->tp_free(object);
  Py_DECREF(type);
}

std::vector<PyMethodDef> methods_of_processor() {
  std::vector<PyMethodDef> all{
      {"send", as_method(send), with_names,
       "send($self, to, values)\n--\n\nSend one message to a rank, or along(dimension, offset)."},
      {"receive", as_method(receive), with_names,
       "receive($self, source, words=None)\n--\n\nReceive the oldest message from that processor; "
       "waits "
       "for "
       "it. It must have that many words, if they are given."},
      {"exchange", as_method(exchange), with_names,
       "exchange($self, to, values, source=None)\n--\n\nSend, then receive: from the same "
       "processor, or "
       "from source."},
      {"shift", as_method(shift), with_names,
       "shift($self, way, values)\n--\n\nSend along(dimension, offset), and receive from the other "
       "side: "
       "None at the edge of a mesh."},
      {"receive_any", as_method(receive_any), with_names,
       "receive_any($self, among=None)\n--\n\nReceive from whichever sender comes first: (source, "
       "value)."},
      {"try_receive", as_method(try_receive), with_names,
       "try_receive($self, source)\n--\n\nReceive the oldest message from that processor if it has "
       "come, "
       "else None, a step later."},
      {"pending", as_method(pending), with_names,
       "pending($self, source)\n--\n\nCount the messages from that processor that have come."},
      {"barrier", barrier, METH_NOARGS,
       "barrier($self)\n--\n\nLet all processors go on in the same step."},
      {"phase", as_method(phase), with_names,
       "phase($self, name)\n--\n\nA barrier that names what follows, until the next; counts are "
       "kept per "
       "phase."},
      {"label", as_method(label), with_names,
       "label($self, name)\n--\n\nName what this processor does from here on, without a barrier; "
       "by with "
       "me.label(name): what it does in the block, and labels in the block are inside of this "
       "one."},
      {"idle", as_method(idle), with_names,
       "idle($self, steps=1)\n--\n\nLet that many steps pass."},
      {"work", as_method(work), with_names,
       "work($self, operations)\n--\n\nCount local operations of this processor."},
      {"rearrange", as_method(rearrange), with_names,
       "rearrange($self, words)\n--\n\nReport that this processor re-laid that many words of its "
       "memory."},
      {"choose_pass", as_method(choose_pass), with_names,
       "choose_pass($self, number)\n--\n\nChoose the pass that the next messages belong to "
       "(ports=\"per-pass\")."},
      {"note", as_method(note), with_names,
       "note($self, text)\n--\n\nSay why the next call is made; kept for pages only."},
      {"show", as_method(show), with_names,
       "show($self, name, value)\n--\n\nShow a value on the page of a recorded run: a number, a "
       "text, a "
       "list of numbers, or an array of one or two dimensions."},
      {"neighbour", as_method(neighbour), with_names,
       "neighbour($self, way)\n--\n\nThe rank that along(dimension, offset) leads to; None off the "
       "edge "
       "of "
       "a mesh."},
      {"subset", as_method(subset), with_names,
       "subset($self, members=None, dimensions=None)\n--\n\nPart of the machine, with ranks of its "
       "own."},
      {"row", row, METH_NOARGS, "row($self)\n--\n\nThis processor's row of a torus or mesh."},
      {"column", column, METH_NOARGS,
       "column($self)\n--\n\nThis processor's column of a torus or mesh."},
      {"slice", as_method(slice), with_names,
       "slice($self, dimension)\n--\n\nThe processors with this one's coordinate along a "
       "dimension."},
      {"_words_of", words_of_value, METH_O, nullptr},
      {"_begin_rounds", begin_rounds, METH_NOARGS, nullptr},
      {"_begin_tag", as_method(begin_tag), with_names, nullptr},
      {"_end_tag", end_tag, METH_O, nullptr},
      {"_end_rounds", end_rounds, METH_O, nullptr}};
  for (auto const& more : {collective_methods(), superstep_methods(), window_methods(),
                           counted_work_methods(), memory_methods()})
    all.insert(all.end(), more.begin(), more.end());
  all.push_back({nullptr, nullptr, 0, nullptr});
  return all;
}

/// Sets the TypeError of a name that a call does not take.
void set_unknown(char const* call, PyObject* name, std::initializer_list<char const*> names) {
  PyObject* const known = PyList_New(0);
  if (known == nullptr) return;
  for (auto const* const one : names) {
    PyObject* const text = PyUnicode_FromString(one);
    if (text != nullptr) PyList_Append(known, text);
    Py_XDECREF(text);
  }
  PyObject* const module = PyImport_ImportModule("lockstep.arguments");
  PyObject* const text = module == nullptr
                             ? nullptr
                             : PyObject_CallMethod(module, "unknown", "(sOO)", call, name, known);
  Py_XDECREF(module);
  Py_DECREF(known);
  if (text != nullptr) PyErr_SetObject(PyExc_TypeError, text);
  Py_XDECREF(text);
}

PyTypeObject* make_type(PyObject* module, PyType_Spec& spec, char const* name) {
  PyObject* const made = PyType_FromSpec(&spec);
  if (made == nullptr) return nullptr;
  Py_INCREF(made);
  if (PyModule_AddObject(module, name, made) < 0) return nullptr;
  return reinterpret_cast<PyTypeObject*>(made);
}

}  // namespace

bool call_arguments::parse(char const* call, std::initializer_list<char const*> names,
                           std::size_t required, PyObject* const* given, Py_ssize_t count,
                           PyObject* named) {
  if (static_cast<std::size_t>(count) > names.size()) {
    PyErr_Format(PyExc_TypeError, "%s takes %zu arguments at most, and %zd were given", call,
                 names.size(), count);
    return false;
  }
  for (Py_ssize_t at = 0; at < count; ++at) m_values[at] = given[at];
  Py_ssize_t const by_name = named == nullptr ? 0 : PyTuple_GET_SIZE(named);
  for (Py_ssize_t at = 0; at < by_name; ++at) {
    PyObject* const name = PyTuple_GET_ITEM(named, at);
    std::size_t place = 0;
    for (auto const* const known : names) {
      if (PyUnicode_CompareWithASCIIString(name, known) == 0) break;
      ++place;
    }
    if (place == names.size()) {
      set_unknown(call, name, names);
      return false;
    }
    if (m_values[place] != nullptr) {
      PyErr_Format(PyExc_TypeError, "%s got its argument %U twice", call, name);
      return false;
    }
    m_values[place] = given[count + at];
  }
  std::size_t place = 0;
  for (auto const* const known : names) {
    if (place < required && m_values[place] == nullptr) {
      PyErr_Format(PyExc_TypeError, "%s misses its argument %s", call, known);
      return false;
    }
    ++place;
  }
  return true;
}

bool set_unexpected(char const* expected, PyObject* value, PyObject* error) {
  PyObject* const module = PyImport_ImportModule("lockstep.arguments");
  PyObject* const text =
      module == nullptr ? nullptr : PyObject_CallMethod(module, "written", "(O)", value);
  Py_XDECREF(module);
  if (text == nullptr) return false;
  PyErr_Format(error, "%s is expected here, and not %U", expected, text);
  Py_DECREF(text);
  return false;
}

bool read_int(PyObject* value, int& read, char const* expected) {
  if (!PyIndex_Check(value)) return set_unexpected(expected, value);
  PyObject* const number = PyLong_CheckExact(value) ? itself(value) : PyNumber_Index(value);
  if (number == nullptr) return false;
  int overflow = 0;
  long const wide = PyLong_AsLongAndOverflow(number, &overflow);
  Py_DECREF(number);
  using limits = std::numeric_limits<int>;
  if (overflow > 0 || wide > limits::max())
    read = limits::max();
  else if (overflow < 0 || wide < limits::min())
    read = limits::min();
  else
    read = static_cast<int>(wide);
  return true;
}

bool read_amount(PyObject* value, std::uint64_t& read) {
  constexpr auto expected = "a whole number, 0 or more and below 2**64,";
  if (!PyIndex_Check(value)) return set_unexpected(expected, value);
  PyObject* const number = PyNumber_Index(value);
  if (number == nullptr) return false;
  read = PyLong_AsUnsignedLongLong(number);
  Py_DECREF(number);
  if (PyErr_Occurred() == nullptr) return true;
  PyErr_Clear();
  return set_unexpected(expected, value, PyExc_ValueError);
}

bool read_text(PyObject* value, std::string& read) {
  Py_ssize_t bytes = 0;
  if (!PyUnicode_Check(value)) return set_unexpected("a text", value);
  char const* const text = PyUnicode_AsUTF8AndSize(value, &bytes);
  if (text == nullptr) return false;
  read.assign(text, static_cast<std::size_t>(bytes));
  return true;
}

bool load(member& caller, PyObject* value, loaded_payload& loaded) {
  auto& payloads = caller.run->payloads();
  if (!payloads.add(value, caller.run->bytes_count(), loaded.place)) return false;
  auto const& made = payloads.at(loaded.place);
  loaded.words = made.words;
  loaded.kind = made.kind;
  loaded.element = made.element;
  return true;
}

member* caller_of(processor_object& self) {
  auto* const of = member_of(self);
  if (of == nullptr || of->run->is_over()) {
    PyErr_SetString(PyExc_RuntimeError, "the run is over: a processor makes calls during it");
    return nullptr;
  }
  if (!of->run->is_running(*of)) {
    PyErr_Format(PyExc_RuntimeError,
                 "processor %d makes its calls in its own program: not in an operator, in another "
                 "processor's program, or in another thread",
                 of->rank);
    return nullptr;
  }
  if (of->counts_work) {
    PyErr_Format(PyExc_RuntimeError,
                 "a call of processor %d inside work_of, which counts local operations: make it "
                 "before or after",
                 of->rank);
    return nullptr;
  }
  if (of->waits == member::waiting::for_await) {
    set_not_awaited(*of);
    return nullptr;
  }
  if (of->waits == member::waiting::for_result) {
    PyErr_Format(PyExc_RuntimeError,
                 "the result of the call in line %u of %s was not taken before the next call: "
                 "write await where the call is made",
                 static_cast<unsigned>(of->call.where.line()), of->call.where.file_name());
    return nullptr;
  }
  return of;
}

PyObject* commit(processor_object& self, member& caller, program_call::kind what) {
  auto& call = caller.call;
  call.what = what;
  call.by = self.root == nullptr ? caller.me : self.handle;
  call.where = caller.run->lines().of_caller();
  if (self.root != nullptr) {  // which may be a temporary of the program's
    PyObject* const called = itself(reinterpret_cast<PyObject*>(&self));
    Py_XDECREF(std::exchange(caller.needs().called, called));
  }
  if (caller.awaits) {
    caller.waits = member::waiting::for_await;
    return awaited_of(caller);
  }
  if (caller.program != nullptr) return caller.run->wait_in_greenlet(caller);
  call.what = program_call::kind::none;
  PyErr_SetString(PyExc_RuntimeError,
                  "a program that is a plain function needs greenlet (Debian: python3-greenlet); "
                  "without it, write async def, and await each call");
  return nullptr;
}

PyObject* commit(processor_object& self, member& caller, std::unique_ptr<other_call> other) {
  if (!may_commit(self)) return nullptr;
  caller.other = std::move(other);
  return commit(self, caller, program_call::kind::other);
}

void set_not_awaited(member& of) {
  of.waits = member::waiting::for_nothing;
  PyErr_Format(PyExc_RuntimeError,
               "the call in line %u of %s was not awaited: in async def, write await before each "
               "call of a processor",
               static_cast<unsigned>(of.call.where.line()), of.call.where.file_name());
}

PyObject* checked_exchange(member& of, payload_value const& came, PyObject* result) {
  auto const sent = of.call.sent;
  auto const any = [](payload_kind kind) {
    return kind == payload_kind::nothing || kind == payload_kind::object;
  };
  if (any(sent) || any(came.kind)) return result;
  Py_DECREF(result);
  auto const message = "processor " + std::to_string(of.rank) + " exchanged " +
                       name_of(sent, of.call.sent_element) + ", and " +
                       name_of(came.kind, came.element) + " came from processor " +
                       std::to_string(of.call.from) +
                       ": an exchange takes in what it sends; otherwise use send and receive";
  PyObject* const exception =
      exception_of("TypeMismatch", message, {of.rank, of.me->now(), of.phase(), of.call.where});
  if (exception == nullptr) return nullptr;
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception)), exception);
  of.needs().thrown = nullptr;
  of.set_error(exception);
  return nullptr;
}

PyObject* make_processor(member& of, processor& handle, PyObject* root) {
  PyObject* const made = processor_type->tp_alloc(processor_type, 0);
  if (made == nullptr) return nullptr;
  auto& object = as_processor(made);
  object.of = root == nullptr ? &of : nullptr;
  object.rank = handle.rank();
  object.size = handle.size();
  object.handle = &handle;
  object.root = root;
  Py_XINCREF(root);
  return made;
}

PyObject* make_part(member& of, std::unique_ptr<processor> handle) {
  PyObject* const made = make_processor(of, *handle, of.handle);
  if (made != nullptr) static_cast<void>(handle.release());
  return made;
}

void release(PyObject* handle) {
  if (handle != nullptr) as_processor(handle).of = nullptr;
}

bool add_processor_types(PyObject* module) {
  static PyMethodDef label_methods[] = {{"__enter__", enter_label, METH_NOARGS, nullptr},
                                        {"__exit__", exit_label, METH_VARARGS, nullptr},
                                        {"__aenter__", enter_awaited_label, METH_NOARGS, nullptr},
                                        {"__aexit__", exit_awaited_label, METH_VARARGS, nullptr},
                                        {nullptr, nullptr, 0, nullptr}};
  static PyType_Slot awaited_slots[] = {{Py_am_await, as_slot(itself)},
                                        {Py_am_send, as_slot(send_to_awaited)},
                                        {Py_tp_iter, as_slot(itself)},
                                        {Py_tp_iternext, as_slot(next_of_awaited)},
                                        {Py_tp_methods, label_methods},
                                        {Py_tp_dealloc, as_slot(delete_awaited)},
                                        {0, nullptr}};
  static PyType_Spec awaited_spec{"lockstep.Awaited", sizeof(awaited_object), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                  awaited_slots};
  static auto methods = methods_of_processor();
  static PyMemberDef members[] = {
      {"rank", T_INT, offsetof(processor_object, rank), READONLY,
       "The number of this processor, from 0."},
      {"size", T_INT, offsetof(processor_object, size), READONLY, "How many processors there are."},
      {nullptr, 0, 0, 0, nullptr}};
  static PyGetSetDef properties[] = {
      {"now", now, nullptr, "The step that this processor is in.", nullptr},
      {"topology", topology_of, nullptr, "The network of the machine, or of this part of it.",
       nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr}};
  static PyType_Slot slots[] = {
      {Py_tp_methods, methods.data()},
      {Py_tp_members, members},
      {Py_tp_getset, properties},
      {Py_tp_repr, as_slot(text_of)},
      {Py_tp_dealloc, as_slot(delete_processor)},
      {Py_tp_doc, const_cast<char*>("A virtual processor, as its program sees it.")},
      {0, nullptr}};
  static PyType_Spec spec{"lockstep.Processor", sizeof(processor_object), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  awaited_type = make_type(module, awaited_spec, "Awaited");
  processor_type = make_type(module, spec, "Processor");
  return awaited_type != nullptr && processor_type != nullptr && add_memory_type(module);
}

}  // namespace lockstep::python
