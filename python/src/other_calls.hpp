#pragma once

#include <Python.h>

#include <memory>
#include <source_location>
#include <type_traits>
#include <utility>

#include "program_run.hpp"

namespace lockstep::python {

/// A call of two functions: `perform(processor&, source_location)`, and `finish` of what that gives.
template <class Perform, class Finish>
class call_in_two_parts : public other_call {
 public:
  call_in_two_parts(Perform first, Finish second)
      : m_perform(std::move(first)), m_finish(std::move(second)) {}

  void perform(member& /*caller*/, processor& me, std::source_location where) override {
    if constexpr (returns_nothing)
      m_perform(me, where);
    else
      m_result = m_perform(me, where);
  }
  PyObject* finish(member& caller) override {
    if constexpr (returns_nothing)
      return m_finish(caller);
    else
      return m_finish(caller, std::move(m_result));
  }

 private:
  using result = std::invoke_result_t<Perform&, processor&, std::source_location>;
  static constexpr bool returns_nothing = std::is_void_v<result>;

  Perform m_perform;
  Finish m_finish;
  std::conditional_t<returns_nothing, int, result> m_result{};
};

template <class Perform, class Finish>
[[nodiscard]] std::unique_ptr<other_call> call_of(Perform perform, Finish finish) {
  return std::make_unique<call_in_two_parts<Perform, Finish>>(std::move(perform),
                                                              std::move(finish));
}

/// The same for a call without a result.
template <class Perform>
[[nodiscard]] std::unique_ptr<other_call> call_of(Perform perform) {
  return call_of(std::move(perform), [](member&) -> PyObject* { Py_RETURN_NONE; });
}

}  // namespace lockstep::python
