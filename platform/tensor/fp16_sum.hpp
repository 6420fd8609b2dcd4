// Sums of fp16, the type of most reductions. Processors that convert fp16 themselves (x86-64-v3 has
// F16C) add twice as fast as by integer arithmetic, and those that compute with it (AVX512-FP16)
// faster than they read the memory of large arrays; the bits are the same.
#pragma once

#include <cstddef>

namespace heddle {

// sum[i] = a[i] + b[i], as in reduce.hpp. The arrays need no alignment; `sum` may be `a` or `b`,
// and may not overlap them otherwise.
void add_fp16(void* sum, const void* a, const void* b, std::size_t elements);
// The same by integer arithmetic, on any processor.
void add_fp16_by_integers(void* sum, const void* a, const void* b, std::size_t elements);

}  // namespace heddle
