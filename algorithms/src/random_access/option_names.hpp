#pragma once

#include <array>

#include <lockstep/algorithms/random_access/access_patterns.hpp>
#include <lockstep/algorithms/random_access/random_access_options.hpp>
#include <lockstep/algorithms/random_access/random_access_read_options.hpp>
#include <lockstep/algorithms/random_access/transportation.hpp>
#include <lockstep/algorithms/random_access/transportation_traffic.hpp>
#include <lockstep/algorithms/random_access/vector_options.hpp>
#include <lockstep/detail/enumerator_names.hpp>

/// Names of the options of random accesses.
namespace lockstep::detail {

inline constexpr std::array access_pattern_names{
    enumerator_name{access_pattern::random, "random"},
    enumerator_name{access_pattern::monotonic, "monotonic"},
    enumerator_name{access_pattern::one_hot, "one-hot"},
    enumerator_name{access_pattern::few_hot, "few-hot"},
    enumerator_name{access_pattern::local, "local"},
    enumerator_name{access_pattern::permutation, "permutation"},
    enumerator_name{access_pattern::singles, "singles"},
    enumerator_name{access_pattern::figure_3a, "figure-3a"},
    enumerator_name{access_pattern::figure_3b, "figure-3b"},
    enumerator_name{access_pattern::figure_3c, "figure-3c"},
    enumerator_name{access_pattern::figure_4, "figure-4"}};

inline constexpr std::array access_variant_names{
    enumerator_name{access_variant::arbitrary, "arbitrary"},
    enumerator_name{access_variant::hybrid, "hybrid"},
    enumerator_name{access_variant::hybrid_plain, "hybrid-plain"},
    enumerator_name{access_variant::limited, "limited"},
    enumerator_name{access_variant::monotonic, "monotonic"},
    enumerator_name{access_variant::one_all_gather, "one-all-gather"},
    enumerator_name{access_variant::automatic, "auto", "automatic"}};

inline constexpr std::array bucket_route_names{
    enumerator_name{bucket_route::sends, "sends"}, enumerator_name{bucket_route::linear, "linear"},
    enumerator_name{bucket_route::transportation, "transportation"}};

inline constexpr std::array read_variant_names{
    enumerator_name{read_variant::requested, "1", "requested"},
    enumerator_name{read_variant::whole_buckets, "2", "whole_buckets"},
    enumerator_name{read_variant::weighted, "weighted"},
    enumerator_name{read_variant::hybrid, "hybrid"},
    enumerator_name{read_variant::automatic, "auto", "automatic"}};

inline constexpr std::array transportation_route_names{
    enumerator_name{transportation_route::two_stages, "transportation", "two_stages"},
    enumerator_name{transportation_route::direct, "direct"}};

inline constexpr std::array transportation_traffic_names{
    enumerator_name{transportation_traffic::uniform, "uniform"},
    enumerator_name{transportation_traffic::shift, "shift"},
    enumerator_name{transportation_traffic::doubled, "double", "doubled"},
    enumerator_name{transportation_traffic::random, "random"},
    enumerator_name{transportation_traffic::hot, "hot"},
    enumerator_name{transportation_traffic::gather, "gather"},
    enumerator_name{transportation_traffic::worst_rounding, "adversary", "worst_rounding"}};

inline constexpr std::array vector_method_names{
    enumerator_name{vector_method::automatic, "auto", "automatic"},
    enumerator_name{vector_method::fold, "fold"},
    enumerator_name{vector_method::exchange, "exchange"},
    enumerator_name{vector_method::circulant, "circulant"}};

}  // namespace lockstep::detail
