#include "program_run.hpp"

#include <stdexcept>

#include <boost/context/protected_fixedsize_stack.hpp>

#include <lockstep/detail/untyped_calls.hpp>

#include "ending_interpreter.hpp"
#include "processor_object.hpp"

namespace lockstep::python {

namespace {

/// The stack of the machine itself, which makes and counts a run, and of topologies and observers.
constexpr std::size_t machine_stack_bytes = std::size_t{1} << 20;

thread_local program_run* run_of_thread = nullptr;

/// The run of this thread, as long as the scope lasts.
class run_scope {
 public:
  explicit run_scope(program_run& run) { run_of_thread = &run; }
  run_scope(run_scope const&) = delete;
  run_scope& operator=(run_scope const&) = delete;
  ~run_scope() { run_of_thread = nullptr; }
};

/// Takes the error that is set out of the interpreter, with its traceback. New reference.
PyObject* taken_error() {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback != nullptr) static_cast<void>(PyException_SetTraceback(value, traceback));
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return value;
}

void raise(PyObject* exception) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception)), exception);
}

/// Asks a function of the module inspect about a program.
bool is_by_inspect(char const* question, PyObject* program) {
  PyObject* const inspect = PyImport_ImportModule("inspect");
  PyObject* const answer =
      inspect == nullptr ? nullptr : PyObject_CallMethod(inspect, question, "(O)", program);
  bool const is = answer == Py_True;
  PyErr_Clear();
  Py_XDECREF(answer);
  Py_XDECREF(inspect);
  return is;
}

incident place_of(member const& one, std::source_location where) {
  return {one.rank, one.me->now(), one.phase(), where};
}

/// Lets go of the dict that CPython before 3.13 makes for the attributes of each greenlet. Programs have
/// none there, and whoever asks for the dict gets a new one.
void drop_empty_attributes(PyObject* greenlet) {
  auto const place = Py_TYPE(greenlet)->tp_dictoffset;
  if (place <= 0) return;
  auto& attributes = *reinterpret_cast<PyObject**>(reinterpret_cast<std::byte*>(greenlet) + place);
  Py_CLEAR(attributes);
}

/// Whether an error of a call is that with which the run ended: of the same class and step.
bool is_same_error(PyObject* of_call, PyObject* of_run) {
  if (of_call == nullptr || Py_TYPE(of_call) != Py_TYPE(of_run)) return false;
  PyObject* const left = PyObject_GetAttrString(of_call, "step");
  PyObject* const right = PyObject_GetAttrString(of_run, "step");
  bool const is =
      left != nullptr && right != nullptr && PyObject_RichCompareBool(left, right, Py_EQ) == 1;
  Py_XDECREF(left);
  Py_XDECREF(right);
  PyErr_Clear();
  return is;
}

void set_is_generator() {
  PyErr_SetString(PyExc_TypeError,
                  "a program with yield is a generator, which nobody runs: write a plain function, "
                  "or async def with await, and return the values");
}

}  // namespace

greenlet_calls const& greenlet_calls::find() {
  // Places in the table that `greenlet` exports, the same since its version 0.4.
  constexpr std::size_t type_at = 0;
  constexpr std::size_t current_at = 4;
  constexpr std::size_t switch_at = 6;
  static greenlet_calls const found = [] {
    greenlet_calls calls;
    PyObject* const module = PyImport_ImportModule("greenlet");
    auto* const* const table =
        module == nullptr ? nullptr : static_cast<void**>(PyCapsule_Import("greenlet._C_API", 0));
    PyErr_Clear();
    if (table == nullptr) return calls;
    calls.type = static_cast<PyObject*>(table[type_at]);
    calls.current = reinterpret_cast<PyObject* (*)()>(table[current_at]);
    calls.switch_to =
        reinterpret_cast<PyObject* (*)(PyObject*, PyObject*, PyObject*)>(table[switch_at]);
    return calls;
  }();
  return found;
}

