#pragma once

#include <string_view>

#include "scope.hpp"

// The benchmarks by theme; each function registers those of one.

namespace bench {

/// Ring, prefix, permutation on every engine, size of machine and of messages; what it takes to
/// start the processors; runs of few active ones.
void add_engines(scope const& of);

/// Every algorithm at the size at which it is taught, beside its messages alone.
void add_teaching_examples(scope const& of);

/// Adds the references for the engines: a bare switch, std::barrier, memcpy.
void add_references(scope const& of);

/// Sorts beside those of one memory; an h-relation beside memcpy.
void add_sorting(scope const& of);

/// Bitonic sort on hypercubes beside sorts of one memory.
void add_hypercube_sorting(scope const& of);

/// Histograms by a random access write, beside a loop and a sort of one memory.
void add_histograms(scope const& of);

/// The Fourier transform and the matrix product, beside one call of what their processors call.
void add_numeric(scope const& of);

/// Memory of a processor, and allocations.
void add_memory(scope const& of);

/// Runs a workload in this process, which does nothing else, and prints how many bytes of memory a
/// processor took at most. What the memory benchmark starts in a process of its own.
int print_peak_memory(std::string const& workload, int processors, int workers);

/// Most memory that this process ever had, in bytes.
double peak_memory();

/// The complete exchange: its bandwidth beside memcpy's, its time and memory.
void add_exchanges(scope const& of);

/// One prefix on a million processors, and 64 at once on a tree of 65,535.
void add_prefixes(scope const& of);

/// Collectives of a word on 1,024 processors, beside the same messages by hand.
void add_collectives(scope const& of);

/// Runs kept for a clock, beside the same runs that are counted; their timelines.
void add_clocks(scope const& of);

/// Calls of processor::work.
void add_work(scope const& of);

/// A million words to random processors: by post and deliver, and by an exchange by hand.
void add_mail(scope const& of);

/// A matrix transposed by the complete exchange, beside one thread that goes tile by tile.
void add_transpositions(scope const& of);

/// Runs the complete exchange in this process, which does nothing else, and prints words moved,
/// seconds of the exchange and of the whole run, most bytes, seconds of memcpy of as many words.
int print_exchange(std::string const& network, int workers);

/// Runs the programs for a million processors and more, those whose network has `filter` in its
/// name, each in a process of its own, and prints a table of what they took. Result: the exit status.
int print_large_runs(std::string_view filter);

/// Runs one of them in this process, which does nothing else, and prints its row.
int print_large_run(int program, int workers, bool copied);

/// The options by which they do: --large or --large=FILTER, --large-run=PROGRAM,WORKERS,COPIED
inline constexpr char const* large_option = "--large";
inline constexpr char const* large_run_option = "--large-run=";

/// The option by which it does: --exchange=TOPOLOGY,WORKERS
inline constexpr char const* exchange_option = "--exchange=";

/// The option by which it does: --peak-memory=WORKLOAD,PROCESSORS,WORKERS
inline constexpr char const* peak_memory_option = "--peak-memory=";

}  // namespace bench
