#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <lockstep/counts.hpp>

#include "reference_model.hpp"

namespace reference {

using lockstep::link_number;
using step_number = std::uint64_t;

/// A message, from the call that sent it to the call that took it in.
struct envelope {
  step_number stamp = 0;
  step_number step = 0;  ///< t; 0 while it is on its way
  int from = 0;
  int to = 0;
  int pass = 0;  ///< or tag, the receiver's
  element_type type = element_type::integer;
  std::vector<std::uint64_t> codes;
  std::uint64_t words = 0;
  std::uint64_t hops = 0;
  std::vector<link_number> links;
  lockstep::along way;            ///< offset 0: the topology's route
  std::uint64_t sender_call = 0;  ///< which of its sender's sends and receives it was, from 1 on
  std::uint64_t receiver_call = 0;
  std::uint64_t path = 0;            ///< operations on the longest path to its sending
  double arrival = 0;                ///< by LogGP: from when it can come in
  std::map<int, std::size_t> known;  ///< calls of receive_any that it follows, by processor
  std::vector<std::string> label{};  ///< under which it came in, with those around it
  bool in_channel = false;           ///< for receives, not for one-sided calls or deliver
  bool meets = false;                ///< rule 10: another asks the same owner in its round
};

enum class condition : std::uint8_t {
  runs,
  in_receive,
  in_barrier,
  in_round,
  choosing,  ///< in receive_any
  polling,   ///< in pending or try_receive
  finished,
  stopped  ///< by an error
};

/// The machine, or a subset: members as ranks on the machine.
struct member_group {
  bool whole = false;
  std::vector<int> members;
  std::shared_ptr<lockstep::topology const> network;
  std::vector<int> dimensions;  ///< of the machine that its own dimensions stand for
};

/// The part of `deliver` that a processor is in (rule 12).
enum class delivery_stage : std::uint8_t { none, sending, receiving };

/// What a processor has posted through one group since the last superstep.
struct posted_values {
  int to = 0;
  element_type type = element_type::integer;
  std::vector<std::uint64_t> codes;
  step_number step = 0;
};

/// A call of receive_any that took a message.
struct choosing_call {
  std::vector<int> senders;  ///< whose messages it might have taken
  int pass = 0;
  int took_of = 0;
  bool is_choice = false;
};

/// How many calls of receive_any of each processor are known (rule 13).
using known_calls = std::map<int, std::size_t>;

/// The labels of a processor, each with those around it: the last, and the one around that.
struct label_state {
  std::vector<std::string> current{};
  std::vector<std::string> enclosing{};
};

/// One processor: its clock (rule 2) and where it is in its program.
struct virtual_processor {
  step_number now = 1;
  std::map<link_number, step_number> out_port_used;  ///< per port: the last step
  std::map<link_number, step_number> in_port_used;
  int pass = 0;
  std::optional<std::size_t> pipelined;  ///< the group whose rounds it is in
  std::map<std::uint64_t, std::size_t> subsets{{whole_machine, 0}};  ///< by number: the group
  std::size_t next = 0;
  bool sent_half = false;      ///< of an exchange
  std::uint64_t messages = 0;  ///< sent and taken in
  condition is = condition::runs;
  std::map<std::size_t, std::vector<posted_values>> posts{};  ///< by group
  std::vector<choosing_call> choosing{};
  std::map<std::pair<int, int>, std::size_t> choosing_at_last{};  ///< by channel: from, pass
  known_calls known{};
  std::uint64_t tries = 0;  ///< of its try_receive
  delivery_stage stage = delivery_stage::none;
  bool announced = false;                            ///< the announcement of its `deliver` is over
  int offset = 1;                                    ///< of the next sender that it takes mail of
  std::map<int, std::vector<std::uint64_t>> mail{};  ///< taken in, by rank in the group
  std::size_t waits_in = 0;                          ///< in a barrier: of this group
  std::string barrier{};                             ///< and what it is called
  std::vector<std::uint64_t> held{};                 ///< bytes of its own memory
  std::uint64_t peak = 0;                            ///< most bytes at a time
  std::uint64_t barriers = 0;                        ///< that it has passed
  std::uint64_t operations = 0;                      ///< of its own
  label_state label{};
  std::optional<label_state> label_before{};  ///< where the label is around the next call
  std::size_t label_until = 0;                ///< the first call after that
  std::uint64_t path = 0;                     ///< operations on the longest path to here
  double clock = 0;                           ///< by LogGP, as are the next three
  double left = 0;                            ///< its last byte
  std::map<link_number, double> out_free{};
  std::map<link_number, double> in_free{};
  std::vector<std::uint64_t> result{};
};

struct rearrangement {
  int rank = 0;
  std::uint64_t words = 0;
  std::size_t phases_begun = 0;
};

/// Local operations of a processor.
struct local_work {
  int rank = 0;
  step_number step = 0;
  std::uint64_t barriers = 0;      ///< that it had passed
  std::optional<std::size_t> run;  ///< the pipelined run that it was in
  std::size_t phases_begun = 0;
  std::uint64_t operations = 0;
  std::vector<std::string> label{};
};

/// A run of pipelined rounds: the steps first <= t < end.
struct pipelined_run {
  std::size_t group = 0;
  step_number first = 0;
  step_number end = 0;
};

/// Runs the calls and keeps what happened.
class interpreter {
 public:
  interpreter(experiment const& of, wrong_rule wrong);

