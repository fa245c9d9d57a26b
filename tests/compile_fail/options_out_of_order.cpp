// Options are named in the order of their declaration; the message names the one that comes too late.

#include <lockstep/options.hpp>

lockstep::machine_options const options{.switching = lockstep::switching::cut_through,
                                        .ports = lockstep::ports::all};
