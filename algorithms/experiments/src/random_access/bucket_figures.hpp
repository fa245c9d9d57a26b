#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <lockstep/claim_list.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/processor.hpp>

#include "harness/processor_notes.hpp"
#include "random_access/access_input.hpp"
#include "random_access/access_traffic.hpp"
#include "random_access/shared_parameters.hpp"

namespace lockstep {

/// The records of the processors of a random access, which have to be the same; of several processes each compares
/// those of its own.
template <class Record>
class records_of_access {
 public:
  explicit records_of_access(arguments const& given) : m_notes(given) {}

  [[nodiscard]] Record& of(processor const& me) { return m_notes.of(me); }
  [[nodiscard]] Record const& first() const { return m_notes.own().front(); }
  [[nodiscard]] bool are_the_same() const {
    auto const& own = m_notes.own();
    return std::ranges::count(own, first()) == static_cast<std::ptrdiff_t>(own.size());
  }

 private:
  processor_notes<Record> m_notes;
};

/// Says why `auto` chose what it did. `prices`: the cheapest first. `what`: the member that a price
/// is of.
template <class Price, class What>
[[nodiscard]] std::string reason_for(std::vector<Price> const& prices, What Price::*what,
                                     std::uint64_t startup_words) {
  std::string reason;
  for (auto const& price : prices)
    reason +=
        fmt::format("{}: {} start-ups and {} words at most, {} in words; ", name_of(price.*what),
                    price.startups, price.words, price.in_words(startup_words));
  return reason + "all besides the choice";
}

/// Adds the figures of a random access by buckets: words of stage 1 are those of the phases "stage 1" and
/// "stage 2", the two of a transportation, and words of stage 2 those of the phases "sends", of both ways.
/// `choice`: the member of a record that says what was done; `priced`: that of a price.
template <class Record, class Price, class What>
void add_bucket_figures(experiment_result& result, Record const& record, What Record::*choice,
                        What Price::*priced, std::uint64_t startup_words) {
  auto& figures = result.figures;
  auto const words_in = [&](std::string_view phase) {
    return sum_in(result.record, phase, &phase_record::words);
  };
  figures["choice"] = std::string(name_of(record.*choice));
  figures["buckets_full"] = static_cast<std::int64_t>(record.full_buckets);
  figures["buckets_partial"] = static_cast<std::int64_t>(record.partial_buckets);
  figures["largest_bucket"] = static_cast<std::int64_t>(record.largest_bucket);
  figures["q"] = static_cast<std::int64_t>(record.stage_2_steps);
  figures["combine_words"] = words_in("combine bucket hits");
  figures["scan_words"] = words_in("scan bucket hits");
  figures["one_to_one_words"] = words_in("one to one");
  figures["dealt_words"] = words_in("stage 1");
  figures["stage_1_words"] = words_in("stage 1") + words_in("stage 2");
  figures["stage_2_words"] = words_in("sends");
  figures["sends_steps"] = sum_in(result.record, "sends", &phase_record::steps);
  figures["port_words"] = sum_in(result.record, "", &phase_record::port_words);
  if (!record.prices.empty()) figures["reason"] = reason_for(record.prices, priced, startup_words);
}

/// Adds to the claims on a random access of values of m words that on the words of "stage 1" by
/// transportation, where one processor sends `r` elements and none more.
[[nodiscard]] inline std::vector<claim> with_dealt_words(std::vector<claim> const& known, int p,
                                                         std::uint64_t m, std::int64_t r,
                                                         std::string const& formula) {
  claim_list claims({{{"p", p}, {"m", static_cast<double>(m)}, {"r", static_cast<double>(r)}}});
  claims.add(known).from("lockstep, of Shankar and Ranka 1997, section 2");
  return claims.equal("dealt_words", formula);
}

}  // namespace lockstep
