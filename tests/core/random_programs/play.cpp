#include <deque>
#include <map>
#include <memory>
#include <memory_resource>
#include <numeric>
#include <source_location>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <lockstep/detail/untyped_calls.hpp>
#include <lockstep/errors.hpp>

#include "random_program.hpp"

namespace reference {
namespace {

template <class T>
std::vector<T> make_payload(std::uint64_t seed, std::size_t count) {
  std::vector<T> values;
  for (std::size_t index = 0; index < count; ++index)
    values.push_back(encode<T>(code_of(seed, index)));
  return values;
}

template <class T>
std::uint64_t digest_of(std::vector<T> const& values) {
  std::vector<std::uint64_t> codes;
  for (auto const& one : values) codes.push_back(decode<T>(one));
  return digest(codes);
}

/// Calls `visit` with std::type_identity of this type.
template <class Visitor>
auto with_type(element_type type, Visitor&& visit) {
  switch (type) {
    case element_type::byte:
      return visit(std::type_identity<signed char>());
    case element_type::integer:
      return visit(std::type_identity<int>());
    case element_type::real:
      return visit(std::type_identity<double>());
    case element_type::triple:
      return visit(std::type_identity<triple>());
    case element_type::wide:
      return visit(std::type_identity<wide>());
    case element_type::weightless:
      break;
  }
  return visit(std::type_identity<weightless>());
}

/// Makes the calls of one processor, one after another.
class player {
 public:
  player(std::vector<operation> const& calls, lockstep::processor& me) : m_calls(calls), m_me(me) {
    m_everybody.resize(static_cast<std::size_t>(me.size()));
    std::iota(m_everybody.begin(), m_everybody.end(), 0);
  }

  std::vector<std::uint64_t> play() {
    while (m_next < m_calls.size()) make_next();
    return std::move(m_result);
  }

 private:
  /// A part of the machine that the program has made.
  struct made_subset {
    std::unique_ptr<lockstep::processor> handle;
    std::vector<int> members;
  };

  /// Makes the next call, and catches lockstep's errors where the program says so.
  void make_next() {
    auto const& call = m_calls[m_next++];
    if (call.through != whole_machine && !m_subsets.contains(call.through)) return;
    if (!call.caught || call.what == action::pipelined_begin) return make(call);
    try {
      make(call);
    } catch (lockstep::error const&) {
    }
  }

  void make(operation const& call) {
    switch (call.what) {
      case action::send:
        send(call);
        break;
      case action::receive:
        m_result.push_back(receive(call));
        break;
      case action::exchange:
        m_result.push_back(exchange(call));
        break;
      case action::read:
      case action::write:
      case action::serve:
        one_sided(call);
        break;
      case action::receive_any:
        receive_any(call);
        break;
      case action::pending:
        m_result.push_back(through(call).pending(rank_for(call, call.in.from)));
        break;
      case action::try_receive:
        m_result.push_back(try_receive(call));
        break;
      case action::post:
        post(call);
        break;
      case action::deliver:
        deliver(call);
        break;
      case action::subset:
        make_subset(call);
        break;
      case action::pipelined_begin:
        through(call).pipelined([&] { inside_pipelined(); });
        break;
      case action::label:
        m_result.push_back(m_me.now());
        return label(call);
      default:
        make_plain(call);
    }
    m_result.push_back(m_me.now());
  }

  /// Works in several calls, which count as one.
  static void work(lockstep::processor& by, std::uint64_t operations) {
    by.work(operations / 2);
    for (auto left = operations - operations / 2; left > 0; --left) by.work(1);
  }

  void make_plain(operation const& call) {
    switch (call.what) {
      case action::idle:
        return through(call).idle(call.number);
      case action::barrier:
        return through(call).barrier();
      case action::phase:
        return through(call).phase(call.name);
      case action::rearrange:
        return through(call).rearrange(call.number);
      case action::work:
        return work(through(call), call.number);
      case action::pass:
        return through(call).pass(static_cast<int>(call.number));
      case action::tag:
        static_cast<void>(lockstep::detail::untyped_calls::begin_tag(
            through(call), static_cast<int>(call.number), std::source_location::current()));
        return;
      case action::allocate:
        m_memory.emplace_back(call.number, std::byte{}, through(call).memory());
        return;
      case action::free_memory:
        if (!m_memory.empty()) m_memory.pop_back();
        return;
      case action::fail:
        throw std::runtime_error("the program's own");
      default:
        return;
    }
  }

  void label(operation const& call) {
    auto& me = through(call);
    if (call.number == 0) return me.label(call.name);
    me.label(call.name, [&] {
      if (call.number == 2) me.label(inner_label);
      if (m_next < m_calls.size() && goes_inside(m_calls[m_next])) make_next();
    });
  }

