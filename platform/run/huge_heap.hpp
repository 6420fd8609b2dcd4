// Huge pages behind the heap. A system of thousands of units is spread over hundreds of megabytes,
// and each packet touches some of it everywhere: with pages of 4 KiB much of the time of large runs
// goes to address translation.
#pragma once

namespace heddle {

// A wish: where the system does not grant it, runs are slower and not wrong. Before the units are
// built. Only the first two gigabytes of the heap have huge pages.
void ask_for_huge_heap();

}  // namespace heddle
