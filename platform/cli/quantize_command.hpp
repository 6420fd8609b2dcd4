// `heddle quantize`: what block-wise quantization costs an all-reduce, by bits and block size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

// Numbers as the user gives them, wrong ones too. Defaults are those of SCIN Table 1: 8 ranks, INT8
// and INT4, blocks of 32 to 512.
struct quantize_options {
  std::vector<std::int64_t> bits = {8, 4};
  std::vector<std::int64_t> blocks = {32, 64, 128, 256, 512};
  std::int64_t ranks = 8;
  std::int64_t elements = 1 << 20;  // 256 tokens of 4096 channels
  std::string dtype = "fp16";
  std::uint64_t seed = 1;
  std::string input;  // pattern of .npy files with {r}; "": activation-like tensors
  std::string csv_file, json_file;
};

int quantize_command(const quantize_options& options);

}  // namespace heddle