program_run::program_run(PyObject* program, PyObject* arguments, PyObject* named,
                         std::shared_ptr<topology const> network, bool bytes_count)
    : m_program(program),
      m_arguments(arguments),
      m_named(named),
      m_network(std::move(network)),
      m_thread(PyThreadState_Get()),
      m_is_coroutine(is_by_inspect("iscoroutinefunction", program)),
      m_bytes_count(bytes_count),
      m_members(static_cast<std::size_t>(m_network->size())),
      m_results(PyList_New(m_network->size())) {
  Py_INCREF(m_program);
  Py_INCREF(m_arguments);
  Py_XINCREF(m_named);
  int rank = 0;
  for (auto& one : m_members) {
    one.run = this;
    one.rank = rank++;
  }
}

program_run::~program_run() {
  for (auto& one : m_members) {
    Py_XDECREF(one.program);
    release(one.handle);
    Py_XDECREF(one.handle);
    Py_XDECREF(one.awaited);
    Py_XDECREF(one.context);
    if (one.more != nullptr) {
      Py_XDECREF(one.more->called);
      Py_XDECREF(one.more->rounds);
      Py_XDECREF(one.more->raised);
      Py_XDECREF(one.more->error);
    }
  }
  Py_XDECREF(m_interruption);
  Py_XDECREF(m_main);
  Py_XDECREF(m_entry);
  Py_XDECREF(m_results);
  Py_XDECREF(m_named);
  Py_DECREF(m_arguments);
  Py_DECREF(m_program);
}

bool program_run::refuse_generator(PyObject* program) {
  bool const is =
      is_by_inspect("isgeneratorfunction", program) || is_by_inspect("isasyncgenfunction", program);
  if (is) set_is_generator();
  return is;
}

bool program_run::runs_in_this_thread() { return run_of_thread != nullptr; }

PyObject* program_run::take_results() {
  for (Py_ssize_t rank = 0; rank < PyList_GET_SIZE(m_results); ++rank)
    if (PyList_GET_ITEM(m_results, rank) == nullptr) {
      Py_INCREF(Py_None);
      PyList_SET_ITEM(m_results, rank, Py_None);
    }
  return std::exchange(m_results, nullptr);
}

/// Makes what greenlets run, where there are greenlets. False: a Python error is set.
bool program_run::make_entry() {
  auto const& greenlets = greenlet_calls::find();
  if (!greenlets.are_there()) return true;
  static PyMethodDef definition{"program", &program_run::enter, METH_NOARGS, nullptr};
  PyObject* const self = PyCapsule_New(this, nullptr, nullptr);
  if (self == nullptr) return false;
  m_entry = PyCFunction_New(&definition, self);
  Py_DECREF(self);
  if (m_entry == nullptr) return false;
  m_main = greenlets.current();
  return true;
}

std::optional<run_record> program_run::execute(machine const& on,
                                               std::span<observer* const> observers) {
  run_scope const scope(*this);
  if (!make_entry()) return std::nullopt;
  std::optional<run_record> record;
  std::exception_ptr failure;
  boost::context::protected_fixedsize_stack stacks(machine_stack_bytes);
  auto const stack = stacks.allocate();
  m_machine_stack = {static_cast<std::byte*>(stack.sp) - stack.size, stack.size};
  m_engine = boost::context::fiber(
      std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack), stacks,
      [&](boost::context::fiber&& thread) {
        m_thread_stack = stack_switch::begin();
        m_python = std::move(thread);
        try {
          record.emplace(on.run([this](processor& me) { run_member(me); }, observers));
        } catch (...) {
          failure = std::current_exception();
        }
        stack_switch const to_thread(m_thread_stack, true);
        return std::move(m_python);
      });
  resume_machine();
  while (m_engine) answer();
  m_over = true;
  close_programs();
  if (m_left_call) failure = std::make_exception_ptr(*m_left_call);
  if (m_interruption != nullptr)
    raise(m_interruption);
  else if (failure != nullptr)
    set_error(failure);
  else
    return record;
  return std::nullopt;
}

