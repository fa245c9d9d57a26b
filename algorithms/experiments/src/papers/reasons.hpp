#pragma once

/// Why no row has a statement of a paper: the reasons that many share.
namespace lockstep::not_run_because {

inline constexpr char const* no_program_in_texts = "no program in our texts";
inline constexpr char const* no_program_stated = "a statement without a program";
inline constexpr char const* measured_on_machines = "measured on machines";
inline constexpr char const* not_programmed = "not programmed";
inline constexpr char const* as_printed_in_tests = "run in tests only, as printed";
inline constexpr char const* shown_by_runs = "shown by runs";

}  // namespace lockstep::not_run_because
