#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/routing/h_relation_inputs.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/lower_bounds.hpp>

#include "harness/harness.hpp"

namespace lockstep {

/// An element: where it goes, and what tells it from all others.
struct labelled {
  int home = 0;
  int source = 0;
  std::uint32_t number = 0;  ///< among those of its source

  friend bool operator==(labelled const&, labelled const&) = default;
  friend auto operator<=>(labelled const&, labelled const&) = default;
};
using labelled_elements = std::vector<std::vector<labelled>>;  ///< of each processor

/// Collects the elements that go to each processor, by source, within it in the source's order.
[[nodiscard]] labelled_elements by_destination(labelled_elements const& elements);

/// Finds for elements of one destination, by source, the processors in between, if each source deals
/// its own out to successive ones: the m-th from i for j goes through (i + j + m) mod p.
[[nodiscard]] std::vector<int> intermediates_of(std::span<labelled const> arrived, int p);

/// The order in which elements are at their destination.
enum class arrival_order : std::uint8_t {
  by_source,  ///< within it in the source's order
  by_bin,     ///< by the processor in between, then by source; or where the input's offsets say
  in_parts,   ///< those of each of at most p processors in between by source
  any         ///< no order is promised
};

/// Bytes that an algorithm for h-relations takes of each element, from where it begins to what it is
/// compared with, and of each bin of a processor.
struct h_relation_memory {
  std::uint64_t element;
  std::uint64_t bin;
};

/// The h-relation that is asked for: elements go where they say.
class h_relation_problem {
 public:
  /// Errors: invalid_argument for another network than a crossbar, or an h-relation that cannot be
  /// made; out_of_memory, with the figures.
  h_relation_problem(arguments const& asked, arrival_order in_order,
                     h_relation_memory const& taken);

  [[nodiscard]] std::vector<labelled> part_of(processor const& me) const {
    return elements_of(me.rank());
  }
  /// Collects the elements that come to each processor, by source.
  [[nodiscard]] labelled_elements arrivals() const;
  /// Reads the place of an element at its destination, of an input that has offsets.
  [[nodiscard]] std::uint64_t offset_of(labelled const& element) const;
  [[nodiscard]] bool is_solved_by(labelled_elements const& found) const;
  /// Counts the elements from each processor to each; of many processors nothing.
  [[nodiscard]] traffic_requirement least_traffic(labelled_elements const& found) const;
  /// Adds the parameters as they were used.
  void add_size_to(experiment_result& result) const;

  /// Begins claims with the letters p, n, h1 and h2.
  [[nodiscard]] claim_list claims() const;
  /// Claims what a table says, where "{}" after a formula in h1 and h2 stands for what they are, if
  /// the input keeps below the limits it was made for.
  void claim_in(claim_list& claims, std::string_view table) const;
  [[nodiscard]] std::string own_limits() const;

  machine_needs needs{.strict = strictness::always, .one_port = true};
  arguments given;
  h_pattern pattern;
  h_relation_input input;
  std::uint64_t packet;  ///< words

 private:
  [[nodiscard]] std::vector<labelled> elements_of(int rank) const;
  /// Puts elements that came by source in the order that is promised, if by bin.
  void put_in_order(std::vector<labelled>& arrived) const;

  arrival_order m_order;
};

/// Makes an experiment that routes an h-relation, with the parameters that tell which one to make, and `own`.
[[nodiscard]] experiment h_relation_experiment_of(std::string name, std::string summary,
                                                  std::string source,
                                                  experiment_result (*run)(arguments const& given),
                                                  std::vector<parameter> const& own);

}  // namespace lockstep
