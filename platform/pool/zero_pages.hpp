// Memory from the operating system: zeroed, aligned to pages, there once it is touched.
#pragma once

#include <cstddef>

namespace heddle {

inline constexpr std::size_t huge_page_bytes = 2 * 1024 * 1024;  // of x86-64 and AArch64

// A multiple of 4 KiB. Throws where there is none.
std::byte* map_zeros(std::size_t bytes);
// Aligned to a huge page and made of them, where the operating system has them: first touches and
// look-ups of addresses cost a fraction then. A multiple of huge_page_bytes.
std::byte* map_huge_zeros(std::size_t bytes);
void unmap(std::byte* mapped, std::size_t bytes);

}  // namespace heddle
