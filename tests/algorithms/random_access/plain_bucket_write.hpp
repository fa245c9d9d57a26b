#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>

namespace {

using number_matrix = std::vector<std::uint64_t>;

/// Which buckets go by slots, and how slots are dealt out.
enum class plain_form { all, dense_levelled, dense_plain };

/// What a random access write by buckets does, element by element, on lists of slots.
struct plain_bucket_write {
  plain_bucket_write(lockstep::bucket_layout const& of, std::vector<std::size_t> const& pointers,
                     plain_form form)
      : layout(of),
        p(static_cast<std::size_t>(of.processors())),
        stage_1(p * p),
        hits(of.buckets()),
        slots(of.buckets()) {
    bool const is_hybrid = form != plain_form::all;
    for (std::size_t i = 0; i < pointers.size(); ++i)
      if (takes_part(pointers, i, is_hybrid)) ++hits[layout.bucket(pointers[i])];
    deal_out_slots(form);
    give_slots(pointers, is_hybrid);
    find_parts();
    find_messages();
  }

  [[nodiscard]] bool is_stretched(std::size_t bucket, bool is_hybrid) const {
    return hits[bucket] > (is_hybrid ? layout.size(bucket) : 0);
  }

  lockstep::bucket_layout layout;
  std::size_t p;
  number_matrix stage_1;  ///< elements from i to j at i p + j
  std::vector<std::uint64_t> hits;
  std::vector<std::vector<std::size_t>> slots;  ///< of each bucket, the processors of its slots
  std::size_t full = 0;
  std::size_t partial = 0;
  bool one_to_one = false;  ///< whether a processor has parts of two partial buckets
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> messages;  ///< of stage 2, words

  [[nodiscard]] std::uint64_t q() const {
    std::vector<std::uint64_t> out(p);
    std::vector<std::uint64_t> in(p);
    for (auto const& [ends, words] : messages)
      if (ends.first != ends.second) {
        ++out[ends.first];
        ++in[ends.second];
      }
    return std::max(*std::ranges::max_element(out), *std::ranges::max_element(in));
  }

  [[nodiscard]] std::uint64_t stage_2_port_words() const {
    std::vector<std::uint64_t> out(p);
    std::vector<std::uint64_t> in(p);
    for (auto const& [ends, words] : messages)
      if (ends.first != ends.second) {
        out[ends.first] += words;
        in[ends.second] += words;
      }
    return std::max(*std::ranges::max_element(out), *std::ranges::max_element(in));
  }

 private:
  [[nodiscard]] bool takes_part(std::vector<std::size_t> const& pointers, std::size_t i,
                                bool is_hybrid) const {
    return pointers[i] != lockstep::no_pointer &&
           (!is_hybrid || layout.owner(i) != layout.owner(pointers[i]));
  }

  /// The processor of each slot, in order.
  void deal_out_slots(plain_form form) {
    bool const is_hybrid = form != plain_form::all;
    std::uint64_t stretched = 0;
    std::vector<std::uint64_t> load(p);
    for (std::size_t bucket = 0; bucket < hits.size(); ++bucket)
      if (is_stretched(bucket, is_hybrid))
        stretched += hits[bucket];
      else
        load[static_cast<std::size_t>(layout.owner_of_bucket(bucket))] += hits[bucket];
    std::vector<std::uint64_t> room(p, (stretched + p - 1) / p);
    if (form == plain_form::dense_levelled) {
      auto const fits = [&](std::uint64_t level) {
        std::uint64_t all = 0;
        for (std::size_t q = 0; q < p; ++q) all += room[q] = level > load[q] ? level - load[q] : 0;
        return all >= stretched;
      };
      for (std::uint64_t level = 0; !fits(level); ++level) {
      }
    }
    std::size_t q = 0;
    for (std::size_t bucket = 0; bucket < hits.size(); ++bucket)
      for (std::uint64_t t = 0; is_stretched(bucket, is_hybrid) && t < hits[bucket]; ++t) {
        while (room[q] == 0) ++q;
        --room[q];
        slots[bucket].push_back(q);
      }
  }

  void give_slots(std::vector<std::size_t> const& pointers, bool is_hybrid) {
    std::vector<std::size_t> next(hits.size());
    for (std::size_t i = 0; i < pointers.size(); ++i) {
      if (!takes_part(pointers, i, is_hybrid)) continue;
      auto const bucket = layout.bucket(pointers[i]);
      auto const to = slots[bucket].empty() ? static_cast<std::size_t>(layout.owner(pointers[i]))
                                            : slots[bucket][next[bucket]++];
      ++stage_1[static_cast<std::size_t>(layout.owner(i)) * p + to];
    }
  }

  void find_parts() {
    std::vector<int> parts(p);
    for (auto const& of_bucket : slots) {
      if (of_bucket.empty()) continue;
      bool const is_full = of_bucket.front() == of_bucket.back();
      ++(is_full ? full : partial);
      for (std::size_t q = 0; q < p && !is_full; ++q)
        if (std::ranges::count(of_bucket, q) > 0) ++parts[q];
    }
    one_to_one = std::ranges::count(parts, 2) > 0;
  }

  void find_messages() {
    for (std::size_t bucket = 0; bucket < slots.size(); ++bucket) {
      if (slots[bucket].empty()) continue;
      auto const size = layout.size(bucket);
      bool const is_full = slots[bucket].front() == slots[bucket].back();
      auto const words = is_full ? std::min<std::uint64_t>(size, hits[bucket]) : size;
      messages[{slots[bucket].front(), static_cast<std::size_t>(layout.owner_of_bucket(bucket))}] +=
          words;
    }
  }
};

}  // namespace