  /// Up to the end; the call after it is the one that ended the rounds.
  void inside_pipelined() {
    m_result.push_back(m_me.now());
    while (m_next < m_calls.size() && m_calls[m_next].what != action::pipelined_end) make_next();
    if (m_next < m_calls.size()) ++m_next;
  }

  lockstep::processor& through(operation const& call) {
    return call.through == whole_machine ? m_me : *m_subsets.at(call.through).handle;
  }

  std::vector<int> const& members_of(std::uint64_t subset) {
    return subset == whole_machine ? m_everybody : m_subsets.at(subset).members;
  }
  int rank_for(operation const& call, int rank) {
    return rank_in(members_of(call.through), rank, m_me.size());
  }

  lockstep::destination where_to(operation const& call) {
    if (call.out.way) return {*call.out.way};
    return {rank_for(call, call.out.to)};
  }

  void make_subset(operation const& call) {
    using lockstep::processor;
    made_subset made;
    auto& parent = through(call);
    if (call.of.varying) {
      lockstep::dimensions const varying(*call.of.varying);
      made.handle = std::unique_ptr<processor>(new processor(parent.subset(varying)));
      for (int const rank : parent.topology().members(parent.rank(), varying))
        made.members.push_back(members_of(call.through)[static_cast<std::size_t>(rank)]);
    } else {
      std::vector<int> ranks;
      for (int const member : call.of.members) ranks.push_back(rank_for(call, member));
      made.handle = std::unique_ptr<processor>(new processor(parent.subset(ranks)));
      made.members = call.of.members;
    }
    m_result.push_back(static_cast<std::uint64_t>(made.handle->rank()));
    m_result.push_back(static_cast<std::uint64_t>(made.handle->size()));
    m_result.push_back(digest_of_text(made.handle->topology().spec()));
    m_subsets.insert_or_assign(call.number, std::move(made));
  }

  /// Finds the rank to which a way leads from this processor, or -1.
  [[nodiscard]] static int end_of(lockstep::processor const& me, lockstep::along way) {
    try {
      return me.topology().end_of(me.rank(), way);
    } catch (lockstep::error const&) {
      return -1;
    }
  }

  /// Tells whether `shift` does what the call says: a mistake may have changed that.
  [[nodiscard]] bool is_shift(operation const& call) {
    if (!call.shifts || !call.out.way) return false;
    auto const& me = through(call);
    auto const way = *call.out.way;
    int const to = end_of(me, way);
    int const from = end_of(me, {way.dimension, -way.offset});
    bool const sends = call.what != action::receive;
    bool const receives = call.what != action::send;
    bool const as_asked = call.in.how == taking::value || call.in.how == taking::vector;
    return (to >= 0) == sends && (from >= 0) == receives && to != me.rank() && from != me.rank() &&
           (!sends || to == rank_for(call, call.out.to)) &&
           (!receives || (as_asked && from == rank_for(call, call.in.from)));
  }

  /// Result: what came in, if anything did.
  template <class T>
  std::vector<T> shift(operation const& call, std::vector<T> values) {
    auto& me = through(call);
    bool const is_value =
        call.what == action::send ? call.out.how == giving::value : call.in.how == taking::value;
    if (!is_value && call.out.how == giving::moved)
      return me.shift(*call.out.way, std::move(values));
    if (!is_value) return me.shift(*call.out.way, std::span(std::as_const(values)));
    auto const came = me.shift(*call.out.way, values.front());
    return came ? std::vector<T>{*came} : std::vector<T>{};
  }

  void send(operation const& call) {
    if (is_shift(call)) {
      with_type(call.out.type, [&]<class T>(std::type_identity<T>) {
        if (!shift(call, make_payload<T>(call.out.seed, elements_sent(call))).empty())
          m_result.push_back(0);  // which nobody else has
      });
      return;
    }
    with_type(call.out.type, [&]<class T>(std::type_identity<T>) {
      auto values = make_payload<T>(call.out.seed, elements_sent(call));
      switch (call.out.how) {
        case giving::value:
          through(call).send(where_to(call), values.front());
          break;
        case giving::span:
          through(call).send(where_to(call), std::span(std::as_const(values)));
          break;
        case giving::moved:
          through(call).send(where_to(call), std::move(values));
          break;
      }
    });
  }

  void receive_any(operation const& call) {
    auto& me = through(call);
    with_type(call.in.type, [&]<class T>(std::type_identity<T>) {
      std::vector<int> among;
      for (int const rank : call.of.members) among.push_back(rank_for(call, rank));
      auto const [from, values] =
          among.empty() ? me.receive_any<T>() : me.receive_any<T>(std::span<int const>(among));
      m_result.push_back(static_cast<std::uint64_t>(from));
      m_result.push_back(digest_of(values));
    });
  }

