// The units of each dimension, shared by the parser and the formatters of quantities.
#pragma once

#include <array>
#include <cstdint>

namespace heddle {

struct unit_factor {
  const char* name;
  std::uint64_t factor;  // in the base unit of the dimension
};

// Ascending within a table, so that formatters find the largest unit that fits.
inline constexpr std::array<unit_factor, 6> duration_units{{{"fs", 1},
                                                            {"ps", 1'000},
                                                            {"ns", 1'000'000},
                                                            {"us", 1'000'000'000},
                                                            {"ms", 1'000'000'000'000},
                                                            {"s", 1'000'000'000'000'000}}};

inline constexpr std::array<unit_factor, 5> binary_byte_units{
    {{"B", 1}, {"KiB", 1ULL << 10}, {"MiB", 1ULL << 20}, {"GiB", 1ULL << 30}, {"TiB", 1ULL << 40}}};

inline constexpr std::array<unit_factor, 5> decimal_byte_units{
    {{"B", 1}, {"KB", 1'000}, {"MB", 1'000'000}, {"GB", 1'000'000'000}, {"TB", 1'000'000'000'000}}};

inline constexpr std::array<unit_factor, 5> bandwidth_units{{{"B/s", 1},
                                                             {"KB/s", 1'000},
                                                             {"MB/s", 1'000'000},
                                                             {"GB/s", 1'000'000'000},
                                                             {"TB/s", 1'000'000'000'000}}};

// Of numbers that nobody reads back.
inline constexpr std::array<unit_factor, 6> energy_units{{{"pJ", 1},
                                                          {"nJ", 1'000},
                                                          {"uJ", 1'000'000},
                                                          {"mJ", 1'000'000'000},
                                                          {"J", 1'000'000'000'000},
                                                          {"kJ", 1'000'000'000'000'000}}};

inline constexpr std::array<unit_factor, 5> count_units{{{"k", 1'000},
                                                         {"M", 1'000'000},
                                                         {"G", 1'000'000'000},
                                                         {"T", 1'000'000'000'000},
                                                         {"P", 1'000'000'000'000'000}}};

// Bits: 1 Kb/s is 125 bytes a second.
inline constexpr std::array<unit_factor, 4> bit_rate_units{
    {{"Kb/s", 125}, {"Mb/s", 125'000}, {"Gb/s", 125'000'000}, {"Tb/s", 125'000'000'000}}};

}  // namespace heddle
