#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/observer.hpp>
#include <lockstep/run.hpp>

namespace reference {

/// An observer that keeps all that it is told.
class call_log : public lockstep::observer {
 public:
  [[nodiscard]] bool wants_calls() const override { return true; }
  void message(lockstep::message_record const& seen) override { messages.push_back(seen); }
  void step(lockstep::step_record const& seen) override { steps.push_back(seen); }
  void call(lockstep::call_record const& made) override { calls.push_back(made); }
  void shown(lockstep::shown_record const& value) override { shows.push_back(value); }
  void said(lockstep::call_record const& made, std::string_view text) override {
    texts.push_back({made, std::string(text)});
  }
  void ended(lockstep::run_end const& how) override {
    ++ends;
    failure = how.failure;
    left_out = how.calls_left_out;
    if (how.record != nullptr) counts = how.record->counts();
  }

  std::vector<lockstep::message_record> messages;
  std::vector<lockstep::step_record> steps;
  std::vector<lockstep::call_record> calls;
  std::vector<lockstep::shown_record> shows;
  struct said_text {
    lockstep::call_record made;
    std::string text;
  };
  std::vector<said_text> texts;
  int ends = 0;
  std::exception_ptr failure;
  std::string left_out;
  lockstep::counts counts;
};

}  // namespace reference
