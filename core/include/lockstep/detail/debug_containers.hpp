#pragma once

// With _GLIBCXX_DEBUG the containers of libstdc++ are other types, of other sizes. They are members and
// parameters of what lockstep and a program share, so that both have to be compiled alike.
// LOCKSTEP_DEBUG_CONTAINERS says how lockstep was compiled: CMake and pkg-config define it.
#if defined(_GLIBCXX_DEBUG) && !defined(LOCKSTEP_DEBUG_CONTAINERS)
#error \
    "this program has _GLIBCXX_DEBUG, and lockstep was compiled without: define _GLIBCXX_ASSERTIONS \
instead, or build lockstep from its sources with -D_GLIBCXX_DEBUG in CMAKE_CXX_FLAGS"
#elif defined(LOCKSTEP_DEBUG_CONTAINERS) && !defined(_GLIBCXX_DEBUG)
#error \
    "lockstep was compiled with _GLIBCXX_DEBUG, and this program is not: define _GLIBCXX_DEBUG, or \
build lockstep without it"
#endif
