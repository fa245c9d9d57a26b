#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/processor.hpp>
#include <lockstep/topologies/torus.hpp>
#include <lockstep/topology.hpp>

namespace reference {

/// What a topology says in place of the truth; nothing where it tells the truth.
struct lies {
  std::function<int()> size{};
  std::function<std::string()> spec{};
  std::function<std::vector<lockstep::neighbour>(int)> neighbours{};
  std::function<lockstep::switching()> default_switching{};
  std::function<lockstep::link_number()> links{};
  std::function<lockstep::link(lockstep::link_number)> link_at{};
  std::function<lockstep::link_number(lockstep::link)> number_of{};
  std::function<bool(int, int)> adjacent{};
  std::function<std::vector<int>(int, int)> route{};
  std::function<int(int, int)> hops{};
  std::function<void(int, int, std::vector<lockstep::link_number>&)> append_links{};
  std::function<bool()> always_one_link{};
  std::function<int(int, lockstep::along)> end_of{};
  std::function<std::vector<int>(int, lockstep::along)> way{};
  std::function<std::vector<int>(int)> coordinates{};
  std::function<std::vector<lockstep::layout_point>()> layout{};
  std::function<std::vector<int>(int, lockstep::dimensions const&)> members{};
  std::function<std::shared_ptr<lockstep::topology const>(std::span<int const>)> part{};
  std::function<std::vector<int>(std::span<int const>)> dimensions_of_part{};
};

/// A topology of somebody's own: a torus, but for its lies.
class liar final : public lockstep::topology {
 public:
  liar(std::vector<int> sizes, lies told) : m_true(std::move(sizes)), m_lies(std::move(told)) {}

  int size() const override { return m_lies.size ? m_lies.size() : m_true.size(); }
  std::string spec() const override { return m_lies.spec ? m_lies.spec() : "liar"; }
  std::vector<lockstep::neighbour> neighbours(int rank) const override {
    return m_lies.neighbours ? m_lies.neighbours(rank) : m_true.neighbours(rank);
  }
  lockstep::switching default_switching() const override {
    return m_lies.default_switching ? m_lies.default_switching() : m_true.default_switching();
  }
  lockstep::link_number links() const override {
    return m_lies.links ? m_lies.links() : m_true.links();
  }
  lockstep::link link_at(lockstep::link_number number) const override {
    return m_lies.link_at ? m_lies.link_at(number) : m_true.link_at(number);
  }
  lockstep::link_number number_of(lockstep::link which) const override {
    return m_lies.number_of ? m_lies.number_of(which) : m_true.number_of(which);
  }
  bool adjacent(int from, int to) const override {
    return m_lies.adjacent ? m_lies.adjacent(from, to) : m_true.adjacent(from, to);
  }
  std::vector<int> route(int from, int to) const override {
    return m_lies.route ? m_lies.route(from, to) : m_true.route(from, to);
  }
  int hops(int from, int to) const override {
    return m_lies.hops ? m_lies.hops(from, to) : m_true.hops(from, to);
  }
  void append_links(int from, int to, std::vector<lockstep::link_number>& links) const override {
    if (m_lies.append_links) return m_lies.append_links(from, to, links);
    m_true.append_links(from, to, links);
  }
  bool always_one_link() const override {
    return m_lies.always_one_link ? m_lies.always_one_link() : m_true.always_one_link();
  }
  int end_of(int from, lockstep::along way) const override {
    return m_lies.end_of ? m_lies.end_of(from, way) : m_true.end_of(from, way);
  }
  std::vector<int> route(int from, lockstep::along way) const override {
    return m_lies.way ? m_lies.way(from, way) : m_true.route(from, way);
  }
  std::vector<int> coordinates(int rank) const override {
    return m_lies.coordinates ? m_lies.coordinates(rank) : m_true.coordinates(rank);
  }
  int rank_at(std::span<int const> coordinates) const override {
    return m_true.rank_at(coordinates);
  }
  std::vector<lockstep::layout_point> layout() const override {
    return m_lies.layout ? m_lies.layout() : m_true.layout();
  }
  std::vector<int> members(int rank, lockstep::dimensions const& varying) const override {
    return m_lies.members ? m_lies.members(rank, varying) : m_true.members(rank, varying);
  }
  std::shared_ptr<lockstep::topology const> part(std::span<int const> members) const override {
    return m_lies.part ? m_lies.part(members) : m_true.part(members);
  }
  std::vector<int> dimensions_of_part(std::span<int const> members) const override {
    return m_lies.dimensions_of_part ? m_lies.dimensions_of_part(members)
                                     : m_true.dimensions_of_part(members);
  }

 private:
  lockstep::torus m_true;
  lies m_lies;
};

/// All that asks the topology something: ranks, ways, subsets, one-sided access.
inline void ask_everything(lockstep::processor& me) {
  auto const p = me.size();
  for (int const shift : {7, 1, 7, 4})
    (void)me.exchange((me.rank() + shift) % p, shift, (me.rank() + p - shift) % p);
  (void)me.exchange(lockstep::along{1, 1}, 1, (me.rank() / 4 * 4 + (me.rank() + 3) % 4));
  auto const memory = std::vector{me.rank(), me.rank()};
  (void)me.read((me.rank() + 5) % p, 0, 1, std::span(memory));
  auto row = me.subset(lockstep::dimensions{1});
  (void)row.exchange((row.rank() + 1) % 4, 1, (row.rank() + 3) % 4);
  (void)row.exchange(lockstep::along{0, 2}, 1, (row.rank() + 2) % 4);
  row.barrier();
}

}  // namespace reference