/// Jumps from the thread's stack to the fiber that waits for it, until one jumps back.
void program_run::resume_machine() {
  stack_switch const to_machine(m_machine_stack);
  m_engine = std::move(m_engine).resume();
  m_machine_stack = to_machine.end();
}

// --- on the stacks of the machine and its fibers: nothing of Python's is called ---

/// Jumps from a fiber to the thread's stack, until that jumps back.
void program_run::resume_thread() {
  stack_switch const to_thread(m_thread_stack);
  m_python = std::move(m_python).resume();
  m_thread_stack = to_thread.end();
}

void program_run::run_member(processor& me) {
  auto& one = m_members[static_cast<std::size_t>(me.rank())];
  one.me = &me;
  go_on(one);
  serve(one);
}

/// Lets the program go on until its next call.
void program_run::go_on(member& one) {
  m_question = {&one, nullptr, nullptr, false};
  resume_thread();
}

void program_run::on_thread_stack(member& one, bool (*ask)(void*), void* data) {
  m_question = {&one, ask, data, false};
  resume_thread();
  if (!m_question.answered) throw program_failure{one.rank, one.me->now()};
}

/// Gives the labels that the program has given since its last call.
void program_run::give_labels(member& one) {
  auto& needs = one.needs();
  for (auto const& given : needs.labels) {
    switch (given.what) {
      case given_label::kind::alone:
        one.me->label(given.name, given.where);
        break;
      case given_label::kind::begin:
        needs.enclosed.push_back(
            detail::untyped_calls::begin_label(*one.me, given.name, given.where));
        break;
      case given_label::kind::end:
        detail::untyped_calls::end_label(*one.me, needs.enclosed.back());
        needs.enclosed.pop_back();
        break;
    }
  }
  needs.labels.clear();
  one.has_labels = false;
}

/// Ends a processor by the error of its last call, whose step is its own, or by what its program raised.
void program_run::fail(member& one) {
  bool const is_of_call = one.raised() == nullptr || one.raised() == one.error();
  if (is_of_call && one.more != nullptr && one.more->thrown != nullptr)
    std::rethrow_exception(one.more->thrown);
  throw program_failure{one.rank, one.me->now()};
}

void program_run::serve(member& one) {
  for (;;) {
    if (one.has_labels) [[unlikely]]
      give_labels(one);
    switch (one.call.what) {
      case program_call::kind::returned:
        if (one.error() != nullptr) fail(one);
        return;
      case program_call::kind::raised:
      case program_call::kind::leave_rounds:
        fail(one);
      case program_call::kind::end_rounds:
        return;
      default:
        make_call(one);
        go_on(one);
    }
  }
}

/// Makes the call of the program. Its errors are the program's to see.
void program_run::make_call(member& one) {
  auto& call = one.call;
  try {
    switch (call.what) {
      case program_call::kind::send:
        return send_payload(*call.by, call.to, call.place, call.words, call.where);
      case program_call::kind::receive:
        call.place = receive_payload(*call.by, call.from, call.where);
        return;
      case program_call::kind::exchange:
        send_payload(*call.by, call.to, call.place, call.words, call.where);
        call.place = receive_payload(*call.by, call.from, call.where);
        return;
      case program_call::kind::other:
        return one.other->perform(one, *call.by, call.where);
      default:
        return;
    }
  } catch (error const&) {
    one.needs().failure = std::current_exception();
  } catch (program_failure const&) {
    bool const has_ended =
        call.what == program_call::kind::raised || call.what == program_call::kind::leave_rounds;
    if (has_ended) throw;
    one.needs().failure = std::current_exception();  // of an operator
  }
  one.has_failed_call = true;
}

// --- on the thread's stack: Python ---

/// Answers a fiber: its program goes on until it ends, or waits for a call that is not made yet.
void program_run::answer() {
  if (m_question.ask != nullptr) {
    combine();
  } else {
    auto& asked = *m_question.from;
    resume(asked);
    // Another program may have gone on meanwhile, and ended.
    auto const* const last = std::exchange(m_running, nullptr);
    if (last == nullptr || !last->call.has_ended()) return;
  }
  resume_machine();
}

