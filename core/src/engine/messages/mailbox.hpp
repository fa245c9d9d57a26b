#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <lockstep/mailbox.hpp>

#include "engine/messages/message.hpp"
#include "engine/scheduling/group.hpp"

namespace lockstep::detail {

/// All that a processor posts to another in one superstep: one message.
struct mail {
  envelope sent{};  ///< its stamp is 0 until the message was sent
  int to = 0;       ///< on the machine
  std::size_t count = 0;
  std::byte const* data = nullptr;
  payload_type const* type = nullptr;
};

/// A message of a superstep, as its receiver finds it.
struct arriving_mail {
  int from = 0;  ///< rank of the sender in the group
  mail const* sent = nullptr;
};

/// The posts of a processor to the members of one group, and what they posted to it.
///
/// Posts are kept one after another. When the superstep ends they are put together by receiver, in
/// the order in which they are sent: by (receiver - sender) mod n. Receivers read them where they
/// lie.
class mailbox {
 public:
  explicit mailbox(group const& of) : m_group(&of) {}

  [[nodiscard]] group const& members() const { return *m_group; }
  [[nodiscard]] bool empty() const { return m_posts.empty(); }
  /// The type of what was posted since the last superstep; nullptr if nothing was.
  [[nodiscard]] payload_type const* type() const { return m_type; }

  /// The first post since the last superstep.
  struct first_post {
    std::uint64_t step = 0;
    int to = 0;  ///< on the machine
    call_place where{};
  };
  [[nodiscard]] first_post const& first() const { return m_first; }
  [[nodiscard]] std::size_t posts() const { return m_posts.size(); }

  /// Keeps a copy of the values for the member of that rank. Errors: std::bad_alloc.
  void post(int to, elements const& values, first_post const& at);

  /// Puts the posts together by receiver. `me`: the rank of the processor in the group.
  void sort_posts(int me);
  /// Makes a message of one word to each other member.
  void announce(int me);
  /// Lists what came in, and what the processor posted to itself, sorted by sender. `me`: its rank.
  [[nodiscard]] std::span<delivered_mail const> list_delivered(int me);
  /// Forgets the posts, and what came in.
  void clear();

  /// The messages to others, in the order in which they are sent.
  [[nodiscard]] std::span<mail> outgoing() { return m_outgoing; }
  /// The message of the processor to itself; nullptr if it has none.
  [[nodiscard]] mail const* own() const { return m_has_own ? &m_own : nullptr; }

  /// The messages from others, sorted by sender.
  std::vector<arriving_mail> arriving;

 private:
  /// Values for one receiver.
  struct values_for {
    std::size_t offset;  ///< in bytes
    int to;
    std::uint32_t count;
  };
  struct alignas(largest_alignment) block {
    std::byte bytes[largest_alignment];
  };

  [[nodiscard]] int offset_of(int to, int me) const {
    return to >= me ? to - me : to - me + m_group->size();
  }
  void sort_by_counting(int me);
  void sort_few(int me);
  void add_mail(int to, int me, std::size_t count, std::byte const* data);
  [[nodiscard]] std::byte* make_space();
  void copy(values_for const& posted, std::byte* to) const;

  group const* m_group;
  payload_type const* m_type = nullptr;
  first_post m_first;
  std::vector<values_for> m_posts;
  std::vector<std::byte> m_bytes;
  std::unique_ptr<block[]> m_sorted;
  std::size_t m_sorted_blocks = 0;
  std::vector<mail> m_outgoing;
  std::vector<delivered_mail> m_delivered;
  mail m_own;
  bool m_has_own = false;
};

}  // namespace lockstep::detail
