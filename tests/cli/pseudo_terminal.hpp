#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>

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

  /// What was shown since the last call.
  [[nodiscard]] std::string shown() const {
    std::string text;
    std::array<char, 4096> part{};
    for (;;) {
      auto const size = ::read(m_screen, part.data(), part.size());
      if (size <= 0) return text;
      text.append(part.data(), static_cast<std::size_t>(size));
    }
  }

  /// Presses keys.
  void type(std::string const& keys) const {
    if (::write(m_screen, keys.data(), keys.size()) < 0) throw std::runtime_error("no terminal");
  }

 private:
  int m_screen;
  int m_terminal = -1;
};
