#include <lockstep/detail/stop_request.hpp>

#include <utility>

namespace lockstep::detail {

namespace {

thread_local stop_request const* request_of_thread = nullptr;

}  // namespace

stop_scope::stop_scope(stop_request const* request) noexcept
    : m_outer(std::exchange(request_of_thread, request)) {}

stop_scope::~stop_scope() { request_of_thread = m_outer; }

stop_request const* stop_scope::current() noexcept { return request_of_thread; }

void stop_scope::check() {
  if (request_of_thread != nullptr && request_of_thread->is_asked()) throw work_stopped();
}

}  // namespace lockstep::detail
