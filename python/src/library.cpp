// The library's algorithms, sweeps and papers. They take the same path as the command line, from its words to
// its JSON, so that a run in Python and `lockstep run` cannot differ; lockstep/library.py makes objects of it.

#include "library.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

#include <pybind11/stl.h>

#include <lockstep/detail/stop_request.hpp>
#include <lockstep/detail/tool_answer.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/experiments/papers.hpp>

#include "ending_interpreter.hpp"
#include "lists.hpp"
#include "program_run.hpp"

namespace py = pybind11;
using pybind11::literals::operator""_a;

namespace lockstep::python {

namespace {

/// Lets other threads of Python go on, as long as the scope lasts.
class unlocked_interpreter {
 public:
  unlocked_interpreter() : m_thread(PyEval_SaveThread()) {}
  unlocked_interpreter(unlocked_interpreter const&) = delete;
  unlocked_interpreter& operator=(unlocked_interpreter const&) = delete;
  ~unlocked_interpreter() {
    kept_from_unwinding([this] { PyEval_RestoreThread(m_thread); });
  }

 private:
  PyThreadState* m_thread;
};

/// A command that a thread of its own carries out, while Python's waits and hears signals.
class command {
 public:
  explicit command(std::vector<std::string> words) : m_words(std::move(words)) {}

  void carry_out() {
    try {
      detail::stop_scope const heeding(&m_stop);
      m_answer = detail::answer_to(m_words);
    } catch (...) {
      m_failure = std::current_exception();
    }
    std::scoped_lock const lock(m_guard);
    m_is_done = true;
    m_done.notify_all();
  }
  void stop() noexcept { m_stop.ask(); }
  /// Whether it has ended within that time.
  [[nodiscard]] bool wait(std::chrono::milliseconds at_most) {
    std::unique_lock lock(m_guard);
    return m_done.wait_for(lock, at_most, [this] { return m_is_done; });
  }
  [[nodiscard]] detail::tool_answer take() {
    if (m_failure != nullptr) std::rethrow_exception(m_failure);
    return std::move(m_answer);
  }

 private:
  std::vector<std::string> m_words;
  detail::tool_answer m_answer{};
  std::exception_ptr m_failure;
  detail::stop_request m_stop;
  std::mutex m_guard;
  std::condition_variable m_done;
  bool m_is_done = false;
};

/// How often signals are looked for, and how long is waited for a command that is asked to stop.
constexpr std::chrono::milliseconds between_signals{50};
constexpr std::chrono::milliseconds time_to_stop{2'000};

/// The commands of all threads.
class commands_under_way {
 public:
  static commands_under_way& all() {
    static auto* const only =
        new commands_under_way;  // never destroyed, for threads may still run at the end
    return *only;
  }

  void begin(std::shared_ptr<command> const& one) {
    std::scoped_lock const lock(m_guard);
    std::erase_if(m_commands, [](auto const& known) { return known.expired(); });
    m_commands.push_back(one);
  }
  /// Stops them, for the interpreter ends.
  void end() {
    m_ending_thread.store(std::this_thread::get_id());
    std::vector<std::shared_ptr<command>> running;
    {
      std::scoped_lock const lock(m_guard);
      for (auto const& known : m_commands)
        if (auto one = known.lock()) running.push_back(std::move(one));
    }
    for (auto const& one : running) one->stop();
    for (auto const& one : running) static_cast<void>(one->wait(time_to_stop));
  }
  /// Whether the interpreter ends, and this thread is not the one that ends it.
  [[nodiscard]] bool have_ended() const {
    auto const by = m_ending_thread.load();
    return by != std::thread::id() && by != std::this_thread::get_id();
  }

 private:
  std::mutex m_guard;
  std::vector<std::weak_ptr<command>> m_commands;
  std::atomic<std::thread::id> m_ending_thread{};
};

/// Lets a thread wait for the end of the process, if the interpreter ends.
void wait_if_all_ends() {
  if (!commands_under_way::all().have_ended()) return;
  unlocked_interpreter const others_run;
  for (;;) ::pause();
}

/// Carries out a command while other threads of Python go on, and Ctrl-C is heard.
detail::tool_answer answer_to(std::vector<std::string> const& words) {
  if (program_run::runs_in_this_thread())
    throw invalid_argument(
        "a run of the library inside a Python program of a machine: run it before or after");
  wait_if_all_ends();
  auto const asked = std::make_shared<command>(words);
  commands_under_way::all().begin(asked);
  std::thread([asked] { asked->carry_out(); }).detach();
  auto const has_ended = [&](std::chrono::milliseconds within) {
    unlocked_interpreter const others_run;
    return asked->wait(within);
  };
  while (!has_ended(between_signals)) {
    if (PyErr_CheckSignals() == 0) continue;
    py::error_already_set const interruption;
    asked->stop();
    static_cast<void>(has_ended(time_to_stop));
    throw interruption;
  }
  wait_if_all_ends();
  return asked->take();
}

void end_commands() {
  unlocked_interpreter const others_run;
  commands_under_way::all().end();
}

py::list listed_papers() {
  return list_of(papers(), [](auto const& one) {
    return py::dict("name"_a = one.name, "source"_a = one.source);
  });
}

py::list listed_figures() {
  return list_of(figures(), [](auto const& one) {
    return py::dict("name"_a = one.name, "summary"_a = one.summary, "sizes"_a = one.sizes);
  });
}

}  // namespace

void define_library(py::module_& module) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (detail::refused_command const& refused) {
      auto const kind = py::module_::import("lockstep.errors").attr("UsageError");
      py::object const exception = kind(refused.what());
      exception.attr("message") = refused.what();
      PyErr_SetObject(kind.ptr(), exception.ptr());
    }
  });
  py::class_<detail::tool_answer>(module, "_Answer")
      .def_readonly("json", &detail::tool_answer::json)
      .def_readonly("text", &detail::tool_answer::text)
      .def_readonly("notes", &detail::tool_answer::notes)
      .def_readonly("is_right", &detail::tool_answer::is_right);
  module.def("_answer", &answer_to);
  py::module_::import("atexit").attr("register")(py::cpp_function(&end_commands));
  module.def("_papers", &listed_papers);
  module.def("_figures", &listed_figures);
}

}  // namespace lockstep::python