/// Calls an operator.
void program_run::combine() {
  auto& asked = m_question;
  auto* const running = std::exchange(m_running, nullptr);
  {
    // The operator is that of a program whose turn it need not be.
    context_scope const inside(asked.from == m_inside ? nullptr : asked.from->context);
    asked.answered = kept_from_unwinding([&] { return asked.ask(asked.data); });
  }
  m_running = running;
  if (!asked.answered) asked.from->set_raised(taken_error());
}

bool program_run::advance(member& caller) {
  m_running = nullptr;
  do {
    resume_machine();
    if (!m_engine) return false;
    if (m_question.ask == nullptr) {
      if (m_question.from != &caller || m_interrupted) return false;
      m_running = &caller;
      return true;
    }
    combine();
  } while (true);
}

void program_run::resume(member& one) {
  m_running = &one;
  if (m_interrupted)
    one.call.what = program_call::kind::raised;
  else if (one.call.has_ended())
    return;  // while its call was under way
  else if (one.program == nullptr)
    begin(one);
  else if (one.awaits)
    resume_coroutine(one);
  else
    resume_greenlet(one);
}

void program_run::begin(member& one) {
  one.handle = make_processor(one, *one.me, nullptr);
  if (one.handle == nullptr) return end_with_error(one);
  auto const& greenlets = greenlet_calls::find();
  if (m_is_coroutine || !greenlets.are_there()) {
    one.awaits = m_is_coroutine;
    return take_outcome(one, kept_from_unwinding([&] { return call_program(one); }));
  }
  one.program = PyObject_CallOneArg(greenlets.type, m_entry);
  // A greenlet begins with an empty context of its own.
  bool const is_ready =
      one.program != nullptr &&
      (m_contexts.are_empty() ||
       (make_context(one) && PyObject_SetAttrString(one.program, "gr_context", one.context) == 0));
  if (!is_ready) return end_with_error(one);
  drop_empty_attributes(one.program);
  resume_greenlet(one);
}

/// Calls the program on a processor that begins. New reference, or nullptr.
PyObject* program_run::call_program(member& one) {
  auto const given = PyTuple_GET_SIZE(m_arguments);
  // A tuple of its own would be there as long as the program runs.
  if (given == 0) return PyObject_VectorcallDict(m_program, &one.handle, 1, m_named);
  PyObject* const arguments = PyTuple_New(given + 1);
  if (arguments == nullptr) return nullptr;
  Py_INCREF(one.handle);
  PyTuple_SET_ITEM(arguments, 0, one.handle);
  for (Py_ssize_t at = 0; at < given; ++at) {
    PyObject* const argument = PyTuple_GET_ITEM(m_arguments, at);
    Py_INCREF(argument);
    PyTuple_SET_ITEM(arguments, at + 1, argument);
  }
  PyObject* const result = PyObject_Call(m_program, arguments, m_named);
  Py_DECREF(arguments);
  return result;
}

/// Runs the program in the greenlet of a processor, which has just begun.
PyObject* program_run::enter(PyObject* run, PyObject* /*none*/) {
  auto& self = *static_cast<program_run*>(PyCapsule_GetPointer(run, nullptr));
  frame_piece const piece(self.m_frames);
  return kept_from_unwinding([&] { return self.call_program(*self.m_running); });
}

/// Takes what a program that does not await has returned: its result, or a coroutine to go on with.
void program_run::take_outcome(member& one, PyObject* outcome) {
  if (outcome == nullptr) return end_with_error(one);
  if (PyCoro_CheckExact(outcome)) {
    Py_XDECREF(std::exchange(one.program, outcome));
    one.awaits = true;
    return resume_coroutine(one);
  }
  if (PyGen_CheckExact(outcome) || PyAsyncGen_CheckExact(outcome)) {
    Py_DECREF(outcome);
    set_is_generator();
    return end_with_error(one);
  }
  one.call.what = program_call::kind::returned;
  PyList_SetItem(m_results, one.rank, outcome);
}

