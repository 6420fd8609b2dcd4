// Tensors like the partial sums that a tensor-parallel layer of a language model contributes to an
// all-reduce: for studies of quantization, where random.hpp's uniform numbers would flatter.
//
//  - The hidden dimension (channels) is the fastest; a token is one row.
//  - Every value is Student's t with 4 degrees of freedom: heavy tails inside every channel.
//  - One channel in 512 is an outlier: all ranks and all tokens have it 20 to 100 times as large.
//    LLM.int8() (Dettmers et al., NeurIPS 2022) finds 6 such channels among the 4096 of a model
//    with 6.7 G parameters, up to 20 times the others; SmoothQuant (Xiao et al., ICML 2023) about
//    100 times, in the same channels for all tokens.
//
// Counter-based like random.hpp. Only integers, IEEE divisions and square roots: the same
// everywhere.
//
// Limitations: the values of channels, tokens and ranks are independent of each other; the tails
// of the t are chosen, not measured.
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/tensor/dtype.hpp"

namespace heddle {

inline constexpr std::size_t llama2_7b_hidden_size = 4096;  // SCIN Table 1 is of that model

// What the channel's values are multiplied by: 1, or 20 to 100 for an outlier.
float channel_factor(std::uint64_t seed, std::uint64_t channel);

// Fills data with the elements [offset, offset + elements) of the rank's tensor, rounded to fp16,
// bf16 or fp32. data needs no alignment.
void fill_activation(dtype type, void* data, std::size_t elements, std::uint64_t seed,
                     std::uint64_t rank, std::uint64_t offset = 0,
                     std::size_t hidden_size = llama2_7b_hidden_size);

}  // namespace heddle
