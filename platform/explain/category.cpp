#include "platform/explain/category.hpp"

#include <algorithm>
#include <array>

#include "platform/explain/category_text.hpp"

namespace heddle {
namespace {

struct category_text {
  const char* name;
  const char* text;
};

constexpr std::array<category_text, category_count> texts = {{
    {"firmware", "firmware"},
    {"doorbell", "doorbell"},
    {"queueing", "queueing"},
    {"serialization", "serialization"},
    {"propagation", "propagation"},
    {"forwarding", "forwarding"},
    {"memory", "memory"},
    {"wave_slot", "wave-slot wait"},
    {"reduction", "reduction"},
    {"compute", "compute"},
    {"completion", "completion"},
    {"synchronization", "synchronization"},
    {"credits", "credits"},
}};

}  // namespace

const char* name_of(category what) {
  return texts[static_cast<std::size_t>(what)].name;
}
const char* text_of(category what) {
  return texts[static_cast<std::size_t>(what)].text;
}

std::string text_of_category(const std::string& name) {
  const auto* const found = std::find_if(
      texts.begin(), texts.end(), [&](const category_text& each) { return each.name == name; });
  return found == texts.end() ? name : found->text;
}

}  // namespace heddle
