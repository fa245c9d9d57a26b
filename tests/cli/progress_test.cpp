#include "report/progress.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "../catch.hpp"

namespace {

using namespace std::chrono_literals;

/// A terminal of which we see the screen.
class pseudo_terminal {
 public:
  pseudo_terminal() : m_screen(::posix_openpt(O_RDWR | O_NOCTTY)) {
    if (m_screen < 0 || ::grantpt(m_screen) != 0 || ::unlockpt(m_screen) != 0)
      throw std::runtime_error("no pseudo-terminal");
    m_terminal = ::open(::ptsname(m_screen), O_RDWR | O_NOCTTY);
    ::fcntl(m_screen, F_SETFL, O_NONBLOCK);
  }
  pseudo_terminal(pseudo_terminal const&) = delete;
  pseudo_terminal& operator=(pseudo_terminal const&) = delete;
  ~pseudo_terminal() {
    ::close(m_terminal);
    ::close(m_screen);
  }

  [[nodiscard]] int terminal() const { return m_terminal; }

  [[nodiscard]] std::string shown() const {
    std::string text;
    std::array<char, 4096> part{};
    for (;;) {
      auto const size = ::read(m_screen, part.data(), part.size());
      if (size <= 0) return text;
      text.append(part.data(), static_cast<std::size_t>(size));
    }
  }

 private:
  int m_screen;
  int m_terminal = -1;
};

}  // namespace

TEST_CASE("a long run shows on a terminal that it goes on, and erases that at the end",
          "[progress][threads]") {
  pseudo_terminal const screen;
  {
    lockstep::cli::progress const shown(screen.terminal(), "all-to-all on torus:64x64", 50ms);
    std::this_thread::sleep_for(400ms);
  }
  auto const text = screen.shown();
  INFO(text);
  CHECK(text.find("| all-to-all on torus:64x64: 0 s") != std::string::npos);
  CHECK(text.find("/ all-to-all on torus:64x64: 0 s") != std::string::npos);
  CHECK(text.ends_with("\r\x1b[K"));
}

TEST_CASE("a short run shows nothing, and does not wait", "[progress]") {
  pseudo_terminal const screen;
  auto const start = std::chrono::steady_clock::now();
  { lockstep::cli::progress const shown(screen.terminal(), "all-to-all", 10s); }
  CHECK(std::chrono::steady_clock::now() - start < 5s);
  CHECK(screen.shown().empty());
}

TEST_CASE("a pipe sees no progress", "[progress]") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe2(ends.data(), O_NONBLOCK) == 0);
  {
    lockstep::cli::progress const shown(ends[1], "all-to-all", 1ms);
    std::this_thread::sleep_for(100ms);
  }
  char byte = 0;
  CHECK(::read(ends[0], &byte, 1) == -1);  // nothing there
  ::close(ends[0]);
  ::close(ends[1]);
}
