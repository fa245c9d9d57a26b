#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <lockstep/cluster.hpp>
#include <lockstep/errors.hpp>

namespace reference {

/// The place where threads that stand for the processes of a cluster lay out batches for each other.
class shared_board {
 public:
  explicit shared_board(int processes) : m_laid(static_cast<std::size_t>(processes)) {}

  struct laid_out {
    char what = ' ';
    std::vector<std::uint64_t> figures{};
    std::vector<lockstep::cluster::bytes> to{};
  };

  [[nodiscard]] int processes() const { return static_cast<int>(m_laid.size()); }
  /// Lays out what a process has, waits for all, and gives what all have.
  [[nodiscard]] std::vector<laid_out> meet(int process, laid_out mine) {
    std::unique_lock lock(m_guard);
    m_laid[static_cast<std::size_t>(process)] = std::move(mine);
    wait_for_all(lock);
    auto all = m_laid;
    wait_for_all(lock);  // nobody lays out anything new before all have taken this
    for (auto const& one : all)
      if (one.what != all.front().what)
        throw lockstep::process_lost("a process of the threads does something else");
    return all;
  }
  void leave() {
    std::scoped_lock const lock(m_guard);
    m_lost = true;
    m_changed.notify_all();
  }

 private:
  void wait_for_all(std::unique_lock<std::mutex>& lock) {
    auto const round = m_round;
    if (++m_arrived == processes()) {
      m_arrived = 0;
      ++m_round;
      m_changed.notify_all();
    }
    m_changed.wait(lock, [&] { return m_lost || m_round != round; });
    if (m_round == round) throw lockstep::process_lost("a process of the threads has left");
  }

  std::mutex m_guard;
  std::condition_variable m_changed;
  std::vector<laid_out> m_laid;
  int m_arrived = 0;
  std::uint64_t m_round = 0;
  bool m_lost = false;
};

/// A cluster whose processes are threads of this one.
class thread_cluster : public lockstep::cluster {
 public:
  thread_cluster(shared_board& board, int process, bool shares = false)
      : m_board(board), m_process(process), m_shares(shares) {}
  thread_cluster(thread_cluster const&) = delete;
  thread_cluster& operator=(thread_cluster const&) = delete;
  ~thread_cluster() override { m_board.leave(); }

  [[nodiscard]] int processes() const override { return m_board.processes(); }
  [[nodiscard]] int process() const override { return m_process; }
  [[nodiscard]] round exchange(std::vector<std::uint64_t> const& figures,
                               std::vector<bytes> const& to) override {
    round came;
    for (auto& one : m_board.meet(m_process, {'x', figures, to})) {
      came.figures.insert(came.figures.end(), one.figures.begin(), one.figures.end());
      came.from.push_back(std::move(one.to[static_cast<std::size_t>(m_process)]));
    }
    return came;
  }
  [[nodiscard]] std::vector<bytes> all_gather(bytes const& own) override {
    std::vector<bytes> all;
    for (auto& one : m_board.meet(m_process, {'g', {}, {own}}))
      all.push_back(std::move(one.to.front()));
    return all;
  }
  [[nodiscard]] bool shares_results() const override { return m_shares; }

 private:
  shared_board& m_board;
  int m_process;
  bool m_shares;
};

/// Runs process(cluster) on as many threads. Result: what each returned, or the text of its exception.
inline std::vector<std::string> on_threads(
    int processes, std::function<std::string(lockstep::cluster&)> const& process,
    bool shares = false) {
  shared_board board(processes);
  std::vector<std::string> said(static_cast<std::size_t>(processes));
  {
    std::vector<std::jthread> threads;
    for (int number = 0; number < processes; ++number)
      threads.emplace_back([&, number] {
        thread_cluster one(board, number, shares);
        auto& text = said[static_cast<std::size_t>(number)];
        try {
          text = process(one);
        } catch (std::exception const& thrown) {
          text = std::string("threw ") + thrown.what();
        }
        // Not before all are here, since it tells the others that it has left.
        try {
          static_cast<void>(one.all_gather({}));
        } catch (lockstep::process_lost const&) {
        }
      });
  }
  return said;
}

}  // namespace reference