  std::uint64_t try_receive(operation const& call) {
    return with_type(call.in.type, [&]<class T>(std::type_identity<T>) {
      for (std::uint64_t tries = 0; tries < call.number; ++tries) {
        auto const values = through(call).try_receive<T>(rank_for(call, call.in.from));
        if (values) return digest_of(*values);
        m_result.push_back(m_me.now());
      }
      return receive(call);
    });
  }

  void post(operation const& call) {
    with_type(call.out.type, [&]<class T>(std::type_identity<T>) {
      auto const values = make_payload<T>(call.out.seed, elements_sent(call));
      if (call.out.how == giving::value)
        through(call).post(rank_for(call, call.out.to), values.front());
      else
        through(call).post(rank_for(call, call.out.to), std::span(values));
    });
  }

  void deliver(operation const& call) {
    with_type(call.in.type, [&]<class T>(std::type_identity<T>) {
      for (auto const& [from, values] : through(call).deliver<T>({.announced = call.number == 2})) {
        m_result.push_back(static_cast<std::uint64_t>(from));
        m_result.push_back(digest_of(values));
      }
    });
  }

  std::uint64_t receive(operation const& call) {
    auto const& in = call.in;
    auto& me = through(call);
    int const from = rank_for(call, in.from);
    return with_type(in.type, [&]<class Element>(std::type_identity<Element>) {
      if (is_shift(call)) return digest_of(shift(call, std::vector<Element>(1)));
      std::vector<Element> values(in.count);
      switch (in.how) {
        case taking::value:
          values = {me.receive_value<Element>(from)};
          break;
        case taking::vector:
          values = me.receive<Element>(from);
          break;
        case taking::counted:
          values = me.receive<Element>(from, in.count);
          break;
        default:
          me.receive_into(from, values);
          break;
      }
      return digest_of(values);
    });
  }

  std::uint64_t exchange(operation const& call) {
    return with_type(call.out.type, [&]<class T>(std::type_identity<T>) {
      return digest_of(exchange_values(call, make_payload<T>(call.out.seed, elements_sent(call))));
    });
  }

  template <class T>
  std::vector<T> exchange_values(operation const& call, std::vector<T> values) {
    if (call.out.type == call.in.type && is_shift(call)) return shift(call, std::move(values));
    auto& me = through(call);
    auto const to = where_to(call);
    int const from = rank_for(call, call.in.from);
    auto const wanted = call.in.count;
    switch (call.in.how) {
      case taking::value:
        return {me.exchange(to, values.front(), from)};
      case taking::in_place: {
        auto const sent = values.size();
        values.resize(std::max(sent, wanted));
        me.exchange_into(to, std::span(values).first(sent), std::span(values).first(wanted), from);
        values.resize(wanted);
        return values;
      }
      case taking::into: {
        std::vector<T> taken(wanted);
        me.exchange_into(to, values, taken, from);
        return taken;
      }
      default:
        break;
    }
    if (call.out.how == giving::moved) return me.exchange(to, std::move(values), from);
    if (!call.out.way && call.out.to == call.in.from) return me.exchange(from, values);
    return me.exchange(to, std::span(std::as_const(values)), from);
  }

  void one_sided(operation const& call) {
    with_type(call.mine.type, [&]<class T>(std::type_identity<T>) {
      auto mine = make_payload<T>(call.mine.seed, call.mine.count);
      auto& me = through(call);
      int const owner = rank_for(call, call.asked.owner);
      if (call.what == action::read)
        m_result.push_back(digest_of(me.read(owner, call.asked.offset, call.asked.count, mine)));
      else if (call.what == action::write)
        with_type(call.asked.type, [&]<class Written>(std::type_identity<Written>) {
          me.write(owner, call.asked.offset,
                   make_payload<Written>(call.asked.seed, call.asked.count), mine);
        });
      else if (call.mine.constant)
        me.serve(std::as_const(mine));
      else
        me.serve(mine);
      m_result.push_back(digest_of(mine));
    });
  }

  std::vector<operation> const& m_calls;
  lockstep::processor& m_me;
  std::vector<int> m_everybody;
  std::size_t m_next = 0;
  std::map<std::uint64_t, made_subset> m_subsets;
  std::deque<std::pmr::vector<std::byte>> m_memory;
  std::vector<std::uint64_t> m_result;
};

}  // namespace

std::vector<std::uint64_t> play(std::vector<operation> const& calls, lockstep::processor& me) {
  return player(calls, me).play();
}

int rank_in(std::vector<int> const& members, int on_machine, int machine_size) {
  if (on_machine < 0 || on_machine >= machine_size) return on_machine;
  for (std::size_t rank = 0; rank < members.size(); ++rank)
    if (members[rank] == on_machine) return static_cast<int>(rank);
  return static_cast<int>(members.size());
}

std::uint64_t digest_of_text(std::string const& text) {
  return digest(std::vector<std::uint64_t>(text.begin(), text.end()));
}

}  // namespace reference
