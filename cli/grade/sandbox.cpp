#include "sandbox.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <vector>

namespace lockstep::cli {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0;
#endif

/// `until_killed`: how much more than `most` ends the process at once.
bool set_limit(int what, std::uint64_t most, std::uint64_t until_killed = 0) noexcept {
  rlimit const limit{most, most + until_killed};
  return ::setrlimit(static_cast<decltype(RLIMIT_CPU)>(what), &limit) == 0;
}

/// Calls that change something outside of the process.
constexpr auto refused_calls = std::to_array<std::uint32_t>({
  __NR_execve, __NR_execveat, __NR_kill, __NR_tkill, __NR_ptrace, __NR_socket, __NR_socketpair,
      __NR_process_vm_readv, __NR_unlinkat, __NR_mkdirat, __NR_renameat2, __NR_process_vm_writev,
      __NR_linkat, __NR_symlinkat, __NR_fchmodat, __NR_fchownat, __NR_truncate, __NR_mount,
      __NR_umount2, __NR_rt_sigqueueinfo, __NR_unshare, __NR_setns, __NR_mknodat,
      __NR_rt_tgsigqueueinfo, __NR_setpgid, __NR_setsid, __NR_prlimit64, __NR_pidfd_send_signal,
      __NR_io_uring_setup, __NR_openat2, __NR_fchmod, __NR_fchown, __NR_ftruncate, __NR_utimensat,
      __NR_setxattr, __NR_bpf, __NR_shmget, __NR_msgget, __NR_memfd_create, __NR_keyctl,
      // The channel of the verdict, and the terminal of whoever grades.
      __NR_ioctl, __NR_pipe2, __NR_dup, __NR_dup3, __NR_semget, __NR_pidfd_getfd,
#if defined(__NR_fork)
      __NR_fork, __NR_vfork, __NR_unlink, __NR_mkdir, __NR_rename, __NR_rmdir, __NR_link,
      __NR_symlink, __NR_chmod, __NR_chown, __NR_creat, __NR_mknod, __NR_lchown, __NR_utimes,
      __NR_pipe, __NR_dup2,
#endif
#if defined(__NR_renameat)
      __NR_renameat,
#endif
});

constexpr std::uint32_t offset_of_argument(int number) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
                                    sizeof(std::uint64_t) * static_cast<std::size_t>(number));
}

/// A program of the kernel's packet filter, which decides on each call.
class call_filter {
 public:
  call_filter() {
    load(offsetof(seccomp_data, arch));
    unless_equal(architecture, SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
    at_least(0x40000000, SECCOMP_RET_ERRNO | EPERM);  // the numbers of another ABI
#endif
    for (auto const call : refused_calls) if_equal(call, SECCOMP_RET_ERRNO | EPERM);
    // Its flags lie in memory, where a filter cannot see them; without it libraries take clone.
    if_equal(__NR_clone3, SECCOMP_RET_ERRNO | ENOSYS);
    require_flag(__NR_clone, 0, CLONE_THREAD);
    only_with(__NR_tgkill, 0, static_cast<std::uint32_t>(::getpid()));  // abort() sends itself one
    constexpr std::uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    refuse_flags(__NR_openat, 2, writing);
#if defined(__NR_open)
    refuse_flags(__NR_open, 1, writing);
#endif
    add({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW});
  }

  [[nodiscard]] bool install() noexcept {
    sock_fprog const program{static_cast<unsigned short>(m_lines.size()), m_lines.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  void add(sock_filter line) { m_lines.push_back(line); }
  void load(std::size_t offset) {
    add({BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)});
  }
  void if_equal(std::uint32_t value, std::uint32_t answer) {
    add({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value});
    add({BPF_RET | BPF_K, 0, 0, answer});
  }
  void unless_equal(std::uint32_t value, std::uint32_t answer) {
    add({BPF_JMP | BPF_JEQ | BPF_K, 1, 0, value});
    add({BPF_RET | BPF_K, 0, 0, answer});
  }
  void at_least(std::uint32_t value, std::uint32_t answer) {
    add({BPF_JMP | BPF_JGE | BPF_K, 0, 1, value});
    add({BPF_RET | BPF_K, 0, 0, answer});
  }
  /// Allows the call only where that argument passes the test, a jump over no line or one.
  void allow_where(std::uint32_t call, int argument, sock_filter test) {
    add({BPF_JMP | BPF_JEQ | BPF_K, 0, 4, call});
    load(offset_of_argument(argument));
    add(test);
    add({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM});
    add({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW});
  }
  /// Allows the call only with the flag in that argument.
  void require_flag(std::uint32_t call, int argument, std::uint32_t flag) {
    allow_where(call, argument, {BPF_JMP | BPF_JSET | BPF_K, 1, 0, flag});
  }
  /// Allows the call only with that value in that argument.
  void only_with(std::uint32_t call, int argument, std::uint32_t value) {
    allow_where(call, argument, {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, value});
  }
  /// Allows the call only without any of the flags in that argument.
  void refuse_flags(std::uint32_t call, int argument, std::uint32_t flags) {
    allow_where(call, argument, {BPF_JMP | BPF_JSET | BPF_K, 0, 1, flags});
  }

  std::vector<sock_filter> m_lines;
};

}  // namespace

bool set_limits(process_limits const& limits) noexcept {
  constexpr std::uint64_t mib = std::uint64_t{1} << 20;
  return set_limit(RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(limits.seconds)) + 1, 1) &&
         set_limit(RLIMIT_AS, limits.memory_mib * mib) &&
         set_limit(RLIMIT_FSIZE, limits.file_mib * mib) && set_limit(RLIMIT_CORE, 0) &&
         set_limit(RLIMIT_MSGQUEUE, 0);
}

bool close_sandbox() noexcept {
  if constexpr (architecture == 0) return false;
  return call_filter().install();
}

}  // namespace lockstep::cli
