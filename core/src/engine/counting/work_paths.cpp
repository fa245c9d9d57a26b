#include "engine/counting/work_paths.hpp"

#include <utility>

namespace lockstep::detail {

std::size_t work_paths::hash::operator()(key const& of) const {
  constexpr std::uint64_t spread = 0x9E37'79B9'7F4A'7C15;  // 2^64 / golden ratio
  auto const ends = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(of.from)) << 32U) |
                    static_cast<std::uint32_t>(of.to);
  return (of.stamp * spread + ends) * spread + of.pass;
}

void work_paths::note(envelope const& sent, int to, std::uint64_t operations) {
  auto& part = share_of(to);
  std::scoped_lock const lock(part.guard);
  key const of{sent.stamp, sent.from, to, sent.pass, sent.way};
  if (part.spare.empty()) {
    part.paths.emplace(of, operations);
    return;
  }
  auto node = std::move(part.spare.back());
  part.spare.pop_back();
  node.key() = of;
  node.mapped() = operations;
  part.paths.insert(std::move(node));
}

std::uint64_t work_paths::take(envelope const& came, int to) {
  auto& part = share_of(to);
  std::scoped_lock const lock(part.guard);
  auto const found = part.paths.find({came.stamp, came.from, to, came.pass, came.way});
  if (found == part.paths.end()) return 0;
  auto const operations = found->second;
  part.spare.push_back(part.paths.extract(found));
  return operations;
}

}  // namespace lockstep::detail
