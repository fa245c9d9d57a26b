// An actor of SimGrid for each processor, its mailboxes and its barrier. After the four arguments come the
// platform's file and SimGrid's own options.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

#include "measurement.hpp"
#include "workloads.hpp"

namespace peers {

namespace {

namespace s4u = simgrid::s4u;

/// A mailbox for each pair that talks, looked up by name once.
class mailboxes {
 public:
  s4u::Mailbox& of(int from, int to, int other) {
    auto const found = std::ranges::find(m_known, other, &known::other);
    if (found != m_known.end()) return *found->box;
    m_known.push_back(
        {other, s4u::Mailbox::by_name(std::to_string(from) + ">" + std::to_string(to))});
    return *m_known.back().box;
  }

 private:
  struct known {
    int other;
    s4u::Mailbox* box;
  };
  std::vector<known> m_known;
};

class actor_processor {
 public:
  static constexpr bool exchange_is_barrier = false;

  actor_processor(int rank, int size, s4u::Barrier& everybody)
      : m_rank(rank), m_size(size), m_everybody(everybody) {}

  [[nodiscard]] int rank() const { return m_rank; }
  [[nodiscard]] int size() const { return m_size; }
  void barrier() { m_everybody.wait(); }

  /// Detached, since it is quicker than to wait for the end of one's own sending.
  void exchange(int to, std::span<word const> out, std::span<word> in, int from) {
    auto* const copy = new word[out.size()];
    std::memcpy(copy, out.data(), out.size_bytes());
    m_out.of(m_rank, to, to).put_init(copy, out.size_bytes())->detach();
    receive(from, in);
  }

  void receive(int from, std::span<word> in) {
    auto* const arrived = m_in.of(from, m_rank, from).get<word>();
    std::memcpy(in.data(), arrived, in.size_bytes());
    delete[] arrived;
  }

 private:
  int m_rank;
  int m_size;
  s4u::Barrier& m_everybody;
  mailboxes m_out;
  mailboxes m_in;
};

}  // namespace

}  // namespace peers

int main(int argc, char** argv) {
  simgrid::s4u::Engine engine(&argc, argv);  // takes its own options
  auto const asked = peers::request_from(argc, argv);
  if (!asked || argc < 6) return 2;
  auto const program = peers::program_for<peers::actor_processor>(*asked);
  if (program == nullptr) return 2;

  engine.load_platform(argv[5]);
  auto const hosts = engine.get_all_hosts();
  auto const everybody = simgrid::s4u::Barrier::create(static_cast<unsigned>(asked->processors));
  std::vector<peers::outcome> found(static_cast<std::size_t>(asked->processors));
  for (int rank = 0; rank < asked->processors; ++rank)
    simgrid::s4u::Actor::create("a", hosts[static_cast<std::size_t>(rank) % hosts.size()],
                                [&, rank] {
                                  peers::actor_processor me(rank, asked->processors, *everybody);
                                  found[static_cast<std::size_t>(rank)] = program(me, *asked);
                                });
  engine.run();

  return peers::report(*asked, peers::outcome_of_all(found), peers::peak_memory());
}
