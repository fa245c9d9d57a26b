#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/access_checks.hpp>
#include <lockstep/algorithms/random_access/detail/bucket_reads.hpp>
#include <lockstep/algorithms/random_access/detail/read_plan.hpp>
#include <lockstep/algorithms/random_access/random_access_read_options.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

namespace detail {

/// Requires options that there are, pointers to addresses, and a block of the array of its size.
/// Errors: invalid_argument.
void require_read(processor const& me, bucket_layout const& layout,
                  std::span<std::size_t const> pointers, std::size_t array,
                  random_access_read_options const& options);

}  // namespace detail

/// The values that a processor has read.
template <payload_element T>
struct read_values {
  std::vector<T> values;  ///< `elements_each` for each pointer; T() for a pointer without one
  random_access_read_record record;
};

/// Reads, for each pointer, what stands at its address in an array that is spread over the
/// processors, however many read the same. Called by all processors of a crossbar, of a hypercube that
/// cuts through, or of a torus or mesh.
///
/// `layout`: n addresses in blocks of B = ceil(n/p), each of k buckets of s addresses, the same on
/// all processors. `pointers`: the address that each element of this processor reads, or
/// `no_pointer`. A processor has any number of them; the bounds are for at most B. `array`: this
/// processor's block, m = `options.elements_each` values of any trivially copyable type at each
/// address.
/// Shows: "pointers", "array", "hits" of buckets, and "values".
/// Result: m values for each pointer, and the record of the run.
/// Errors: invalid_argument for a pointer that is neither an address nor `no_pointer`, a block of
/// another size, a layout for another number of processors, m = 0, or `automatic` elsewhere than on a
/// crossbar; those of the machine.
///
/// Requests, of a word each, are counted for each of the kp buckets, and go to slots by which
/// buckets are stretched, as in a random access write (stage 1). `requested` sends the addresses on
/// to their owners, as that does, and these answer every entry of the messages. `whole_buckets`:
/// owners, which know how many requests a bucket has, send it whole; `weighted` gives it as many
/// slots as it has addresses at least, so that no processor gets many whole buckets. `hybrid`:
/// requests for the own block stay, those for buckets with no more requests than addresses go
/// straight to their owners, and the other buckets are sent whole. The first processor of a bucket
/// hands it on to the others, and answers go back by the way that requests came, messages and
/// rounds in the opposite order. `automatic`: the cheapest by what each costs at most, for which
/// the hits without those of the own block are combined in the same messages, 2kp words more.
/// Phases "combine bucket hits", "scan bucket hits", "stage 1" and "stage 2" (both of the
/// transportation), "segmented scan" and "one to one" where buckets lie on several processors,
/// "sends"; then "sends", "one to one", "segmented scan", "stage 2", "stage 1" of the answers.
///
/// **Cost** on a crossbar, one-port, strict, d = ceil(log2 p), for at most B pointers of each
/// processor, q the messages that one sends or receives between the stages: of `requested` at most
/// 4(p-1) + 2q + 8d + 2 start-ups, of the others at most 4(p-1) + q + 6d + 1 start-ups. By the most
/// words in or out of a processor in each phase, where p is a power of two, `requested` takes at
/// most 3(m+1) ceil(n/p) + 4kp + 4(m+1) ceil(n/(kp)) + (m+1)p(p-1), and `hybrid` at most
/// (3m+2) ceil(n/p) + 4kp + 4m ceil(n/(kp)) + (m+1)p(p-1). The scan that copies answers costs what
/// `vector_scan` does for vectors of m s elements: it cuts between the m values of an address, but
/// not inside a value, whose type may have several words. On the other networks the bounds of
/// `network_read_claims`, with contention 1; there is no `automatic` there.
///
/// **Source** Shankar and Ranka 1997, section 7. Its second form, `whole_buckets`, does not keep
/// its bound, since one processor may hold all sparse buckets; `weighted` and `hybrid` are
/// lockstep's.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// lockstep::bucket_layout const table(8, 4);
/// auto run = machine.run([&](lockstep::processor& me) {
///   std::vector<int> const squares{4 * me.rank() * me.rank(),
///                                  (2 * me.rank() + 1) * (2 * me.rank() + 1)};
///   std::vector<std::size_t> const pointers{7, 7, 2};
///   return lockstep::random_access_read(me, table, pointers, std::span(squares)).values;
/// });
/// run.results()[0];  // {49, 49, 4}
/// ```
template <combinable T>
[[nodiscard]] read_values<T> random_access_read(
    processor& me, bucket_layout const& layout, std::span<std::size_t const> pointers,
    std::span<T const> array, random_access_read_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_read(me, layout, pointers, array.size(), options);
  auto const each = options.elements_each;
  detail::show_pointers(me, pointers);
  detail::show_values(me, "array", array);
  auto const counted = detail::counted_requests(me, layout, pointers, options);
  read_values<T> made{std::vector<T>(pointers.size() * each), counted.record};
  detail::bucket_reads<T> reads(me, layout, options, array);
  auto const put = [&](std::size_t i, std::span<T const> row) {
    std::ranges::copy(row, std::span(made.values).subspan(i * each).begin());
  };
  std::vector<detail::read_request> requests;
  std::vector<std::size_t> asking;
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    if (pointers[i] == no_pointer) continue;
    if (detail::is_answered_here(made.record.variant, layout, me.rank(), pointers[i])) {
      put(i, reads.own_row(pointers[i]));
      continue;
    }
    requests.push_back({detail::no_slot, pointers[i], std::uint8_t{1}});
    asking.push_back(i);
  }
  auto const rows = reads.read(std::move(requests), counted.totals, made.record);
  me.work(made.values.size());
  for (std::size_t r = 0; r < asking.size(); ++r)
    put(asking[r], std::span(rows).subspan(r * each, each));
  detail::show_values(me, "values", made.values);
  return made;
}

/// Claims what a random access read of values of m words costs, with packets of one word and at
/// most ceil(n/p) pointers of each processor. About "port_words", the most words in or out of a
/// processor in each phase together, and "answer_port_words", those of the last phase "sends", too;
/// the steps of all phases "sends", "sends_steps"; and words of phases: "combine_words" and
/// "scan_words" of the bucket hits, "one_to_one_words", and "answer_scan_words" of the last
/// segmented scan.
[[nodiscard]] std::vector<claim> random_access_read_claims(
    bucket_layout const& layout, random_access_read_options const& options,
    random_access_read_record const& record);

}  // namespace lockstep