bool program_run::make_context(member& one) {
  if (one.context == nullptr) one.context = m_contexts.make();
  return one.context != nullptr;
}

void program_run::resume_coroutine(member& one) {
  if (!make_context(one)) return end_with_error(one);
  PyObject* result = nullptr;
  m_inside = &one;
  auto const outcome = [&] {
    context_scope const inside(one.context);
    return kept_from_unwinding([&] { return PyIter_Send(one.program, Py_None, &result); });
  }();
  m_inside = nullptr;
  switch (outcome) {
    case PYGEN_NEXT: {
      bool const is_call =
          one.waits == member::waiting::for_result && m_running != &one && result == Py_None;
      Py_DECREF(result);
      if (is_call) return;
      PyErr_SetString(PyExc_TypeError,
                      "a program awaits the calls of its processor, and other coroutines that do, "
                      "but nothing of another event loop");
      return end_with_error(one);
    }
    case PYGEN_RETURN:
      if (one.waits == member::waiting::for_await) {
        Py_DECREF(result);
        set_not_awaited(one);
        return end_with_error(one);
      }
      if (one.waits == member::waiting::for_result) {
        Py_DECREF(result);
        PyErr_SetString(PyExc_RuntimeError,
                        "a program ended before it took the result of its call, which it had "
                        "stepped by hand: write await where the call is made");
        return end_with_error(one);
      }
      one.call.what = program_call::kind::returned;
      PyList_SetItem(m_results, one.rank, result);
      return;
    case PYGEN_ERROR:
      return end_with_error(one);
  }
}

/// Goes on with a program in its greenlet. It comes back when a program has ended, which may be another,
/// or when the next is not one that waits in a greenlet.
void program_run::resume_greenlet(member& one) {
  m_handed_back = false;
  PyObject* const outcome = greenlet_calls::find().switch_to(one.program, nullptr, nullptr);
  if (!m_handed_back) return take_outcome(*m_running, outcome);
  m_running = nullptr;
  Py_XDECREF(outcome);
}

PyObject* program_run::wait_in_greenlet(member& caller) {
  PyObject* const current = greenlet_calls::find().current();
  Py_XDECREF(current);
  if (current != caller.program) {
    caller.call.what = program_call::kind::none;
    PyErr_Format(PyExc_RuntimeError,
                 "processor %d makes its calls in the greenlet of its own program, and not in one "
                 "that the program has started",
                 caller.rank);
    return nullptr;
  }
  caller.waits = member::waiting::for_result;
  if (!advance(caller)) {
    auto* const next = m_question.from;
    bool const is_next = m_engine && !m_interrupted && next->program != nullptr && !next->awaits;
    m_running = next;
    m_handed_back = !is_next;
    PyObject* const back = [&] {
      hidden_frame const hidden(*m_thread);
      return greenlet_calls::find().switch_to(is_next ? next->program : m_main, nullptr, nullptr);
    }();
    if (back == nullptr) return nullptr;  // GreenletExit, at the end
    Py_DECREF(back);
  }
  return result_of_call(caller);
}

PyObject* program_run::result_of_call(member& caller) {
  caller.waits = member::waiting::for_nothing;
  if (caller.more != nullptr) Py_CLEAR(caller.more->called);
  auto const made = std::exchange(caller.call.what, program_call::kind::none);
  if (caller.has_failed_call) [[unlikely]] {
    caller.has_failed_call = false;
    caller.other.reset();
    set_error(std::exchange(caller.more->failure, nullptr), &caller);
    return nullptr;
  }
  switch (made) {
    case program_call::kind::send:
      Py_RETURN_NONE;
    case program_call::kind::receive:
      return m_payloads.take(caller.call.place);
    case program_call::kind::exchange: {
      auto const came = m_payloads.at(caller.call.place);
      PyObject* const result = m_payloads.take(caller.call.place);
      bool const is_alike =
          came.kind == caller.call.sent && came.element == caller.call.sent_element;
      if (is_alike || result == nullptr) [[likely]]
        return result;
      return checked_exchange(caller, came, result);
    }
    case program_call::kind::other: {
      auto const other = std::move(caller.other);
      return other->finish(caller);
    }
    default:
      Py_RETURN_NONE;
  }
}

