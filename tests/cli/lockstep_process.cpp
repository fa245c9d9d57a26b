#include "lockstep_process.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

lockstep_process::lockstep_process(std::vector<std::string> words,
                                   std::function<void()> const& prepare) {
  words.insert(words.begin(), LOCKSTEP_BINARY);
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  m_process = ::fork();
  if (m_process < 0) throw std::runtime_error("no process for the test");
  if (m_process > 0) return;
  prepare();
  ::execv(LOCKSTEP_BINARY, arguments.data());
  ::_exit(127);
}

lockstep_process::~lockstep_process() {
  if (m_process <= 0) return;
  ::kill(m_process, SIGKILL);
  ::waitpid(m_process, nullptr, 0);
}

void lockstep_process::send(int signal) const { ::kill(m_process, signal); }

bool lockstep_process::is_running() const {
  siginfo_t ended{};
  ::waitid(P_PID, static_cast<id_t>(m_process), &ended, WEXITED | WNOHANG | WNOWAIT);
  return ended.si_pid == 0;
}

int lockstep_process::wait_for_end() {
  int status = 0;
  ::waitpid(m_process, &status, 0);
  m_process = 0;
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}
