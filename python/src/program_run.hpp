#pragma once

#include <Python.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boost/context/fiber.hpp>

#include <lockstep/machine.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/run.hpp>
#include <lockstep/topology.hpp>

#include "frame_stacks.hpp"
#include "payloads.hpp"
#include "program_contexts.hpp"
#include "source_lines.hpp"
#include "stack_switches.hpp"

namespace lockstep::python {

class program_run;
struct member;

/// Ends a processor whose Python program raised an exception: `member::raised()`. Not a
/// std::exception, so that it comes out of `machine::run` as it is.
struct program_failure {
  int rank;
  std::uint64_t step;
};

/// A call of a processor that is not one of the three that send and receive.
class other_call {
 public:
  other_call() = default;
  other_call(other_call const&) = delete;
  other_call& operator=(other_call const&) = delete;
  virtual ~other_call() = default;
  /// Makes the call, on the processor's own stack, where Python must not be called.
  virtual void perform(member& caller, processor& me, std::source_location where) = 0;
  /// Makes its result, on the thread's stack: a new reference; nullptr: a Python error is set.
  [[nodiscard]] virtual PyObject* finish(member& caller) = 0;
};

/// A call that a program makes, or how it ended.
struct program_call {
  enum class kind : std::uint8_t {
    none,
    send,
    receive,
    exchange,
    other,
    end_rounds,    ///< of `pipelined`
    leave_rounds,  ///< by an exception
    returned,
    raised
  };
  /// Whether the program makes no more calls.
  [[nodiscard]] bool has_ended() const { return what == kind::returned || what == kind::raised; }

  kind what = kind::none;
  payload_kind sent = payload_kind::nothing;
  element_type sent_element{};
  processor* by = nullptr;  ///< of the machine or a subset
  destination to{-1};
  int from = -1;
  std::uint64_t place = 0;  ///< of the payload that is sent, and then of the one received
  std::uint64_t words = 0;
  std::source_location where{};
};

/// A label that a program has given, or the beginning or end of one around a block.
struct given_label {
  enum class kind : std::uint8_t { alone, begin, end } what = kind::alone;
  std::string name{};
  std::source_location where{};
};

/// Parts of a processor of a run that few need.
struct seldom_needed {
  PyObject* called = nullptr;         ///< the subset whose call the program waits for; owned
  PyObject* rounds = nullptr;         ///< what its `pipelined` rounds are of; owned
  std::string phase{};                ///< which the program has named last
  std::vector<given_label> labels{};  ///< that its next call gives first
  std::vector<detail::label_place> enclosed{};  ///< the labels before those around blocks
  PyObject* raised = nullptr;    ///< how the program ended, if by an exception; owned
  PyObject* error = nullptr;     ///< the last error of lockstep that a call raised; owned
  std::exception_ptr failure{};  ///< of the call that the program waits for, which will raise it
  std::exception_ptr thrown{};   ///< what `error` was made of, if that has its place
};

/// A processor of a run: its fiber asks, its Python program is resumed and calls.
struct member {
  program_run* run = nullptr;
  int rank = 0;
  bool awaits = false;           ///< its program is a coroutine
  bool in_rounds = false;        ///< of `pipelined`
  bool counts_work = false;      ///< is in a function that `work_of` calls
  bool has_failed_call = false;  ///< `seldom_needed::failure` is to be raised
  bool has_labels = false;       ///< of `seldom_needed`
  enum class waiting : std::uint8_t {
    for_nothing,
    for_await,  ///< the program has made a call that it has not awaited yet
    done,       ///< the same, but the call is made
    for_result
  } waits = waiting::for_nothing;
  processor* me = nullptr;
  PyObject* handle = nullptr;   ///< the Processor that the program was given; owned
  PyObject* awaited = nullptr;  ///< what `awaited_of` gives; owned
  PyObject* program = nullptr;  ///< coroutine or greenlet; owned
  PyObject* context = nullptr;  ///< its context variables; nullptr until it needs one; owned
  program_call call{};
  std::unique_ptr<seldom_needed> more{};  ///< nullptr until it needs one
  std::unique_ptr<other_call> other{};

  [[nodiscard]] seldom_needed& needs() {
    if (more == nullptr) more = std::make_unique<seldom_needed>();
    return *more;
  }
  [[nodiscard]] std::string phase() const { return more == nullptr ? std::string() : more->phase; }
  [[nodiscard]] PyObject* raised() const { return more == nullptr ? nullptr : more->raised; }
  [[nodiscard]] PyObject* error() const { return more == nullptr ? nullptr : more->error; }
  /// Keeps how the program ended. Gives up `exception`.
  void set_raised(PyObject* exception) { Py_XDECREF(std::exchange(needs().raised, exception)); }
  /// Keeps the last error of a call. Gives up `exception`.
  void set_error(PyObject* exception) { Py_XDECREF(std::exchange(needs().error, exception)); }
};

/// How programs that do not await are run: what `greenlet` offers to other modules.
struct greenlet_calls {
  PyObject* type = nullptr;
  PyObject* (*current)() = nullptr;
  PyObject* (*switch_to)(PyObject* greenlet, PyObject* arguments, PyObject* named) = nullptr;

  /// Finds the module, if it is installed.
  [[nodiscard]] static greenlet_calls const& find();
  [[nodiscard]] bool are_there() const { return type != nullptr; }
};

/// One run of a Python program on a machine.
///
/// The machine runs on a stack of its own, and Python on the thread's: a fiber that has to know what its
/// program calls next jumps to the thread's stack, where the program goes on until its next call, and the
/// jump back makes that call on the fiber. So no frame of the interpreter is on a fiber, or is live while
/// another fiber runs.
class program_run {
 public:
  program_run(PyObject* program, PyObject* arguments, PyObject* named,
              std::shared_ptr<topology const> network, bool bytes_count);
  program_run(program_run const&) = delete;
  program_run& operator=(program_run const&) = delete;
  ~program_run();