  void run();
  /// The steps that a barrier at the end would come to (rule 8).
  [[nodiscard]] step_number makespan() const;
  /// The same by the clock of LogGP (loggp_of_model).
  [[nodiscard]] double clock_makespan() const;
  /// The error of the least (step, rank), if there is any.
  [[nodiscard]] std::optional<failure> error() const;

  [[nodiscard]] bool gets_wrong(wrong_rule rule) const { return m_wrong == rule; }
  [[nodiscard]] lockstep::machine_options const& options() const { return m_options; }
  [[nodiscard]] std::vector<virtual_processor> const& processors() const { return m_processors; }
  [[nodiscard]] std::vector<member_group> const& groups() const { return m_groups; }
  [[nodiscard]] std::vector<envelope> const& messages() const { return m_messages; }
  [[nodiscard]] std::vector<rearrangement> const& rearrangements() const {
    return m_rearrangements;
  }
  [[nodiscard]] std::vector<local_work> const& work() const { return m_work; }
  /// The labels that were given, each with those around it, and the first step of each.
  [[nodiscard]] std::map<std::vector<std::string>, step_number> const& labels() const {
    return m_labels;
  }
  [[nodiscard]] std::vector<pipelined_run> const& pipelined_runs() const {
    return m_pipelined_runs;
  }
  [[nodiscard]] std::vector<lockstep::phase_record> const& phases() const { return m_phases; }

 private:
  using channel = std::tuple<int, int, int>;  // from, to, pass
  /// What a message carries.
  struct payload {
    element_type type = element_type::integer;
    std::vector<std::uint64_t> codes;
  };
  /// A one-sided message that was sent in a round: an answer, or what is written from `offset` on.
  struct served {
    bool reads = false;
    int taker = 0;
    std::size_t offset = 0;
    std::size_t message = 0;
  };

  [[nodiscard]] int size() const { return static_cast<int>(m_processors.size()); }
  virtual_processor& at(int rank) { return m_processors[static_cast<std::size_t>(rank)]; }
  virtual_processor const& at(int rank) const {
    return m_processors[static_cast<std::size_t>(rank)];
  }
  std::vector<operation> const& calls(int rank) const {
    return m_of.calls[static_cast<std::size_t>(rank)];
  }
  operation const& call_of(int rank) const { return calls(rank)[at(rank).next]; }
  member_group const& group_of(int rank, operation const& call) const {
    return m_groups[at(rank).subsets.at(call.through)];
  }

  bool fail(int rank, std::vector<std::string> kinds, step_number step);
  bool advance(int rank);
  bool at_the_end(int rank);
  void go_on(int rank);
  bool act(int rank, operation const& call);
  bool act_alone(int rank, operation const& call);
  bool make_subset(int rank, operation const& call);
  [[nodiscard]] std::optional<std::vector<int>> members_by_dimensions(int rank,
                                                                      operation const& call) const;
  bool wait_in_barrier(int rank, std::size_t group, std::string const& name);
  bool wait_in_round(int rank, operation const& call);
  bool idle(int rank, std::uint64_t steps);
  bool allocate(int rank, std::uint64_t bytes);
  bool work(int rank, std::uint64_t operations);
  bool label(int rank, operation const& call);
  [[nodiscard]] std::vector<std::string> label_inside(std::vector<std::string> path,
                                                      std::string const& name, step_number step);
  void clock_send(virtual_processor& me, link_number port, envelope& made) const;
  void clock_receive(virtual_processor& me, link_number port, envelope const& message) const;
  [[nodiscard]] step_number step_after(virtual_processor const& one) const;

