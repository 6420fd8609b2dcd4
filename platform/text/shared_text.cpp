#include "platform/text/shared_text.hpp"

#include <mutex>
#include <unordered_set>

namespace heddle {
namespace {

// Never destroyed: other objects of static lifetime may hold texts.
const std::string* copy_of(const std::string& text) {
  static std::mutex mutex;
  static auto& all = *new std::unordered_set<std::string>();
  const std::lock_guard<std::mutex> lock(mutex);
  return &*all.insert(text).first;
}

}  // namespace

shared_text::shared_text() {
  static const std::string* const nothing = copy_of("");
  text_ = nothing;
}

shared_text::shared_text(const std::string& text) : text_(copy_of(text)) {}

}  // namespace heddle
