// What people call a category of which only the key is known, from the results of a run.
#pragma once

#include <string>

namespace heddle {

// "wave-slot wait" for "wave_slot". A key of another version of Heddle stands for itself.
std::string text_of_category(const std::string& name);

}  // namespace heddle
