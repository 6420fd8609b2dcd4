// Quantities with units: "250 ns", "64 KiB", "112.5 GB/s". The arithmetic is exact: a value that is
// not a whole number of femtoseconds, bytes or bytes a second is an error rather than a rounded
// number. All functions throw quantity_error (number.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "platform/text/number.hpp"

namespace heddle {

// Femtoseconds, from fs ps ns us ms s. "0" needs no unit.
std::uint64_t parse_duration(std::string_view text);
// Bytes, from B KiB MiB GiB TiB (powers of 1024) and KB MB GB TB (powers of 1000). "0" needs none.
std::uint64_t parse_bytes(std::string_view text);
// Bytes a second, from B/s KB/s MB/s GB/s TB/s and, in bits, Kb/s Mb/s Gb/s Tb/s.
std::uint64_t parse_bandwidth(std::string_view text);

// For people: four significant digits, "326.4 us", "205.7 GB/s".
std::string format_duration(std::uint64_t femtoseconds);
std::string format_bytes(std::uint64_t bytes);
std::string format_bandwidth(double bytes_per_second);
std::string format_energy(double joules);
std::string format_count(std::uint64_t count);  // "842", "2.097 M"

// For files: parsing gives the same value again.
std::string exact_duration(std::uint64_t femtoseconds);
std::string exact_bytes(std::uint64_t bytes);
std::string exact_bandwidth(std::uint64_t bytes_per_second);

}  // namespace heddle