  /// Runs the program. Result: nothing, and a Python error is set, if it failed.
  [[nodiscard]] std::optional<run_record> execute(machine const& on,
                                                  std::span<observer* const> observers = {});

  /// Gives the results of the program, by rank. New reference.
  [[nodiscard]] PyObject* take_results();
  [[nodiscard]] payload_store& payloads() { return m_payloads; }
  [[nodiscard]] source_lines& lines() { return m_lines; }
  [[nodiscard]] bool bytes_count() const { return m_bytes_count; }
  [[nodiscard]] std::shared_ptr<topology const> const& network() const { return m_network; }
  /// Whether that processor's program runs now, in this thread.
  [[nodiscard]] bool is_running(member const& one) const {
    return m_running == &one && m_thread == PyThreadState_Get();
  }
  [[nodiscard]] bool is_over() const { return m_over || !m_engine; }
  /// Whether a program is a generator, which cannot run. True: a Python error is set.
  [[nodiscard]] static bool refuse_generator(PyObject* program);
  /// Whether a machine runs in this thread.
  [[nodiscard]] static bool runs_in_this_thread();

  /// Makes the call that a program has come to. True: it goes on with the result. False: its processor
  /// waits, or the run has ended, and others go first.
  [[nodiscard]] bool advance(member& caller);
  /// Gives a program that does not await the result of its call. New reference, or nullptr.
  [[nodiscard]] PyObject* wait_in_greenlet(member& caller);
  /// Gives the result of the call that a program waited for. New reference, or nullptr.
  [[nodiscard]] PyObject* result_of_call(member& caller);

  /// Makes calls for the program until it ends or, in `pipelined`, ends the rounds.
  void serve(member& one);
  /// Lets the program go on in `pipelined`, until it ends the rounds.
  void serve_rounds(member& one) {
    one.in_rounds = true;
    go_on(one);
    serve(one);
    one.in_rounds = false;
  }
  /// Asks an operator of Python's for a combination, from a fiber: runs `ask` on the thread's stack.
  void on_thread_stack(member& one, bool (*ask)(void*), void* data);

 private:
  struct question {
    member* from = nullptr;
    bool (*ask)(void*) = nullptr;  ///< nullptr: the program is to go on
    void* data = nullptr;
    bool answered = false;
  };

  [[nodiscard]] bool make_entry();
  void resume_machine();
  void resume_thread();
  void run_member(processor& me);
  void go_on(member& one);
  static void give_labels(member& one);
  [[noreturn]] static void fail(member& one);
  void make_call(member& one);
  void answer();
  void combine();
  void resume(member& one);
  void begin(member& one);
  [[nodiscard]] PyObject* call_program(member& one);
  static PyObject* enter(PyObject* run, PyObject* none);
  void take_outcome(member& one, PyObject* outcome);
  void resume_coroutine(member& one);
  void resume_greenlet(member& one);
  void end_with_error(member& one);
  void close_programs();
  void set_error(std::exception_ptr const& failure, member* caller = nullptr);
  void set_program_error(program_failure const& failure);
  [[nodiscard]] bool make_context(member& one);

  PyObject* m_program;
  PyObject* m_arguments;
  PyObject* m_named;
  std::shared_ptr<topology const> m_network;
  PyObject* m_entry = nullptr;  ///< what greenlets run: `enter`
  PyObject* m_main = nullptr;   ///< the greenlet that runs the machine
  PyThreadState* m_thread = nullptr;
  bool m_is_coroutine = false;
  bool m_bytes_count;
  bool m_over = false;
  bool m_interrupted = false;
  bool m_handed_back = false;  ///< a greenlet went back to the main one before its program ended
  PyObject* m_interruption = nullptr;  ///< KeyboardInterrupt, SystemExit; owned
  frame_stacks m_frames;
  program_contexts m_contexts;
  payload_store m_payloads;
  source_lines m_lines;
  std::vector<member> m_members;
  PyObject* m_results;
  member* m_running = nullptr;
  member* m_inside = nullptr;  ///< whose coroutine is live, and its context entered
  std::optional<program_failure>
      m_left_call;  ///< the end of a program while its call was under way
  question m_question;
  boost::context::fiber m_python;  ///< the thread's stack, while a fiber or the machine runs
  boost::context::fiber m_engine;  ///< the machine's, while Python runs
  waiting_stack m_thread_stack{};
  waiting_stack m_machine_stack{};  ///< or that of the fiber which asks
};

/// Makes the Python object of a network. New reference, or nullptr.
[[nodiscard]] PyObject* network_object(std::shared_ptr<topology const> network);
/// The same, of what `parse` reads.
[[nodiscard]] PyObject* network_object(std::string const& specification);
/// Writes a text of the library in Python's words. Errors: those of Python.
[[nodiscard]] std::string in_python(std::string const& text);
/// Makes the Python exception of an error: a new reference, or nullptr.
[[nodiscard]] PyObject* exception_of(error const& thrown);
/// The same, for an error of a call: one that does not know its place has this.
[[nodiscard]] PyObject* exception_of(error const& thrown, incident const& place);
/// Makes one of a class of lockstep's own, with the place of a processor.
[[nodiscard]] PyObject* exception_of(char const* name, std::string const& message,
                                     incident const& place);
/// Finds the line of the program that an exception came from; `otherwise` where its traceback has none.
[[nodiscard]] std::source_location line_of(PyObject* exception, std::source_location otherwise);
/// Gives an error that a program has raised itself its place, if it has none.
void add_place(PyObject* raised, incident const& place);

}  // namespace lockstep::python
