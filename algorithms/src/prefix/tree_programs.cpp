#include <array>

#include <lockstep/algorithms/prefix/detail/combined_prefixes.hpp>
#include <lockstep/algorithms/prefix/detail/relayed_prefixes.hpp>

namespace lockstep::detail {

namespace {

using enum relay_action;

constexpr std::array root_alone_sends{send_total};
constexpr std::array root_sends{receive_sum_of_first, receive_sum_of_second, send_prefix_of_second,
                                send_prefix_of_first, send_total};
constexpr std::array first_leaf_on_one_port{send_sum,
                                            receive_sum_of_sibling,
                                            relay_sum_of_sibling,
                                            receive_prefix_of_sibling,
                                            relay_prefix_of_sibling,
                                            receive_prefix};
constexpr std::array first_leaf_on_all_ports{send_sum,
                                             receive_prefix_of_sibling,
                                             relay_prefix_of_sibling,
                                             receive_sum_of_sibling,
                                             relay_sum_of_sibling,
                                             receive_prefix};
constexpr std::array second_leaf_on_one_port{receive_prefix, send_sum};
constexpr std::array second_leaf_on_all_ports{send_sum, receive_prefix};
constexpr std::array first_on_one_port{
    receive_sum_of_first,    receive_sum_of_second, send_sum,
    receive_sum_of_sibling,  relay_sum_of_sibling,  receive_prefix_of_sibling,
    relay_prefix_of_sibling, receive_prefix,        send_prefix_of_second,
    send_prefix_of_first};
constexpr std::array first_on_all_ports{
    receive_sum_of_first,      receive_sum_of_second,   send_sum,
    receive_prefix_of_sibling, relay_prefix_of_sibling, receive_sum_of_sibling,
    relay_sum_of_sibling,      receive_prefix,          send_prefix_of_second,
    send_prefix_of_first};
constexpr std::array second_on_one_port{receive_sum_of_first,  receive_sum_of_second,
                                        receive_prefix,        send_sum,
                                        send_prefix_of_second, send_prefix_of_first};
constexpr std::array second_on_all_ports{
    receive_sum_of_first, receive_sum_of_second, send_sum,
    receive_prefix,       send_prefix_of_second, send_prefix_of_first};

}  // namespace

std::span<relay_action const> relay_program(embedded_node const& node, bool one_port) {
  using program = std::span<relay_action const>;
  if (node.is_root()) {
    auto const with_total = node.is_leaf ? program(root_alone_sends) : program(root_sends);
    return node.has_above() ? with_total : with_total.first(with_total.size() - 1);
  }
  if (node.is_leaf && node.is_first)
    return one_port ? program(first_leaf_on_one_port) : program(first_leaf_on_all_ports);
  if (node.is_leaf)
    return one_port ? program(second_leaf_on_one_port) : program(second_leaf_on_all_ports);
  if (node.is_first) return one_port ? program(first_on_one_port) : program(first_on_all_ports);
  return one_port ? program(second_on_one_port) : program(second_on_all_ports);
}

namespace {

constexpr std::array pair_root{pair_action::receive_sum, pair_action::send_prefix};
constexpr std::array pair_first_leaf_on_one_port{
    pair_action::receive_prefix_of_pair, pair_action::send_prefix_of_sibling,
    pair_action::receive_sum_of_sibling, pair_action::send_sum_of_pair};
constexpr std::array pair_first_leaf_on_all_ports{
    pair_action::receive_sum_of_sibling, pair_action::send_sum_of_pair,
    pair_action::receive_prefix_of_pair, pair_action::send_prefix_of_sibling};
constexpr std::array pair_second_leaf{pair_action::send_sum, pair_action::receive_prefix};
constexpr std::array pair_first_on_one_port{pair_action::receive_prefix_of_pair,
                                            pair_action::send_prefix_of_sibling,
                                            pair_action::send_prefix,
                                            pair_action::receive_sum,
                                            pair_action::receive_sum_of_sibling,
                                            pair_action::send_sum_of_pair};
constexpr std::array pair_first_on_all_ports{pair_action::receive_sum,
                                             pair_action::receive_sum_of_sibling,
                                             pair_action::send_sum_of_pair,
                                             pair_action::receive_prefix_of_pair,
                                             pair_action::send_prefix_of_sibling,
                                             pair_action::send_prefix};
constexpr std::array pair_second{pair_action::receive_sum, pair_action::send_sum,
                                 pair_action::receive_prefix, pair_action::send_prefix};

}  // namespace

std::span<pair_action const> pair_program(embedded_node const& node, bool one_port) {
  using program = std::span<pair_action const>;
  if (node.is_root()) return node.is_leaf ? program() : program(pair_root);
  if (node.is_leaf && node.is_first)
    return one_port ? program(pair_first_leaf_on_one_port) : program(pair_first_leaf_on_all_ports);
  if (node.is_leaf) return pair_second_leaf;
  if (node.is_first)
    return one_port ? program(pair_first_on_one_port) : program(pair_first_on_all_ports);
  return pair_second;
}

}  // namespace lockstep::detail
