#pragma once

#include <lockstep/algorithms/claim.hpp>
#include <lockstep/algorithms/cost_line.hpp>
#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/algorithms/exchange/all_to_all_binary.hpp>
#include <lockstep/algorithms/exchange/all_to_all_direct.hpp>
#include <lockstep/algorithms/exchange/exchange_rivals.hpp>
#include <lockstep/algorithms/exchange/exchange_schedule.hpp>
#include <lockstep/algorithms/exchange/exchange_search.hpp>
#include <lockstep/algorithms/papers.hpp>
#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/algorithms/registry.hpp>