  [[nodiscard]] bool bad_partner(int rank, operation const& call, int other) const;
  [[nodiscard]] link_number port(link_number over, int pass) const;
  [[nodiscard]] std::optional<lockstep::along> way_on_machine(int rank,
                                                              operation const& call) const;
  [[nodiscard]] std::optional<int> end_of_way(int rank, operation const& call,
                                              std::vector<std::string>& broken) const;
  [[nodiscard]] std::vector<link_number> links_of(int from, int to, lockstep::along way) const;
  void move_on(virtual_processor& me, step_number out_port_used) const;
  bool send(int rank, operation const& call);
  [[nodiscard]] std::vector<std::string> obstacle(int from, int to) const;
  bool dispatch(int from, int to, lockstep::along way, payload carried, int pass_of_receiver,
                std::size_t& sent);
  [[nodiscard]] channel channel_of(int from, int to, int pass) const;
  bool receive(int rank, operation const& call);
  bool take_in(int rank, envelope& message, std::vector<std::string> broken);

  bool wait_for_answer(int rank, operation const& call);
  [[nodiscard]] std::vector<int> admitted(int rank, operation const& call) const;
  struct decision {
    step_number step = 0;
    bool chooses = false;
    int sender = 0;  ///< its rank, or the other way round where that is got wrong
    int rank = 0;
    int from = 0;
    friend auto operator<=>(decision const&, decision const&) = default;
  };
  [[nodiscard]] std::optional<decision> first_to_come(int rank);
  bool decide();
  bool answer_poll(int rank);
  bool take_first(int rank, int from, operation const& call);
  void note_choices(int rank, envelope const& taken);

  bool post(int rank, operation const& call);
  bool deliver(int rank, operation const& call);
  void begin_delivery(std::size_t group, bool announces);
  bool end_delivery(int rank);
  bool send_mail(int rank, std::size_t group);
  bool send_mail_to(int rank, std::size_t group, int to, bool announces);
  bool receive_mail(int rank, operation const& call, std::size_t group);
  [[nodiscard]] std::vector<posted_values> posts_to(int rank, std::size_t group, int to) const;
  [[nodiscard]] bool own_posts_fit(int rank, operation const& call, std::size_t group) const;

  bool release_barriers();
  void release(std::size_t group);
  [[nodiscard]] bool same_barrier(std::size_t group);
  void note_barrier(std::size_t group, std::string const& name, step_number common);

  bool serve_round();
  void mark_meetings(std::vector<served> const& done);
  void serve(int asker, bool others_failed, std::vector<served>& done);
  [[nodiscard]] bool may_serve(int asker, bool others_failed);
  void finish_round(std::vector<served> const& done);
  bool take_in_round(int rank, std::vector<served> const& done, std::vector<std::uint64_t>& memory);
  [[nodiscard]] std::vector<std::uint64_t> memory_before(int rank) const;

  [[nodiscard]] std::optional<failure> first_link_contention() const;
  [[nodiscard]] std::optional<failure> error_at_the_end() const;

  experiment const& m_of;
  lockstep::topology const& m_network;
  lockstep::machine_options const& m_options;
  wrong_rule m_wrong;
  bool m_neighbour_only;
  std::vector<virtual_processor> m_processors;
  std::vector<member_group> m_groups;
  std::vector<envelope> m_messages;
  std::map<channel, std::deque<std::size_t>> m_channels;
  std::vector<rearrangement> m_rearrangements;
  std::vector<local_work> m_work;
  std::map<std::vector<std::string>, step_number> m_labels;
  std::vector<pipelined_run> m_pipelined_runs;
  std::vector<lockstep::phase_record> m_phases;
  std::vector<failure> m_failures;
  std::map<std::pair<int, int>, std::deque<std::size_t>> m_mail;  ///< sent: from, to
  std::map<std::pair<int, int>, bool> m_owed;                     ///< that has to come: from, to
  std::vector<int> m_round;  ///< the ranks in the one-sided round that is served
};

}  // namespace reference
