// Functions that exist once for each vector width, of which the loader picks the widest.
#pragma once

// The choice between clones runs before a sanitizer's own start-up code, which it would call.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEDDLE_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define HEDDLE_SANITIZED
#endif
#endif

// One build, fast everywhere: glibc picks the widest version when the program is loaded.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(HEDDLE_SANITIZED) && \
    __has_attribute(target_clones)
#define HEDDLE_CLONE_FOR_AVX2 __attribute__((target_clones("avx2", "default")))
// For fused multiply-adds, which are calls of the C library before.
#define HEDDLE_CLONE_FOR_FMA __attribute__((target_clones("arch=x86-64-v3", "default")))
// For multiplications of 64 bits, which are no vectors before.
#define HEDDLE_CLONE_FOR_AVX512 __attribute__((target_clones("arch=x86-64-v4", "default")))
#else
#define HEDDLE_CLONE_FOR_AVX2
#define HEDDLE_CLONE_FOR_FMA
#define HEDDLE_CLONE_FOR_AVX512
#endif

// A clone reaches only what is inlined into it.
#define HEDDLE_IN_CLONE __attribute__((always_inline)) inline
