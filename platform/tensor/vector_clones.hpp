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

// One build, fast everywhere: glibc picks the widest version when the program is loaded. The wide
// ones have fused multiply-adds, of which only those may be made that stand in the code: the files
// are compiled without contraction.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(HEDDLE_SANITIZED) && \
    __has_attribute(target_clones)
#define HEDDLE_CLONE_FOR_VECTORS \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HEDDLE_CLONE_FOR_VECTORS
#endif

// A clone reaches only what is inlined into it.
#define HEDDLE_IN_CLONE __attribute__((always_inline)) inline
