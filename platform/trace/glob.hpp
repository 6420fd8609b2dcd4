// Name patterns: '*' stands for any characters, dots included, '?' for exactly one. A bracket with
// several indices stands for each of them: "gpu[0..3]", "gpu[7..0]", "gpu[0,2,4..6]". Any other
// bracket is made of ordinary characters, because unit paths such as gpu[0] hold them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

bool glob_match(std::string_view pattern, std::string_view name);

// Where the name stands in each bracket of several indices, from the left: gpu[5].port[0] is at
// {2, 1} in "gpu[7..0].port[1,0]". Nothing when the pattern does not match.
std::optional<std::vector<std::size_t>> glob_positions(std::string_view pattern,
                                                       std::string_view name);

// The names that the globs choose, by index into `names`: glob by glob, each in the order of its
// brackets and, where those leave it open, of `names`. A name that two globs choose counts for the
// first. Throws user_error, without a place, for a glob that matches nothing.
std::vector<std::size_t> select_in_order(const std::vector<std::string>& globs,
                                         const std::vector<std::string>& names);

}  // namespace heddle
