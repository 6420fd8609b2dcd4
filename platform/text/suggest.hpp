// "did you mean ...?" for names that people mistype.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// The nearest candidate within a third of the word's length, else "".
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// " (did you mean 'x'?)" for the nearest, else "".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

// Edits (insert, delete, replace, swap of neighbors) between two words.
int edit_distance(std::string_view a, std::string_view b);

}  // namespace heddle
