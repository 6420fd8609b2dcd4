// Measured times of kernels, which replace what rates say: a CSV file with the heading
// `operator,m,n,k,dtype,us` and a row a kernel (tools/profile_kernels writes such files on a
// machine with a GPU). Empty lines and lines that begin with # do not count.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>

#include "models/workloads/inference/decoder_kernels.hpp"
#include "platform/text/csv_reader.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

class kernel_measurements {
 public:
  kernel_measurements() = default;
  // Throws user_error with line and column of the cell that is wrong: an unknown operator or type,
  // a size or time that is no positive number, a kernel that comes twice.
  explicit kernel_measurements(const std::filesystem::path& path);

  std::size_t size() const { return times_.size(); }
  // Puts the times of those kernels that are in the file, with the same sizes and type, into their
  // descriptors.
  void apply(decoder_kernels& kernels) const;

 private:
  using key = std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t, weight_type>;
  void take(const csv_row& row);

  std::map<key, fs_t> times_;
};

}  // namespace heddle
