// What closes the table of a run: where the time went, and how the algorithms compare.
#pragma once

#include <string>
#include <vector>

#include "platform/workload/workload_result.hpp"

namespace heddle {

// What sets a job apart from others of its name: "32 KiB", "16 x 16" of tiles, "-".
std::string size_of(const workload_result& result);
// The same behind its name: ", 32 KiB", or nothing.
std::string behind_name(const workload_result& result);

// The literature's formulas for the last collective of each algorithm, beside its time; "" where
// there are none.
std::string law_line(const std::vector<workload_result>& results);

// A row a category, a column an algorithm, each with its last and so usually largest size. "" when
// nothing was explained.
std::string breakdown_table(const std::vector<workload_result>& results);

// A row a size: the time of each algorithm and its factor against the first. "" where nothing can
// be compared.
std::string speed_up_table(const std::vector<workload_result>& results);

// A row a primitive operation that was done, a column an algorithm: how many, and their energy. ""
// where there was none that any unit says the cost of.
std::string energy_table(const std::vector<workload_result>& results);

// The longest steps of each of these paths, by the names of the units.
std::string longest_spans(const std::vector<workload_result>& results);

}  // namespace heddle