/// Ends a program by the Python error that is set.
void program_run::end_with_error(member& one) {
  PyObject* const exception = taken_error();
  one.call.what = program_call::kind::raised;
  bool const is_in_call = one.waits == member::waiting::for_result && m_running != &one;
  if (is_in_call && m_engine && !m_left_call) m_left_call = {one.rank, one.me->now()};
  if (!PyErr_GivenExceptionMatches(exception, PyExc_Exception) && m_interruption == nullptr) {
    m_interrupted = true;
    m_interruption = exception;
    return;
  }
  one.set_raised(exception);
}

/// Closes the programs that a failed run has left waiting: `finally` blocks run, and calls are refused.
void program_run::close_programs() {
  for (auto& one : m_members) {
    if (one.program == nullptr) continue;
    context_scope const inside(one.awaits ? one.context : nullptr);
    PyObject* const exit = kept_from_unwinding(
        [&] { return PyObject_CallMethod(one.program, one.awaits ? "close" : "throw", nullptr); });
    if (exit == nullptr) PyErr_Clear();
    Py_XDECREF(exit);
    Py_CLEAR(one.program);
  }
}

/// Sets the Python error of an exception of the machine's.
void program_run::set_error(std::exception_ptr const& failure, member* caller) {
  try {
    std::rethrow_exception(failure);
  } catch (program_failure const& ended) {
    set_program_error(ended);
  } catch (error const& thrown) {
    if (caller != nullptr)
      caller->needs().thrown = thrown.rank() == caller->rank ? failure : nullptr;
    int const known = thrown.rank() < 0 && caller != nullptr ? caller->rank : thrown.rank();
    auto const rank = static_cast<std::size_t>(known);
    PyObject* exception = caller == nullptr
                              ? exception_of(thrown)
                              : exception_of(thrown, place_of(*caller, caller->call.where));
    bool const is_known = m_over && rank < m_members.size() && exception != nullptr;
    if (is_known && is_same_error(m_members[rank].error(), exception)) {
      Py_DECREF(exception);
      exception = m_members[rank].error();  // as the program's call raised it, with its traceback
      Py_INCREF(exception);
    }
    if (exception == nullptr) return;
    if (!m_over && rank < m_members.size()) {
      Py_INCREF(exception);
      m_members[rank].set_error(exception);
    }
    raise(exception);
    Py_DECREF(exception);
  } catch (std::exception const& other) {
    PyErr_SetString(PyExc_RuntimeError, other.what());
  }
}

/// Sets the error of a program that raised an exception: lockstep's own as it is, others as the cause.
void program_run::set_program_error(program_failure const& failure) {
  auto& one = m_members[static_cast<std::size_t>(failure.rank)];
  PyObject* const cause = one.raised() != nullptr ? one.raised() : one.error();
  if (cause == nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "a processor failed without an exception");
    return;
  }
  if (!m_over) return raise(cause);
  incident const place{one.rank, failure.step, one.phase(), line_of(cause, one.call.where)};
  if (is_error(cause)) {
    add_place(cause, place);
    return raise(cause);
  }
  PyObject* const text = PyObject_Str(cause);
  std::string const said = text == nullptr ? "" : PyUnicode_AsUTF8(text);
  PyErr_Clear();
  Py_XDECREF(text);
  auto message = "the program raised " + std::string(Py_TYPE(cause)->tp_name);
  if (!said.empty()) message += ": " + said;
  PyObject* const exception = exception_of("ProcessorFailed", message, place);
  if (exception == nullptr) return;
  Py_INCREF(cause);
  PyException_SetCause(exception, cause);
  raise(exception);
  Py_DECREF(exception);
}

}  // namespace lockstep::python
