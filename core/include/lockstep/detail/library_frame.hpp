#pragma once

#include <source_location>

#include <lockstep/processor.hpp>

namespace lockstep {
class library_call;
}  // namespace lockstep

namespace lockstep::detail {

/// A processor's call of a helper inside the library, as long as it lives: observers that want calls
/// are told of it with each call that the processor makes meanwhile (`call_record::frame`). Made at
/// the beginning of the helper, so that a page shows the algorithm's own line while a processor is in
/// it. Errors name what they name without it.
///
/// **Cost** no step. Where no observer wants calls, a load and a branch.
class library_frame {
 public:
  /// `where`: the line that calls the helper, the default argument of the helper.
  library_frame(processor& me, std::source_location where) noexcept {
    if (me.is_shown()) [[unlikely]]
      m_noted = enter(me, where);
  }
  library_frame(library_frame const&) = delete;
  library_frame& operator=(library_frame const&) = delete;
  ~library_frame() {
    if (m_noted != nullptr) [[unlikely]]
      leave(*m_noted);
  }

 private:
  friend class lockstep::library_call;

  /// Notes the call. Result: where it is noted. The state outlives `me`, which may be a copy.
  static processor_state* enter(processor& me, std::source_location where) noexcept;
  static void leave(processor_state& state) noexcept;

  processor_state* m_noted = nullptr;  ///< where it is noted, if an observer wants calls
};

}  // namespace lockstep::detail
