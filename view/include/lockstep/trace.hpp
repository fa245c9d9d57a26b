#pragma once

#include <lockstep/traces/chrome_trace.hpp>
#include <lockstep/traces/csv_trace.hpp>
#include <lockstep/traces/dot_trace.hpp>
#include <lockstep/traces/goal_trace.hpp>
#include <lockstep/traces/trace.hpp>
#include <lockstep/traces/trace_formats.hpp>
#include <lockstep/traces/view_trace.hpp>
